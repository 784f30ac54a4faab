"""Legal blanks and comments between two tokens."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

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
