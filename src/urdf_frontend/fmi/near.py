"""The name that somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_LISTED: Final = 8


def near(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'mass'?`, or what there is, or nothing."""
    names = list(known)
    close = get_close_matches(name, names, 1)
    if close:
        return f"; did you mean '{close[0]}'?"
    listed = ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
    return f"; there is {listed}" if names else ""
