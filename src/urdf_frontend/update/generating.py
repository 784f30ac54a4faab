"""A package as it would be generated, for a place where it is already: only the files of the package itself."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import evolve, field, frozen

from urdf_frontend.building import BuildOptions, BuiltPackage, PreviousBuild, build
from urdf_frontend.building.packages import package_document
from urdf_frontend.building.resources import collect_resources
from urdf_frontend.meshes import meshes_of
from urdf_frontend.model import Robot
from urdf_frontend.names import NameTable
from urdf_frontend.names.table import robot_class

_LAST_NAME: Final = re.compile(r"(?:(?P<before>.+)\.)?(?P<name>'(?:[^'\\]|\\.)+'|\w+)")


@frozen
class Generated:
    """The files by their paths in the package's folder, with `/`; those that keep its names are not among them.

    `as_before` are files that are as they were generated last, with their digests; what is in `files` for them is what
    the user has there.
    """

    files: Mapping[str, bytes]
    names: NameTable
    names_file: bytes
    resources: Mapping[str, str]  # from what the URDF calls a file to what Modelica calls it
    left_out: tuple[str, ...]
    reused: frozenset[str] = frozenset()  # taken from a previous build
    as_before: Mapping[str, str] = field(factory=dict)


def generate(robot: Robot, package: str, options: BuildOptions, previous: PreviousBuild | None = None) -> Generated:
    """Build a robot as the package of this full name; what `build` raises."""
    parent, name = split_last_name(package)
    own = None if name == robot_class(robot.name) else name
    with _folder_of(parent) as into:
        built = build(robot, evolve(options, name=own, into=into), previous=previous)
    return of_built(built, robot, package, options)


def of_built(built: BuiltPackage, robot: Robot, package: str, options: BuildOptions) -> Generated:
    """What was built, as this module has it; nothing counts as before."""
    files = {
        path.relative_to(built.folder).as_posix(): data
        for path, data in built.files.items()
        if path.is_relative_to(built.folder) and path not in built.changed
    }
    names_file = files.pop(names_path(built.name))
    resources = _resources(robot, package, options)
    reused = frozenset(path.relative_to(built.folder).as_posix() for path in built.reused)
    return Generated(files, built.names, names_file, resources, built.summary.left_out, reused)


def names_path(name: str) -> str:
    """Where a package keeps the names of its links and joints."""
    return f"Resources/urdf/{name}.names"


def split_last_name(full_name: str) -> tuple[str | None, str]:
    """The package around, and the last name."""
    found = _LAST_NAME.fullmatch(full_name)
    return (found["before"], found["name"]) if found is not None else (None, full_name)


def _resources(robot: Robot, package: str, options: BuildOptions) -> dict[str, str]:
    """All files that the URDF names; those that were not copied keep their names."""
    if not options.copy_meshes:
        return {}
    looks = [visual.look for link in robot.links for visual in link.visuals if visual.look is not None]
    named = [look.texture.filename for look in looks if look.texture is not None]
    named += [mesh.filename for mesh in meshes_of(robot)]
    if not any(named):
        return {}
    found = collect_resources(robot, package, options)
    return {name: found.place(name) for name in named if name}


@contextmanager
def _folder_of(parent: str | None) -> Iterator[Path]:
    """A folder that looks like the package around; the real one has the robot already, which a build refuses."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if parent is not None:
            around, name = split_last_name(parent)
            document = package_document(name, "The library around", within=around)
            (folder / "package.mo").write_bytes(document.text.encode())
        yield folder
