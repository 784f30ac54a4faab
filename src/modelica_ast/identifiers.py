"""Names as people write them: in parts, in quotes, and the one that was meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def split_name(name: str) -> list[str]:
    """A dotted name in its parts; a dot inside quotes separates nothing."""
    parts = [""]
    quoted = escaped = False
    for character in name:
        if character == "." and not quoted:
            parts.append("")
            continue
        parts[-1] += character
        quoted = quoted != (character == "'" and not escaped)
        escaped = character == "\\" and not escaped
    return parts


def quoted(name: str) -> str:
    """A name in the quotes that it needs if it is no identifier."""
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def closest(name: str, names: Iterable[str]) -> str:
    """The name that was meant, '' if there is none like it."""
    return next(iter(difflib.get_close_matches(name, list(names), 1)), "")


def nearest(name: str, names: Iterable[str]) -> str:
    """`; did you mean 'mass'?`, or what there is, or nothing."""
    known = list(names)
    close = closest(name, known)
    if close:
        return f"; did you mean '{close}'?"
    few = 8
    return f" (there is {', '.join(known[:few])}{', …' if len(known) > few else ''})" if known else ""
