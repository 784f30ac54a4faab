"""Several tokens that the lexer left in one leaf, as the nodes that the loop would make of them one by one.

The loop remembers these nodes by their text, and an array of numbers remembers its rows: names and coordinates repeat.
So equal rows of all files are one object, as equal names are. Concurrent threads can at worst make one twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from modelica_ast.lalr import Green, Leaf, Node
from modelica_ast.lexer import BLANK_CHARACTERS, remembered, split_leaf
from modelica_ast.tables import DOTTED_NAME, NUMBER_ARRAY, expression_production

_REMEMBERED_ROWS: Final = 1 << 16
_REMEMBERED_LENGTH: Final = 60

# What follows the opening brace of an array that the lexer has taken for one: items or rows, commas, and a brace.
_ITEM_PIECES: Final = re.compile(r"[^,}]++|[,}]")
_ROW_PIECES: Final = re.compile(r"[^{,}]*+\{[^}]++\}|[,}]")
_PIECES_OF_ONE: Final = 2  # an item or row, and the brace
_UNSIGNED: Final = "0123456789,}"  # what a piece of a row starts with that has neither a sign nor blanks before one


def _name(production: int, leaf: Leaf) -> Node | list[Leaf]:
    """The node of a dotted name, or its leaves where it begins a list."""
    blanks, name = split_leaf(leaf)
    first, *others = name.split(".")
    parts = [blanks + first]
    for part in others:
        parts += (".", part)
    leaves = map(remembered, parts)
    return (production, *leaves) if production >= 0 else list(leaves)


@cache
def _productions() -> tuple[int, int, int]:
    """Those of an array of one, of an array of several, and of a number with a sign, as the table has them."""
    number = "UNSIGNED_NUMBER"
    terminals = (f"LBRACE {number} RBRACE", f"LBRACE {number} COMMA {number} RBRACE", f"MINUS {number}")
    one, several, signed = map(expression_production, terminals)
    return one, several, signed


class _Rows(dict[str, Green]):
    """A row of an array with the blanks before it, or what stands between rows -> its green tree."""

    def __missing__(self, piece: str) -> Green:
        text = piece.lstrip(BLANK_CHARACTERS)
        found = _with_trivia(piece[: -len(text)], _row(text)) if text[0] == "{" else piece
        if len(piece) < _REMEMBERED_LENGTH:
            if len(self) > _REMEMBERED_ROWS:
                self.clear()
            self[piece] = found
        return found


_ROWS: Final = _Rows()


def _array(_: int, leaf: Leaf) -> Node:
    """The node of an array of numbers; how many it has decides on its production."""
    trivia, text = ("", leaf) if leaf[0] == "{" else split_leaf(leaf)
    return _with_trivia(trivia, _row(text) if text.find("{", 1) < 0 else _nested(text))


def _nested(text: str) -> Node:
    """The node of `{{1,2},{3,4}}`."""
    pieces = _ROW_PIECES.findall(text, 1)
    one, several, _ = _productions()
    return (one if len(pieces) == _PIECES_OF_ONE else several, "{", *map(_ROWS.__getitem__, pieces))  # type: ignore[return-value]  # see `_row`


def _row(text: str) -> Node:
    """The node of `{1,-2}`.

    PERF: numbers are not remembered. Those of large tables hardly repeat, and a memo that takes them makes the first
    parse of a library 5 % slower and later ones no faster.
    """
    leaves: list[Leaf] = _ITEM_PIECES.findall(text, 1)
    one, several, signed = _productions()
    production = one if len(leaves) == _PIECES_OF_ONE else several
    if "-" not in text:
        return (production, "{", *leaves)  # type: ignore[return-value]  # mypy takes no leaf before the star
    found = [leaf if leaf[0] in _UNSIGNED else _number(leaf, signed) for leaf in leaves]
    return (production, "{", *found)  # type: ignore[return-value]  # the same


def _number(leaf: Leaf, signed: int) -> Green:
    """A number that may have a sign; the minus of an exponent is not one."""
    before, minus, digits = leaf.partition("-")
    return leaf if before.strip(BLANK_CHARACTERS) else (signed, before + minus, digits)


def _with_trivia(trivia: str, node: Node) -> Node:
    """The same node with blanks and comments before it."""
    if not trivia:
        return node
    production, first, *others = node  # type: ignore[misc]  # an array is not empty
    return (production, remembered(trivia + first), *others)


BUILDERS: Final[dict[int, Callable[[int, Leaf], Node | list[Leaf]]]] = {DOTTED_NAME: _name, NUMBER_ARRAY: _array}
