"""Python values and names as green trees. Text is parsed only where somebody asked for an expression."""

from __future__ import annotations

from typing import Any

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.surgery import with_prefix
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.green import Green, child_at
from modelica_ast.identifiers import quoted, split_name
from modelica_ast.lexer import ILLEGAL, lex
from modelica_ast.literals import literal
from modelica_ast.reading import read
from modelica_ast.shape import make_node
from modelica_ast.source import Source
from modelica_ast.tables import NUMBER
from modelica_ast.views.base import Expression


def value_green(value: Any) -> Green:
    """A number, boolean, string, list, Reference or Expression as a green expression without blanks before it."""
    if isinstance(value, list | tuple) and _has_expression(value):
        parts: list[Green] = []
        for item in value:
            parts += [","] * bool(parts) + [value_green(item)]
        return make_node("array", "{", *parts, "}")
    view = value if isinstance(value, Expression) else literal(value)
    green: Green = with_prefix(view.green, "")
    return green


def _has_expression(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_expression, value))
    return isinstance(value, Expression)


def expression_green(value: Any) -> Green:
    """Like `value_green`, for places that only an expression can take: there a text is one."""
    return parsed(value, "expression", "an expression") if isinstance(value, str) else value_green(value)


def parsed(text: str, start: str, what: str) -> Green:
    """A piece of Modelica that the caller wrote: a type's name, a reference."""
    try:
        whole = read(Source(text), start=start).green
    except ModelicaSyntaxError as error:
        raise EditError(f"'{text}' is not {what}: {error.message}") from None
    green: Green = with_prefix(child_at(whole, 1), "")
    return green


def identifier(name: str) -> str:
    """A name as an identifier: as it is, or quoted if it is none; a keyword is refused."""
    if not name or any(each in "\0\n\r" or "\ud800" <= each <= "\udfff" for each in name):
        raise EditError(f"{name!a} can't be a name: it is empty, or no line of text can hold it")
    tokens = lex(name, lazy=False)
    leaves, kinds = [leaf for leaf, _ in tokens], [kind for _, kind in tokens]
    if len(leaves) == 2 and not leaves[1] and kinds[0] == NUMBER["IDENT"] and leaves[0] == name:  # noqa: PLR2004
        return name
    if len(leaves) == 2 and kinds[0] not in (ILLEGAL, NUMBER["STRING"]) and name.isalpha():  # noqa: PLR2004
        raise EditError(f"'{name}' is a keyword of Modelica")
    return quoted(name)


def names(path: str | tuple[str, ...]) -> tuple[str, ...]:
    """`a.b.c` in its parts; '' is the thing itself."""
    if isinstance(path, tuple):
        return path
    return tuple(split_name(path)) if path else ()
