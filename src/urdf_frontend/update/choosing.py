"""`update` and `export`: whose package it is decides how its base is found."""

from __future__ import annotations

import os
from pathlib import Path

from modelica_ast.files import read_regular
from urdf_frontend.reader import ReadResult
from urdf_frontend.update import exporting, updating
from urdf_frontend.update.base_file import read_base_file
from urdf_frontend.update.dlr.keeping import is_of_script
from urdf_frontend.update.dlr.updating import base_of_script_package, update_script_package
from urdf_frontend.update.errors import NoBaseError
from urdf_frontend.update.exporting import Exported
from urdf_frontend.update.keeping import FOLDER, read_kept
from urdf_frontend.update.updating import Update, UpdateOptions
from urdf_frontend.update.user_package import read_user_package


def update(folder: str | os.PathLike[str], urdf: ReadResult, options: UpdateOptions | None = None) -> Update:
    """Work out what a new URDF file means for the package in a folder; nothing is written.

    UpdateError if the package can't be updated (NoBaseError: because its base is lost), UrdfError and BuildError as
    `build` raises them.
    """
    if not _is_of_script(folder):
        return updating.update(folder, urdf, options)
    user = read_user_package(Path(folder).absolute())
    return update_script_package(read_kept(user.folder), user, urdf, UpdateOptions() if options is None else options)


def export(folder: str | os.PathLike[str], *, templates: Path | None = None) -> Exported:
    """Write the values of a package back into the URDF text that it was made from; no file is touched."""
    if not _is_of_script(folder):
        return exporting.export(folder, templates=templates)
    user = read_user_package(Path(folder).absolute())
    kept = read_kept(user.folder)
    return exporting.exported(kept, *base_of_script_package(kept, user))


def _is_of_script(folder: str | os.PathLike[str]) -> bool:
    """Does the base say so? What is wrong with a base is said where it is read for good."""
    found = sorted(Path(folder, FOLDER).glob("*.base"))
    try:
        return len(found) == 1 and is_of_script(read_base_file(read_regular(found[0]).decode(), str(found[0])))
    except (NoBaseError, OSError, UnicodeDecodeError):
        return False
