"""The packages of a cell's robots: built if they are not there, updated if they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from urdf_frontend.building import BuildOptions
from urdf_frontend.building.connectors import flanges, leaf_frames
from urdf_frontend.constraints.cells.description import CellRobot
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.meshes import Packages
from urdf_frontend.model import Joint, Robot
from urdf_frontend.names import NameTable
from urdf_frontend.reader import read
from urdf_frontend.update import FileUpdate, UpdateOptions, update
from urdf_frontend.update.conflicts import Side
from urdf_frontend.update.generating import generate
from urdf_frontend.update.keeping import files_to_keep, read_kept
from urdf_frontend.update.report import Report
from urdf_frontend.update.settings import allowed_of


@frozen
class Flange:
    """A joint that can be driven: its flange and its support at the robot."""

    joint: Joint
    axis: str
    support: str


@frozen
class RobotPackage:
    """What a cell has to know about a robot's package, and what becomes of its files."""

    name: str  # of the package
    model: str  # of the robot's model in it
    frames: Mapping[str, str]  # of the links at the ends, by their names
    flanges: Mapping[str, Flange]  # by the names of joints
    files: tuple[FileUpdate, ...]
    notes: tuple[str, ...]  # what its user should know
    report: Report | None  # of an update; None for a package that is new


def robot_package(
    robot: CellRobot, library: str, folder: Path, prefer: Side | None, packages: Packages
) -> RobotPackage:
    """Build or update the package of a robot in the folder of the cell; nothing is written.

    UrdfError, BuildError and UpdateError as `urdf build` and `urdf update` have them.
    """
    result = read(robot.urdf, packages=packages)
    place = folder / robot.package
    if place.exists():
        worked_out = update(place, result, UpdateOptions(prefer=prefer, packages=packages))
        report = worked_out.report
        kept = read_kept(place)
        model = result.usable_robot(allowed=allowed_of(kept.file.options))
        notes = (*report.kept, *report.left_out)
        return _package(robot.package, kept.names, model, worked_out.files, notes, report)
    model = result.usable_robot()
    package = f"{library}.{robot.package}"
    options = BuildOptions(urdf=robot.urdf, packages=packages)
    generated = generate(model, package, options)
    built = {**generated.files, **files_to_keep(generated, package, generated.names.robot, result, options)}
    files = tuple(FileUpdate(place / path, None, data) for path, data in sorted(built.items()))
    notes = tuple(f"left out: {line}" for line in generated.left_out)
    return _package(robot.package, generated.names, model, files, notes, None)


def _package(
    name: str,
    names: NameTable,
    robot: Robot,
    files: tuple[FileUpdate, ...],
    notes: tuple[str, ...],
    report: Report | None,
) -> RobotPackage:
    found = {joint.name: Flange(joint, axis, support) for joint, axis, support in flanges(robot.joints)}
    return RobotPackage(name, names.robot, leaf_frames(Kinematics.of(robot)), found, files, notes, report)
