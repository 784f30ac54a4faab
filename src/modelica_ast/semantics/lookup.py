"""What names stand for, asked and answered by places in trees.

`Environment` looks names up; here a place in a file leads to the class that it is in, and what is found is given as
the place where it is declared. A redeclaration stands for what it redeclares, and an element that a derived class
repeats for the inherited one: they are one element, and one place stands for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from modelica_ast.semantics.definitions import (
    NOT_OPEN,
    UNKNOWN,
    Absence,
    Definition,
    Target,
    component_name,
    definitions_of,
    is_redeclaration,
    within_parts,
)
from modelica_ast.semantics.environments import Classes, ClassFiles, Environment, Member
from modelica_ast.syntax import KINDS, tokens
from modelica_ast.tree import Component, EnumerationLiteral, StoredDefinition, parse


class Literal(NamedTuple):
    """A literal of an enumeration."""

    owner: Environment
    view: EnumerationLiteral

    @property
    def place(self) -> Target:
        """Where it is declared."""
        assert self.owner.written is not None
        tree, path = self.owner.written.place
        return Target(tree, (*path, *self.view.path[len(path) :]))


Found = Member | Environment | Literal


class Lookup:
    """Names in the files that some classes come from."""

    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        self._origins: dict[Definition | Component, Target] = {}

    # ------------------------------------------------------------ places

    def definition_at(self, place: Target) -> Definition | None:
        """The innermost class around a place, or at it; None outside of all classes."""
        found: Definition | None = None
        inside = self.classes.files.tops_by_path(place.tree)
        for length in range(1, len(place.path) + 1):
            inner = inside.get(place.path[:length])
            if inner is not None:
                found, inside = inner, inner.inner_by_path
        return found

    def environment_at(self, place: Target) -> Environment | None:
        """The innermost class around a place, or at it, as it is written."""
        found = self.definition_at(place)
        return None if found is None else self.classes.as_written(found)

    def declared_at(self, place: Target) -> Found | None:
        """What is declared at a place: a class, a component, a literal."""
        written = self.definition_at(place)
        if written is None:
            return None
        environment = self.classes.as_written(written)
        if written.place == place:
            return environment
        for part in written.parts:
            if isinstance(part, Component) and part.path == place.path:
                known = environment.member(component_name(part))
                is_it = known is not None and known.origin is part
                return known if is_it else Member(component_name(part), part, environment)
        for literal in written.literals.values():
            if literal.path == place.path:
                return Literal(environment, literal)
        return None

    def classes_around(self, place: Target) -> list[Target]:
        """The classes that a place is in, the innermost last; a class is not in itself."""
        written = self.definition_at(place)
        if written is not None and written.place == place:
            current: Environment | None = self.classes.as_written(written).around
        else:
            current = None if written is None else self.classes.as_written(written)
        if written is None:
            package = self.classes.files.package_of_tree(place.tree)
            current = self.classes.as_written(package) if isinstance(package, Definition) else None
        found: list[Target] = []
        while current is not None:
            assert current.written is not None
            found.append(current.written.place)
            current = current.around
        return found[::-1]

    # ------------------------------------------------------------ names

    def resolve(
        self, around: Environment | None, parts: Sequence[str], *, is_global: bool = False
    ) -> list[Found | None]:
        """What each part of a dotted name stands for, written in the text of a class; None is outside of all."""
        if is_global or around is None:
            first: Member | Environment | Absence = self.classes.top_or_predefined(parts[0])
        else:
            first = around.look(parts[0])
        found: list[Found | None] = [None if isinstance(first, Absence) else first]
        for part in parts[1:]:
            found.append(self.inside(found[-1], part))
        return found

    @staticmethod
    def inside(owner: Found | None, name: str) -> Found | None:
        """A member of something, or a literal of an enumeration."""
        if owner is None or isinstance(owner, Literal):
            return None
        environment = owner.environment if isinstance(owner, Member) else owner
        if environment is None:
            return None
        found = environment.member(name)
        if found is None and (isinstance(owner, Environment) or owner.is_class):
            end = environment.end
            literal = end.written.literals.get(name) if end is not None and end.written is not None else None
            return None if literal is None or end is None else Literal(end, literal)
        return found

    @staticmethod
    def member(owner: Found | None, name: str) -> Found | None:
        """A member of something."""
        if owner is None or isinstance(owner, Literal):
            return None
        environment = owner.environment if isinstance(owner, Member) else owner
        return None if environment is None else environment.member(name)

    def names_in(self, owner: Found) -> Iterator[str]:
        """The names of all members of something, and of the literals of an enumeration."""
        environment = owner.environment if isinstance(owner, Member) else owner
        if isinstance(owner, Literal) or not isinstance(environment, Environment):
            return
        seen: set[str] = set()
        for part in environment.ancestry():
            if part.written is None:
                continue
            names = [*part.written.components, *part.written.classes]
            if part.written.may_have_files:
                names += self.classes.files.classes_in(part.written)
            if isinstance(owner, Environment) or owner.is_class:
                names += part.written.literals
            yield from (name for name in names if name not in seen)
            seen.update(names)

    # ------------------------------------------------------------ names, by places alone

    def node(self, target: Target) -> Any:
        """The green node of a place."""
        return node_at(self.classes.files.root(target.tree), target.path)

    def kind(self, target: Target) -> str:
        """The grammar's name of what is declared at a place."""
        kind: str = KINDS[self.node(target)[0]]
        return kind

    def resolve_places(
        self, around: Sequence[Target], parts: Sequence[str], *, is_global: bool = False
    ) -> list[Target | None]:
        """Where each part of a dotted name is declared that is written inside the classes `around`."""
        environment = self.environment_at(around[-1]) if around else None
        scope = None if environment is None else environment.scope
        if scope is None and environment is not None and not is_global:
            return [None] * len(parts)  # a short class with nothing known around it
        return [self.place(found) for found in self.resolve(scope, parts, is_global=is_global)]

    def member_place(self, owner: Target, name: str) -> Target | None:
        """Where a member of what is declared at a place is declared."""
        return self.place(self.member(self.declared_at(owner), name))

    def is_redeclared(self, target: Target) -> bool:
        """Does its element start with `redeclare`?"""
        found = self.declared_at(target)
        if isinstance(found, Environment):
            return found.written is not None and "redeclare" in found.written.prefixes
        return isinstance(found, Member) and found.element is not None and "redeclare" in found.element.prefixes

    # ------------------------------------------------------------ where things are declared

    def place(self, found: Found | None) -> Target | None:
        """Where something is declared; None for what is predefined."""
        if found is None:
            return None
        if isinstance(found, Literal):
            return found.place
        if isinstance(found, Environment):
            return None if found.written is None else self._origin(found.written, found.name)
        return self._origin(found.origin, found.name)

    def partners(self, found: Found, others: Iterable[Found]) -> list[Found]:
        """Which elements an `inner` or `outer` one may be bound to, and those to these: their types fit.

        The language binds them by their names in the tree of instances, which may be in files that nobody has opened.
        So all that could be bound belong together.
        """
        bound = [other for other in others if _is_bound(other)]
        group = [found] if _is_bound(found) else []
        for one in group:
            more = [other for other in bound if not any(other is each for each in group) and _may_fit(one, other)]
            group += more
        return group

    def bound_with(self, target: Target, declared: Iterable[Target]) -> set[Target]:
        """An element, and the `inner` and `outer` ones among those declared that it may be bound to."""
        own = self.declared_at(target)
        if own is None:
            return {target}
        name = self.name_at(target)
        others = [self.declared_at(each) for each in declared if each != target and self.name_at(each) == name]
        partners = self.partners(own, [other for other in others if other is not None])
        return {target, *(place for partner in partners if (place := self.place(partner)) is not None)}

    def name_at(self, target: Target) -> str:
        """The name of what is declared at a place."""
        found = self.declared_at(target)
        if isinstance(found, Literal):
            return found.view.name
        return "" if found is None else found.name

    def _origin(self, origin: Definition | Component, name: str) -> Target:
        """The place that stands for an element: of those that are one element, the first that is inherited."""
        known = self._origins.get(origin)
        if known is None:
            own = origin.place if isinstance(origin, Definition) else Target(origin.root.file, origin.path)
            self._origins[origin] = own  # while we look: no class inherits from itself
            known = self._inherited(own, origin, name) or own
            self._origins[origin] = known
        return known

    def _inherited(self, own: Target, origin: Definition | Component, name: str) -> Target | None:
        """What a class inherits under the name of an element that it declares too."""
        around: Definition | Absence | None
        if not isinstance(origin, Definition):
            around = self.definition_at(own)
        elif origin.parent is not None:
            around = origin.parent
        else:
            around = self.classes.files.package_of(origin)
        if not isinstance(around, Definition):
            return None
        for base in self.classes.as_written(around).bases:
            found = base.environment.member(name) if base.environment is not None else None
            if found is not None and found.origin is not origin and _is_same(origin, found.origin):
                return self._origin(found.origin, name)
        return None


def is_called_by_language(found: Found | None) -> bool:
    """Is it a class that the language finds by its name: a constructor, a destructor, an operator of a record?"""
    class_ = found.environment if isinstance(found, Member) and found.is_class else found
    if not isinstance(class_, Environment) or class_.written is None:
        return False
    around = class_.around
    is_external = around is not None and around.end is not None and around.end.predefined == "ExternalObject"
    is_operator = class_.written.view.class_kind in ("operator", "operator function")
    return is_operator or (is_external and class_.name in ("constructor", "destructor"))


def _is_bound(found: Found) -> bool:
    prefixes: tuple[str, ...] = ()
    if isinstance(found, Member):
        prefixes = found.prefixes
    elif isinstance(found, Environment) and found.written is not None:
        prefixes = found.written.prefixes
    return "inner" in prefixes or "outer" in prefixes


def _may_fit(one: Found, other: Found) -> bool:
    """May one of two elements stand for the other? A class for a class, and a component if its type is a subtype."""
    if isinstance(one, Environment) or isinstance(other, Environment):
        return isinstance(one, Environment) and isinstance(other, Environment)
    types = [found.environment if isinstance(found, Member) else None for found in (one, other)]
    if types[0] is None or types[1] is None:
        return True
    ancestors = [{part.written or part.predefined for part in type_.ancestry()} for type_ in types if type_ is not None]
    own = [type_.written or type_.predefined for type_ in types if type_ is not None]
    return own[0] in ancestors[1] or own[1] in ancestors[0]


def _is_same(own: Definition | Component, inherited: Definition | Component) -> bool:
    """Is it the inherited element: a redeclaration of it, or the same text again (7.1)?"""
    if isinstance(own, Definition) != isinstance(inherited, Definition):
        return False
    return is_redeclaration(own) or _text_of(own) == _text_of(inherited)


def _text_of(declared: Definition | Component) -> list[str]:
    """What says what an element is: all but descriptions, annotations and comments."""
    if isinstance(declared, Definition):
        return tokens(declared.view.green)
    clause = declared.clause
    said = [clause.prefix, clause.type, clause.subscripts, declared.subscripts, declared.modification]
    return [text for view in said if view is not None for text in (*tokens(view.green), "")]


def node_at(root: Any, path: Sequence[int]) -> Any:
    """The green node or leaf at a path."""
    for index in path:
        root = root[index]
    return root


# ---------------------------------------------------------------- a lone document
# A lone document as a library of one file.


class LoneFile:
    """The classes of one document, and those of other files beside them.

    The packages that its `within` names are there, as far as this file tells: what else they have is unknown.
    """

    def __init__(self, tree: StoredDefinition, beside: ClassFiles | None = None) -> None:
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

    def _package_beside(self, beside: ClassFiles) -> Definition | Absence:
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


def lookup_in(tree: StoredDefinition, beside: ClassFiles | None = None) -> Lookup:
    """What names stand for in a lone document."""
    return Lookup(Classes(LoneFile(tree, beside)))


def lookup_in_root(root: Any, beside: ClassFiles | None = None) -> Lookup:
    """What names stand for in a tree that belongs to no file."""
    return lookup_in(StoredDefinition.over(root), beside)
