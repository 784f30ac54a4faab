"""Connections: their ends are connectors of the class, two different ones, and each connection is there once."""

from __future__ import annotations

from typing import Final

from modelica_ast.green import tokens
from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics.definitions import MISSING, Absence
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.meanings import Meaning
from modelica_ast.views.equations import ConnectEquation
from modelica_ast.views.names import ComponentReference

_NO_CONNECTORS: Final = frozenset({"model", "block", "record", "package", "function"})


def check_connections(check: ClassCheck) -> None:
    """All connections of a class."""
    seen: dict[tuple[int, frozenset[str]], ConnectEquation] = {}
    for equation in check.text.connections:
        for end in (equation.left, equation.right):
            _end(check, end)
        ends = frozenset("".join(tokens(end.green)) for end in (equation.left, equation.right))
        if len(ends) == 1:
            check.add("connect-itself", equation, f"'{next(iter(ends))}' is connected with itself")
            continue
        # Loops and branches around two connections may make them different, so only neighbours are compared.
        first = seen.setdefault((id(equation.parent.node) if equation.parent else 0, ends), equation)
        if first is not equation:
            check.add(
                "duplicate-connect",
                equation,
                f"'{equation.left}' and '{equation.right}' are connected twice",
                f"see line {first.position.line}",
            )


def _end(check: ClassCheck, end: ComponentReference) -> None:
    parts = end.parts
    first = check.lookup.member(check.environment, parts[0])
    if first is MISSING:
        near = check.near(parts[0], check.names_in(check.environment))
        check.add("connect-no-component", end, f"'{parts[0]}' is no component of '{check.name}'", near)
    elif isinstance(first, Member) and first.is_class:
        check.add("connect-no-component", end, f"'{parts[0]}' is a class, not a component")
    elif not isinstance(first, Absence):
        meaning = check.lookup.along(first, parts)
        if meaning.absence is MISSING:
            message, hint = check.where(meaning, parts)
            check.add("unknown-reference", end, message, hint)
        elif meaning.symbol is not None:
            _connector(check, end, meaning)


def _connector(check: ClassCheck, end: ComponentReference, meaning: Meaning) -> None:
    if not isinstance(meaning.symbol, Member) or meaning.symbol.is_class or not meaning.is_certain:
        return
    found = check.lookup.class_of(meaning.symbol)
    if not found.is_certain or not isinstance(found.symbol, Environment):
        return
    written = found.symbol.written
    if written is None:
        check.add("connect-no-connector", end, f"'{end}' is of type '{found.symbol.name}', which is no connector")
    elif written.kind in _NO_CONNECTORS:
        check.add(
            "connect-no-connector", end, f"'{end}' is of the {written.kind} '{written.name}', which is no connector"
        )
