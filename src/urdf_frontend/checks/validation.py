"""All checks of a robot."""

from __future__ import annotations

from urdf_frontend.checks.joints import check_joints
from urdf_frontend.checks.links import check_links
from urdf_frontend.checks.transmissions import check_transmissions
from urdf_frontend.checks.tree import check_tree
from urdf_frontend.checks.versions import check_version
from urdf_frontend.diagnostics import Diagnostic, Findings, in_order
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model.robot import Robot


def validate(robot: Robot, findings: Findings | None = None) -> tuple[Diagnostic, ...]:
    """All that is wrong with a robot, whether it was read or made by a program; never raises.

    `urdf_frontend.read` has done it: its result has these diagnostics, and those that only the text shows.
    """
    findings = Findings("<robot>") if findings is None else findings
    kinematics = Kinematics.of(robot)
    check_version(robot, findings)
    check_tree(robot, kinematics, findings)
    check_links(robot, kinematics, findings)
    check_joints(robot, findings)
    check_transmissions(robot, findings)
    return in_order(findings.diagnostics)
