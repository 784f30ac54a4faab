"""Text of one file put into another: its lines start as the lines there do."""

from __future__ import annotations

import re
from typing import Final

from modelica_ast.compare.things import Thing
from modelica_ast.lexer import lex, split_leaf
from modelica_ast.trivia import Prefix

_LINE: Final = re.compile(r"(\r?\n)([ \t]*)")


class Shift:
    """The difference between the indentation of two places: `shifted` moves a text from one to the other."""

    def __init__(self, here: str = "", there: str = "") -> None:
        self._here = here  # how lines start where the text goes
        self._there = there

    @classmethod
    def between(cls, here: str | None, there: str | None) -> Shift:
        """From prefixes of things that stand at the same depth in both files; no shift where one shares a line."""
        starts = [Prefix.of(text or "").line_start for text in (here, there)]
        if not all(starts):
            return cls()
        return cls(*(start.lstrip("\r\n") for start in starts))

    def __bool__(self) -> bool:
        return self._here != self._there

    def back(self) -> Shift:
        """The shift the other way."""
        return Shift(self._there, self._here)

    def shifted(self, text: str) -> str:
        """The text with its lines moved; strings stay as they are."""
        if self._here == self._there or "\n" not in text:
            return text
        leaves = [split_leaf(leaf) for leaf, _ in lex(text, lazy=False)]
        return "".join(_LINE.sub(self._line, trivia) + token for trivia, token in leaves)

    def _line(self, found: re.Match[str]) -> str:
        end, indent = found.groups()
        behind = found.string[found.end() : found.end() + 1]
        if behind in ("\r", "\n"):  # an empty line stays empty
            return end + indent
        if indent.startswith(self._there):
            return end + self._here + indent.removeprefix(self._there)
        return end + indent


def shift_between(ours: Thing | None, theirs: Thing | None) -> Shift:
    """How to move a text from one list of things on lines to another."""
    starts = []
    for around in (ours, theirs):
        items = around.children if around is not None else []
        starts.append(next((item.pre for item in items if Prefix.of(item.pre).starts_line), None))
    return Shift.between(*starts)


def line_end_of(text: str) -> str:
    r"""The line end of a text: `\r\n` if it has more of those."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def with_line_ends_of(text: str, like: str) -> str:
    """A text with the line ends of another, if that has but one kind of them."""
    windows, all_ends = like.count("\r\n"), like.count("\n")
    if windows == 0 and all_ends:
        return text.replace("\r\n", "\n")
    if windows == all_ends and all_ends:
        return text.replace("\r\n", "\n").replace("\n", "\r\n")
    return text
