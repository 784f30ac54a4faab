"""What generated classes were made from, in the words of the packages that made them.

The entry point `modelica_ast.origins` names a function that is given the folder of a library, the full name of a class
in it and perhaps a component, and returns what that was made from, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

Origin = Callable[[Path, str, str], str | None]


def origins() -> list[Origin]:
    """The functions of all installed packages."""
    return [entry.load() for entry in entry_points(group="modelica_ast.origins")]
