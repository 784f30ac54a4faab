"""What names stand for, and how sure that is.

A check must not guess: what is replaceable may be replaced by something that has more, and an expandable connector
gets members from its connections. So each answer says whether what it lacks now, it lacks in every use.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from modelica_ast.semantics.definitions import MISSING, PREDEFINED, PREDEFINED_LITERALS, UNKNOWN, Absence, Definition
from modelica_ast.semantics.environments import Classes, Environment, Member
from modelica_ast.syntax import children_of, leaves
from modelica_ast.tree import Component, ElementRedeclaration, ElementReplaceable, Name


class Builtin(NamedTuple):
    """`time`, a function that Modelica brings along, a literal of an enumeration: it has no members."""

    name: str


Symbol = Member | Environment | Builtin


class Meaning(NamedTuple):
    """What a dotted name stands for, or how far it leads."""

    symbol: Symbol | None
    absence: Absence | None = None  # if there is no symbol
    part: int = 0  # the number of the part that is absent
    before: Symbol | None = None  # what the parts before that one stand for
    is_certain: bool = True  # what the symbol does not have now, it has in no use


class Meanings:
    """Looks names up in some classes; `builtins` are the names that are known everywhere beside predefined types."""

    def __init__(self, classes: Classes, builtins: Collection[str]) -> None:
        self.classes = classes
        self._builtins = builtins
        self._types: dict[Member, Meaning] = {}

    # ------------------------------------------------------------ names

    def resolve(self, around: Environment | None, parts: Sequence[str], *, is_global: bool = False) -> Meaning:
        """A dotted name that is written in a class; None is outside of all classes."""
        first = self.top(parts[0]) if is_global or around is None else self.first(around, parts[0])
        return self.along(first, parts)

    def along(self, first: Symbol | Absence, parts: Sequence[str]) -> Meaning:
        """The members that a dotted name goes through from its first part on."""
        if isinstance(first, Absence):
            return Meaning(None, first)
        symbol, is_certain = first, not is_replaceable(first)
        for number, part in enumerate(parts[1:], 1):
            inside = self.class_of(symbol)
            found = UNKNOWN if inside.symbol is None else self.member(inside.symbol, part)
            if isinstance(found, Absence):
                is_sure = is_certain and inside.is_certain
                return Meaning(None, found if is_sure else UNKNOWN, number, symbol)
            # What a class declares itself, it has whatever it inherits; in an expandable connector it is only proposed.
            is_own = (
                isinstance(found, Member)
                and found.owner is inside.symbol
                and not (found.owner.written is not None and found.owner.written.is_expandable)
            )
            symbol, is_certain = found, is_certain and (is_own or inside.is_certain) and not is_replaceable(found)
        return Meaning(symbol, is_certain=is_certain)

    def type_named(self, around: Environment | None, name: Name) -> Meaning:
        """What a type stands for that is written in a class."""
        return self.resolve(around, name.parts, is_global=name.is_global)

    def first(self, around: Environment, name: str, *, own_only: bool = False) -> Symbol | Absence:
        """A simple name, from the innermost class outwards; `own_only` leaves out what that one inherits."""
        found = around.look(name, own_only=own_only, is_strict=True)
        return Builtin(name) if isinstance(found, Absence) and name in self._builtins else found

    def top(self, name: str) -> Symbol | Absence:
        """A name that nothing is around."""
        if name in self._builtins and self.classes.predefined(name) is None:
            return Builtin(name)
        return self.classes.predefined(name) or self.classes.top(name)

    # ------------------------------------------------------------ members

    def class_of(self, symbol: Symbol) -> Meaning:
        """The class itself, or the class that a component is of."""
        if isinstance(symbol, Builtin):
            return Meaning(symbol)
        if isinstance(symbol, Environment):
            return Meaning(symbol, is_certain=self.is_certain(symbol))
        known = self._types.get(symbol)
        if known is None:
            self._types[symbol] = Meaning(None, UNKNOWN)  # while we look: a type that is found in itself does not count
            self._types[symbol] = known = self._class_of(symbol)
        return known

    def _class_of(self, member: Member) -> Meaning:
        if not member.is_class and not _has_redeclarations(member):
            # PERF: as it is written; what a modifier sets changes no names.
            declared = member.declared
            assert isinstance(declared, Component)
            found = self.type_named(member.owner, declared.type)
            if found.symbol is None:
                return found
            environment = found.symbol if isinstance(found.symbol, Environment) else _class_in(found.symbol)
            is_certain = found.is_certain
        else:
            environment, is_certain = member.environment, True
        if environment is None:
            return Meaning(None, UNKNOWN)
        return Meaning(
            environment, is_certain=is_certain and self.is_certain(environment) and not is_replaceable(member)
        )

    def member(self, symbol: Symbol, name: str) -> Symbol | Absence:
        """A member of a class, inherited ones too, or a literal of an enumeration."""
        if not isinstance(symbol, Environment):
            return UNKNOWN  # a built-in package of functions, or `time`
        if symbol.written is None:
            return Builtin(name) if name in PREDEFINED_LITERALS.get(symbol.predefined, ()) else MISSING
        found = symbol.member(name)
        if found is not None:
            return found
        end = symbol.end
        if end is not None:
            literals = PREDEFINED_LITERALS.get(end.predefined, ()) if end.written is None else end.written.literals
            if name in literals:
                return Builtin(name)
        return symbol.absence(name)

    # ------------------------------------------------------------ classes

    def is_certain(self, environment: Environment) -> bool:
        """Has a class nothing but what is known of it, in every use?"""
        known: bool | None = environment.__dict__.get("is_certain")
        if known is None:
            known = not (environment.written is not None and environment.written.is_expandable) and not any(
                part.written is not None and (part.written.is_replaceable or part.written.is_expandable)
                for part in ancestry(environment)
                if part is not environment
            )
            if environment.knows_bases:
                environment.__dict__["is_certain"] = known
        return known

    def base_named(self, definition: Environment, name: Name) -> Meaning:
        """What a class extends, or is short for. What it inherits itself does not count for that."""
        written = definition.written
        assert written is not None
        if written.is_short:
            if definition.around is not None or name.is_global:
                return self.type_named(definition.around, name)
            if definition.outside is None:
                return self.along(self.top(name.parts[0]), name.parts)
            predefined = self.classes.predefined(name.parts[0])
            assert isinstance(definition.outside, Absence)
            return self.along(predefined or definition.outside, name.parts)
        if name.is_global:
            return self.type_named(definition, name)
        return self.along(self.first(definition, name.parts[0], own_only=True), name.parts)


def ancestry(environment: Environment) -> Iterator[Environment]:
    """A class and all that it inherits from, each once."""
    seen: set[Definition | str] = set()
    for part in environment.ancestry():
        key = part.written or part.predefined
        if key not in seen:
            seen.add(key)
            yield part


def attributes_of(environment: Environment) -> frozenset[str]:
    """The attributes of a predefined type; empty for a class."""
    return PREDEFINED[environment.predefined] if environment.written is None else frozenset()


def is_replaceable(symbol: Symbol) -> bool:
    """May it be replaced from outside?"""
    if isinstance(symbol, Environment):
        return symbol.written is not None and symbol.written.is_replaceable
    if isinstance(symbol, Builtin):
        return False
    # Tools let what was replaceable at first be redeclared again, whatever redeclared it meanwhile.
    element = symbol.element
    return (element is not None and "replaceable" in element.prefixes) or is_replaceable_still(symbol)


def is_replaceable_still(symbol: Member) -> bool:
    """May it be replaced from outside, by the declaration that counts?"""
    current = symbol.current
    if isinstance(current.parent, ElementRedeclaration | ElementReplaceable):
        return current.parent.replaceable is not None
    element = current.element if isinstance(current, Component) else current.parent
    prefixes: tuple[str, ...] = getattr(element, "prefixes", ())
    return "replaceable" in prefixes


def _has_redeclarations(member: Member) -> bool:
    """Does a redeclaration reach a component from outside, or are in its own modifiers?"""
    if member.owner.has_redeclarations:
        return True
    green = member.declared.green
    parts = children_of(green, 2) if isinstance(green, tuple) else ()
    modification = next((c for c in parts if type(c) is tuple), None)
    return modification is not None and any(leaf.endswith(("redeclare", "replaceable")) for leaf in leaves(green))


def _class_in(symbol: Symbol) -> Environment | None:
    return symbol.environment if isinstance(symbol, Member) and symbol.is_class else None
