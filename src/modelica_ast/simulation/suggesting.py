"""The names that somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_SHOWN: Final = 3


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'a' or 'b'?` with what starts with the name, or looks like it; '' if nothing does."""
    names = list(known)
    inside = [each for each in names if each.startswith((f"{name}.", f"{name}["))]
    near = inside or get_close_matches(name, names, _SHOWN)
    return f"; did you mean {' or '.join(repr(each) for each in near[:_SHOWN])}?" if near else ""
