"""Gaps in pieces: what is formatted, and what `// formatting: off` leaves alone."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from modelica_ast.formatting.gaps import count_line_ends, gap_of
from modelica_ast.formatting.slots import Slot


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
