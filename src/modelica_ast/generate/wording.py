"""Pieces of Modelica as they stand in a line of a report."""

from __future__ import annotations

from typing import Final

_LONGEST: Final = 60


def short(text: str) -> str:
    """A text on one line, and not too long."""
    line = " ".join(text.split())
    return f"{line[:_LONGEST]}…" if len(line) > _LONGEST else line


def shown_path(path: tuple[str, ...]) -> str:
    """A path of the merge as a person would write it: `upperParams.inertial.mass`, without the base class."""
    inside = [name for name in path[:-1] if not name.startswith("extends ")]
    return ".".join([*inside, *path[-1:]])
