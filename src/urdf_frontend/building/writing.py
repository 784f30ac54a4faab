"""A built package on the disk: all of its files, or none."""

from __future__ import annotations

import os
from pathlib import Path

from modelica_ast.edit import Workspace
from urdf_frontend.building.errors import BuildError
from urdf_frontend.building.result import BuiltPackage


def write(built: BuiltPackage, into: str | os.PathLike[str]) -> None:
    """Write all files, or none; `into` is the folder that the package was built for, and is made if it is not there.

    BuildError if the package is there already, or if a file of the library has changed since the build.
    """
    folder = Path(into).absolute()
    if (folder / built.folder).exists():
        raise BuildError(f"{folder / built.folder} is there already: take it away, or choose another name with --name")
    workspace = workspace_of(built, folder)
    workspace.save()


def workspace_of(built: BuiltPackage, into: Path) -> Workspace:
    """The files in a workspace that has not been saved yet."""
    paths = {path: Path(os.path.normpath(into / path)) for path in built.files}
    folder = Path(os.path.commonpath([into, *(path.parent for path in paths.values())]))
    while not folder.is_dir():  # the save makes what is missing, with the files or not at all
        folder = folder.parent
    workspace = Workspace(folder)
    for path, old in built.changed.items():
        if workspace.others.there(paths[path]) != old:
            raise BuildError(f"{paths[path]} has changed since the package was built: build it again")
    for path, data in built.files.items():
        workspace.others.write(paths[path], data)
    return workspace
