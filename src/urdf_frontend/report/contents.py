"""What a report is about, gathered: the robot, all that is wrong with it, its package, its verification."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from urdf_frontend.codes import Severity
from urdf_frontend.cross_check import cross_check
from urdf_frontend.diagnostics import Diagnostic, in_order
from urdf_frontend.kinematics import Kinematics, follows
from urdf_frontend.meshes import Packages, check_meshes
from urdf_frontend.model import Robot
from urdf_frontend.reader import ReadResult
from urdf_frontend.report.packages import PackageView

if TYPE_CHECKING:
    from urdf_frontend.verify import Verification


@frozen
class ReportContents:
    """One robot. The package and the verification are there if somebody asked for them."""

    file: str  # as the reader of the page knows it
    urdf: ReadResult
    diagnostics: tuple[Diagnostic, ...]
    kinematics: Kinematics | None
    package: PackageView | None
    package_problem: str  # why there is no package to show
    verification: Verification | None

    @property
    def robot(self) -> Robot | None:
        """What could be read."""
        return self.urdf.robot

    @property
    def errors(self) -> int:
        """How many diagnostics are errors."""
        return sum(found.severity is Severity.ERROR for found in self.diagnostics)

    @property
    def title(self) -> str:
        """The name of the robot, or of its file."""
        return (self.robot.name if self.robot is not None else None) or Path(self.file).name


def gather(
    file: Path,
    urdf: ReadResult,
    *,
    packages: Packages | None = None,
    package: PackageView | None = None,
    package_problem: str = "",
    verification: Verification | None = None,
) -> ReportContents:
    """Check a robot once more in every way, and put everything about it together."""
    diagnostics = [*urdf.diagnostics, *cross_check(urdf)]
    if urdf.robot is not None:
        diagnostics += check_meshes(urdf.robot, packages, urdf=file).diagnostics
    kinematics = None if urdf.robot is None else Kinematics.of(urdf.robot)
    return ReportContents(str(file), urdf, in_order(diagnostics), kinematics, package, package_problem, verification)


def total_mass(robot: Robot) -> float:
    """The sum of all masses."""
    inertials = [link.inertial for link in robot.links if link.inertial is not None]
    return math.fsum(inertial.mass.value for inertial in inertials if inertial.mass is not None)


def degrees_of_freedom(robot: Robot) -> int:
    """How many numbers say how the robot stands; joints that follow others add none."""
    return sum(joint.type.degrees_of_freedom for joint in robot.joints if not follows(joint))


def joints_by_type(robot: Robot) -> dict[str, int]:
    """How many joints there are of each type, in the order of the file."""
    return dict(Counter(joint.type_text or joint.type.value for joint in robot.joints))
