"""What people see: colour on a terminal only, one line per complaint."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from typing import Final, TextIO

_STYLES: Final = {
    "error": "31;1",
    "warning": "33",
    "note": "36",
    "name": "1",
    "dim": "2",
    "added": "32",
    "removed": "31",
    "changed": "33",
    "place": "36",
    "header": "1",
}


def has_colour(stream: TextIO) -> bool:
    """Is it a terminal that shows colours? NO_COLOR turns them off."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def styled(text: str, style: str, stream: TextIO) -> str:
    """Text in colour on a terminal, plain everywhere else."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if has_colour(stream) else text


def take_any_name() -> None:
    """Let output show what is not text: the name of a file may hold bytes that no encoding knows."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def complain(message: str) -> None:
    """One message on standard error."""
    sys.stderr.write(f"modelica-patch: {message}\n")


def tell(message: str, *, quiet: bool) -> None:
    """Something good to know, on standard error, so that results can be piped."""
    if not quiet:
        sys.stderr.write(f"{message}\n")


def styled_diff(diff: str, stream: TextIO) -> Iterator[str]:
    """The lines of a unified diff, coloured."""
    for line in diff.splitlines(keepends=True):
        style = _diff_style(line)
        if style is None or not has_colour(stream):
            yield line
        else:
            body = line.rstrip("\r\n")
            yield styled(body, style, stream) + line[len(body) :]


def _diff_style(line: str) -> str | None:
    if line.startswith(("---", "+++")):
        return "header"
    return {"+": "added", "-": "removed", "@": "place"}.get(line[:1])


def count(number: int, noun: str, nouns: str | None = None) -> str:
    """`1 file`, `2 files`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
