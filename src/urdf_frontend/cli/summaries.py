"""A robot in one line, for people and for programs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from modelica_ast.cli.terminal import count
from urdf_frontend.codes import Severity
from urdf_frontend.diagnostics import Diagnostic
from urdf_frontend.drawing.labels import short_name, shown_name
from urdf_frontend.kinematics import Kinematics, follows
from urdf_frontend.model.poses import Pose
from urdf_frontend.model.robot import Robot
from urdf_frontend.reader import ReadResult


def degrees_of_freedom(robot: Robot) -> int:
    """How many numbers say how the robot stands; joints that follow others add none."""
    return sum(joint.type.degrees_of_freedom for joint in robot.joints if not follows(joint))


def mass(robot: Robot) -> float:
    """The sum of all masses."""
    return math.fsum(
        link.inertial.mass.value for link in robot.links if link.inertial is not None and link.inertial.mass is not None
    )


def summary_line(result: ReadResult, diagnostics: Sequence[Diagnostic]) -> str:
    """`arm: 7 links, 6 joints, 6 degrees of freedom, 12.5 kg; 0 errors, 2 warnings`."""
    numbers = Counter(found.severity for found in diagnostics)
    problems = f"{count(numbers[Severity.ERROR], 'error')}, {count(numbers[Severity.WARNING], 'warning')}"
    robot = result.robot
    if robot is None:
        return f"no robot; {problems}"
    freedom = count(degrees_of_freedom(robot), "degree of freedom", "degrees of freedom")
    parts = [count(len(robot.links), "link"), count(len(robot.joints), "joint"), freedom, f"{mass(robot):g} kg"]
    return f"{short_name(robot.name or '')}: {', '.join(parts)}; {problems}"


def robot_data(path: Path, result: ReadResult) -> dict[str, Any]:
    """What programs may want to know of a file, for JSON."""
    robot = result.robot
    if robot is None:
        return {"file": str(path), "robot": None}
    kinematics = Kinematics.of(robot)
    return {
        "file": str(path),
        "robot": robot.name,
        "usable": result.is_usable,
        "links": [link.name for link in robot.links],
        "joints": [
            {"name": joint.name, "type": joint.type_text, "parent": joint.parent, "child": joint.child}
            for joint in robot.joints
        ],
        "roots": kinematics.roots,
        "leaves": kinematics.leaves,
        "degrees_of_freedom": degrees_of_freedom(robot),
        "mass": mass(robot),
    }


def pose_line(link: str, pose: Pose, width: int) -> str:
    """The position of a link in metres, and its orientation as roll, pitch and yaw."""
    xyz, rpy = (" ".join(map(_rounded, numbers)) for numbers in (pose.translation, pose.angles))
    return f"{shown_name(link):<{width}}  xyz {xyz}  rpy {rpy}"


def _rounded(number: float) -> str:
    """Six digits, and no traces of rounding where there should be a zero."""
    return f"{round(number, 9) + 0.0:.6g}"
