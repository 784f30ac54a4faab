"""How a robot moves: where its links are and what its joints have as values, time after time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from urdf_frontend.robot import (
    IDENTITY,
    Joint,
    JointType,
    Kinematics,
    Pose,
    Robot,
    RobotError,
    follows,
    joint_values,
    motion,
)

NO_ROOT: Final = "the robot has no root link, so nothing of it has a place"


class AnimationError(RobotError, ValueError):
    """There is nothing to show; the sentence says why."""


@frozen
class Motion:
    """Poses of links and values of joints, one for each time.

    `floor` is the height of the ground in the world; None if nobody knows, and the robot stands on its lowest point.
    `notes` say what its viewer should know: joints that were not found, times that were left out.
    """

    title: str
    times: Sequence[float]
    poses: Mapping[str, Sequence[Pose]]
    values: Mapping[str, Sequence[tuple[float, ...]]]
    floor: float | None = None
    notes: tuple[str, ...] = ()


# ---------------------------------------------------------------- placing
# Where the links are, time after time: forward kinematics that computes only what has moved.


class LinkPlacer:
    """Gives the poses that `Kinematics.forward` gives for the same values.

    PERF: a joint that has not moved since the last time keeps its pose, and so do the links after it; then the very
    same `Pose` is given again. Followers of other joints need values too: nothing is worked out for them here.
    """

    def __init__(self, kinematics: Kinematics) -> None:
        self._order = kinematics.order
        self._joints = {link: kinematics.joint_above(link) for link in kinematics.order}
        self._origins = {link: _origin(joint) for link, joint in self._joints.items()}
        self._values: dict[str, tuple[float, ...]] = {}
        self._steps: dict[str, Pose] = {}
        self._poses: dict[str, Pose] = {}

    def place(self, values: Mapping[str, tuple[float, ...]], root: Pose = IDENTITY) -> dict[str, Pose]:
        """The pose of each link at these joint values, seen from where the root's pose is seen."""
        poses: dict[str, Pose] = {}
        for link in self._order:
            joint = self._joints[link]
            if joint is None:
                same = self._poses.get(link) == root
                poses[link] = self._poses[link] if same else root
                continue
            value = values[joint.name]
            has_moved = self._values.get(link) != value
            if has_moved:
                self._values[link] = value
                self._steps[link] = self._origins[link] @ motion(joint, value)
            parent = poses[joint.parent]
            if has_moved or parent is not self._poses[joint.parent]:
                poses[link] = parent @ self._steps[link]
            else:
                poses[link] = self._poses[link]
        self._poses = poses
        return poses


def _origin(joint: Joint | None) -> Pose:
    return IDENTITY if joint is None or joint.origin is None else joint.origin.pose


# ---------------------------------------------------------------- sweeping
# A motion without a simulation: each joint goes through its range, one after the other.

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
        low, high = (-usual, usual) if joint.bounds is None else joint.bounds
        return max(low, -most), min(high, most)
    turns = index >= (2 if joint.type is JointType.PLANAR else 3)
    return (-_TURN, _TURN) if turns else (-_SLIDE, _SLIDE)


def _freedoms(joint: Joint) -> int:
    return 0 if follows(joint) else joint.type.degrees_of_freedom


def _way(rest: float, low: float, high: float, number: int) -> Iterator[float]:
    """To the lower end, to the upper end and back, each part smoothly; the start is left out."""
    quarter = number // 4
    parts = ((rest, low, quarter), (low, high, number - 2 * quarter), (high, rest, quarter))
    for start, end, count in parts:
        for step in range(1, count + 1):
            yield start + (end - start) * (1 - math.cos(math.pi * step / count)) / 2
