"""What other packages bring by entry points: folders with libraries, and words about where classes come from.

`modelica_ast.libraries` names a folder that libraries are in. `modelica_ast.origins` names a function that is given
the folder of a library, the full name of a class in it and perhaps a component, and returns what that was made from,
or None.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

Origin = Callable[[Path, str, str], str | None]


def brought_folders() -> list[Path]:
    """The folders with libraries that installed packages bring."""
    return [Path(entry.load()) for entry in entry_points(group="modelica_ast.libraries")]


def origins() -> list[Origin]:
    """The functions that know where generated classes come from."""
    return [entry.load() for entry in entry_points(group="modelica_ast.origins")]
