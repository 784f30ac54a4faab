"""Modelica at random: derivations of the grammar, with random legal blanks and comments before every token.

The tree is drawn first and its text follows from it, so a test knows the tree that the parser must find.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from modelica_ast import _table
from modelica_ast.green import Green
from modelica_ast.lexer import lex, token_text
from modelica_ast.shape import is_terminal
from modelica_ast.tables import LITERALS

# Supplied by the lexer and the loop, never written; and the mark that only a file's first token can be.
NEVER = frozenset({"LAZY_ANNOTATION", "UNPARSED", "RESUMED_EQUATIONS", "RESUMED_STATEMENTS", "RESUMED_ELEMENTS", "BOM"})

identifiers = st.sampled_from(["a", "B2", "_c", "x_y", "Modelica", "time", "'quoted name'", "'+'", r"'it\'s'", "'é'"])
numbers = st.sampled_from(["0", "1", "42", "1.5", "2.", ".5", "1e3", "1.5E-3", "3.e+2"])
strings = st.sampled_from(['""', '"text"', r'"a \" b \\"', '"two\nlines"', '"// no comment /*"', '"日本 é"', '"("'])
blanks = st.sampled_from(["", "", "", " ", " ", "\n", "\r\n", "\t", "  ", "\n\n    ", "\u00a0", "\f"])
comments = st.sampled_from(["/* c */", "// c\n", "/**/", "/* a\n * b */", "// é // /*\r\n", "/* \" ' ( */", "//\n"])
trivia = st.lists(blanks | comments, max_size=3).map("".join)

_WORDS = {name: text for text, name in LITERALS.items()} | {"END": "end", "INITIAL_SECTION": "initial"}
_DRAWN = {"IDENT": identifiers, "UNSIGNED_NUMBER": numbers, "STRING": strings}

Alternative = tuple[int, tuple[str, ...]]  # production number or -1, symbols


@cache
def _alternatives() -> dict[str, list[Alternative]]:
    productions = {line: number for number, line in enumerate(_table.PRODUCTIONS.splitlines())}
    found: dict[str, list[Alternative]] = {}
    for line in _table.RULES.splitlines():
        origin, kind, *symbols = line.split()
        if not NEVER.intersection(symbols):
            number = -1 if kind == "-" else productions[" ".join([kind, *symbols])]
            found.setdefault(origin, []).append((number, tuple(symbols)))
    return found


@cache
def _least_depths() -> dict[str, int]:
    """How deep the smallest derivation of each rule is; rules that only lead to NEVER are missing."""
    depths: dict[str, int] = {}
    while True:
        new = {
            origin: min(found)
            for origin, alternatives in _alternatives().items()
            if (found := [d for _, symbols in alternatives if (d := _depth(symbols, depths)) is not None])
        }
        if new == depths:
            return depths
        depths = new


def _depth(symbols: tuple[str, ...], depths: dict[str, int]) -> int | None:
    inner = [0 if is_terminal(s) else depths.get(s) for s in symbols]
    return None if None in inner else 1 + max((d for d in inner if d is not None), default=0)


@st.composite
def green_trees(draw: st.DrawFn, start: str, size: int = 60) -> Green:
    """A green tree of a rule. Its text parses back to exactly this tree, checks aside.

    When about `size` symbols are drawn, everything that is still open is finished in the shortest way.
    """
    (derived,) = _derive(draw, start, [size], in_subscripts=False)
    return _with_trivia(draw, derived, [""])


def _derive(draw: st.DrawFn, symbol: str, left: list[int], *, in_subscripts: bool) -> list[Any]:
    """What a symbol becomes: one node or token, or a run of siblings for an inlined rule."""
    if is_terminal(symbol):
        return [draw(_DRAWN[symbol]) if symbol in _DRAWN else _WORDS[symbol]]
    depths = _least_depths()
    in_subscripts = in_subscripts or symbol == "array_subscripts"
    possible = [a for a in _alternatives()[symbol] if in_subscripts or "END_SUBSCRIPT" not in a[1]]
    costs = sorted((cost, a) for a in possible if (cost := _depth(a[1], depths)) is not None)
    # The cheapest comes first: that is where Hypothesis shrinks to.
    number, symbols = draw(st.sampled_from([a for _, a in costs])) if left[0] > 0 else costs[0][1]
    left[0] -= len(symbols) if len(symbols) > 1 else 0
    children = [part for s in symbols for part in _derive(draw, s, left, in_subscripts=in_subscripts)]
    return children if number < 0 else [(number, *children)]


def _with_trivia(draw: st.DrawFn, derived: Any, before: list[str]) -> Green:
    """Give every token drawn blanks and comments; `before` is the token that was last."""
    if isinstance(derived, str):
        leaf = _separated(before[0], draw(trivia), derived)
        before[0] = derived
        return leaf
    return (derived[0], *(_with_trivia(draw, part, before) for part in derived[1:]))


def _separated(before: str, drawn: str, token: str) -> str:
    """The drawn trivia and the token, with a blank more where two tokens would run into each other."""
    for candidate in (drawn, " " + drawn):
        leaves, _ = lex(before + candidate + token, lazy=False)
        if [token_text(leaf) for leaf in leaves] == [*([before] if before else []), token, ""]:
            return candidate + token
    raise AssertionError(f"{before!r} and {token!r} can't stand side by side")
