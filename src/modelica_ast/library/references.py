"""Where a class or a component is used, in every file of the libraries."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from modelica_ast.edit.errors import NotFoundError
from modelica_ast.edit.index import word_of
from modelica_ast.edit.occurrences import Opened, occurrences, text_around
from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.green import Green, Node, Offsets, child_at, first_leaf, render
from modelica_ast.identifiers import nearest, split_name
from modelica_ast.lexer import token_text, trivia_length
from modelica_ast.library.class_files import lookup_of
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.progress import Progress, Tally
from modelica_ast.record import Record
from modelica_ast.semantics.definitions import Target
from modelica_ast.semantics.lookup import Found as Declared
from modelica_ast.semantics.lookup import Lookup
from modelica_ast.source import Position, Source
from modelica_ast.tables import KINDS

Found = dict[Path, dict[TreePath, Target | None]]


class Reference(Record):
    """A place where something is used."""

    file: Path
    path: TreePath
    line: int
    column: int
    around: str  # the declaration or equation that it stands in, in one line


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
            self.opened[entry.path] = Opened(libraries.document(entry).work.root, self.names)
            tally.done(entry.path)

    def entry(self, file: Path) -> FileEntry:
        """The file of a path."""
        return self._entries[file]

    def roots(self) -> dict[Path, Node]:
        """The trees, with the annotations read that matter."""
        return {path: opened.root for path, opened in self.opened.items()}

    def meanings(self, roots: dict[Path, Node], lookup: Lookup | None = None) -> Found:
        """What each of the names stands for in these trees, by the files as they are, or by another look-up."""
        lookup = lookup or lookup_of(self.libraries)
        found: Found = {}
        self._tally.expect(len(roots))
        for path, root in roots.items():
            found[path] = occurrences(lookup, root, path, self.opened[path].places)
            self._tally.done(path)
        return found


def files_with(libraries: Libraries, names: frozenset[str], tally: Tally) -> list[FileEntry]:
    """The files in whose text one of the names stands as a word."""
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
    """Is it the name in the declaration itself, or behind its `end`?"""
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
