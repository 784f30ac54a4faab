"""Unified diffs, in the form that `git apply` and `patch` read."""

from __future__ import annotations

import difflib
import re

_NOTHING = "/dev/null"  # what such a diff calls a file that is not there


def unified_diff(old: str | None, new: str | None, name: str) -> str:
    """What differs between two texts of a file; None is a file that is not there."""
    lines = difflib.unified_diff(
        _lines(old or ""),
        _lines(new or ""),
        _NOTHING if old is None else f"a/{name}",
        _NOTHING if new is None else f"b/{name}",
    )
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    # Not `splitlines`: a form feed ends a line for Python, but not for any tool that reads diffs.
    return re.findall(r"[^\n]*\n|[^\n]+", text)
