"""What a package remembers of its last build or update. This is the only place that knows in which files it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from modelica_ast.files import Files
from modelica_ast.generate import NoBaseError, SideCar, read_side_car
from urdf_frontend.building.side_car import FOLDER, names_of, text_of, urdf_path
from urdf_frontend.names import NameTable
from urdf_frontend.package.errors import PackageError
from urdf_frontend.package.older import BASE, older_files, read_older


@frozen
class Memory:
    """What the package was built with. The names are those of that time; a user may have changed them since."""

    name: str  # of the files that are kept, and of the robot's model when it was built
    table: NameTable = field(repr=False)
    options: Mapping[str, str] = field(repr=False)
    urdf: Path  # the URDF file as it was read


def find_side_car(folder: Path) -> tuple[str, SideCar]:
    """The name and the facts of a package, in whatever form it keeps them; NoBaseError if they are lost or damaged."""
    found = sorted((folder / FOLDER).glob("*.json"))
    if len(found) > 1:
        raise NoBaseError(f"{folder / FOLDER} has {len(found)} .json files, and there must be one")
    if found:
        return found[0].stem, read_side_car(text_of(found[0]), str(found[0]))
    older = read_older(folder)
    if older is None:
        raise NoBaseError(f"{folder / FOLDER} has no side-car: it is not known what was generated last")
    return older


def read_memory(folder: Path, files: Files | None = None) -> Memory:
    """What the package in a folder remembers; PackageError if that is lost or damaged.

    `files` are in memory, and stand over those on the disk.
    """
    try:
        name, side_car = _side_car_in(folder, files or {}) or find_side_car(folder)
        table = names_of(side_car.names)
    except NoBaseError as wrong:
        raise PackageError(f"{wrong}. The package has to be one of `modelica-patch urdf build`") from None
    except ValueError as wrong:
        raise PackageError(f"{folder / FOLDER}: the names are damaged: {wrong}") from None
    return Memory(name, table, side_car.options, folder / urdf_path(name))


def _side_car_in(folder: Path, files: Files) -> tuple[str, SideCar] | None:
    for path, data in files.items():
        if path.parent == folder / FOLDER and path.suffix == ".json" and data is not None:
            return path.stem, read_side_car(data.decode(), str(path))
    return None


def remembers(folder: Path) -> bool:
    """Is this the folder of a package that was built from a URDF file?"""
    return any((folder / FOLDER).glob("*.json")) or bool(older_files(folder, BASE))
