"""Block comments that move as a whole."""

from __future__ import annotations

from typing import Final

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
