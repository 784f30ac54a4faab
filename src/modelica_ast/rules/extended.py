"""Which classes others inherit from: those may use what is protected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from modelica_ast.library.class_files import LibraryFiles
from modelica_ast.library.layout import FileEntry
from modelica_ast.semantics.definitions import Definition, imported_names
from modelica_ast.semantics.environments import Classes

_GAP: Final = r"(?>(?:\s|//[^\n]*|/\*.*?\*/)*)"
_PART: Final = r"(?:[A-Za-z_][A-Za-z0-9_]*+|'(?:[^'\\]|\\.)*+'|\.)"


def with_inner(tops: Iterable[Definition]) -> Iterator[Definition]:
    """Some classes, each followed by all those inside it."""
    todo = list(tops)[::-1]
    while todo:
        definition = todo.pop()
        yield definition
        todo += list(definition.inner_classes)[::-1]


class Extended:
    """The classes that some classes, and those inside them, inherit from."""

    def __init__(self, classes: Classes, tops: Iterable[Definition]) -> None:
        self._classes = classes
        self._tops = tops

    @cached_property
    def _found(self) -> set[Definition]:
        return {
            base.environment.written
            for definition in with_inner(self._tops)
            for base in self._classes.as_written(definition).bases
            if base.environment is not None and base.environment.written is not None
        }

    def __contains__(self, definition: Definition) -> bool:
        return definition in self._found


class ExtendedAnywhere:
    """The classes that any class of the libraries that may be written inherits from.

    PERF: only files are parsed that have its name after `extends` or `=`, and only bases of that name are looked up.
    """

    def __init__(self, classes: Classes) -> None:
        assert isinstance(classes.files, LibraryFiles)
        self._classes = classes
        self._files = classes.files
        self._known: dict[Definition, bool] = {}

    def __contains__(self, definition: Definition) -> bool:
        found = self._known.get(definition)
        if found is None:
            self._known[definition] = found = self._is_extended(definition)
        return found

    def _is_extended(self, definition: Definition) -> bool:
        # An import can give it another name, in all files of a package.
        todo = [definition.name]
        for name in todo:
            for other in with_inner(top for entry in self._files_with_base(name) for top in self._files.tops(entry)):
                if name in _base_names(other) and self._extends(other, definition):
                    return True
                aliases = other.imports.aliases if other.imports is not None else ()
                for local, parts in (pair for clause in other.import_clauses for pair in imported_names(clause)):
                    if local in aliases and parts[-1] == name and local not in todo:
                        todo.append(local)
        return False

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
            if not library.read_only:
                try:
                    found.append((entry, self._files.libraries.text_of(entry)))
                except OSError:
                    continue  # the check of that file says so
        return found


def _base_names(definition: Definition) -> set[str]:
    """The last parts of the names of its bases."""
    found = {name.parts[-1] for name in definition.base_names}
    return found | {definition.name} if definition.is_class_extends else found
