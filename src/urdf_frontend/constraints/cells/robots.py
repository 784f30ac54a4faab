"""The packages of a cell's robots: built if they are not there, updated if they are."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from modelica_ast.edit import Document
from modelica_ast.generate import Question, Report, UpdateError
from urdf_frontend.constraints.cells.description import CellRobot
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
from urdf_frontend.robot import Joint, Kinematics
from urdf_frontend.urdf import Packages, ReadResult, read


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
    """The package of the library, if it was removed: the cell makes it anew."""
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
            "nothing was written; update the robot so, then call this again",
        ]
    )
