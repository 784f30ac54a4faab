"""A package whose base is lost: what is equal to a build of the URDF file becomes base, all else is the user's."""

from __future__ import annotations

import os
from pathlib import Path

from attrs import evolve

from urdf_frontend.building import BuildOptions
from urdf_frontend.names import NamesFile, NamesFileError, load_names_file
from urdf_frontend.reader import ReadResult
from urdf_frontend.update.adoption import Adoption
from urdf_frontend.update.digests import digest
from urdf_frontend.update.dlr.adopting import adopt_script_package
from urdf_frontend.update.dlr.script_package import is_script_package
from urdf_frontend.update.errors import NoBaseError, UpdateError
from urdf_frontend.update.generating import Generated, generate, names_path, split_last_name
from urdf_frontend.update.keeping import FOLDER, files_to_keep, read_kept
from urdf_frontend.update.updating import FileUpdate
from urdf_frontend.update.user_package import UserPackage, read_user_package


def kept_settings(folder: str | os.PathLike[str]) -> NamesFile | None:
    """The names file of a package, if there is one and it can be read: it knows options of the last build."""
    for path in sorted(Path(folder, FOLDER).glob("*.names")):
        try:
            return load_names_file(path)
        except (OSError, UnicodeDecodeError, NamesFileError):
            continue  # it is lost too, and names are made anew
    return None


def adopt(
    folder: str | os.PathLike[str], urdf: ReadResult, options: BuildOptions, *, replace: bool = False
) -> Adoption:
    """Work out the base of a package that has none; `replace` one that is there. Nothing is written.

    The package may be one of URDFModelica's script. UpdateError if it has a base, or is not one of such a robot.
    """
    user = read_user_package(Path(folder).absolute())
    if not replace and _has_base(user.folder):
        raise UpdateError(f"{user.folder} has a base, which is in order: update it, or write it anew with --force")
    if is_script_package(user):
        return adopt_script_package(user, urdf, options.allowed)
    names = kept_settings(user.folder)
    parent, last = split_last_name(user.full_name)
    name = last if names is None else names.table.robot
    package = name if parent is None else f"{parent}.{name}"
    options = evolve(options, known_names=None if names is None else names.table)
    robot = urdf.usable_robot(allowed=options.allowed)
    generated = generate(robot, package, options)
    _refuse_strangers(user, generated)
    equal: list[str] = []
    edited: list[str] = []
    missing: list[str] = []
    for path, data in generated.files.items():
        if path not in user.files:
            missing.append(path)
        else:
            (equal if digest(path, user.files[path]) == digest(path, data) else edited).append(path)
    new: dict[str, bytes | None] = {
        path: None for path in user.files if path.startswith(f"{FOLDER}/") and path.endswith(".base")
    }
    new |= files_to_keep(generated, package, name, urdf, options)
    updates = [
        FileUpdate(user.folder / path, user.files.get(path), data)
        for path, data in sorted(new.items())
        if user.files.get(path) != data
    ]
    return Adoption(user.full_name, user.folder, tuple(updates), tuple(equal), tuple(edited), tuple(missing))


def _has_base(folder: Path) -> bool:
    try:
        read_kept(folder)
    except NoBaseError:
        return False
    return True


def _refuse_strangers(user: UserPackage, generated: Generated) -> None:
    """Less than half of the generated classes: then this is something else, and an update would make a mess of it."""
    classes = [path for path in generated.files if path.endswith(".mo") and "/" in path]
    there = sum(path in user.files for path in classes)
    if 2 * there < len(classes):
        raise UpdateError(
            f"{user.folder} is no package of this robot: of the {len(classes)} classes of its links and joints "
            f"{there} are there; if it was built with other names, say --names, and {names_path('NAME')} helps"
        )
