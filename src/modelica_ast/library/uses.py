"""Where a class or a component is used, in every file of the libraries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from modelica_ast.edit import Opened, Path as TreePath, occurrences, text_around, word_of
from modelica_ast.foundation import NotFoundError, Position, Record, Source, nearest, split_name
from modelica_ast.library.class_files import LibraryFiles, classes_of, lookup_of
from modelica_ast.library.errors import Progress, Tally
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.semantics import (
    Classes,
    Definition,
    Environment,
    Found as Declared,
    Lookup,
    Target,
    imported_names,
    with_inner,
)
from modelica_ast.syntax import KINDS, Green, Node, Offsets, child_at, first_leaf, render, token_text, trivia_length

Meanings = dict[Path, dict[TreePath, Target | None]]


class Reference(Record):
    """A place where something is used."""

    file: Path
    path: TreePath
    line: int
    column: int
    around: str  # the declaration or equation that it is in, in one line


class Uses:
    """Every place where some names are written in the libraries, with what they stand for there."""

    def __init__(self, libraries: Libraries, names: Iterable[str], tally: Tally) -> None:
        self.names = frozenset(names)
        self.libraries = libraries
        self._tally = tally
        self.files = files_with(libraries, self.names, tally)
        self._entries = {entry.path: entry for entry in self.files}
        self.opened: dict[Path, Opened] = {}
        tally.expect(len(self.files))
        for entry in self.files:
            self.opened[entry.path] = Opened(libraries.document(entry).work.root, self.names, entry.path)
            tally.done(entry.path)

    def entry(self, file: Path) -> FileEntry:
        """The file of a path."""
        return self._entries[file]

    def roots(self) -> dict[Path, Node]:
        """The trees, with the annotations read that matter."""
        return {path: opened.root for path, opened in self.opened.items()}

    def meanings(self, roots: dict[Path, Node], lookup: Lookup | None = None) -> Meanings:
        """What each of the names stands for in these trees, by the files as they are, or by another look-up."""
        lookup = lookup or lookup_of(self.libraries)
        found: Meanings = {}
        self._tally.expect(len(roots))
        for path, root in roots.items():
            found[path] = occurrences(lookup, root, path, self.opened[path].places)
            self._tally.done(path)
        return found


def files_with(libraries: Libraries, names: frozenset[str], tally: Tally) -> list[FileEntry]:
    """The files in whose text one of the names is as a word."""
    word = word_of(names)
    every = [entry for _, entry in libraries.files()]
    found = []
    tally.expect(len(every))
    for entry in every:
        text = libraries.text_of(entry)
        # PERF: most files have none of the names, not even as a part of another.
        if any(name in text for name in names) and word.search(text):
            found.append(entry)
        tally.done(entry.path)
    return found


def target_of(libraries: Libraries, name: str) -> Target:
    """The class or component of a full name."""
    lookup = lookup_of(libraries)
    place = lookup.place(declared_as(libraries, name))
    if place is None:
        raise NotFoundError(f"'{name}' is predefined")
    return place


def declared_as(libraries: Libraries, name: str) -> Declared:
    """What a full name stands for; NotFoundError names the nearest."""
    parts = split_name(name)
    lookup = lookup_of(libraries)
    libraries.library_of(name)
    found = lookup.resolve(None, parts, is_global=True)
    if found[-1] is not None:
        return found[-1]
    libraries.find_class(".".join(parts[: max(1, sum(part is not None for part in found))]))
    known = list(lookup.names_in(found[-2])) if len(found) > 1 and found[-2] is not None else []
    raise NotFoundError(f"there is no '{parts[-1]}' in '{'.'.join(parts[:-1])}'{nearest(parts[-1], known)}")


def references(libraries: Libraries, name: str, *, progress: Progress | None = None) -> list[Reference]:
    """All uses of the class, component or literal of a full name; its own declaration is not among them."""
    lookup = lookup_of(libraries)
    known: tuple[Lookup, dict[str, list[Reference]]] | None = getattr(libraries.memory, "references", None)
    if known is None or known[0] is not lookup:
        libraries.memory.references = known = (lookup, {})
    answers = known[1]
    if name not in answers:
        answers[name] = _references(libraries, lookup, name, Tally(progress))
    return list(answers[name])


def _references(libraries: Libraries, lookup: Lookup, name: str, tally: Tally) -> list[Reference]:
    target = target_of(libraries, name)
    uses = Uses(libraries, [split_name(name)[-1]], tally)
    roots = uses.roots()
    found = []
    for file, places in uses.meanings(roots).items():
        positions: Positions | None = None
        for path, meant in places.items():
            if meant == target and not _is_declaration(lookup, target, file, path):
                positions = positions or Positions(roots[file])
                place = positions.at(path)
                found.append(Reference(file, path, place.line, place.column, text_around(roots[file], path)))
    return found


def _is_declaration(lookup: Lookup, target: Target, file: Path, path: TreePath) -> bool:
    """Is it the name in the declaration itself, or after its `end`?"""
    if file != target.tree or path[: len(target.path)] != target.path:
        return False
    node, rest = lookup.node(target), path[len(target.path) :]
    if lookup.kind(target) != "class_definition":
        return rest == (1,)
    specifier = node[-1]
    first = 2 if token_text(specifier[1]) == "extends" else 1
    is_long = KINDS[specifier[0]] == "long_class_specifier"
    return rest[0] == len(node) - 1 and rest[1:] in ((first,), (len(specifier) - 1,) if is_long else ())


class Positions:
    """Lines and columns in one tree: its lines are counted once, and the width of each node."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._source = Source(render(root))
        self._offsets = Offsets()

    def at(self, path: TreePath) -> Position:
        """Of the token at a path."""
        offset = 0
        node: Green = self._root
        for index in path:
            offset += self._offsets.before(node, index)
            assert isinstance(node, tuple)
            node = child_at(node, index)
        return self._source.position(offset + trivia_length(first_leaf(node)))


# ---------------------------------------------------------------- derived classes
# The classes that inherit from a class, in every file of the libraries.

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
