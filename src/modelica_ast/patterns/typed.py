"""The type of what a metavariable stands for, looked up as the specification has it."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path as FilePath
from typing import Any

from modelica_ast.edit.surgery import at
from modelica_ast.green import Node, symbol, tokens
from modelica_ast.identifiers import split_name
from modelica_ast.library.class_files import classes_of, lookup_of
from modelica_ast.library.libraries import Libraries
from modelica_ast.patterns.captures import Bound
from modelica_ast.patterns.errors import PatternError
from modelica_ast.patterns.matching_names import parts_of
from modelica_ast.patterns.stretches import Stretch
from modelica_ast.semantics.clauses import type_parts, within_parts
from modelica_ast.semantics.definitions import Target
from modelica_ast.semantics.environments import Environment, Member, identity_of
from modelica_ast.semantics.lone import lookup_in_root
from modelica_ast.semantics.lookup import Found
from modelica_ast.tables import KINDS


class Types:
    """Lookup from places of one tree."""

    def __init__(self, root: Node, file: FilePath | None, libraries: Libraries | None) -> None:
        self._tree: Hashable = None
        self._has_libraries = libraries is not None
        self._root = root
        if libraries is None:
            self._lookup = lookup_in_root(root)
        elif file is not None and libraries.entry_at(file.resolve()) is not None:
            self._tree = file.resolve()
            self._lookup = lookup_of(libraries, {file.resolve(): root})
        else:
            self._lookup = lookup_in_root(root, classes_of(libraries).files)

    def is_of(self, bound: Bound, wanted: str, what: str) -> bool:
        """Is the declared type of what was captured this class, or one that extends it? PatternError if unknown."""
        return all(self._is_of(place, wanted, what) for place in bound.places)

    def is_class(self, place: Stretch, wanted: str) -> bool:
        """Does a name stand for this very class, however it is written? PatternError if that is not known."""
        parts = split_name(wanted)
        wanted_parts = self._lookup.resolve(None, parts, is_global=True)
        looked_for = _class(wanted_parts[-1])
        if looked_for is None and self._has_libraries:
            raise PatternError(f"there is no class '{wanted}' in the file and the libraries")
        names = [part.name for part in parts_of(place.green)]
        resolved = self._resolved(place, names)
        if resolved[-1] is not None:
            return _is_same(_class(resolved[-1]), looked_for)
        may_be_near = list(within_parts(self._root)) and parts[-len(names) :] == names != parts
        if may_be_near and not self._has_libraries:
            raise PatternError(f"'{_text(place)}' leads out of the file; give the libraries that it may come from")
        # A name that nothing in reach declares is a full one.
        return names == parts and (resolved[0] is None or _is_same(_class(resolved[0]), _class(wanted_parts[0])))

    def _is_of(self, place: Stretch, wanted: str, what: str) -> bool:
        found = self._lookup.resolve(None, split_name(wanted.removeprefix(".")), is_global=True)[-1]
        class_ = _class(found)
        if class_ is None:
            where = "the file and the libraries" if self._has_libraries else "the file; give its libraries"
            raise PatternError(f"there is no class '{wanted}' in {where}")
        looked_for = identity_of(class_)
        return any(identity_of(part) == looked_for for part in self._type_of(place, what).ancestry())

    def _type_of(self, place: Stretch, what: str) -> Environment:
        """The type of a component, or a class itself."""
        hint = "" if self._has_libraries else "; give the libraries that it comes from"
        found = self._found(place)
        if isinstance(found, Environment):
            return found
        if not isinstance(found, Member):
            raise PatternError(f"the type of {what} can't be looked up: '{_text(place)}' leads out of the file{hint}")
        type_ = found.environment
        if type_ is None:
            text = _text(place) if found.is_class else str(found.type_name)
            raise PatternError(f"the type of {what} can't be looked up: there is no class '{text}'{hint}")
        return type_

    def _found(self, place: Stretch) -> Found | None:
        parent: Any = at(self._root, place.parent)
        kind = KINDS[parent[0]]
        if kind == "component_declaration" and place.first == 1:
            return self._lookup.declared_at(Target(self._tree, place.parent))
        if kind == "component_declaration1" and place.first == 1:
            around = self._lookup.environment_at(Target(self._tree, place.path))
            parts, is_global = type_parts(at(self._root, place.parent[:-1]))
            found = self._lookup.resolve(None if around is None else around.scope, parts, is_global=is_global)[-1]
            return found.environment if isinstance(found, Member) and found.is_class else found
        names = [part.name for part in parts_of(place.green)]
        if not all(name.isidentifier() or name.startswith("'") for name in names):
            return None
        return self._resolved(place, names)[-1]

    def _resolved(self, place: Stretch, names: list[str]) -> list[Found | None]:
        """What each part of a written name stands for; the name of an import clause is a full one."""
        around = self._lookup.environment_at(Target(self._tree, place.path))
        is_full = tokens(place.green)[0] == "." or symbol(at(self._root, place.parent)) == "import_clause"
        return self._lookup.resolve(None if around is None else around.scope, names, is_global=is_full)


def _is_same(one: Environment | None, other: Environment | None) -> bool:
    return one is not None and other is not None and identity_of(one) == identity_of(other)


def _class(found: Found | None) -> Environment | None:
    """What was found, if it is a class."""
    class_ = found.environment if isinstance(found, Member) and found.is_class else found
    return class_ if isinstance(class_, Environment) else None


def _text(place: Stretch) -> str:
    return " ".join(tokens(place.green))
