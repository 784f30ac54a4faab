"""A built package on the disk: all of its files, or none."""

from __future__ import annotations

import os
from pathlib import Path

from modelica_ast.edit import Workspace
from modelica_ast.foundation import read_regular
from modelica_ast.generate import BuildError, ChangedError
from urdf_frontend.package.builder.options import BuiltPackage


def write(built: BuiltPackage, into: str | os.PathLike[str]) -> bool:
    """Write all files, or none; `into` is the folder that the package was built for, and is made if it is not there.

    False if all of them are there already as they were built. BuildError if another package is there, ChangedError if a
    file of the library has changed since the build.
    """
    folder = Path(into).absolute()
    if is_written(built, folder):
        return False
    workspace_of(built, folder).save()
    return True


def is_written(built: BuiltPackage, into: Path) -> bool:
    """Are all files there already? BuildError if there is another package of this name."""
    place = into / built.folder
    if not place.exists():
        return False
    for path, data in built.files.items():
        if _content(into / path) != data:
            raise BuildError(
                f"{place} is there already, and differs: 'modelica-patch urdf update' brings it up to date; "
                "or take it away, or choose another name with --name"
            )
    return True


def _content(path: Path) -> bytes | None:
    """What is in a file; None if there is none that can be read."""
    try:
        return read_regular(path)
    except OSError:
        return None


def workspace_of(built: BuiltPackage, into: Path) -> Workspace:
    """The files in a workspace that has not been saved yet."""
    paths = {path: Path(os.path.normpath(into / path)) for path in built.files}
    folder = Path(os.path.commonpath([into, *(path.parent for path in paths.values())]))
    while not folder.is_dir():  # the save makes what is missing, with the files or not at all
        folder = folder.parent
    workspace = Workspace(folder)
    for path, old in built.changed.items():
        if workspace.others.there(paths[path]) != old:
            raise ChangedError(f"{paths[path]} has changed since the package was built: build it again")
    for path, data in built.files.items():
        workspace.others.write(paths[path], data)
    return workspace
