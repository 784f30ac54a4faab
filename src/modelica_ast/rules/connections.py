"""Connections: their ends are connectors of the class, two that fit together, and each connection is there once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics import (
    MISSING,
    Absence,
    ComponentInstance,
    Environment,
    Instance,
    Meaning,
    Meanings,
    Member,
    Symbol,
    connections_of,
    identity_of,
    subscripts_of,
)
from modelica_ast.syntax import tokens
from modelica_ast.tree import ClassDefinition, ComponentReference, ConnectEquation, NumberLiteral, Token

# ---------------------------------------------------------------- connectors
# Connectors that fit together: sections 9.2 and 9.3 of the specification.
#
# The elements of both have the same names, types, dimensions and `flow` or `stream`, and not both of them give a
# value. What may be replaced or expanded, or is not found, is not judged.

_Sizes = Sequence[str]  # the dimensions of an array as they are written


class End(NamedTuple):
    """An end of a connection: what is written, and the components that its name goes through."""

    view: ComponentReference
    members: tuple[Member, ...]
    is_outside: bool  # a connector of the class itself, and not of a component of it


class _Element(NamedTuple):
    """Something that is connected: a connector, or what is in it."""

    name: str  # from the class on
    member: Member
    sizes: _Sizes | None  # None if nobody knows
    end: End  # that it is part of

    @property
    def instance(self) -> ComponentInstance:
        """The component with what its type brings along."""
        return ComponentInstance(Instance(self.member.owner), self.member)


def mismatch(lookup: Meanings, one: End, other: End) -> str:
    """A sentence about the first thing in which two connectors differ; '' if they fit, or if that is not certain."""
    todo = [(_connector(one), _connector(other))]
    while todo:
        mine, its = todo.pop()
        inside = _certain_class(lookup, mine.member), _certain_class(lookup, its.member)
        found = _prefixes(mine, its) or _dimensions(mine, its)
        if not found and inside[0] is not None and inside[1] is not None:
            found = _types((mine, inside[0]), (its, inside[1]))
            parts = _elements(mine, inside[0]), _elements(its, inside[1])
            found = found or _names(mine, its, parts) or _names(its, mine, (parts[1], parts[0]))
            todo += [(part, parts[1][name]) for name, part in reversed(parts[0].items()) if name in parts[1]]
        if found:
            return found
    return ""


def _connector(end: End) -> _Element:
    return _Element(str(end.view), end.members[-1], _sizes_of(end), end)


def _elements(around: _Element, inside: Environment) -> dict[str, _Element]:
    members = [member for member in inside.members() if not member.is_class]
    return {
        member.name: _Element(f"{around.name}.{member.name}", member, _written_sizes(member), around.end)
        for member in members
    }


def _certain_class(lookup: Meanings, member: Member) -> Environment | None:
    """The class of a component, if that has the same elements in every use."""
    found = lookup.class_of(member)
    inside = found.symbol
    return inside if found.is_certain and isinstance(inside, Environment) and inside.is_complete else None


# ---------------------------------------------------------------- what may differ


def _names(one: _Element, other: _Element, parts: tuple[dict[str, _Element], dict[str, _Element]]) -> str:
    lacking = next((name for name in parts[0] if name not in parts[1]), None)
    return "" if lacking is None else f"'{one.name}' has an element '{lacking}', '{other.name}' has none"


def _prefixes(one: _Element, other: _Element) -> str:
    flows = one.instance.flow, other.instance.flow
    if flows[0] != flows[1]:
        words = [flow or "neither flow nor stream" for flow in flows]
        return f"'{one.name}' is {words[0]}, '{other.name}' is {words[1]}"
    if _gives(one) and _gives(other):
        words = [each.instance.causality for each in (one, other)]
        return f"the {words[0]} '{one.name}' and the {words[1]} '{other.name}' both give a value, and nothing takes it"
    return ""


def is_open_input(end: End) -> bool:
    """Is it an input of a component, which gets its value from a connection or an equation?"""
    return not end.is_outside and _connector(end).instance.causality == "input" and not _is_bound(end)


def _is_bound(end: End) -> bool:
    """Does a modifier give the connector a value?"""
    found: Member | None = end.members[0]
    for member in end.members[1:]:
        inside = None if found is None else found.environment
        found = None if inside is None else inside.member(member.name)
    return found is None or found.binding is not None


def _gives(element: _Element) -> bool:
    """Does it give a value to what it is connected with? A protected connector of the class itself does both."""
    end = element.end
    if not end.is_outside:
        return element.instance.causality == "output"
    first = end.members[0]
    is_protected = ComponentInstance(Instance(first.owner), first).is_protected
    return element.instance.causality == "input" and not is_protected


def _types(one: tuple[_Element, Environment], other: tuple[_Element, Environment]) -> str:
    """Two elements of predefined types or enumerations are of the same one."""
    ends = one[1].end, other[1].end
    if len({None if each is None else identity_of(each) for each in ends}) == 1:
        return ""
    words = ["has elements" if each is None else f"is of type {each.name}" for each in ends]
    return f"'{one[0].name}' {words[0]}, '{other[0].name}' {words[1]}"


def _dimensions(one: _Element, other: _Element) -> str:
    """As many dimensions; of the same size where both sizes are numbers, for another one may be set from outside."""
    if one.sizes is None or other.sizes is None:
        return ""
    if len(one.sizes) != len(other.sizes):
        words = [_rank(len(sizes)) for sizes in (one.sizes, other.sizes)]
        return f"'{one.name}' {words[0]}, '{other.name}' {words[1]}"
    for mine, its in zip(one.sizes, other.sizes, strict=True):
        if mine.isdigit() and its.isdigit() and int(mine) != int(its):
            return f"'{one.name}' has the size {mine}, '{other.name}' the size {its}"
    return ""


def _rank(number: int) -> str:
    return f"has {number} dimension{'s' if number > 1 else ''}" if number else "is a scalar"


def _written_sizes(member: Member) -> _Sizes:
    return [item.text for item, _ in subscripts_of(member)]


def _sizes_of(end: End) -> _Sizes | None:
    """The dimensions that the subscripts of an end leave; None if one of these may be a vector."""
    found: list[str] = []
    for member, subscripts in zip(end.members, end.view.subscripts, strict=True):
        sizes = _written_sizes(member)
        items = [] if subscripts is None else subscripts.items
        if len(items) > len(sizes):
            return None
        for item, size in zip(items, sizes, strict=False):
            if isinstance(item, Token):
                found.append(size)  # `:`
            elif not isinstance(item, NumberLiteral):
                return None
        found += sizes[len(items) :]
    return found


# ---------------------------------------------------------------- connections

_NO_CONNECTORS: Final = frozenset({"model", "block", "record", "package", "function"})
_SUBSCRIPTS: Final = re.compile(r"\[[^\]]*\]")


def check_connections(check: ClassCheck) -> None:
    """All connections of a class."""
    seen: dict[tuple[int, frozenset[str]], ConnectEquation] = {}
    inputs: list[ConnectEquation] = []  # where both ends are inputs
    for equation in check.text.connections:
        left, right = (_end(check, end) for end in (equation.left, equation.right))
        ends = frozenset("".join(tokens(end.green)) for end in (equation.left, equation.right))
        if len(ends) == 1:
            check.add("connect-itself", equation, f"'{next(iter(ends))}' is connected with itself")
            continue
        difference = mismatch(check.lookup, left, right) if left is not None and right is not None else ""
        if difference and left is not None and right is not None:
            elsewhere = [end.members[0] for end in (left, right) if not _is_here(check, end.members[0])]
            about = next(iter(elsewhere), left.members[0])
            check.add("connect-mismatch", equation, difference, _connections_types(check, left, right), about=about)
        elif left is not None and right is not None and is_open_input(left) and is_open_input(right):
            inputs.append(equation)
        # Loops and branches around two connections may make them different, so only neighbours are compared.
        first = seen.setdefault((id(equation.parent.node) if equation.parent else 0, ends), equation)
        if first is not equation:
            check.add(
                "duplicate-connect",
                equation,
                f"'{equation.left}' and '{equation.right}' are connected twice",
                f"see line {first.position.line}",
            )

    view = check.definition.view
    if inputs and isinstance(view, ClassDefinition) and not view.is_partial:
        _without_source(check, inputs)


def _without_source(check: ClassCheck, inputs: list[ConnectEquation]) -> None:
    """Two inputs that are connected with nothing else and are in no equation."""
    every = [each for one in connections_of(check.environment) for each in (one.left, one.right)]
    every += [str(reference.view) for reference in check.text.references]
    used = Counter(_SUBSCRIPTS.sub("", each) for each in every)
    for equation in inputs:
        ends = [str(end) for end in (equation.left, equation.right)]
        if all(used[_SUBSCRIPTS.sub("", end)] == 1 for end in ends):
            check.add("connect-no-source", equation, f"nothing gives a value to the inputs '{ends[0]}' and '{ends[1]}'")


def _connections_types(check: ClassCheck, one: End, other: End) -> str:
    """Which connectors the two are, if that tells them apart."""
    found = [check.lookup.class_of(end.members[-1]).symbol for end in (one, other)]
    names = [each.full_name for each in found if isinstance(each, Environment)]
    return f"they are of '{names[0]}' and '{names[1]}'" if len(set(names)) > 1 else ""


def _is_here(check: ClassCheck, member: Member) -> bool:
    return member.declared.root.file == check.definition.view.root.file


def _end(check: ClassCheck, end: ComponentReference) -> End | None:
    """Judge one end; what it leads to, if that is certainly a connector."""
    parts = end.parts
    first = check.lookup.member(check.environment, parts[0])
    if first is MISSING:
        message = f"'{parts[0]}' is not a component of '{check.name}'"
        check.add_lack("connect-no-component", end, message, (check.environment, parts[0]))
    elif isinstance(first, Member) and first.is_class:
        check.add("connect-no-component", end, f"'{parts[0]}' is a class, not a component")
    elif not isinstance(first, Absence):
        meaning = check.lookup.along(first, parts)
        if meaning.absence is MISSING:
            check.add_nowhere("unknown-reference", end, meaning, parts)
        elif meaning.symbol is not None and _is_connector(check, end, meaning):
            return _connections_connector(check, end, first)
    return None


def _is_connector(check: ClassCheck, end: ComponentReference, meaning: Meaning) -> bool:
    """Is it certainly a connector? What is certainly something else is reported."""
    if not isinstance(meaning.symbol, Member) or meaning.symbol.is_class or not meaning.is_certain:
        return False
    found = check.lookup.class_of(meaning.symbol)
    if not found.is_certain or not isinstance(found.symbol, Environment):
        return False
    what = _other_kind(found.symbol)
    if what:
        about = meaning.symbol if found.symbol.written is None else found.symbol
        check.add("connect-no-connector", end, f"'{end}' is of {what}, which is not a connector", about=about)
    return not what


def _other_kind(environment: Environment) -> str:
    """The kind and the name of a class that is not a connector, '' for a connector."""
    written = environment.written
    if written is None:
        return f"type '{environment.name}'"
    return f"the {written.kind} '{written.name}'" if written.kind in _NO_CONNECTORS else ""


def _connections_connector(check: ClassCheck, end: ComponentReference, first: Symbol) -> End | None:
    """The components that an end goes through; None if one is not a component."""
    found = [first]
    for part in end.parts[1:]:
        inside = check.lookup.class_of(found[-1]).symbol
        member = None if inside is None else check.lookup.member(inside, part)
        if not isinstance(member, Member):
            return None
        found.append(member)
    members = tuple(member for member in found if isinstance(member, Member))
    around = check.lookup.class_of(members[0]).symbol if len(members) == len(found) else None
    if not isinstance(around, Environment):
        return None
    return End(end, members, is_outside=not _other_kind(around))
