"""What a name of a user's library stands for, if that may be something of the library that is converted.

The old library need not be there, and the new one has other names, so neither is looked into: a name that leads
out of the user's libraries, to a root that the rules know, is a full name by itself (`Outside`). What a class
inherits from outside, or imports from there with `.*`, is known only as far as the rules speak of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from modelica_ast.library.conversion.rules import Rules
from modelica_ast.semantics.definitions import Absence, FullName, Outside, Target
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.lookup import Found, Lookup

Meaning = Target | Outside | None


class Names:
    """Names in the libraries of users, asked and answered by places; `lookup` knows the rules as its outside."""

    def __init__(self, lookup: Lookup, rules: Rules, new: Lookup | None = None) -> None:
        self.lookup = lookup
        self.rules = rules
        self._new = new  # lookup in the new library, if it is there
        # PERF: the same names stand in many places.
        self._firsts: dict[tuple[Target | None, str], Meaning] = {}
        self._declared: dict[Target, Found | None] = {}

    def is_gone(self, name: FullName) -> bool:
        """Is a name certainly not in the new library?"""
        if self._new is None or self._new.resolve_places((), name[:1], is_global=True)[0] is None:
            return False
        return self._new.resolve_places((), name, is_global=True)[-1] is None

    # ------------------------------------------------------------ names

    def first(self, around: Sequence[Target], name: str) -> Meaning:
        """What a simple name stands for, written inside the classes `around`."""
        key = (around[-1] if around else None, name)
        if key not in self._firsts:
            environment = self.lookup.environment_at(around[-1]) if around else None
            scope = None if environment is None else environment.scope
            self._firsts[key] = self.top(name) if scope is None else self._meaning(scope.look(name))
        return self._firsts[key]

    def top(self, name: str) -> Meaning:
        """The first part of a full name."""
        return self._meaning(self.lookup.classes.top_or_predefined(name))

    def _meaning(self, found: Found | Absence | None) -> Meaning:
        if isinstance(found, Absence):
            return found if isinstance(found, Outside) else None
        replaced = self._replaced(found) if isinstance(found, Member) else None
        return replaced or self.lookup.place(found)

    def _replaced(self, found: Member) -> Outside | None:
        """What of the old library has another name now, if this is a redeclaration of it: it gets that name."""
        if found.element is None or "redeclare" not in found.element.prefixes:
            return None
        for base in found.owner.outside_bases:
            full = (*base, found.name)
            if self.rules.convert(full).new != (*self.rules.convert(base).new, found.name):
                return Outside(full, base)
        return None

    def resolve(self, around: Sequence[Target], parts: Sequence[str], *, is_global: bool = False) -> list[Meaning]:
        """What each part of a dotted name stands for."""
        found = [self.top(parts[0]) if is_global else self.first(around, parts[0])]
        for part in parts[1:]:
            found.append(self.step(found[-1], part))
        return found

    def step(self, meaning: Meaning, part: str) -> Meaning:
        """The member of something."""
        if meaning is None or isinstance(meaning, Outside):
            return None if meaning is None else meaning.member(part)
        owner = self._at(meaning)
        if not isinstance(owner, Member | Environment):
            return None
        return self._meaning(self.lookup.classes.step(owner, part))

    def member(self, target: Target, name: str) -> Target | None:
        """A member of a class or component that is a user's own."""
        found = self.step(target, name)
        return None if isinstance(found, Outside) else found

    def _at(self, target: Target) -> Found | None:
        if target not in self._declared:
            self._declared[target] = self.lookup.declared_at(target)
        return self._declared[target]

    # ------------------------------------------------------------ classes

    def outside_of(self, meaning: Meaning) -> list[FullName]:
        """The classes of the old library that something has its members from."""
        if isinstance(meaning, Outside):
            return [meaning.name]
        owner = None if meaning is None else self._at(meaning)
        environment = owner.environment if isinstance(owner, Member) else owner
        if isinstance(environment, Environment):
            return environment.outside_bases
        absent = owner.absent_type if isinstance(owner, Member) else None
        return [] if absent is None else [absent.name]

    def type_of(self, component: Target) -> Meaning:
        """The class of a component."""
        owner = self._at(component)
        if not isinstance(owner, Member):
            return None
        return owner.absent_type if owner.environment is None else self.lookup.place(owner.environment)
