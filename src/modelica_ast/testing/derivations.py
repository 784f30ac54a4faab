"""Modelica at random: derivations of the grammar, with blanks and comments before every token.

The tree is drawn first and its text follows from it, so a test knows the tree that the parser must find.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from modelica_ast import _table
from modelica_ast.green import Green
from modelica_ast.lexer import lex, token_text
from modelica_ast.shape import is_terminal
from modelica_ast.tables import LITERALS
from modelica_ast.testing.corrections import corrected
from modelica_ast.testing.trivia import trivia

# Supplied by the lexer and the loop, never written; and the mark that only a file's first token can be.
NEVER: Final = frozenset(
    {"LAZY_ANNOTATION", "UNPARSED", "RESUMED_EQUATIONS", "RESUMED_STATEMENTS", "RESUMED_ELEMENTS", "BOM"}
)

# The plainest first: that is where Hypothesis shrinks to.
identifiers: Final = st.sampled_from(
    ["a", "B2", "_c", "x_y", "Modelica", "time", "'quoted name'", "'+'", r"'it\'s'", "'é'"]
)
numbers: Final = st.sampled_from(["0", "1", "42", "1.5", "2.", ".5", "1e3", "1.5E-3", "3.e+2"])
strings: Final = st.sampled_from(
    ['""', '"text"', r'"a \" b \\"', '"two\nlines"', '"// no comment /*"', '"日本 é"', '"("']
)

_WORDS = {name: text for text, name in LITERALS.items()} | {"END": "end", "INITIAL_SECTION": "initial"}
_DRAWN = {"IDENT": identifiers, "UNSIGNED_NUMBER": numbers, "STRING": strings}

Alternative = tuple[int, tuple[str, ...]]  # production number or -1, symbols


class _Around(NamedTuple):
    """What stands around a symbol, as far as it decides what the symbol can become."""

    subscripts: bool = False
    annotation: bool = False
    extends: bool = False
    initial: bool = False

    def inside(self, symbol: str) -> _Around:
        """The same, one symbol further in."""
        return _Around(
            self.subscripts or symbol == "array_subscripts",
            self.annotation or symbol == "annotation_clause",
            symbol == "extends_clause" or (self.extends and symbol not in _ENDS_EXTENDS),
            self.initial,
        )

    def allows(self, symbols: tuple[str, ...]) -> bool:
        """Does the language, and not only the grammar, have this alternative here?"""
        return not (
            (symbols == ("LBRACE", "RBRACE") and not self.annotation)
            or ("inheritance_modification" in symbols and not self.extends)
            or ("connect_equation" in symbols and self.initial)
        )


# `extends A(break x)` leaves something out, `extends A(b(break x))` does not.
_ENDS_EXTENDS = frozenset({"element_modification", "element_redeclaration", "element_replaceable", "annotation_clause"})


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


@cache
def _choices(symbol: str, around: _Around | None, *, in_subscripts: bool) -> list[Alternative]:
    """What a symbol can become, the cheapest first: that is where Hypothesis shrinks to."""
    depths = _least_depths()
    possible = [
        alternative
        for alternative in _alternatives()[symbol]
        if (in_subscripts or "END_SUBSCRIPT" not in alternative[1])
        and (around is None or around.allows(alternative[1]))
    ]
    costs = sorted((cost, a) for a in possible if (cost := _depth(a[1], depths)) is not None)
    return [a for _, a in costs]


@st.composite
def green_trees(
    draw: st.DrawFn,
    start: str,
    size: int = 60,
    *,
    valid: bool = False,
    between: st.SearchStrategy[str] | None = None,
) -> Green:
    """A green tree of a rule of the grammar. Its text parses back to exactly this tree.

    When about `size` symbols are drawn, everything that is still open is finished in the shortest way. `between` is
    what stands before each token. The grammar is wider than the language: without `valid`, prefixes may stand in any
    order, and a parse refuses the tree's text with a sentence about it.
    """
    (derived,) = _Derivation(draw, size, valid=valid).derive(start, _Around())
    return _with_trivia(draw, derived, between if between is not None else trivia(), [""])


class _Derivation:
    """One derivation, and how many symbols it may still draw."""

    def __init__(self, draw: st.DrawFn, size: int, *, valid: bool) -> None:
        self._draw = draw
        self._left = size
        self._valid = valid

    def derive(self, symbol: str, around: _Around) -> list[Any]:
        """What a symbol becomes: one node or token, or a run of siblings for an inlined rule."""
        if is_terminal(symbol):
            return [self._draw(_DRAWN[symbol]) if symbol in _DRAWN else _WORDS[symbol]]
        around = around.inside(symbol)
        choices = _choices(symbol, around if self._valid else None, in_subscripts=around.subscripts)
        many = self._left > 0 and len(choices) > 1
        number, symbols = self._draw(st.sampled_from(choices)) if many else choices[0]
        self._left -= len(symbols) if len(symbols) > 1 else 0
        if "INITIAL_SECTION" in symbols:
            around = around._replace(initial=True)
        children = [part for s in symbols for part in self.derive(s, around)]
        if number < 0:
            return children
        return [corrected((number, *children)) if self._valid else (number, *children)]


def _with_trivia(draw: st.DrawFn, derived: Any, between: st.SearchStrategy[str], before: list[str]) -> Green:
    """Give every token drawn blanks and comments; `before` is the token that was last."""
    if isinstance(derived, str):
        leaf = _separated(before[0], draw(between), derived)
        before[0] = derived
        return leaf
    return (derived[0], *(_with_trivia(draw, part, between, before) for part in derived[1:]))


def _separated(before: str, drawn: str, token: str) -> str:
    """The drawn trivia and the token, with a blank more where two tokens would run into each other."""
    for candidate in (drawn, " " + drawn):
        leaves = [leaf for leaf, _ in lex(before + candidate + token, lazy=False)]
        if [token_text(leaf) for leaf in leaves] == [*([before] if before else []), token, ""]:
            return candidate + token
    raise AssertionError(f"{before!r} and {token!r} can't stand side by side")
