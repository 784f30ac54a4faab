"""The joints of a robot over time: positions, speeds, torques and forces, with the limits of the URDF file."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from urdf_frontend.animation.recorded import frame_poses
from urdf_frontend.animation.recording import RobotRecording
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model.joints import Joint, JointType
from urdf_frontend.model.numbers import Number

_PLANE: Final = ("x", "y", "angle")
_SPACE: Final = ("x", "y", "z", "roll", "pitch", "yaw")
_ANGULAR_SPEEDS: Final = ("x", "y", "z", "about x", "about y", "about z")


class Quantity(enum.Enum):
    """What of a joint is plotted."""

    POSITION = "position"
    SPEED = "speed"
    EFFORT = "effort"


@frozen
class Curve:
    """One line of a plot."""

    label: str
    values: Sequence[float]
    has_limits: bool = True  # friction has none


@frozen
class JointSeries:
    """The curves of one joint, one quantity and one unit, and the limits that hold for them."""

    joint: str
    quantity: Quantity
    unit: str
    curves: tuple[Curve, ...]
    lower: float | None = None
    upper: float | None = None


def joint_series(recording: RobotRecording) -> tuple[JointSeries, ...]:
    """All that a result says of the joints that move, joint after joint, in the order of the tree."""
    joints = Kinematics.of(recording.robot).joint_order()
    return tuple(series for joint in joints for series in _series_of(recording, joint))


def _series_of(recording: RobotRecording, joint: Joint) -> Iterator[JointSeries]:
    if joint.type.is_single:
        yield from _single(recording, joint)
    elif joint.type is JointType.PLANAR:
        yield from _several(joint, Quantity.POSITION, recording.positions(joint), _PLANE, 2)
        yield from _several(joint, Quantity.SPEED, recording.speeds(joint), _PLANE, 2)
    elif joint.type is JointType.FLOATING:
        yield from _several(joint, Quantity.POSITION, _free_positions(recording, joint), _SPACE, 3)
        yield from _several(joint, Quantity.SPEED, recording.speeds(joint), _ANGULAR_SPEEDS, 3)


def _single(recording: RobotRecording, joint: Joint) -> Iterator[JointSeries]:
    limit = joint.limit
    turns = joint.type.is_rotational
    positions, speeds = recording.positions(joint), recording.speeds(joint)
    if positions is not None:
        has_ends = limit is not None and joint.type is not JointType.CONTINUOUS
        lower = _value(limit.lower) if has_ends and limit is not None else None
        upper = _value(limit.upper) if has_ends and limit is not None else None
        curves = (Curve("position", positions[0]),)
        yield JointSeries(joint.name, Quantity.POSITION, "rad" if turns else "m", curves, lower, upper)
    if speeds is not None:
        most = None if limit is None else _value(limit.velocity)
        curves = (Curve("speed", speeds[0]),)
        yield JointSeries(joint.name, Quantity.SPEED, "rad/s" if turns else "m/s", curves, _negative(most), most)
    drive, friction = recording.drive(joint), recording.friction(joint)
    efforts = [] if drive is None else [Curve("drive", drive)]
    efforts += [] if friction is None else [Curve("friction", friction, has_limits=False)]
    if efforts:
        most = None if limit is None else _value(limit.effort)
        unit = "N.m" if turns else "N"
        yield JointSeries(joint.name, Quantity.EFFORT, unit, tuple(efforts), _negative(most), most)


def _several(
    joint: Joint, quantity: Quantity, columns: Sequence[Sequence[float]] | None, labels: Sequence[str], straight: int
) -> Iterator[JointSeries]:
    """Curves of a joint with several degrees of freedom: first the distances, then the angles."""
    if columns is None:
        return
    curves = [Curve(label, column) for label, column in zip(labels, columns, strict=True)]
    per_second = "/s" if quantity is Quantity.SPEED else ""
    yield JointSeries(joint.name, quantity, f"m{per_second}", tuple(curves[:straight]))
    yield JointSeries(joint.name, quantity, f"rad{per_second}", tuple(curves[straight:]))


def _free_positions(recording: RobotRecording, joint: Joint) -> list[list[float]] | None:
    columns = recording.free_motion(joint)
    if columns is None:
        return None
    rows = [(*pose.translation, *pose.angles) for pose in frame_poses(columns, range(len(recording.times)))]
    return [list(column) for column in zip(*rows, strict=True)]


def _value(number: Number | None) -> float | None:
    return None if number is None else number.value


def _negative(number: float | None) -> float | None:
    return None if number is None else -number
