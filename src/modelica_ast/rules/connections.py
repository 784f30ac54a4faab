"""Connections: their ends are connectors of the class, two that fit together, and each connection is there once."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from modelica_ast.green import tokens
from modelica_ast.rules.connectors import End, is_open_input, mismatch
from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics.definitions import MISSING, Absence
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.instances import connections_of
from modelica_ast.semantics.meanings import Meaning, Symbol
from modelica_ast.views.classes import ClassDefinition
from modelica_ast.views.equations import ConnectEquation
from modelica_ast.views.names import ComponentReference

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
            check.add("connect-mismatch", equation, difference, _types(check, left, right), about=about)
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
    """Two inputs that are connected with nothing else and stand in no equation."""
    every = [each for one in connections_of(check.environment) for each in (one.left, one.right)]
    every += [str(reference.view) for reference in check.text.references]
    used = Counter(_SUBSCRIPTS.sub("", each) for each in every)
    for equation in inputs:
        ends = [str(end) for end in (equation.left, equation.right)]
        if all(used[_SUBSCRIPTS.sub("", end)] == 1 for end in ends):
            check.add("connect-no-source", equation, f"nothing gives a value to the inputs '{ends[0]}' and '{ends[1]}'")


def _types(check: ClassCheck, one: End, other: End) -> str:
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
        message = f"'{parts[0]}' is no component of '{check.name}'"
        check.add_lack("connect-no-component", end, message, (check.environment, parts[0]))
    elif isinstance(first, Member) and first.is_class:
        check.add("connect-no-component", end, f"'{parts[0]}' is a class, not a component")
    elif not isinstance(first, Absence):
        meaning = check.lookup.along(first, parts)
        if meaning.absence is MISSING:
            check.add_nowhere("unknown-reference", end, meaning, parts)
        elif meaning.symbol is not None and _is_connector(check, end, meaning):
            return _connector(check, end, first)
    return None


def _is_connector(check: ClassCheck, end: ComponentReference, meaning: Meaning) -> bool:
    """Is it certainly a connector? What certainly is something else is told."""
    if not isinstance(meaning.symbol, Member) or meaning.symbol.is_class or not meaning.is_certain:
        return False
    found = check.lookup.class_of(meaning.symbol)
    if not found.is_certain or not isinstance(found.symbol, Environment):
        return False
    what = _other_kind(found.symbol)
    if what:
        about = meaning.symbol if found.symbol.written is None else found.symbol
        check.add("connect-no-connector", end, f"'{end}' is of {what}, which is no connector", about=about)
    return not what


def _other_kind(environment: Environment) -> str:
    """The kind and the name of a class that is no connector, '' for a connector."""
    written = environment.written
    if written is None:
        return f"type '{environment.name}'"
    return f"the {written.kind} '{written.name}'" if written.kind in _NO_CONNECTORS else ""


def _connector(check: ClassCheck, end: ComponentReference, first: Symbol) -> End | None:
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
