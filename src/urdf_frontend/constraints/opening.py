"""The libraries that a model needs, opened: its own to be edited, the others to look into."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from modelica_ast.library import Libraries
from modelica_ast.rules import open_with_uses
from urdf_frontend.library_folder import FOLDER


def shipped_libraries() -> list[Path]:
    """The libraries that this package brings."""
    return [folder for folder in sorted(FOLDER.iterdir()) if (folder / "package.mo").is_file()]


def used_libraries(path: str | os.PathLike[str], also: Iterable[str | os.PathLike[str]] = ()) -> list[Path]:
    """The libraries that the one at a path uses: DynamicConstraints, what it names itself, and what those use.

    Its own neighbours and the libraries of this machine are looked through. Without the Standard Library, classes of it
    are not known, which matters only where an object is inside one of them.
    """
    given = [Path(place) for place in also]
    found = open_with_uses([path], also=[*given, *shipped_libraries()])
    return [library.path for library in found if library.read_only]


def open_libraries(path: str | os.PathLike[str], also: Iterable[str | os.PathLike[str]] = ()) -> Libraries:
    """A library or a single file with all that it uses; only itself can be written."""
    return Libraries([path], read_only=used_libraries(path, also))
