"""What stands between two tokens, taken apart: comments, line ends, blanks."""

from __future__ import annotations

import re
from typing import Final

import attrs

# Without backtracking. The `\r` of its line end is no part of a comment; elsewhere a lone `\r` ends a line too.
_PIECE: Final = re.compile(
    r"(?P<comment>//[^\r\n]*+(?:\r++[^\r\n]++)*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/)|(?P<line_end>\r\n|\r|\n)|[^\r\n/]++"
)
_SWITCH: Final = re.compile(r"//[ \t]*formatting:[ \t]*(on|off)[ \t]*")


@attrs.frozen
class Comment:
    """A comment and what stands before it."""

    text: str
    line_ends: int  # before it, counted from the token or comment before
    blanks: str  # between the last of these, or what stands before, and the comment
    end: int  # its end in the text of the gap

    @property
    def is_line(self) -> bool:
        """Does it take the rest of its line?"""
        return self.text.startswith("//")

    @property
    def switch(self) -> str | None:
        """`on` or `off` for a comment that switches formatting."""
        found = _SWITCH.fullmatch(self.text)
        return found[1] if found else None


@attrs.frozen
class Gap:
    """The comments between two tokens, and what stands behind the last of them."""

    comments: tuple[Comment, ...]
    line_ends: int
    blanks: str

    @property
    def has_line_end(self) -> bool:
        """Does a line end here, outside of comments?"""
        return self.line_ends > 0 or any(comment.line_ends for comment in self.comments)


_PLAIN: Final = {text: Gap((), 0, text) for text in ("", " ")}


def gap_of(text: str) -> Gap:
    """Take a gap apart."""
    if text in _PLAIN:  # PERF: nearly all of them
        return _PLAIN[text]
    comments = []
    line_ends, blanks = 0, ""
    for match in _PIECE.finditer(text):
        if match.lastgroup == "comment":
            comments.append(Comment(match[0], line_ends, blanks, match.end()))
            line_ends, blanks = 0, ""
        elif match.lastgroup == "line_end":
            line_ends += 1
            blanks = ""
        else:
            blanks = match[0]
    return Gap(tuple(comments), line_ends, blanks)


def count_line_ends(text: str) -> tuple[int, int]:
    r"""How many lines of a gap end in `\r\n`, and how many in something else; those inside comments do not count."""
    ends = [match[0] for match in _PIECE.finditer(text) if match.lastgroup == "line_end"]
    windows = ends.count("\r\n")
    return windows, len(ends) - windows
