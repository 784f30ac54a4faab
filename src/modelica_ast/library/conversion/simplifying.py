"""Obvious simplifications of an expression that a rule has put together: factors 0 and 1, decided conditions."""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.edit.surgery import Path, prefix_of, replaced, with_prefix
from modelica_ast.green import Green, symbol, tokens
from modelica_ast.shape import make_node
from modelica_ast.tables import KINDS

_ZERO: Final = frozenset({"0", "0.0"})
_ONE: Final = frozenset({"1", "1.0"})
_PRIMARY: Final = frozenset(
    "IDENT UNSIGNED_NUMBER STRING TRUE FALSE component_reference function_call array matrix parenthesized".split()
)


def is_primary(green: Green) -> bool:
    """Can it stand beside any operator without parentheses?"""
    return symbol(green) in _PRIMARY


def simplified(expression: Any) -> Any:
    """The expression with everything reduced that can be."""
    while True:
        for path, node in _nodes(expression):
            new = _reduced(node)
            if new is not None:
                expression = replaced(expression, path, with_prefix(new, prefix_of(node)))
                break
        else:
            return _without_parentheses(expression)


def _without_parentheses(expression: Any) -> Any:
    """The inside of `(a + b)`, for a place where it stands alone."""
    if type(expression) is tuple and KINDS[expression[0]] == "parenthesized" and len(expression) == 4:  # noqa: PLR2004
        inner = expression[2][1:]
        if len(inner) == 1:
            return with_prefix(inner[0], prefix_of(expression))
    return expression


def _nodes(root: Any) -> list[tuple[Path, Any]]:
    """All nodes, the inner ones first."""
    found: list[tuple[Path, Any]] = []
    todo: list[tuple[Path, Any]] = [((), root)]
    while todo:
        path, node = todo.pop()
        if type(node) is tuple:
            found.append((path, node))
            todo += [((*path, index), node[index]) for index in range(1, len(node))]
    return found[::-1]


def _reduced(node: Any) -> Green | None:
    """A simpler form of one node, or None."""
    match KINDS[node[0]]:
        case "binary":
            return _reduced_binary(node[1], tokens(node[2])[0], node[3])
        case "unary":
            return _opposite(node[2]) if tokens(node[1]) == ["not"] else None
        case "if_expression":
            return _decided(node)
        case "parenthesized":
            inner = _without_parentheses(node)
            return inner if inner is not node and is_primary(inner) else None
    return None


def _reduced_binary(left: Green, operator: str, right: Green) -> Green | None:
    one, other = _text(left), _text(right)
    found: Green | None = None
    if operator == "*":
        if one in _ZERO or other in _ZERO:
            found = "0"
        elif one in _ONE or other in _ONE:
            found = right if one in _ONE else left
    elif operator in ("+", "-") and other in _ZERO:
        found = left
    elif operator == "+" and one in _ZERO:
        found = right
    elif operator in ("==", "<>"):
        equal = _are_equal(left, right)
        found = None if equal is None else _boolean(value=equal == (operator == "=="))
    elif operator in ("and", "or"):
        deciding, neutral = ("false", "true") if operator == "and" else ("true", "false")
        if deciding in (one, other):
            found = deciding
        elif neutral in (one, other):
            found = right if one == neutral else left
    return found


def _are_equal(left: Green, right: Green) -> bool | None:
    """Are two literals equal? None if that is not certain."""
    one, other = symbol(left), symbol(right)
    if one == other == "component_reference":
        ours, theirs = tokens(left), tokens(right)
        # Two names in one package with a capital: literals of one enumeration.
        return ours == theirs if ours[:-1] == theirs[:-1] and ours[-3:-2] and ours[-3][:1].isupper() else None
    literals = {"UNSIGNED_NUMBER", "STRING", "TRUE", "FALSE"}
    if one not in literals or other not in literals:
        return None
    if one == other == "UNSIGNED_NUMBER":
        return float(_text(left)) == float(_text(right))
    return _text(left) == _text(right)


def _opposite(operand: Green) -> Green | None:
    return {"true": "false", "false": "true"}.get(_text(operand))


def _decided(node: Any) -> Green | None:
    """The branch that an `if` takes, where its first condition is known."""
    condition = _text(node[2])
    if condition == "true":
        return node[4]  # type: ignore[no-any-return]
    if condition != "false":
        return None
    following = node[5]
    if type(following) is str:  # `else`
        return node[-1]  # type: ignore[no-any-return]
    return make_node("if_expression", "if", *following[2:], *node[6:])


def _boolean(*, value: bool) -> Green:
    return "true" if value else "false"


def _text(green: Green) -> str:
    words = tokens(green)
    return words[0] if len(words) == 1 else ""
