"""Names, and the values that `literal` and the verbs take."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from modelica_ast.tree import Real, Reference

_PLAIN: Final = ("a", "b1", "k", "m", "frame_a", "R0", "x_y", "_z")
_QUOTED: Final = ("'quoted name'", "'+'", r"'it\'s'", "'a.b'", "'é'")
_TEXTS: Final = ("1.5", "1.50", "2.", "1e3", "1.5E-3", "-0.10", "3.e+2")
_EXPRESSIONS: Final = ("2*a", "-x", "if b then 1 else 2", "f(x, y=1)", "{1, a}", "a.b[2]", "1:3", "not done")
_MOST_DIGITS: Final = 10**12


def names(*, quoted: bool = True) -> st.SearchStrategy[str]:
    """Identifiers; with `quoted` also `'any text'`."""
    return st.sampled_from([*_PLAIN, *(_QUOTED if quoted else ())])


def dotted_names(*, max_parts: int = 3, quoted: bool = True) -> st.SearchStrategy[str]:
    """Names of classes, and paths of modifiers: `A.B.c`."""
    return st.lists(names(quoted=quoted), min_size=1, max_size=max_parts).map(".".join)


def values(*, max_dimensions: int = 2, references: bool = True) -> st.SearchStrategy[Any]:
    """Python values that `literal` can write: numbers, booleans, strings, `Real`, `Reference`, lists of them."""
    scalars: st.SearchStrategy[Any] = st.booleans() | st.integers(-_MOST_DIGITS, _MOST_DIGITS) | st.text(max_size=8)
    scalars |= st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(_TEXTS).map(Real)
    if references:
        scalars |= dotted_names().map(Reference)
    return _nested(scalars, max_dimensions)


def json_values(*, max_dimensions: int = 1, expressions: bool = True) -> st.SearchStrategy[Any]:
    """Values as they stand in a patch: JSON, and `{"expression": …}`, `{"reference": …}`, `{"real": …}`."""
    scalars: st.SearchStrategy[Any] = st.integers(-100, 100) | st.booleans() | st.text(max_size=8)
    scalars |= st.floats(allow_nan=False, allow_infinity=False)
    scalars |= st.sampled_from(_TEXTS).map(lambda text: {"real": text})
    scalars |= dotted_names().map(lambda name: {"reference": name})
    if expressions:
        scalars |= st.sampled_from(_EXPRESSIONS).map(lambda text: {"expression": text})
    return _nested(scalars, max_dimensions)


def _nested(scalars: st.SearchStrategy[Any], dimensions: int) -> st.SearchStrategy[Any]:
    found = scalars
    for _ in range(dimensions):
        # Not empty: Modelica has no literal for an array without elements.
        found = scalars | st.lists(found, min_size=1, max_size=3)
    return found


# ---------------------------------------------------------------- trivia
# Legal blanks and comments between two tokens.

# The plainest first: that is where Hypothesis shrinks to.
_BLANKS: Final = ("", " ", "  ", "\t")
_LINE_ENDS: Final = ("\n", "\r\n", "\n\n    ")
_RARE_BLANKS: Final = ("\u00a0", "\f")
_BLOCK_COMMENTS: Final = ("/* c */", "/**/", "/* \" ' ( */")
_LINE_COMMENTS: Final = ("// c\n", "//\n", "// é // /*\r\n", "/* a\n * b */")


def trivia(*, comments: bool = True, line_ends: bool = True, max_pieces: int = 3) -> st.SearchStrategy[str]:
    r"""Blanks and comments as they can stand before any token, also none at all.

    Without `line_ends` nothing ends a line, so no `//` comment either.

    >>> trivia(comments=False, line_ends=False).example()  # doctest: +SKIP
    ' \t'
    """
    pieces = [*_BLANKS, *(_LINE_ENDS if line_ends else ()), *_RARE_BLANKS]
    if comments:
        pieces += [*_BLOCK_COMMENTS, *(_LINE_COMMENTS if line_ends else ())]
    # One draw for most tokens and not one for each piece: a tree has many tokens.
    short = st.sampled_from(pieces)
    return short if max_pieces <= 1 else short | st.lists(short, min_size=2, max_size=max_pieces).map("".join)
