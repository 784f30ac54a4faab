"""A lone document as a library of one file."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from modelica_ast.semantics.definitions import NOT_OPEN, UNKNOWN, Absence, Definition, definitions_of, within_parts
from modelica_ast.semantics.environments import Classes, Files
from modelica_ast.semantics.lookup import Lookup
from modelica_ast.tree import StoredDefinition, parse


class LoneFile:
    """The classes of one document, and those of other files beside them.

    The packages that its `within` names are there, as far as this file tells: what else they have is unknown.
    """

    def __init__(self, tree: StoredDefinition, beside: Files | None = None) -> None:
        self.tops = definitions_of(tree.classes)
        self.within = within_parts(tree.green)  # type: ignore[arg-type]  # a root is a node
        self._tree = tree
        self._beside = beside
        self._by_path = {definition.place.path: definition for definition in self.tops}
        self._by_name = {definition.name: definition for definition in reversed(self.tops)}
        self._own = frozenset(self.tops)
        self._packages: list[Definition] = []  # those that `within` names and nobody else knows
        self._package: Definition | Absence | None = self._find_package()

    @property
    def is_in_known_package(self) -> bool:
        """Is the package that its `within` names among the files beside it?"""
        return bool(self.within) and not self._packages

    def _find_package(self) -> Definition | Absence | None:
        if not self.within:
            return None
        found = NOT_OPEN if self._beside is None else self._package_beside(self._beside)
        if isinstance(found, Definition):
            return found
        text = " ".join(f"package {name}" for name in self.within)
        text += " " + " ".join(f"end {name};" for name in reversed(self.within))
        self._packages = definitions_of(parse(text).classes)
        while self._packages[-1].classes:
            self._packages += self._packages[-1].classes.values()
        for package in self._packages:
            package.__dict__["is_broken"] = True  # nobody knows what else is in it
            package.may_have_files = True
        return self._packages[-1]

    def _package_beside(self, beside: Files) -> Definition | Absence:
        found = beside.top(self.within[0])
        for name in self.within[1:]:
            if isinstance(found, Absence):
                return found
            found = found.classes.get(name) or beside.classes_in(found).get(name, UNKNOWN)
        return found

    # ------------------------------------------------------------ for the look-up

    def top(self, name: str) -> Definition | Absence:
        """A class of the document, if nothing is around them; what is beside it."""
        if not self.within and name in self._by_name:
            return self._by_name[name]
        if self._packages and name == self._packages[0].name:
            return self._packages[0]
        found = NOT_OPEN if self._beside is None else self._beside.top(name)
        return UNKNOWN if found is NOT_OPEN and not self.within and self._tree.errors else found

    def package_of(self, top: Definition) -> Definition | Absence | None:
        """The package that the document says it is in."""
        if top in self._own:
            return self._package
        return None if self._beside is None or top in self._packages else self._beside.package_of(top)

    def classes_in(self, package: Definition) -> Mapping[str, Definition | Absence]:
        """The classes of the document are in the package that it names."""
        if package in self._own:
            return {}
        if package in self._packages:
            return self._by_name if package is self._packages[-1] else {}
        return {} if self._beside is None else self._beside.classes_in(package)

    def full_name_of(self, top: Definition) -> str:
        """The full name of a class at the top of its file."""
        if top in self._own:
            return ".".join([*self.within, top.name])
        return top.name if self._beside is None or top in self._packages else self._beside.full_name_of(top)

    def tops_by_path(self, tree: Hashable) -> Mapping[tuple[int, ...], Definition]:
        """The classes at the top of a file by their places in it."""
        if self._beside is None or tree == self._tree.file:
            return self._by_path
        return self._beside.tops_by_path(tree)

    def package_of_tree(self, tree: Hashable) -> Definition | Absence | None:
        """The package that the classes of a file are in."""
        return self._package if self._beside is None or tree == self._tree.file else self._beside.package_of_tree(tree)

    def root(self, tree: Hashable) -> Any:
        """The tree of a file."""
        if self._beside is None or tree == self._tree.file:
            return self._tree.green
        return self._beside.root(tree)


def lookup_in(tree: StoredDefinition, beside: Files | None = None) -> Lookup:
    """What names stand for in a lone document."""
    return Lookup(Classes(LoneFile(tree, beside)))


def lookup_in_root(root: Any, beside: Files | None = None) -> Lookup:
    """What names stand for in a tree that belongs to no file."""
    return lookup_in(StoredDefinition.over(root), beside)
