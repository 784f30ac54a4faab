"""A motion without a simulation: each joint goes through its range, one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from urdf_frontend.animation.motions import NO_ROOT, AnimationError, Motion
from urdf_frontend.animation.placing import LinkPlacer
from urdf_frontend.kinematics import Kinematics, follows, joint_values
from urdf_frontend.model.joints import Joint, JointType
from urdf_frontend.model.numbers import Number
from urdf_frontend.model.robot import Robot

SECONDS: Final = 2.0  # for one degree of freedom
_MOST_STEPS: Final = 32  # for one degree of freedom; robots with many take fewer, or the page would be large
_FEWEST_STEPS: Final = 12
_ALL_STEPS: Final = 3000
_FULL_TURN: Final = 2 * math.pi
_SLIDE: Final = 0.2  # metres, where no limit is given
_LONGEST_SLIDE: Final = 5.0  # metres: files have 1e16 where they mean no limit
_TURN: Final = 0.8  # radians, of a body that moves freely


def sweep(robot: Robot) -> Motion:
    """Move each joint that follows no other from where it rests to both ends of its range and back."""
    kinematics = Kinematics.of(robot)
    if not kinematics.roots:
        raise AnimationError(NO_ROOT)
    rest = {joint.name: rest_value(joint) for joint in kinematics.joint_order()}
    steps = [(joint, index) for joint in kinematics.joint_order() for index in range(_freedoms(joint))]
    number = max(_FEWEST_STEPS, min(_MOST_STEPS, _ALL_STEPS // max(len(steps), 1)))
    moments = [rest]
    for joint, index in steps:
        values = rest[joint.name]
        way = _way(values[index], *joint_range(joint, index), number)
        moments += [{**rest, joint.name: (*values[:index], at, *values[index + 1 :])} for at in way]
    all_values = [joint_values(robot, moment) for moment in moments]
    placer = LinkPlacer(kinematics)
    everywhere = [placer.place(values) for values in all_values]
    return Motion(
        title="joint sweep",
        times=[SECONDS * count / number for count in range(len(moments))],
        poses={link: [poses[link] for poses in everywhere] for link in kinematics.order},
        values={name: [values[name] for values in all_values] for name in rest},
        notes=() if steps else ("The robot has no joint that moves.",),
    )


def rest_value(joint: Joint) -> tuple[float, ...]:
    """Zero, or the nearest value that the limits allow."""
    if not joint.type.is_single:
        return (0.0,) * joint.type.degrees_of_freedom
    low, high = joint_range(joint)
    return (min(max(0.0, low), high),)


def joint_range(joint: Joint, index: int = 0) -> tuple[float, float]:
    """How far a joint is moved in one of its degrees of freedom: between its limits, or as far as one can see well."""
    if joint.type is JointType.CONTINUOUS:
        return 0.0, _FULL_TURN
    if joint.type.is_single:
        usual, most = (math.pi, _FULL_TURN) if joint.type.is_rotational else (_SLIDE, _LONGEST_SLIDE)
        limit = joint.limit
        low = _limit(None if limit is None else limit.lower, -usual, most)
        high = _limit(None if limit is None else limit.upper, usual, most)
        return min(low, high), max(low, high)
    turns = index >= (2 if joint.type is JointType.PLANAR else 3)
    return (-_TURN, _TURN) if turns else (-_SLIDE, _SLIDE)


def _limit(given: Number | None, usual: float, most: float) -> float:
    return usual if given is None else min(max(given.value, -most), most)


def _freedoms(joint: Joint) -> int:
    return 0 if follows(joint) else joint.type.degrees_of_freedom


def _way(rest: float, low: float, high: float, number: int) -> Iterator[float]:
    """To the lower end, to the upper end and back, each part smoothly; the start is left out."""
    quarter = number // 4
    parts = ((rest, low, quarter), (low, high, number - 2 * quarter), (high, rest, quarter))
    for start, end, count in parts:
        for step in range(1, count + 1):
            yield start + (end - start) * (1 - math.cos(math.pi * step / count)) / 2
