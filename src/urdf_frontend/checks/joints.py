"""Axes, limits, and joints that follow others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from urdf_frontend.diagnostics import Findings, quoted
from urdf_frontend.model.fields import values_of
from urdf_frontend.model.joints import Joint, JointType, Limit
from urdf_frontend.model.robot import Robot

_ROUNDING: Final = 1e-6  # what is left of length one when numbers are written with six digits


def check_joints(robot: Robot, findings: Findings) -> None:
    """All joints, one by one and with those that they follow."""
    for joint in robot.joints:
        _axis(joint, findings)
        _limit(joint, findings)
        _mimic(robot, joint, findings)
    for circle in _mimic_circles(robot):
        first = circle[0]
        names = " - ".join(quoted(joint.name) for joint in (*circle, first)[:6])
        findings.report("urdf-mimic-cycle", first.place, f"joints mimic each other in a circle: {names}")


def _axis(joint: Joint, findings: Findings) -> None:
    if not joint.type.has_axis:
        return
    axis = joint.axis
    if axis is None or axis.xyz is None:
        if axis is None or not findings.mentions(axis.place, "xyz"):
            place = joint.place if axis is None else axis.place
            findings.report("urdf-axis-default", place, "the joint has no axis; it is 1 0 0")
        return
    if axis.unit is None:
        findings.report("urdf-axis-zero", axis.xyz.place, f"the axis {axis.xyz.text} has no direction")
    elif abs(math.hypot(*axis.xyz.values) - 1.0) > _ROUNDING:
        length = math.hypot(*axis.xyz.values)
        message = f"the axis {axis.xyz.text} has the length {length:.6g}, not 1; it is normalised"
        findings.report("urdf-axis-not-unit", axis.xyz.place, message)


def _limit(joint: Joint, findings: Findings) -> None:
    limit = joint.limit
    bounded = joint.type in {JointType.REVOLUTE, JointType.PRISMATIC}
    if limit is None:
        if bounded:
            message = f"a {joint.type.value} joint needs a <limit>; it is taken as not limited"
            findings.report("urdf-limit-missing", joint.place, message)
        return
    _limit_numbers(limit, findings)
    if bounded:
        _range(limit, findings)
    elif joint.type is JointType.CONTINUOUS and (limit.lower is not None or limit.upper is not None):
        message = "a continuous joint turns without end; 'lower' and 'upper' are not looked at"
        findings.report("urdf-limit-ignored", limit.place, message, "a joint with bounds is a revolute one")


def _limit_numbers(limit: Limit, findings: Findings) -> None:
    wanted = (("effort", limit.effort), ("velocity", limit.velocity))
    missing = [name for name, number in wanted if number is None and not findings.mentions(limit.place, name)]
    if missing:
        names = " and ".join(f"'{name}'" for name in missing)
        findings.report("urdf-limit-incomplete", limit.place, f"<limit> has no {names}; there is no such limit then")
    for field, number in values_of(limit):
        if field.is_magnitude and number.value < 0:
            message = f"the limit '{field.attribute}' is negative: {number.text}"
            findings.report("urdf-limit-negative", limit.place, message, "leave it out if there is no such limit")


def _range(limit: Limit, findings: Findings) -> None:
    if findings.mentions(limit.place, "lower") or findings.mentions(limit.place, "upper"):
        return
    # The format says that what is left out is 0.
    lower = 0.0 if limit.lower is None else limit.lower.value
    upper = 0.0 if limit.upper is None else limit.upper.value
    low = "0" if limit.lower is None else limit.lower.text
    high = "0" if limit.upper is None else limit.upper.text
    if lower > upper:
        findings.report("urdf-limit-order", limit.place, f"the lower limit {low} is above the upper limit {high}")
    elif lower == upper:
        message = f"the lower limit is the upper limit, {low}; the joint can't move"
        findings.report("urdf-limit-empty", limit.place, message)
    elif not lower <= 0.0 <= upper:
        message = f"the zero position is not between the limits {low} and {high}"
        findings.report("urdf-zero-outside-limits", limit.place, message)


def _mimic(robot: Robot, joint: Joint, findings: Findings) -> None:
    mimic = joint.mimic
    if mimic is None or not mimic.joint:
        return
    leader = robot.get_joint(mimic.joint)
    if not joint.type.is_single:
        if joint.type is not JointType.UNKNOWN:
            message = f"a {joint.type.value} joint can't follow another one; its <mimic> is not looked at"
            findings.report("urdf-mimic-ignored", mimic.place, message)
    elif leader is None:
        message = f"the joint {quoted(mimic.joint)}, which it mimics, does not exist"
        findings.report("urdf-mimic-undefined", mimic.place, message)
    elif not leader.type.is_single:
        message = f"the joint {quoted(leader.name)}, which it mimics, is {leader.type.value} and has no single value"
        findings.report("urdf-mimic-leader", mimic.place, message)
    elif leader.type.is_rotational != joint.type.is_rotational:
        message = f"it is {joint.type.value} and mimics {quoted(leader.name)}, which is {leader.type.value}"
        hint = "the multiplier then is in metres per radian, or the other way round"
        findings.report("urdf-mimic-types", mimic.place, message, hint)


def _mimic_circles(robot: Robot) -> Iterator[list[Joint]]:
    done: set[str] = set()
    for start in robot.joints:
        way: dict[str, Joint] = {}
        at: Joint | None = start
        while at is not None and at.name not in done and at.name not in way:
            way[at.name] = at
            at = robot.get_joint(at.mimic.joint) if at.mimic is not None else None
        if at is not None and at.name in way:
            names = list(way)
            yield list(way.values())[names.index(at.name) :]
        done.update(way)
