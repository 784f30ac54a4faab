"""What a robot's package has kept of its last build or update, read again."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from attrs import frozen

from modelica_ast.generate import NoBaseError, SideCar, UpdateError, text_digest
from urdf_frontend.building.settings import MODULAR, STYLE, allowed_of, options_of
from urdf_frontend.building.side_car import bytes_of, names_of, side_car_path, urdf_path
from urdf_frontend.diagnostics import UrdfError
from urdf_frontend.model import Robot
from urdf_frontend.names import NameTable
from urdf_frontend.package.memory import find_side_car
from urdf_frontend.package.older import BASE, NAMES, older_files
from urdf_frontend.reader import ReadResult, read


@frozen
class Kept:
    """What was kept. `name` is what its files are called, which the robot's models are.

    `older` are files in the package that a side-car replaces.
    """

    name: str
    file: SideCar
    names: NameTable
    urdf: ReadResult
    robot: Robot
    older: tuple[str, ...] = ()

    @property
    def shown_file(self) -> str:
        """The side-car, as a message names it."""
        return side_car_path(self.name)


def read_kept(folder: Path) -> Kept:
    """What a package has kept; NoBaseError if something of it is lost, damaged, or fits not the rest.

    UpdateError if it is a package of modules.
    """
    name, side_car = find_side_car(folder)
    if side_car.options.get(STYLE) == MODULAR:
        raise UpdateError(f"{folder} was put together from modules: bring it up to date with `urdf assemble --into`")
    file = str(folder / side_car_path(name))
    options_of(side_car.options, folder, file)  # so that what is wrong with an option is found here
    urdf = folder / urdf_path(name)
    data = bytes_of(urdf)
    if text_digest(data) != side_car.sources.get(f"{name}.urdf"):
        raise NoBaseError(f"{urdf} is not the file that the package was made from: it was changed")
    result = read(data, path=urdf)
    try:
        robot = result.usable_robot(allowed=allowed_of(side_car.options))
        names = names_of(side_car.names)
    except UrdfError as wrong:
        raise NoBaseError(f"{urdf} can't be built any more: {wrong.diagnostics[0].message}") from None
    except ValueError as wrong:
        raise NoBaseError(f"{file}: the names are damaged: {wrong}") from None
    missing = nameless(robot, names)
    if missing is not None:
        raise NoBaseError(f"{file}: the names are damaged: there is none for '{missing}'")
    older = [path.relative_to(folder).as_posix() for end in (BASE, NAMES) for path in older_files(folder, end)]
    return Kept(name, side_car, names, result, robot, tuple(older))


def nameless(robot: Robot, names: NameTable) -> str | None:
    """A link or joint that has no name in Modelica, if there is one."""
    links = (link.name for link in robot.links if link.name not in names.links)
    joints = (joint.name for joint in robot.joints if joint.name not in names.joints)
    return next(chain(links, joints), None)
