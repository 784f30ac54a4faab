"""The classes that inherit from a class, in every file of the libraries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from modelica_ast.library.class_files import LibraryFiles, classes_of
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.semantics.definitions import Definition, imported_names, with_inner
from modelica_ast.semantics.environments import Classes, Environment

_GAP: Final = r"(?>(?:\s|//[^\n]*|/\*.*?\*/)*)"
_PART: Final = r"(?:[A-Za-z_][A-Za-z0-9_]*+|'(?:[^'\\]|\\.)*+'|\.)"


class DerivedClasses:
    """Who extends a class, is short for it, or is its derivative.

    PERF: only files are parsed that have its name after `extends` or `=`, and only bases of that name are looked up.
    """

    def __init__(self, classes: Classes, *, judged_only: bool = False) -> None:
        assert isinstance(classes.files, LibraryFiles)
        self._classes = classes
        self._files = classes.files
        self._judged_only = judged_only  # libraries that are read-only are left out

    def direct(self, definition: Definition) -> Iterator[Definition]:
        """The classes that have it as a base."""
        # An import can give it another name, in all files of a package.
        todo = [definition.name]
        seen: set[Definition] = set()
        for name in todo:
            for other in with_inner(top for entry in self._files_with_base(name) for top in self._files.tops(entry)):
                if other not in seen and name in _base_names(other) and self._extends(other, definition):
                    seen.add(other)
                    yield other
                aliases = other.imports.aliases if other.imports is not None else ()
                for local, parts in (pair for clause in other.import_clauses for pair in imported_names(clause)):
                    if local in aliases and parts[-1] == name and local not in todo:
                        todo.append(local)

    def every(self, definition: Definition) -> list[Environment]:
        """All classes that inherit from it, directly or not, as they are written."""
        found: dict[Definition, Environment] = {}
        todo = [definition]
        for each in todo:
            for derived in self.direct(each):
                if derived not in found and derived is not definition:
                    found[derived] = self._classes.as_written(derived)
                    todo.append(derived)
        return list(found.values())

    def _extends(self, other: Definition, definition: Definition) -> bool:
        bases = self._classes.as_written(other).bases
        return any(base.environment is not None and base.environment.written is definition for base in bases)

    def _files_with_base(self, name: str) -> Iterator[FileEntry]:
        """The files in whose text a name may be that of a base class, or of what an import gives another name."""
        before = rf"(?:(?<![A-Za-z0-9_])extends(?![A-Za-z0-9_])|=|(?<![A-Za-z0-9_])der{_GAP}\()"
        after = "" if name.endswith("'") else r"(?![A-Za-z0-9_])"
        wanted = re.compile(rf"{before}{_GAP}(?:{_PART}{_GAP})*?{re.escape(name)}{after}", re.DOTALL)
        return (entry for entry, text in self._texts if name in text and wanted.search(text))

    @cached_property
    def _texts(self) -> list[tuple[FileEntry, str]]:
        found = []
        for library, entry in self._files.libraries.files():
            if not (self._judged_only and library.read_only):
                try:
                    found.append((entry, self._files.libraries.text_of(entry)))
                except OSError:
                    continue  # the check of that file says so
        return found


def _base_names(definition: Definition) -> set[str]:
    """The last parts of the names of its bases."""
    found = {name.parts[-1] for name in definition.base_names}
    return found | {definition.name} if definition.is_class_extends else found


def derived_classes(libraries: Libraries, definition: Definition) -> list[Environment]:
    """All classes of libraries that inherit from one, directly or not, as they are written."""
    return DerivedClasses(classes_of(libraries)).every(definition)
