"""The description of a cell: which robots, holders and tools there are, where, and what happens when."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final

from attrs import field, frozen

from modelica_ast.foundation import YamlValue, read_regular, read_yaml
from urdf_frontend.constraints.networks import ConstraintError
from urdf_frontend.robot import FOR_COMPONENTS, plain_identifier


class CellError(ConstraintError):
    """Something is wrong with a description; the message has its file and line."""

    cause = "unreadable"


Vector = tuple[float, ...]
_KEYS: Final = ("cell", "model", "stop", "robots", "holders", "tools")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_ORIGIN: Final[Vector] = (0.0, 0.0, 0.0)
# Components of every cell, and libraries whose names a component would hide.
_TAKEN: Final = ("world", "collector", "Modelica", "DynamicConstraints", "UrdfRobots")


@frozen(kw_only=True)
class Place:
    """Where something is in the world."""

    xyz: Vector = _ORIGIN
    rpy: Vector = _ORIGIN

    @property
    def is_origin(self) -> bool:
        """Is it the origin, not turned?"""
        return not (any(self.xyz) or any(self.rpy))


@frozen(kw_only=True)
class Grip:
    """A gripper on a link. `closed` are the times at which it closes, opens, closes, …"""

    name: str
    link: str
    radius: float
    closed: Vector
    given: YamlValue = field(eq=False, repr=False)


@frozen(kw_only=True)
class CellRobot:
    """A robot of a URDF file. `motion` is where its joints are at which times."""

    name: str
    urdf: Path
    package: str
    place: Place
    grips: tuple[Grip, ...]
    motion: Mapping[str, tuple[tuple[float, float], ...]]
    given: YamlValue = field(eq=False, repr=False)


@frozen(kw_only=True)
class Holder:
    """A place where a tool can be put down."""

    name: str
    place: Place
    radius: float


@frozen(kw_only=True)
class Tool:
    """A body that can be held."""

    name: str
    start: Vector
    mass: float
    inertia: Vector
    radius: float


@frozen(kw_only=True)
class Cell:
    """All of it. `library` is the package that is made, `model` the model in it."""

    file: str
    library: str
    model: str
    stop: float
    robots: tuple[CellRobot, ...]
    holders: tuple[Holder, ...]
    tools: tuple[Tool, ...]


def read_cell(path: str | os.PathLike[str]) -> Cell:
    """Read a description; CellError with the line if something is wrong, OSError if it can't be read."""
    file = Path(path)
    try:
        text = read_regular(file).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CellError(f"{file}: it is not UTF-8 text") from None
    return _Reader(file).cell(read_yaml(text, os.fspath(path), CellError))


class _Reader:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._names: set[str] = set(_TAKEN)
        self._packages: dict[str, Path] = {}

    def cell(self, given: YamlValue) -> Cell:
        top = given.fields(*_KEYS, required=("cell", "robots", "tools"), about="a cell")
        library = _identifier(top["cell"])
        model = _identifier(top["model"]) if "model" in top else "Cell"
        if model == library:
            raise top["cell"].error(f"'{library}' can't be the library and the model: choose another 'model'")
        self._names |= {library, model}
        self._packages = dict.fromkeys((model, "Schedule", "Waypoints"), self._file)
        robots = tuple(self._robot(name, value) for name, value in top["robots"].entries())
        holders = tuple(self._holder(n, v) for n, v in top["holders"].entries()) if "holders" in top else ()
        places = {holder.name: holder.place.xyz for holder in holders}
        tools = tuple(self._tool(name, value, places) for name, value in top["tools"].entries())
        for key, there in (("robots", robots), ("tools", tools)):
            if not there:
                raise top[key].error(f"a cell needs at least one of: {key}")
        if not holders and not any(robot.grips for robot in robots):
            raise top["robots"].error("nothing in the cell can hold a tool: give a robot 'grips', or name 'holders'")
        stop = top["stop"].number(above=0) if "stop" in top else 10.0
        return Cell(
            file=str(self._file), library=library, model=model, stop=stop, robots=robots, holders=holders, tools=tools
        )

    def _name(self, name: str, given: YamlValue, *more: str) -> str:
        """A name of a component, which no other one has; with the endings of those that come with it."""
        if not _IDENTIFIER.fullmatch(name) or plain_identifier(name, FOR_COMPONENTS) != name:
            raise given.error(f"'{name}' can't be a name in Modelica: use letters, digits and _, and no keyword")
        for each in (name, *(name + ending for ending in more)):
            if each in self._names:
                raise given.error(f"there is something else called '{each}': all names in a cell must be different")
            self._names.add(each)
        return name

    def _robot(self, name: str, given: YamlValue) -> CellRobot:
        fields = given.fields("urdf", "package", "at", "rpy", "grips", "motion", required=("urdf",))
        urdf = self._file.parent / fields["urdf"].text()
        if not urdf.is_file():
            raise fields["urdf"].error(f"there is no file {urdf}")
        stem = plain_identifier(urdf.name.partition(".")[0])
        package = _identifier(fields["package"]) if "package" in fields else stem[:1].upper() + stem[1:]
        if self._packages.setdefault(package, urdf) != urdf:
            raise given.error(f"there is another '{package}' in the cell: choose a name with 'package'")
        self._name(name, given, "_place")
        grips = fields["grips"].entries() if "grips" in fields else ()
        motion = fields["motion"].entries() if "motion" in fields else ()
        return CellRobot(
            name=name,
            urdf=urdf,
            package=package,
            place=_place(fields),
            grips=tuple(self._grip(key, value) for key, value in grips),
            motion={joint: _waypoints(value) for joint, value in motion},
            given=given,
        )

    def _grip(self, name: str, given: YamlValue) -> Grip:
        fields = given.fields("link", "radius", "closed", required=("link", "radius", "closed"))
        times = fields["closed"].numbers()
        if any(later <= sooner for sooner, later in pairwise(times)) or min(times, default=0) < 0:
            raise fields["closed"].error(f"the times of '{fields['closed'].what}' must increase, from 0 on")
        return Grip(
            name=self._name(name, given, "_closed"),
            link=fields["link"].text(),
            radius=fields["radius"].number(above=0),
            closed=times,
            given=given,
        )

    def _holder(self, name: str, given: YamlValue) -> Holder:
        fields = given.fields("at", "rpy", "radius", required=("at", "radius"))
        return Holder(
            name=self._name(name, given, "_place"), place=_place(fields), radius=fields["radius"].number(above=0)
        )

    def _tool(self, name: str, given: YamlValue, places: Mapping[str, Vector]) -> Tool:
        fields = given.fields("in", "at", "mass", "inertia", "radius", required=("mass", "radius"))
        if ("in" in fields) == ("at" in fields):
            raise given.error(f"'{given.what}' starts 'in' a holder or 'at' a point: give one of them")
        if "at" in fields:
            start = fields["at"].numbers(3)
        else:
            holder = fields["in"].text()
            if holder not in places:
                known = ", ".join(places) or "none"
                raise fields["in"].error(f"there is no holder '{holder}'; there is {known}")
            start = places[holder]
        mass = fields["mass"].number(above=0)
        inertia = fields["inertia"].numbers(3) if "inertia" in fields else (0.005 * mass,) * 3
        if min(inertia) <= 0:
            raise fields["inertia"].error(f"the numbers of '{fields['inertia'].what}' must be greater than 0")
        return Tool(
            name=self._name(name, given, "_body"),
            start=start,
            mass=mass,
            inertia=inertia,
            radius=fields["radius"].number(above=0),
        )


def _identifier(given: YamlValue) -> str:
    name = given.text()
    if not _IDENTIFIER.fullmatch(name) or plain_identifier(name, FOR_COMPONENTS) != name:
        raise given.error(f"'{name}' can't be a name in Modelica: use letters, digits and _, and no keyword")
    return name


def _place(fields: Mapping[str, YamlValue]) -> Place:
    xyz = fields["at"].numbers(3) if "at" in fields else _ORIGIN
    return Place(xyz=xyz, rpy=fields["rpy"].numbers(3) if "rpy" in fields else _ORIGIN)


def _waypoints(given: YamlValue) -> tuple[tuple[float, float], ...]:
    """Positions by their times: `{0: -0.6, 5.5: -0.2}`, or one number for a joint that rests."""
    if not given.is_mapping:
        return ((0.0, given.number()),)
    points = []
    for key, value in given.entries():
        try:
            points.append((float(key), value.number()))
        except ValueError:
            raise value.error(f"'{key}' must be a time, the number before a position") from None
    if not points or any(b[0] <= a[0] for a, b in pairwise(points)):
        raise given.error(f"the times of '{given.what}' must increase")
    return tuple(points)
