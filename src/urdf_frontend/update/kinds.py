"""`update`, `export` and `adopt`: who has made a package decides how its base is found."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from modelica_ast.generate import NoBaseError, Update, UpdateError, UserPackage, read_user_package
from urdf_frontend.building.options import BuildOptions
from urdf_frontend.reader import ReadResult
from urdf_frontend.update.freshness import nothing_new
from urdf_frontend.update.keeping import read_kept
from urdf_frontend.update.options import UpdateOptions

if TYPE_CHECKING:
    from urdf_frontend.update.adopting import Adoption
    from urdf_frontend.update.exporting import Exported

# PERF: the merge, and what knows packages of others, are loaded when there is something to do for them.


def update(folder: str | os.PathLike[str], urdf: ReadResult, options: UpdateOptions | None = None) -> Update:
    """Work out what a new URDF file means for the package in a folder; nothing is written.

    UpdateError if the package can't be updated (NoBaseError: because its base is lost), UrdfError and BuildError as
    `build` raises them.
    """
    options = UpdateOptions() if options is None else options
    user = read_user_package(Path(folder).absolute())

    def worked_out() -> Update:
        return _worked_out(user, urdf, options)

    return nothing_new(user, urdf, options, worked_out) or worked_out()


def _worked_out(user: UserPackage, urdf: ReadResult, options: UpdateOptions) -> Update:
    from urdf_frontend.update.dlr.keeping import is_of_script  # noqa: PLC0415

    kept = read_kept(user.folder)
    if is_of_script(kept.file):
        from urdf_frontend.update.dlr.updating import update_script_package  # noqa: PLC0415

        return update_script_package(kept, user, urdf, options)
    from urdf_frontend.update.updating import update_robot  # noqa: PLC0415

    return update_robot(kept, user, urdf, options)


def export(folder: str | os.PathLike[str], *, templates: Path | None = None) -> Exported:
    """Write the values of a package back into the URDF text that it was made from; no file is touched."""
    from urdf_frontend.update.dlr.keeping import is_of_script  # noqa: PLC0415
    from urdf_frontend.update.exporting import export_robot, exported  # noqa: PLC0415

    user = read_user_package(Path(folder).absolute())
    kept = read_kept(user.folder)
    if is_of_script(kept.file):
        from urdf_frontend.update.dlr.updating import base_of_script_package  # noqa: PLC0415

        return exported(kept, *base_of_script_package(kept, user))
    return export_robot(kept, user, templates)


def adopt(
    folder: str | os.PathLike[str], urdf: ReadResult, options: BuildOptions, *, replace: bool = False
) -> Adoption:
    """Work out the base of a package that has none; `replace` one that is there. Nothing is written.

    The package may be one of URDFModelica's script. UpdateError if it has a base, or is not one of such a robot.
    """
    from urdf_frontend.update.adopting import adopt_robot  # noqa: PLC0415
    from urdf_frontend.update.dlr.adopting import adopt_script_package  # noqa: PLC0415
    from urdf_frontend.update.dlr.script_package import is_script_package  # noqa: PLC0415

    user = read_user_package(Path(folder).absolute())
    if not replace and _has_base(user.folder):
        raise UpdateError(f"{user.folder} has a base, which is in order: update it, or write it anew with --force")
    if is_script_package(user):
        return adopt_script_package(user, urdf, options.allowed)
    return adopt_robot(user, urdf, options)


def _has_base(folder: Path) -> bool:
    try:
        read_kept(folder)
    except NoBaseError:
        return False
    return True
