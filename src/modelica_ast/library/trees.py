"""Name lookup over all files of some libraries."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path

from modelica_ast.edit.index import Index, Scope
from modelica_ast.edit.scopes import Target
from modelica_ast.green import Node
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries


class LibraryTrees:
    """The trees of all files, parsed when a name leads there; `changed` has those that stand in for others."""

    def __init__(self, libraries: Libraries, changed: Mapping[Path, Node] | None = None) -> None:
        self._libraries = libraries
        self._roots: dict[Path, Node] = dict(changed or {})  # as they are now: these trees are for one look
        self._indices: dict[Path, Index] = {}
        self._entries = {entry.path: entry for _, entry in libraries.files()}
        self._tops: dict[Path, Target | None] = {}

    def entry(self, tree: Hashable) -> FileEntry:
        """The file of a tree."""
        assert isinstance(tree, Path)
        return self._entries[tree]

    def root(self, tree: Hashable) -> Node:
        """The tree of a file."""
        assert isinstance(tree, Path)
        found = self._roots.get(tree)
        if found is None:
            self._roots[tree] = found = self._libraries.document(self._entries[tree]).work.root
        return found

    def scope(self, tree: Hashable, node: Node) -> Scope:
        """What a body or a file declares."""
        assert isinstance(tree, Path)
        index = self._indices.get(tree)
        if index is None:
            self._indices[tree] = index = self._libraries.document(self._entries[tree]).work.index
        return index.scope(node)

    def package_of(self, tree: Hashable) -> Target | None:
        """The package in whose folder a file is."""
        name = self.entry(tree).parent_name
        parent = self._libraries.library_of(name).file_of(name) if name else None
        return None if parent is None else self.top_of(parent)

    def classes_in(self, package: Target) -> Mapping[str, Target]:
        """The classes of a package that have files of their own."""
        entry = self.entry(package.tree)
        if entry.folder is None or package != self.top_of(entry):
            return {}
        return _Children(self, entry)

    def top_level(self, name: str) -> Target | None:
        """The top class of a library."""
        library = self._libraries.get(name)
        return None if library is None else self.top_of(library.root)

    def resolve_full(self, parts: Sequence[str]) -> tuple[int, Target | None]:
        """A full name starts with a library."""
        return 1, self.top_level(parts[0])

    def top_of(self, entry: FileEntry) -> Target | None:
        """The class that a file is named after; None if it has none of this name."""
        if entry.path not in self._tops:
            root = self.root(entry.path)
            found = self.scope(entry.path, root).classes.get(entry.name)
            self._tops[entry.path] = Target(entry.path, found[0]) if found else None
        return self._tops[entry.path]


class _Children(Mapping[str, Target]):
    """The classes of a package in other files; a file is parsed when its class is asked for."""

    def __init__(self, trees: LibraryTrees, entry: FileEntry) -> None:
        self._trees = trees
        self._entry = entry

    def __getitem__(self, name: str) -> Target:
        found = self._trees.top_of(self._entry.children[name])
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._entry.children)

    def __len__(self) -> int:
        return len(self._entry.children)
