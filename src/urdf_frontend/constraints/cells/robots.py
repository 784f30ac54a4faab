"""The packages of a cell's robots: built if they are not there, updated if they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from urdf_frontend.building import BuildOptions
from urdf_frontend.constraints.cells.description import CellRobot
from urdf_frontend.meshes import Packages
from urdf_frontend.model import Joint
from urdf_frontend.package import RobotPackage
from urdf_frontend.reader import read
from urdf_frontend.update import FileUpdate, UpdateOptions, update
from urdf_frontend.update.conflicts import Side
from urdf_frontend.update.generating import generate
from urdf_frontend.update.keeping import files_to_keep
from urdf_frontend.update.report import Report


@frozen
class Drive:
    """A joint that can be driven: its flange and its support at the robot."""

    joint: Joint
    axis: str
    support: str


@frozen
class CellPart:
    """What a cell has to know about a robot's package."""

    robot_class: str
    frames: Mapping[str, str]  # of the links at the ends, by their names
    drives: Mapping[str, Drive]  # by the names of joints


@frozen
class RobotUpdate:
    """What becomes of the files of a robot's package."""

    joints: tuple[Joint, ...]
    files: tuple[FileUpdate, ...]
    notes: tuple[str, ...]  # what its user should know
    report: Report | None  # of an update; None for a package that is new

    def part(self, folder: Path) -> CellPart:
        """What the cell has to know, from a folder in which the package is as it will be; PackageError."""
        package = RobotPackage.open(folder)
        found = ((joint, package.flanges.get(joint.name)) for joint in self.joints)
        drives = {joint.name: Drive(joint, at.axis, at.support) for joint, at in found if at is not None}
        return CellPart(package.robot_class, package.frames, drives)


def robot_update(robot: CellRobot, library: str, folder: Path, prefer: Side | None, packages: Packages) -> RobotUpdate:
    """Build or update the package of a robot in the folder of the cell; nothing is written.

    UrdfError, BuildError and UpdateError as `urdf build` and `urdf update` have them.
    """
    result = read(robot.urdf, packages=packages)
    place = folder / robot.package
    if place.exists():
        worked_out = update(place, result, UpdateOptions(prefer=prefer, packages=packages))
        assert result.robot is not None, "it was updated"
        report = worked_out.report
        return RobotUpdate(result.robot.joints, worked_out.files, (*report.kept, *report.left_out), report)
    model = result.usable_robot()
    package = f"{library}.{robot.package}"
    options = BuildOptions(urdf=robot.urdf, packages=packages)
    generated = generate(model, package, options)
    built = {**generated.files, **files_to_keep(generated, package, generated.names.robot, result, options)}
    files = tuple(FileUpdate(place / path, None, data) for path, data in sorted(built.items()))
    return RobotUpdate(model.joints, files, tuple(f"left out: {line}" for line in generated.left_out), None)
