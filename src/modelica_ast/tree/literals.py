r"""Literal values: Modelica expressions to Python and back.

Modelica            Python
1                   int
1.50e-3             Real, a float that keeps its text
true                bool
"a\nb"              str
{1, 2}, [1, 2; 3]   list
Init.NoInit         Reference
Inertia(ixx=1)      Constructor, on the way to Modelica only
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Self

from modelica_ast.foundation import ModelicaError, Record
from modelica_ast.syntax import EOF, NUMBER, Green, kind_of, lex, make_node, quote, unquote
from modelica_ast.tree.base import Expression, View
from modelica_ast.tree.expressions import (
    Array,
    Binary,
    BooleanLiteral,
    Matrix,
    NumberLiteral,
    Parenthesized,
    StringLiteral,
    Unary,
)
from modelica_ast.tree.modifications import ComponentReference, Description
from modelica_ast.tree.roots import view_of_fragment

Value = Any  # bool | int | float | str | Reference | list[Value]; mypy can't spell the recursion

_MAX_DIGITS: Final = 1000  # a Modelica Integer has ten; Python refuses to read more than 4,300
_MAX_DIMENSIONS: Final = 100  # no array has more; deeper nesting is a mistake or an attack


class LiteralError(ModelicaError, ValueError):
    """An expression that is not a literal, or a Python value that Modelica can't write."""


class Real(float):
    """A float that remembers how it was written: `Real("1.50")` is 1.5, and is written `1.50` again."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> Self:
        """A number by its text."""
        real = super().__new__(cls, text)
        real.text = text
        return real

    def __repr__(self) -> str:
        return f"Real({self.text!r})"

    def __reduce__(self) -> tuple[type[Real], tuple[str]]:
        return Real, (self.text,)


class Reference(Record):
    """A name as a value: a literal of an enumeration, a constant, a parameter."""

    name: str

    def __str__(self) -> str:
        return self.name


class Constructor(Record):
    """A call with named arguments as a value: `Constructor("Inertia", {"ixx": 1})` is `Inertia(ixx=1)`.

    With an indentation every argument gets a line of its own, that many blanks from the left.
    """

    name: str
    arguments: Mapping[str, Any]
    indent: int | None = None


def evaluate(expression: View) -> Value:
    """The value of a literal expression (or of a description); LiteralError if it is not literal."""
    return _evaluate(expression, 0)


def _evaluate(expression: View, dimension: int) -> Value:
    signs: list[View] = []
    value: View = expression
    # Signs and parentheses are undone in a loop: they may be nested to any depth.
    while True:
        if isinstance(value, Unary) and value.operator.text in ("-", "+"):
            signs.append(value.operator)
            value = value.operand
        elif isinstance(value, Parenthesized) and len(value.children) == 3 and len(value.expressions.slots) == 1:  # noqa: PLR2004
            inner = value.expressions.slots[0]
            if inner is None:
                raise _not_literal(expression)
            value = inner
        else:
            break
    if dimension > _MAX_DIMENSIONS:
        raise LiteralError(f"an array of more than {_MAX_DIMENSIONS} dimensions")
    result: Value
    match value:
        case NumberLiteral():
            return _number(value, negative=sum(sign.text == "-" for sign in signs) % 2 == 1)
        case _ if signs:
            raise _not_literal(expression)
        case BooleanLiteral():
            result = value.text == "true"
        case StringLiteral():
            result = unquote(value.text)
        case Description():
            result = value.value
        case Binary():
            result = _joined_strings(value)
        case Array():
            result = [_evaluate(item, dimension + 1) for item in value.items]
        case Matrix():
            result = [[_evaluate(item, dimension + 2) for item in row.items] for row in value.rows]
        case ComponentReference() if not any(value.subscripts):
            result = Reference(str(value))
        case _:
            raise _not_literal(expression)
    return result


def _number(literal: NumberLiteral, *, negative: bool) -> int | Real:
    digits = literal.text  # PERF: as `is_integer`, without asking for the text again
    text = f"-{digits}" if negative else digits
    if digits.isdigit():
        if len(text) > _MAX_DIGITS:
            raise LiteralError(f"an Integer of {len(text)} digits is too large{_place(literal)}")
        return int(text)
    real = Real(text)
    if math.isinf(real):
        raise LiteralError(f"{text} is too large for a Real{_place(literal)}")
    return real


def _joined_strings(expression: Binary) -> str:
    """`"a" + "b" + "c"`, in a loop: generated files join thousands."""
    parts: list[str] = []
    current: View = expression
    while isinstance(current, Binary) and current.operator.text == "+" and isinstance(current.right, StringLiteral):
        parts.append(unquote(current.right.text))
        current = current.left
    if not isinstance(current, StringLiteral):
        raise _not_literal(expression)
    return unquote(current.text) + "".join(reversed(parts))


def _not_literal(expression: View) -> LiteralError:
    return LiteralError(f"{expression!r} is not a literal value{_place(expression)}")


def _place(view: View) -> str:
    position = view.position
    return f" (line {position.line}, column {position.column})"


def no_literal_for(value: float) -> str:
    """What to say of a number that Modelica can't write, with what to write instead."""
    if math.isnan(value):
        return "Modelica has no literal for nan: leave it out, or give a number"
    return f"Modelica has no literal for {float(value)}: write the expression {'-' * (value < 0)}Modelica.Constants.inf"


def literal(value: Value) -> Expression:
    """A Python value as a Modelica expression; LiteralError if Modelica has no literal for it."""
    return view_of_fragment(_green(value, 0), "expression")  # type: ignore[return-value]


def _green(value: Value, dimension: int) -> Green:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            if abs(value) >= 10**_MAX_DIGITS:
                raise LiteralError(f"an Integer of more than {_MAX_DIGITS} digits is too large")
            return _signed(str(value))
        case Real() if math.isfinite(value) or any(map(str.isdigit, value.text)):  # `1e999` is a literal
            return _signed(value.text)
        case float():
            if not math.isfinite(value):
                raise LiteralError(no_literal_for(value))
            return _signed(repr(value))
        case str():
            return quote(value)
        case Reference():
            return _reference(value.name)
        case list() | tuple():
            if dimension >= _MAX_DIMENSIONS:
                raise LiteralError(f"a list nested deeper than {_MAX_DIMENSIONS} levels")
            children: list[Green] = ["{"]
            for place, item in enumerate(value):
                children += [","] * bool(place) + [_green(item, dimension + 1)]
            return make_node("array", *children, "}")
        case Constructor():
            return _constructor(value, dimension)
        case _:
            raise LiteralError(f"Modelica has no literal for a Python {type(value).__name__}: {value!r}")


def _constructor(value: Constructor, dimension: int) -> Green:
    if dimension >= _MAX_DIMENSIONS:
        raise LiteralError(f"a value nested deeper than {_MAX_DIMENSIONS} levels")
    children: list[Green] = ["("]
    start = "" if value.indent is None else "\n" + " " * value.indent
    for place, (name, item) in enumerate(value.arguments.items()):
        if not _is_identifier(name):
            raise LiteralError(f"{name!r} is not the name of an argument")
        argument = make_node("named_argument", (start or " " * bool(place)) + name, "=", _green(item, dimension + 1))
        children += [","] * bool(place) + [argument]
    return make_node("function_call", _reference(value.name), make_node("function_call_args", *children, ")"))


# PERF: data that is written as records has few names, each many times.
@lru_cache(maxsize=1024)
def _is_identifier(name: str) -> bool:
    return kind_of(name) == NUMBER["IDENT"] and len(lex(name, lazy=False)) == 2  # noqa: PLR2004  (it and the end)


def _signed(text: str) -> Green:
    return make_node("unary", "-", text[1:]) if text.startswith("-") else text


@lru_cache(maxsize=1024)
def _reference(name: str) -> Green:
    tokens = lex(name, lazy=False)
    leaves, kinds = [leaf for leaf, _ in tokens], [kind for _, kind in tokens]
    allowed = {NUMBER["IDENT"], NUMBER["DOT"], EOF}
    if len(leaves) < 2 or leaves[-1] or not set(kinds) <= allowed or kind_of(leaves[-2]) != NUMBER["IDENT"]:  # noqa: PLR2004
        raise LiteralError(f"{name!r} is not a name")
    if len(leaves) == 2:  # noqa: PLR2004
        return leaves[0]
    try:
        return make_node("component_reference", *leaves[:-1])
    except ValueError:
        raise LiteralError(f"{name!r} is not a name") from None
