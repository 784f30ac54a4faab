"""What a package remembers of its last build or update. This is the only place that knows in which files it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from modelica_ast.files import Files
from modelica_ast.generate import NoBaseError, SideCar, UnreadableError, UpdateError, read_side_car, text_digest
from urdf_frontend.package.builder.options import ORIGIN, TEMPLATES, allowed_of
from urdf_frontend.package.builder.side_car import FOLDER, bytes_of, names_of, side_car_path, text_of, urdf_path
from urdf_frontend.package.older import BASE, MODULES, NAMES, older_files, read_older, read_older_names
from urdf_frontend.robot import NameTable, RobotError

if TYPE_CHECKING:
    from urdf_frontend.robot import Robot
    from urdf_frontend.urdf import ReadResult


@define(frozen=True, slots=False)
class PackageMemory:
    """What the package was built with. The names are those of that time; a user may have changed them since.

    Whatever is asked for, NoBaseError if it is lost, damaged, or does not fit the rest.
    """

    folder: Path
    name: str  # of the files that are kept, and of the robot's model when it was built
    side_car: SideCar = field(repr=False)

    @property
    def shown_file(self) -> str:
        """The side-car, as a message names it."""
        return side_car_path(self.name)

    @property
    def file(self) -> str:
        """The side-car with its folder."""
        return str(self.folder / self.shown_file)

    @property
    def options(self) -> Mapping[str, str]:
        """Those of the build."""
        return self.side_car.options

    @property
    def templates(self) -> str:
        """The name of the library of templates that the package was built from."""
        return self.options.get("templates", TEMPLATES.name)

    @property
    def is_of_script(self) -> bool:
        """Has the script of another library made the package?"""
        return ORIGIN in self.options

    @cached_property
    def table(self) -> NameTable:
        """What the robot, its links and its joints were called."""
        try:
            return names_of(self.side_car.names)
        except ValueError as wrong:
            raise NoBaseError(f"{self.file}: the names are damaged: {wrong}") from None

    @property
    def older(self) -> tuple[str, ...]:
        """The files in the package that a side-car replaces."""
        every = (path for ending in (BASE, NAMES, MODULES) for path in older_files(self.folder, ending))
        return tuple(path.relative_to(self.folder).as_posix() for path in every)

    @property
    def urdf(self) -> Path:
        """The URDF file as it was read."""
        return self.folder / urdf_path(self.name)

    @cached_property
    def read(self) -> ReadResult:
        """What is in that file."""
        from urdf_frontend.urdf import read  # noqa: PLC0415  (PERF: who only asks for names waits for no XML)

        data = bytes_of(self.urdf)
        if text_digest(data) != self.side_car.sources.get(f"{self.name}.urdf"):
            raise NoBaseError(f"{self.urdf} is not the file that the package was made from: it was changed")
        return read(data, path=self.urdf)

    @cached_property
    def robot(self) -> Robot:
        """The robot in it, which has a name for each link and joint."""
        from urdf_frontend.urdf import UrdfError  # noqa: PLC0415

        try:
            robot = self.read.usable_robot(allowed=allowed_of(self.options))
        except UrdfError as wrong:
            raise NoBaseError(f"{self.urdf} can no longer be built: {wrong.diagnostics[0].message}") from None
        missing = nameless(robot, self.table)
        if missing is not None:
            raise NoBaseError(f"{self.file}: the names are damaged: there is none for '{missing}'")
        return robot

    @cached_property
    def names(self) -> NameTable:
        """What the table has of the robot, and what makes joints follow others.

        Other names would be those of parts that are gone, with classes that nobody made.
        """
        from urdf_frontend.package.builder.robot_model import mimic_components  # noqa: PLC0415

        followers = {joint.name: name for joint, name in mimic_components(self.robot, self.table)}
        links, joints = {link.name for link in self.robot.links}, {joint.name for joint in self.robot.joints}
        return NameTable(
            self.table.robot,
            {name: named for name, named in self.table.links.items() if name in links},
            {name: named for name, named in self.table.joints.items() if name in joints},
            followers,
        )


def nameless(robot: Robot, names: NameTable) -> str | None:
    """A link or joint that has no name in Modelica, if there is one."""
    links = (link.name for link in robot.links if link.name not in names.links)
    joints = (joint.name for joint in robot.joints if joint.name not in names.joints)
    return next(chain(links, joints), None)


def read_memory(folder: Path, files: Files | None = None) -> PackageMemory:
    """What the package in a folder remembers, in whatever form; NoBaseError if that is lost or damaged.

    `files` are in memory, and take precedence over those on the disk.
    """
    for path, data in (files or {}).items():
        if path.parent == folder / FOLDER and path.suffix == ".json" and data is not None:
            return PackageMemory(folder, path.stem, read_side_car(data.decode(), str(path)))
    found = sorted((folder / FOLDER).glob("*.json"))
    if len(found) > 1:
        raise NoBaseError(f"{folder / FOLDER} has {len(found)} .json files, but there must be exactly one")
    if found:
        return PackageMemory(folder, found[0].stem, read_side_car(text_of(found[0]), str(found[0])))
    older = read_older(folder)
    if older is None:
        raise NoBaseError(f"{folder / FOLDER} has no side-car: what was generated last is not known")
    return PackageMemory(folder, *older)


@frozen
class Settings:
    """The names and options of the last build, as far as a package still knows them."""

    names: NameTable
    options: Mapping[str, str]


def read_settings(folder: Path) -> Settings | None:
    """What a package still knows of its last build; None if that is lost too, and names are made again."""
    try:
        memory = read_memory(folder)
        return Settings(memory.table, memory.options)
    except NoBaseError:
        pass
    for path in older_files(folder, NAMES):
        try:
            names = read_older_names(text_of(path), str(path))
        except NoBaseError:
            continue
        return Settings(names.table, names.options)
    return None


def remembers(folder: Path) -> bool:
    """Is this the folder of a package that was built from a URDF file?"""
    return any((folder / FOLDER).glob("*.json")) or bool(older_files(folder, BASE))


# ---------------------------------------------------------------- errors
# What keeps the package of a robot from being read.


class PackageError(RobotError, UpdateError):
    """A package that is not that of a robot, or lacks something; the sentence says what."""


class UnreadablePackageError(PackageError, UnreadableError):
    """A file of the package can't be read, or is not Modelica."""

    cause = "unreadable"
