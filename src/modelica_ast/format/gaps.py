"""What stands between two tokens, taken apart: comments, line ends, blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import attrs

from modelica_ast.format.slots import Slot

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


# ---------------------------------------------------------------- comments
# Block comments that move as a whole.

_BLANKS: Final = " \t"


def width_of_blanks(blanks: str, indent: int) -> int:
    """How wide blanks are; a tab is one level, as it is in files that are indented with tabs."""
    return len(blanks.expandtabs(indent)) if "\t" in blanks else len(blanks)


def moved(text: str, shift: int, indent: int) -> str:
    """A comment whose first line has moved to the right, with its other lines moved as far.

    None of them moves out of the page, and they stay as they are among each other.
    """
    if not shift or "\n" not in text:
        return text
    first, *others = text.split("\n")
    widths = [width_of_blanks(line[: _indentation(line)], indent) for line in others]
    written = [width for line, width in zip(others, widths, strict=True) if line.strip()]
    shift = max(shift, -min(written, default=0))
    lines = [
        " " * (width + shift) + line[_indentation(line) :] if line.strip() else line
        for line, width in zip(others, widths, strict=True)
    ]
    return "\n".join([first, *lines])


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(_BLANKS))


# ---------------------------------------------------------------- regions
# Gaps in pieces: what is formatted, and what `// formatting: off` leaves alone.


@attrs.frozen
class Piece:
    """A part of a gap that is formatted, or one that stays as it is."""

    text: str
    is_formatted: bool


def pieces_of(slots: list[Slot]) -> Iterator[tuple[Piece, ...]]:
    """For each token the pieces of the gap before it.

    A piece ends behind the comment that switches, so that both comments stay where the author can see them.
    """
    is_on = True
    for slot in slots:
        found = []
        start = 0
        if "formatting:" in slot.prefix:
            for comment in gap_of(slot.prefix).comments:
                if comment.switch is not None and (comment.switch == "on") != is_on:
                    found.append(Piece(slot.prefix[start : comment.end], is_on and slot.is_formatted))
                    start = comment.end
                    is_on = not is_on
        yield (*found, Piece(slot.prefix[start:], is_on and slot.is_formatted))


def line_end_of(text: str, gaps: list[tuple[Piece, ...]]) -> str:
    r"""The line end that most formatted lines have; `\n` where there are as many of both.

    Only what is formatted counts, for these line ends become one, and the next run must not think otherwise.
    """
    windows = others = 0
    for pieces in gaps:
        for piece in pieces:
            if piece.is_formatted:
                more_windows, more_others = count_line_ends(piece.text)
                windows += more_windows
                others += more_others
    if not windows and not others:
        windows = text.count("\r\n")
        others = text.count("\n") - windows
    return "\r\n" if windows > others else "\n"
