"""What is generated for a cell: the packages of its robots, its model, and what is around it.

The model is a template filled with robots, holders and tools; it has no IDs yet.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from modelica_ast.edit import ClassHandle, Document
from modelica_ast.format import format_document
from modelica_ast.generate import Question, Report, UpdateError
from modelica_ast.graphics import Color, CoordinateSystem, Extent, Line, Placement, Point, Transformation
from modelica_ast.tree import Real, Reference
from urdf_frontend.constraints.cells.description import Cell, CellRobot, Grip, Holder, Place, Tool
from urdf_frontend.constraints.objects import CONTROL, SPATIAL, Role
from urdf_frontend.package import (
    BuildOptions,
    RobotPackage,
    UpdateOptions,
    flanges,
    kept_files,
    leaf_frames,
    robot_files,
    side_car_of,
    update,
)
from urdf_frontend.robot import Joint, Kinematics, plain_identifier
from urdf_frontend.urdf import Packages, ReadResult, read

# ---------------------------------------------------------------- packages of robots
# Built if they are not there, updated if they are.


class RenameError(UpdateError):
    """A link or joint of a robot was probably renamed, which only the user can know; nothing is written before."""

    cause = "undecided"

    def __init__(self, questions: tuple[Question, ...], robot: CellRobot, place: Path) -> None:
        super().__init__(_asked(questions, robot, place))
        self.package = robot.package
        self.questions = questions

    def as_json(self) -> list[dict[str, object]]:
        """The questions in plain values, with the package that they are about."""
        return [{"package": self.package, **each.as_json()} for each in self.questions]


@frozen
class Drive:
    """A joint that can be driven: its flange and its support at the robot."""

    joint: Joint
    axis: str
    support: str


@frozen
class CellPart:
    """What a cell has to know about a robot's package, and what becomes of its files."""

    robot_class: str  # the full name of the robot's model
    frames: Mapping[str, str]  # of the links at the ends, by their names
    drives: Mapping[str, Drive]  # by the names of joints
    files: Mapping[str, bytes | None]  # by their paths in the cell's library; None is one that goes
    notes: tuple[str, ...]  # what its user should know
    attention: tuple[str, ...] = ()  # what only its user can put right
    report: Report | None = None  # of an update; None for a package that is new


def cell_part(robot: CellRobot, library: str, folder: Path, prefer: str | None, packages: Packages) -> CellPart:
    """Build or update the package of a robot in the folder of the cell; nothing is written.

    UrdfError, BuildError and UpdateError as `urdf build` and `urdf update` have them; RenameError if the update has a
    question; PackageError if the robot is not found in its package.
    """
    result = read(robot.urdf, packages=packages)
    place = folder / robot.package
    if place.exists():
        return _updated(robot, library, place, result, UpdateOptions(prefer=prefer, packages=packages))
    model = result.usable_robot()
    options = BuildOptions(urdf=robot.urdf, packages=packages)
    made = robot_files(model, f"{library}.{robot.package}", options)
    name = made.names.robot
    files = {**made.files, **kept_files(side_car_of(made, options), name, result)}
    placed = {f"{robot.package}/{path}": data for path, data in files.items()}
    notes = tuple(f"left out: {line}" for line in made.summary.left_out)
    driven = {joint.name: Drive(joint, axis, support) for joint, axis, support in flanges(model.joints)}
    return CellPart(f"{made.full_name}.{name}", leaf_frames(Kinematics.of(model)), driven, placed, notes)


def _updated(robot: CellRobot, library: str, place: Path, urdf: ReadResult, options: UpdateOptions) -> CellPart:
    worked_out = update(place, urdf, options)
    if worked_out.questions:
        raise RenameError(worked_out.questions, robot, place)
    assert urdf.robot is not None, "it was updated"
    future = {file.path: file.new for file in worked_out.files}
    package = RobotPackage.open(place, files={**_library_around(place, library), **future})
    found = ((joint, package.flanges.get(joint.name)) for joint in urdf.robot.joints)
    driven = {joint.name: Drive(joint, at.axis, at.support) for joint, at in found if at is not None}
    files = {file.path.relative_to(place.parent).as_posix(): file.new for file in worked_out.files}
    report = worked_out.report
    notes = (*report.kept, *report.left_out)
    return CellPart(package.robot_class, package.frames, driven, files, notes, report.attention, report)


def _library_around(place: Path, library: str) -> dict[Path, bytes]:
    """The package of the library, if it was removed: the cell makes it again."""
    path = place.parent / "package.mo"
    if path.exists():
        return {}
    document = Document("")
    document.add_class(library, "package")
    return {path: document.text.encode()}


def _asked(questions: tuple[Question, ...], robot: CellRobot, place: Path) -> str:
    """The questions, and the commands that answer them."""
    command = ["modelica-patch", "urdf", "update", str(robot.urdf), "--package", str(place)]
    renames = [word for each in questions for word in ("--rename", f"{each.old}={each.new}")]
    return "\n".join(
        [
            *(f"{robot.package}: {question}" for question in questions),
            f"  it was:\n    {shlex.join([*command, *renames])}",
            f"  it was not:\n    {shlex.join([*command, '--no-rename'])}",
            "nothing was written; update the robot with that command, then run this again",
        ]
    )


# ---------------------------------------------------------------- the cell's own files

PACKAGE: Final = "package.mo"
ORDER: Final = "package.order"
_TEMPLATES: Final = Path(__file__).parent / "templates"
_BLOCKS: Final = ("Schedule", "Waypoints")
_PARTS: Final = "Modelica.Mechanics.MultiBody.Parts"
_MECHANICS: Final = "Modelica.Mechanics"
_PASSIVE: Final = Reference(CONTROL.replace("Control", "Passive"))
_SEQUENCE: Final = Reference("Modelica.Mechanics.MultiBody.Types.RotationTypes.PlanarRotationSequence")
_ROW: Final = 40
_TOP: Final = 80  # where the first row is
_BOTTOM: Final = -200  # of the template's diagram
_WIDTH: Final = 120
# How the Standard Library draws connections.
_FRAME: Final = Line(color=Color(95, 95, 95), thickness=0.5)
_REAL: Final = Line(color=Color(0, 0, 127))
_BOOLEAN: Final = Line(color=Color(255, 0, 255))
_ROTATION: Final = Line(color=Color(0, 0, 0))
_TRANSLATION: Final = Line(color=Color(0, 127, 0))


def _template(name: str) -> Document:
    """A class that a cell's is made from."""
    return Document((_TEMPLATES / f"{name}.mo").read_text(encoding="utf-8"))


def cell_files(cell: Cell, packages: Mapping[str, CellPart], others: Iterable[str]) -> dict[str, str]:
    """The texts of all files but those of robots, by their names; `others` are packages that are in the order too."""
    package = _template("package")
    package.find_class("Cell").rename(cell.library)
    files = {PACKAGE: package.text, f"{cell.model}.mo": _cell_model(cell, packages).text}
    for name in _BLOCKS:
        block = _template(name)
        block.set_within(cell.library)
        files[f"{name}.mo"] = block.text
    order = dict.fromkeys([cell.model, *packages, *others, *_BLOCKS])
    return {**files, ORDER: "".join(f"{name}\n" for name in order)}


def _cell_model(cell: Cell, packages: Mapping[str, CellPart]) -> Document:
    document = _template("Model")
    with document.transaction():
        document.find_class("Model").rename(cell.model)
        document.set_within(cell.library)
        handle = document.find_class(cell.model)
        handle.set_annotation("experiment.StopTime", _real(cell.stop))
        model = _Model(cell, handle)
        for robot in cell.robots:
            model.add_robot(robot, packages[robot.package])
        for row, holder in enumerate(cell.holders):
            model.add_holder(holder, row)
        for row, tool in enumerate(cell.tools):
            model.add_tool(tool, row)
        model.make_room(max(len(cell.holders), len(cell.tools)))
        format_document(document, width=_WIDTH)
    return document


def _real(value: float) -> Any:
    """A number as people write it."""
    return int(value) if value == int(value) else Real(repr(value))


def _reals(values: tuple[float, ...]) -> list[Any]:
    return [_real(value) for value in values]


class _Model:
    """One model in the making: robots in rows on the left, holders on the right, tools to the right of them."""

    def __init__(self, cell: Cell, handle: ClassHandle) -> None:
        self._cell = cell
        self._handle = handle
        self._row = 0  # of the robots

    def _add(
        self,
        type_name: str,
        name: str,
        at: tuple[int, float],
        description: str,
        modifiers: Mapping[str, Any] | None = None,
    ) -> None:
        added = self._handle.add_component(type_name, name, modifiers or {}, description=description)
        column, row = at
        x, y = column, _TOP - int(row * _ROW)
        extent = Extent(Point(x - 10, y - 10), Point(x + 10, y + 10))
        added.set_placement(Placement(transformation=Transformation(extent=extent)))

    def make_room(self, rows: int) -> None:
        """Let the diagram have room for this many rows, and for the robots."""
        bottom = _TOP - max(rows, self._row) * _ROW
        if bottom < _BOTTOM:
            system = CoordinateSystem(extent=Extent(Point(-200, bottom), Point(200, 160)))
            self._handle.set_coordinate_system("Diagram", system)

    def _connect(self, one: str, other: str, look: Line) -> None:
        self._handle.connect(one, other)
        if self._handle.get_line(one, other) is not None:
            self._handle.set_line(one, other, look)

    def add_robot(self, robot: CellRobot, package: CellPart) -> None:
        top = self._row
        modifiers = {"startFixed": False} if package.drives else {}
        self._add(package.robot_class, robot.name, (-20, top), f"Robot {robot.name}", modifiers)
        self._connect(self._stand(robot.name, robot.place, (-60, top)), f"{robot.name}.frame_a", _FRAME)
        for number, (joint, drive) in enumerate(package.drives.items()):
            points = robot.motion.get(joint, ((0.0, 0.0),))
            self._add_drive(robot, drive, points, top + number)
        for number, grip in enumerate(robot.grips):
            self._add_grip(robot, grip, package.frames[grip.link], top + number)
        self._row += max(len(package.drives), len(robot.grips), 1)

    def _stand(self, name: str, place: Place, at: tuple[int, float]) -> str:
        """The frame in the world at which something is."""
        if place.is_origin:
            return "world.frame_b"
        standing = f"{name}_place"
        modifiers: dict[str, Any] = {"r": _reals(place.xyz), "animation": False}
        if any(place.rpy):
            roll, pitch, yaw = (math.degrees(angle) for angle in place.rpy)
            modifiers |= {"rotationType": _SEQUENCE, "sequence": [3, 2, 1], "angles": _reals((yaw, pitch, roll))}
            self._add(f"{_PARTS}.FixedRotation", standing, at, f"Place of {name}", modifiers)
        else:
            self._add(f"{_PARTS}.FixedTranslation", standing, at, f"Place of {name}", modifiers)
        self._connect("world.frame_b", f"{standing}.frame_a", _FRAME)
        return f"{standing}.frame_b"

    def _add_drive(self, robot: CellRobot, driven: Drive, points: tuple[tuple[float, float], ...], row: int) -> None:
        """A drive that makes a joint follow its motion, whatever force that takes."""
        joint = driven.joint
        stem = f"{robot.name}_{plain_identifier(joint.name)}"
        motion, drive = f"{stem}_motion", f"{stem}_drive"
        what = f"{joint.name} of {robot.name}"
        if len(points) == 1:
            value = {"k": _real(points[0][1])}
            self._add("Modelica.Blocks.Sources.Constant", motion, (-180, row), f"Where {what} rests", value)
        else:
            times, values = zip(*points, strict=True)
            table = {"times": _reals(times), "values": _reals(values)}
            self._add(f"{self._cell.library}.Waypoints", motion, (-180, row), f"Where {what} shall be", table)
        turns = joint.type.is_rotational
        kind, speed, reference = ("Rotational", "w", "phi_ref") if turns else ("Translational", "v", "s_ref")
        modifiers = {"useSupport": True, f"{speed}.fixed": True}
        self._add(f"{_MECHANICS}.{kind}.Sources.Position", drive, (-120, row), f"Drive of {what}", modifiers)
        self._connect(f"{motion}.y", f"{drive}.{reference}", _REAL)
        self._connect(f"{drive}.flange", f"{robot.name}.{driven.axis}", _ROTATION if turns else _TRANSLATION)
        self._connect(f"{drive}.support", f"{robot.name}.{driven.support}", _ROTATION if turns else _TRANSLATION)

    def _add_grip(self, robot: CellRobot, grip: Grip, frame: str, row: int) -> None:
        modifiers = {"radius": _real(grip.radius)}
        description = f"Gripper on {grip.link} of {robot.name}"
        self._add(SPATIAL.class_of(Role.COLLISION), grip.name, (40, row), description, modifiers)
        self._connect(f"{robot.name}.{frame}", f"{grip.name}.frame_a", _FRAME)
        signal = f"{grip.name}_closed"
        times = grip.closed
        starts_closed = bool(times) and times[0] == 0
        changes = times[1:] if starts_closed else times
        description = f"When {grip.name} is closed"
        if changes:
            values: dict[str, Any] = {"times": _reals(changes)}
            if starts_closed:
                values["startValue"] = True
            self._add(f"{self._cell.library}.Schedule", signal, (10, row + 0.5), description, values)
        else:
            constant = {"k": starts_closed}
            self._add("Modelica.Blocks.Sources.BooleanConstant", signal, (10, row + 0.5), description, constant)
        self._connect(f"{signal}.y", f"{grip.name}.closed", _BOOLEAN)

    def add_holder(self, holder: Holder, row: int) -> None:
        modifiers = {"mode": _PASSIVE, "radius": _real(holder.radius)}
        self._add(SPATIAL.class_of(Role.COLLISION), holder.name, (120, row), f"Holder {holder.name}", modifiers)
        self._connect(self._stand(holder.name, holder.place, (80, row)), f"{holder.name}.frame_a", _FRAME)

    def add_tool(self, tool: Tool, row: int) -> None:
        body = f"{tool.name}_body"
        moments = dict(zip(("I_11", "I_22", "I_33"), _reals(tool.inertia), strict=True))
        modifiers: dict[str, Any] = {
            "m": _real(tool.mass),
            "r_CM": [0, 0, 0],
            **moments,
            "r_0.start": _reals(tool.start),
            "r_0.fixed": True,
            "v_0.fixed": True,
            "angles_fixed": True,
            "w_0_fixed": True,
            "enforceStates": True,
            "useQuaternions": False,
            "animation": False,
        }
        self._add(f"{_PARTS}.Body", body, (160, row), f"Body of {tool.name}", modifiers)
        for path in ("r_0.fixed", "v_0.fixed"):
            self._handle.find_component(body).set_modifier_prefixes(path, each=True)
        radius = {"radius": _real(tool.radius)}
        self._add(SPATIAL.class_of(Role.CONSTRAINED), tool.name, (190, row), f"Tool {tool.name}", radius)
        self._connect(f"{body}.frame_a", f"{tool.name}.frame_a", _FRAME)
