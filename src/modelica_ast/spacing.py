"""How many blanks stand between two tokens on one line.

The counts behind the choices are in docs/formatting.md: what the Standard Library does most is the style.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import Final

from modelica_ast.lexer import TOKEN


class Blanks(Enum):
    """What a token wants on one of its sides."""

    NONE = 0
    ONE = 1
    BOTH_OR_NONE = 2  # as the author has it, but the same on both sides
    KEPT = 3  # as the author has it: columns of a table


_Sides = tuple[Blanks | None, Blanks | None]

_NONE: Final = (Blanks.NONE, Blanks.NONE)
_ONE: Final = (Blanks.ONE, Blanks.ONE)
_CHOICE: Final = (Blanks.BOTH_OR_NONE, Blanks.BOTH_OR_NONE)
_ANY: Final = (None, None)

_BY_SYMBOL: Final[dict[str, _Sides]] = {
    "BOM": (None, Blanks.NONE),
    "RPAR": (Blanks.NONE, None),
    "RSQB": (Blanks.NONE, None),
    "RBRACE": (Blanks.NONE, None),
    "LBRACE": (None, Blanks.NONE),
    "LSQB": (Blanks.NONE, Blanks.NONE),
    "LPAR": (Blanks.NONE, Blanks.NONE),
    "SEMICOLON": (Blanks.NONE, None),
    "COMMA": (Blanks.NONE, Blanks.ONE),
    "DOT": _NONE,
}
_BY_PLACE: Final[dict[tuple[str, str], _Sides]] = {
    ("LPAR", "parenthesized"): (None, Blanks.NONE),
    ("LPAR", "multiple_assignment"): (None, Blanks.NONE),
    ("LSQB", "matrix"): (None, Blanks.NONE),
    ("SEMICOLON", "matrix"): (Blanks.NONE, Blanks.KEPT),
    ("COMMA", "output_expression_list"): _NONE,
    ("EQUALS", "modification"): _NONE,
    ("EQUALS", "named_argument"): _NONE,
    ("COLON", "range"): _NONE,
    ("MINUS", "unary"): (None, Blanks.NONE),
    ("PLUS", "unary"): (None, Blanks.NONE),
    ("DOT_MINUS", "unary"): (None, Blanks.NONE),
    ("DOT_PLUS", "unary"): (None, Blanks.NONE),
    ("DOT_STAR", "import_clause"): _NONE,
    ("STAR", "import_clause"): _NONE,
}
# Not those with a dot: `2.*x` is a number and a product.
_TIGHT_OPERATORS: Final = frozenset({"STAR", "SLASH", "POWER"})
_SUMS: Final = frozenset({"PLUS", "MINUS", "DOT_PLUS", "DOT_MINUS"})


def blanks_around(symbol: str, kind: str, around: str, *, is_tight: bool, is_first: bool) -> _Sides:
    """What a token wants before and behind it; None leaves it to its neighbour.

    `kind` is the node that it stands in and `around` the node around that. In a tight place, an index or a range,
    sums have blanks where the author likes them. The first token of its node may be the dot of `.Modelica`.
    """
    if symbol == "DOT" and is_first:
        return (None, Blanks.NONE)
    if kind == "binary":
        if symbol in _TIGHT_OPERATORS:
            return _NONE
        if symbol in _SUMS and is_tight:
            return _CHOICE
    elif symbol == "COMMA" and kind == "expression_list" and around == "matrix":
        return (Blanks.NONE, Blanks.KEPT)
    elif symbol == "COMMA" and kind == "array" and around == "plain":
        return _NONE
    elif symbol == "EQUALS" and kind == "modification" and not is_first:
        return _ONE  # `x(start=1) = 2`
    found = _BY_PLACE.get((symbol, kind))
    return _BY_SYMBOL.get(symbol, _ANY) if found is None else found


_ONE_TOKEN: Final = re.compile(TOKEN)
_QUOTES: Final = ('"', "'")  # nothing runs into a string or a quoted name


@lru_cache(maxsize=4096)
def run_together(before: str, token: str) -> bool:
    """Would two tokens without a blank between them read as something else?"""
    if before[-1:] in _QUOTES or token[:1] in _QUOTES:
        return False
    found = _ONE_TOKEN.match(before + token)
    return found is None or found[0] != before
