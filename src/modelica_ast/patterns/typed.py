"""The type of what a metavariable stands for, looked up as the specification has it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, Final

from modelica_ast.edit.clauses import type_parts
from modelica_ast.edit.index import Index, Scope
from modelica_ast.edit.scopes import OneDocument, Scopes, Target, Trees
from modelica_ast.edit.surgery import Path, at
from modelica_ast.edit.working import split_name
from modelica_ast.green import Node, tokens
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.trees import LibraryTrees
from modelica_ast.patterns.captures import Bound
from modelica_ast.patterns.errors import PatternError
from modelica_ast.patterns.matching_names import parts_of
from modelica_ast.patterns.places import Place
from modelica_ast.tables import KINDS

_PREDEFINED: Final = frozenset({"Real", "Integer", "Boolean", "String"})


class BesideLibraries:
    """A document that belongs to no library, and the libraries that its names lead to."""

    def __init__(self, document: OneDocument, libraries: LibraryTrees) -> None:
        self._document = document
        self._libraries = libraries

    def _of(self, tree: Hashable) -> Trees:
        return self._document if tree is None else self._libraries

    def root(self, tree: Hashable) -> Node:
        """A tree."""
        return self._of(tree).root(tree)

    def scope(self, tree: Hashable, node: Node) -> Scope:
        """What a body or a file declares."""
        return self._of(tree).scope(tree, node)

    def package_of(self, tree: Hashable) -> Target | None:
        """The package that the classes of a file are in."""
        return self._of(tree).package_of(tree)

    def classes_in(self, package: Target) -> Mapping[str, Target]:
        """The classes of a package that stand in other files."""
        return self._of(package.tree).classes_in(package)

    def top_level(self, name: str) -> Target | None:
        """A class of the document, or the top class of a library."""
        return self._document.top_level(name) or self._libraries.top_level(name)

    def resolve_full(self, parts: Sequence[str]) -> tuple[int, Target | None]:
        """In the document if the name starts with its `within`, else in a library."""
        known, found = self._document.resolve_full(parts)
        return (known, found) if found is not None else self._libraries.resolve_full(parts)


class Types:
    """Lookup from places of one tree."""

    def __init__(self, root: Node, file: FilePath | None, libraries: Libraries | None) -> None:
        self._tree: Hashable = None
        self._has_libraries = libraries is not None
        trees: Trees = OneDocument(root, Index())
        if libraries is not None:
            entries = {entry.path for _, entry in libraries.files()}
            if file is not None and file.resolve() in entries:
                self._tree = file.resolve()
                trees = LibraryTrees(libraries, {file.resolve(): root})
            else:
                trees = BesideLibraries(OneDocument(root, Index()), LibraryTrees(libraries))
        self._scopes = Scopes(trees)
        self._root = root

    def is_of(self, bound: Bound, wanted: str, what: str) -> bool:
        """Is the declared type of what was captured this class, or one that extends it? PatternError if unknown."""
        return all(self._is_of(place, wanted, what) for place in bound.places)

    def _is_of(self, place: Place, wanted: str, what: str) -> bool:
        parts = split_name(wanted.removeprefix("."))
        found: Target | None = None
        if wanted not in _PREDEFINED:
            found = self._scopes.resolve((), parts, is_global=True)[-1]
            if found is None or KINDS[self._scopes.node(found)[0]] != "class_definition":
                where = "the file and the libraries" if self._has_libraries else "the file; give its libraries"
                raise PatternError(f"there is no class '{wanted}' in {where}")
        looked_for = wanted if found is None else found
        return any(one == looked_for for one in self._types_of(place, what))

    def _types_of(self, place: Place, what: str) -> Iterator[Target | str]:
        """The type of a component, or a class itself, and all that it inherits from; predefined types by name."""
        target = self._target(place)
        if target is None:
            hint = "" if self._has_libraries else "; give the libraries that it comes from"
            raise PatternError(f"the type of {what} can't be looked up: '{_text(place)}' leads out of the file{hint}")
        todo: list[Target | str] = [target]
        seen: set[Target | str] = set()
        while todo:
            one = todo.pop()
            if one in seen:
                continue
            seen.add(one)
            if isinstance(one, str):
                yield one
                continue
            node = self._scopes.node(one)
            if KINDS[node[0]] != "class_definition":
                todo.append(self._type_of_component(one, what))
                continue
            yield one
            todo += self._scopes.bases_of(one)
            specifier = node[-1]
            if KINDS[specifier[0]] == "short_class_specifier":
                parts, _ = type_parts(specifier)
                todo += [parts[0]] if len(parts) == 1 and parts[0] in _PREDEFINED else []

    def _type_of_component(self, component: Target, what: str) -> Target | str:
        found = self._scopes.class_of(component)
        if found is not None:
            return found
        parts, _ = type_parts(self._scopes.node(Target(component.tree, component.path[:-1])))
        if len(parts) == 1 and parts[0] in _PREDEFINED:
            return parts[0]
        hint = "" if self._has_libraries else "; give the libraries that it comes from"
        raise PatternError(f"the type of {what} can't be looked up: there is no class '{'.'.join(parts)}'{hint}")

    def _target(self, place: Place) -> Target | None:
        parent: Any = at(self._root, place.parent)
        if KINDS[parent[0]] in ("component_declaration", "component_declaration1") and place.first == 1:
            return Target(self._tree, place.parent)
        path: Path = place.path
        words = tokens(place.green)
        names = [part.name for part in parts_of(place.green)]
        if not all(name.isidentifier() or name.startswith("'") for name in names):
            return None
        around = self._scopes.classes_around(Target(self._tree, path))
        return self._scopes.resolve(around, names, is_global=words[0] == ".")[-1]


def _text(place: Place) -> str:
    return " ".join(tokens(place.green))
