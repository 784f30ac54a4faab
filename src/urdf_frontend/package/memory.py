"""What a package remembers of its last build or update. This is the only place that knows in which files it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import define, evolve, field, frozen

from modelica_ast.files import Files
from modelica_ast.generate import (
    NoBaseError,
    RememberedConflict,
    SideCar,
    UnreadableError,
    UpdateError,
    digest,
    read_side_car,
    text_digest,
)
from urdf_frontend.package.builder.options import MODULAR, ORIGIN, STYLE, TEMPLATES, allowed_of, is_read_as_today
from urdf_frontend.package.builder.side_car import (
    FOLDER,
    bytes_of,
    names_json,
    names_of,
    side_car_path,
    text_of,
    urdf_path,
)
from urdf_frontend.robot import Named, NameTable, RobotError

if TYPE_CHECKING:
    from urdf_frontend.robot import Robot
    from urdf_frontend.urdf import ReadResult


# ---------------------------------------------------------------- before the side-car
# What packages kept before they had a side-car in JSON: NAME.base, NAME.names and NAME.modules, a fact on each line.
#
# They are read here and nowhere else, for `adopt` and for the first update, which puts a side-car in their place.
#
#     urdf-base 1                                     urdf-names 1
#     generator urdf_frontend 0.1.0                   robot "my-robot" my_x2d_robot
#     package "Robots.Arm"                            option stationary true
#     option collisions true                          link "fl.hip" fl_x2e_hip 'fl.hip'
#     resource "meshes/hand.stl" "modelica://…"       value Links.fl_x2e_hipParams inertial.mass 1.50
#     file 9f86d081… Links/base.mo
#     conflict {"file": "Links/baseParams.mo", …}
#
#     urdf-modules 1                                  rotational 1 "shoulder" "joint1"
#     robot Arm                                       end 1 "wrist" "output_connector"
#     module "lib/j.urdf" j                           cell "shoulder" 0 0
#     component "shoulder" shoulder                   link j "distal_part" distal_part distal_part
#                                                     gone elbow.joint1_flange_a


BASE: Final = ".base"
NAMES: Final = ".names"
MODULES: Final = ".modules"
_BASE_VERSION: Final = "urdf-base 1"
_NAMES_VERSION: Final = "urdf-names 1"
_MODULES_VERSION: Final = "urdf-modules 1"
_CONFLICT: Final = ("file", "what", "path", "user", "urdf")


@frozen
class OlderNames:
    """The names of a robot, and the options that it was built with."""

    urdf_name: str | None
    table: NameTable
    options: Mapping[str, str]


def older_files(folder: Path, ending: str) -> list[Path]:
    """The files of this ending that a package has."""
    return sorted((folder / FOLDER).glob(f"*{ending}"))


def older_side_car(base: str, names: OlderNames | None, file: str) -> SideCar:
    """The facts of a `.base` file, and the names beside it; NoBaseError names the line that is wrong."""
    found = _Base(file)
    for number, line in _facts(base, _BASE_VERSION, file):
        found.take(number, line)
    missing = [word for word in ("generator", "package", "urdf") if word not in found.single]
    if missing:
        raise NoBaseError(f"{file}: there is no line '{missing[0]}'")
    return SideCar(
        generator=found.single["generator"],
        package=found.single["package"],
        sources={f"{Path(file).stem}.urdf": found.single["urdf"]},
        options=found.tables["option"],
        names={} if names is None else names_json(names.urdf_name, names.table),
        resources=found.tables["resource"],
        files=found.tables["file"],
        templates=found.single.get("templates"),
        conflicts=tuple(found.conflicts),
    )


def _facts(text: str, version: str, file: str) -> Iterator[tuple[int, str]]:
    """The lines with something on them, after the one with the version."""
    # Not `splitlines`: a name may have a carriage return in it, which is not an end of a line here.
    lines = [(number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), 1)]
    facts = [(number, line) for number, line in lines if line.strip() and not line.startswith("#")]
    if not facts or facts[0][1].strip() != version:
        raise NoBaseError(f"{file}: expected '{version}', found '{facts[0][1][:60] if facts else ''}'")
    yield from facts[1:]


@define
class _Base:
    """Collects the facts of a `.base` file."""

    file: str
    single: dict[str, str] = field(factory=dict)
    tables: dict[str, dict[str, str]] = field(factory=lambda: {"option": {}, "resource": {}, "file": {}})
    conflicts: list[RememberedConflict] = field(factory=list)

    def take(self, number: int, line: str) -> None:
        word, _, rest = line.partition(" ")
        try:
            match word:
                case "generator" | "urdf" | "templates":
                    self.single[word] = rest
                case "package":
                    self.single[word] = _string(json.loads(rest))
                case "option":
                    name, value = rest.split(" ", 1)
                    self.tables[word][name] = value
                case "file":
                    found, path = rest.split(" ", 1)
                    self.tables[word][path] = found
                case "resource":
                    name, end = json.JSONDecoder().raw_decode(rest)
                    self.tables[word][_string(name)] = _string(json.loads(rest[end:]))
                case "conflict":
                    self.conflicts.append(_conflict(json.loads(rest)))
                case _:
                    raise ValueError(word)  # noqa: TRY301  (the sentence for all wrong lines is below)
        except (ValueError, KeyError, TypeError, RecursionError):  # the last: brackets, where JSON is
            raise NoBaseError(f"{self.file}:{number}: '{line[:60]}' is not a line of such a file") from None


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _conflict(data: dict[str, Any]) -> RememberedConflict:
    file, what, path, user, urdf = (data[key] for key in _CONFLICT)
    if not all(each is None or isinstance(each, str) for each in (user, urdf)):
        raise TypeError(data)
    return RememberedConflict(_string(file), _string(what), tuple(map(_string, path)), user, urdf)


# ---------------------------------------------------------------- names


def read_older_names(text: str, file: str) -> OlderNames:
    """Read a `.names` file; NoBaseError names the line that is wrong."""
    robot: tuple[str | None, str] | None = None
    options: dict[str, str] = {}
    named: dict[str, dict[str, Named]] = {"link": {}, "joint": {}}
    for number, line in _facts(text, _NAMES_VERSION, file):
        word, _, rest = line.partition(" ")
        try:
            if word == "robot":
                robot = _quoted(rest)
            elif word == "option":
                option, value = rest.split(" ", 1)
                options[option] = value
            elif word != "value":  # those are the values that were written, which are in the records
                name, both = _quoted(rest)
                class_name, component = both.split(" ", 1)
                named[word][name or ""] = Named(name or "", class_name, component)
        except (ValueError, KeyError, RecursionError):
            raise NoBaseError(f"{file}:{number}: '{line[:60]}' is not a line of a names file") from None
    if robot is None:
        raise NoBaseError(f"{file}: there is no line 'robot'")
    return OlderNames(robot[0], NameTable(robot[1], named["link"], named["joint"]), options)


def _quoted(rest: str) -> tuple[str | None, str]:
    """A name in the quotes of JSON, or null, and what follows it."""
    name, end = json.JSONDecoder().raw_decode(rest)
    if not isinstance(name, str | None) or rest[end : end + 1] != " ":
        raise ValueError(rest)
    return name, rest[end + 1 :]


# ---------------------------------------------------------------- names of modules


def read_older_modules(text: str, file: str) -> dict[str, Any]:
    """Read a `.modules` file, as a side-car has such names; NoBaseError names the line that is wrong."""
    tables = ("modules", "components", "parts", "rotational", "translational", "ends", "cells")
    found: dict[str, Any] = {table: {} for table in tables}
    for number, line in _facts(text, _MODULES_VERSION, file):
        word, _, rest = line.partition(" ")
        try:
            _take_module_fact(found, word, list(_words(rest)))
        except (ValueError, KeyError, RecursionError):
            raise NoBaseError(f"{file}:{number}: '{line[:60]}' is not a line of such a file") from None
    return found


def _take_module_fact(found: dict[str, Any], word: str, values: list[str]) -> None:
    match word, values:
        case "robot", [name]:
            found["robot"] = name
        case "module", [file, name]:
            found["modules"][file] = name
            found["parts"].setdefault(name, names_json(None, NameTable(name, {}, {})))
        case "component", [key, name]:
            found["components"][key] = name
        case "rotational" | "translational" | "end", [number, instance, part]:
            table = "ends" if word == "end" else word
            found[table].setdefault(instance, {})[part] = int(number)
        case "cell", [instance, column, row]:
            found["cells"][instance] = f"{int(column)} {int(row)}"
        case "link" | "joint", [module, urdf, name, component]:
            part_json = {"urdf": urdf, "class": name, "component": component}
            found["parts"][module][f"{word}s"].append(part_json)
        case "gone", [_]:
            pass  # what the user referred to although it was gone
        case _:
            raise ValueError(word)


def _words(rest: str) -> Iterator[str]:
    """The words of a line; one that begins with a quote is a string of JSON."""
    while rest:
        if rest.startswith('"'):
            word, end = json.JSONDecoder().raw_decode(rest)
            rest = rest[end:].removeprefix(" ")
        else:
            word, _, rest = rest.partition(" ")
        yield word


def _with_modules(base: SideCar, path: Path) -> SideCar:
    """The facts with the names of a robot of modules, and with a digest of each file that it was put together from.

    A `.base` file has one digest of all of them.
    """
    file = path.with_suffix(MODULES)
    names = read_older_modules(text_of(file), str(file))
    uses = sorted([f"{path.stem}.yaml", *(f"modules/{name}.urdf" for name in names["parts"])])
    data = {use: bytes_of(path.parent / use) for use in uses}
    if text_digest(b"".join(data.values())) not in base.sources.values():
        raise NoBaseError(f"{path.parent}: the assembly or a module was changed since the package was made from it")
    return evolve(base, names=names, sources={use: digest(use, each) for use, each in data.items()})


# ---------------------------------------------------------------- all of it


def read_older(folder: Path) -> tuple[str, SideCar] | None:
    """The name and the facts of a package that has kept them so; None if it has not, NoBaseError if it is damaged."""
    found = older_files(folder, BASE)
    if not found:
        return None
    if len(found) > 1:
        raise NoBaseError(f"{folder / FOLDER} has {len(found)} {BASE} files, but there must be exactly one")
    path = found[0]
    names = path.with_suffix(NAMES)
    table = read_older_names(text_of(names), str(names)) if names.exists() else None
    side_car = older_side_car(text_of(path), table, str(path))
    return path.stem, _with_modules(side_car, path) if side_car.options.get(STYLE) == MODULAR else side_car


# ---------------------------------------------------------------- memory


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
        return robot if is_read_as_today(self.options) else robot.as_written

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
