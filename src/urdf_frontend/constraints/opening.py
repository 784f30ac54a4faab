"""The libraries that a model needs, opened: its own to be edited, the others to look into."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from modelica_ast.library import Libraries, Shelf
from urdf_frontend.library_folder import FOLDER

NEEDED: Final = ("DynamicConstraints", "UrdfRobots")  # whether a model says that it uses them or not


def shipped_libraries() -> list[Path]:
    """The libraries that this package brings."""
    return [folder for folder in sorted(FOLDER.iterdir()) if (folder / "package.mo").is_file()]


def open_libraries(path: str | os.PathLike[str], also: Iterable[str | os.PathLike[str]] = ()) -> Libraries:
    """A library or a single file with all that it uses, and DynamicConstraints; only itself can be written.

    `also` are libraries, or folders of them, that go before those of this machine. Without the Standard Library,
    classes of it are not known, which matters only where an object is inside one of them.
    """
    return Shelf(also, around=[path]).open([path], names=NEEDED)
