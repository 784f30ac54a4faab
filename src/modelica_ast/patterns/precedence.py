"""Which expressions need parentheses where they are put: `$a * 2` with `x + 1` for `$a` is `(x + 1) * 2`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from modelica_ast.green import Green
from modelica_ast.lexer import token_text
from modelica_ast.shape import make_node
from modelica_ast.tables import KINDS

_SUM: Final = 6
_PRIMARY: Final = 9
_BINARY: Final = {
    "or": 2,
    "and": 3,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "<>"), 5),
    **dict.fromkeys(("+", "-", ".+", ".-"), _SUM),
    **dict.fromkeys(("*", "/", ".*", "./"), 7),
    **dict.fromkeys(("^", ".^"), 8),
}
_NOT_ASSOCIATIVE: Final = frozenset({5, 8})


def level(green: Any) -> int:
    """How tightly an expression binds; what needs no parentheses anywhere is highest."""
    if type(green) is str:
        return _PRIMARY
    kind = KINDS[green[0]]
    if kind == "binary":
        return _BINARY[token_text(green[2])]
    if kind == "unary":
        return 4 if token_text(green[1]) == "not" else _SUM
    return {"if_expression": 0, "range": 1}.get(kind, _PRIMARY)


def needed_level(kind: str, children: Sequence[Any], index: int) -> int:
    """How tightly the operand at an index (from 0) of a node must bind; 0 where anything can stand."""
    if kind == "binary":
        own = _BINARY[token_text(children[1])]
        return own + 1 if index == len(children) - 1 or own in _NOT_ASSOCIATIVE else own
    if kind == "unary":
        return 5 if token_text(children[0]) == "not" else _SUM + 1
    if kind == "range":
        return 2
    return 1 if kind == "simple_equation" and index == 0 else 0


def in_parentheses(green: Green) -> Green:
    """An expression in parentheses, with no blanks inside them of its own."""
    return make_node("parenthesized", "(", make_node("output_expression_list", green), ")")
