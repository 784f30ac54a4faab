"""Python values and names as green trees. Text is parsed only where somebody asked for an expression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from modelica_ast.edit.errors import EditError
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.green import Green, Node, child_at, equal, with_prefix
from modelica_ast.identifiers import quoted, split_name
from modelica_ast.lexer import ILLEGAL, lex
from modelica_ast.literals import Constructor, LiteralError, Reference, evaluate, literal
from modelica_ast.parse import view_of_fragment
from modelica_ast.reading import read
from modelica_ast.shape import make_node
from modelica_ast.source import Source
from modelica_ast.tables import NUMBER
from modelica_ast.views.base import Expression

if TYPE_CHECKING:
    # What a verb takes as a value; a text is a string, not an expression.
    Given = bool | int | float | str | Reference | Constructor | Expression | None | Sequence["Given"]
else:  # what a patch may hold is read from the hints of its verbs: any value
    Given = Any


def value_green(value: Given) -> Green:
    """A number, boolean, string, list, Reference or Expression as a green expression without blanks before it."""
    if isinstance(value, list | tuple) and _has_expression(value):
        parts: list[Green] = []
        for item in value:
            parts += [","] * bool(parts) + [value_green(item)]
        return make_node("array", "{", *parts, "}")
    view = value if isinstance(value, Expression) else literal(value)
    return with_prefix(view.green, "")


def _has_expression(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_expression, value))
    return isinstance(value, Expression)


def expression_green(value: Given) -> Green:
    """Like `value_green`, for places that only an expression can take: there a text is one."""
    return parsed(value, "expression", "an expression") if isinstance(value, str) else value_green(value)


def same_value(old: Green, new: Green) -> bool:
    """`1.0e-3` and 0.001 are the same value: the author's text stays."""
    if equal(with_prefix(old, ""), new):
        return True
    try:
        values = [evaluate(view_of_fragment(green, "expression")) for green in (old, new)]
    except LiteralError:
        return False
    # 1 and 1.0 differ in Modelica: an Integer and a Real.
    return bool(values[0] == values[1]) and isinstance(values[0], float) == isinstance(values[1], float)


def parsed(text: str, start: str, what: str) -> Green:
    """A piece of Modelica that the caller wrote: a type's name, a reference."""
    try:
        whole = read(Source(text), start=start).green
    except ModelicaSyntaxError as error:
        raise EditError(f"'{text}' is not {what}: {error.message}") from None
    return with_prefix(child_at(whole, 1), "")


def parsed_node(text: str, start: str, what: str) -> Node:
    """The same for what is never one token."""
    found = parsed(text, start, what)
    assert isinstance(found, tuple)
    return found


def identifier(name: str) -> str:
    """A name as an identifier: as it is, or quoted if it is none; a keyword is refused."""
    if not name or any(each in "\0\n\r" or "\ud800" <= each <= "\udfff" for each in name):
        raise EditError(f"{name!a} can't be a name: it is empty, or no line of text can hold it")
    (leaf, kind), *more = lex(name, lazy=False)
    is_one = len(more) == 1 and not more[0][0]  # it and the end of the text
    if is_one and kind == NUMBER["IDENT"] and leaf == name:
        return name
    if len(more) == 1 and kind not in (ILLEGAL, NUMBER["STRING"]) and name.isalpha():
        raise EditError(f"'{name}' is a keyword of Modelica")
    return quoted(name)


def names(path: str | tuple[str, ...]) -> tuple[str, ...]:
    """`a.b.c` in its parts; '' is the thing itself."""
    if isinstance(path, tuple):
        return path
    return tuple(split_name(path)) if path else ()
