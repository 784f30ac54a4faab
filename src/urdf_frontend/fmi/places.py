"""Files as a person would name them."""

from __future__ import annotations

from pathlib import Path


def shown(path: Path) -> str:
    """A path from here if it is below, the whole one if not."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
