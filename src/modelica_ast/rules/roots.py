"""The classes that nothing is around: of one document, and of libraries, read when a name leads there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from modelica_ast.edit.working import split_name
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.rules.symbols import NOT_OPEN, UNKNOWN, Absence, ClassSymbol
from modelica_ast.views.classes import ClassDefinition
from modelica_ast.views.files import StoredDefinition


class LibraryRoots:
    """The classes of libraries as symbols; `trees` are those that a check has read already."""

    def __init__(self, libraries: Libraries | None, trees: Mapping[Path, StoredDefinition]) -> None:
        self._libraries = libraries
        self._trees = trees
        self._symbols: dict[Path, ClassSymbol | Absence] = {}

    def top(self, name: str) -> ClassSymbol | Absence:
        """The top class of a library."""
        library = None if self._libraries is None else self._libraries.get(name)
        return NOT_OPEN if library is None else self.symbol(library.root, None)

    def package(self, name: str) -> ClassSymbol | Absence:
        """The class of a full name that has a file of its own."""
        parts = split_name(name)
        found = self.top(parts[0])
        for part in parts[1:]:
            inside = found.own_member(part) if isinstance(found, ClassSymbol) else None
            if not isinstance(inside, ClassSymbol):
                return UNKNOWN
            found = inside
        return found if isinstance(found, ClassSymbol) else UNKNOWN

    def symbol(self, entry: FileEntry, around: ClassSymbol | None) -> ClassSymbol | Absence:
        """The class that a file is named after; UNKNOWN if it can't be read."""
        if entry.path not in self._symbols:
            view = self._view(entry)
            self._symbols[entry.path] = UNKNOWN if view is None else self._with_files(ClassSymbol(view, around), entry)
        return self._symbols[entry.path]

    def _with_files(self, symbol: ClassSymbol, entry: FileEntry) -> ClassSymbol:
        symbol.files = _Files(self, symbol, entry)
        return symbol

    def _view(self, entry: FileEntry) -> ClassDefinition | None:
        tree = self._trees.get(entry.path)
        if tree is None and self._libraries is not None:
            try:
                tree = self._libraries.document(entry).tree
            except (ModelicaSyntaxError, OSError):
                return None  # it is a finding of the library that it belongs to; here nothing is known of it
        return None if tree is None else next((found for found in tree.classes if found.name == entry.name), None)


class _Files(Mapping[str, ClassSymbol | Absence]):
    """The classes of a package that have files of their own, read when asked for."""

    def __init__(self, roots: LibraryRoots, package: ClassSymbol, entry: FileEntry) -> None:
        self._roots = roots
        self._package = package
        self._entry = entry

    def __getitem__(self, name: str) -> ClassSymbol | Absence:
        return self._roots.symbol(self._entry.children[name], self._package)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entry.children)

    def __len__(self) -> int:
        return len(self._entry.children)


class DocumentRoots:
    """The classes of one document, and those of libraries beside them."""

    def __init__(self, tree: StoredDefinition, libraries: LibraryRoots) -> None:
        self._libraries = libraries
        self._within = tree.within
        around: ClassSymbol | Absence | None = libraries.package(tree.within) if tree.within else None
        self.classes = [ClassSymbol(view, around) for view in tree.classes]
        self._by_name = {symbol.name: symbol for symbol in reversed(self.classes)}
        self._is_broken = bool(tree.errors)

    def top(self, name: str) -> ClassSymbol | Absence:
        """A class of the document, if nothing is around them; the top of a library."""
        if not self._within and name in self._by_name:
            return self._by_name[name]
        found = self._libraries.top(name)
        if found is NOT_OPEN and (self._is_broken or (self._within and split_name(self._within)[0] == name)):
            return UNKNOWN  # its own package, of which this is one file; or what does not parse
        return found
