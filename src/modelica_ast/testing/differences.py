"""Two texts that should be the same, and what a person must see of them: the lines that differ, and no others."""

from __future__ import annotations

import difflib
from typing import Final, NamedTuple

_MOST_LINES: Final = 40
_VISIBLE: Final = str.maketrans({"\r": "␍", "\t": "⇥", "\u00a0": "⍽", "\f": "␌", "\v": "␋", "\ufeff": "<BOM>"})


class Hunk(NamedTuple):
    """Lines `start` to `stop` (from 0, `stop` excluded) of the old text, and what stands there in the new one."""

    start: int
    stop: int
    old: list[str]
    new: list[str]

    def __str__(self) -> str:
        place = f"line {self.start + 1}" if self.stop <= self.start + 1 else f"lines {self.start + 1} to {self.stop}"
        # What differs in blanks alone must be seen, and else blanks should not get in the way.
        mark = ["".join(lines).split() for lines in (self.old, self.new)]
        show = _show_blanks if mark[0] == mark[1] else _show
        lines = [f"@ {place}", *(f"- {show(line)}" for line in self.old), *(f"+ {show(line)}" for line in self.new)]
        return "\n".join(lines)


def hunks(old: str, new: str) -> list[Hunk]:
    """Where two texts differ, line by line."""
    before, after = _lines(old), _lines(new)
    # Common ends first: difflib takes quadratic time, and most of two texts is the same.
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    stop = 0
    while stop < min(len(before), len(after)) - start and before[-1 - stop] == after[-1 - stop]:
        stop += 1
    inner, other = before[start : len(before) - stop], after[start : len(after) - stop]
    matcher = difflib.SequenceMatcher(None, inner, other, autojunk=False)
    return [
        Hunk(start + i, start + j, inner[i:j], other[k:m])
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    ]


def difference(old: str, new: str) -> str:
    """The lines that differ, `-` for those of the old text and `+` for those of the new one."""
    return shown(hunks(old, new))


def shown(found: list[Hunk]) -> str:
    """Hunks one below the other, not more than a screen full."""
    lines = "\n".join(map(str, found)).splitlines()
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"… and {len(lines) - _MOST_LINES} lines more"]
    return "\n".join(lines)


def _lines(text: str) -> list[str]:
    r"""Split at `\n` alone: a form feed ends no line of Modelica."""
    return [line + "\n" for line in text.split("\n")[:-1]] + [text.rsplit("\n", maxsplit=1)[-1]]


def _show(line: str) -> str:
    if not line.endswith("\n"):
        return f"{line} (no line end)" if line else "(no line)"
    return line.rstrip("\r\n")


def _show_blanks(line: str) -> str:
    text = line.removesuffix("\n").translate(_VISIBLE)
    body = text.rstrip(" ")
    return body + "·" * (len(text) - len(body)) + ("⏎" if line.endswith("\n") else "")
