"""The joints of a robot over time: positions, speeds, torques and forces, with the limits of the URDF file."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from attrs import asdict, frozen

from urdf_frontend.motion.animation.recorded import RobotRecording, frame_poses
from urdf_frontend.robot import Joint, JointType, Kinematics, Number

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


# ---------------------------------------------------------------- limits
# Where joints leave their limits: when, how far, and for how long.

_ROOM: Final = 1e-6  # a joint that a drive holds at its limit is within it


@frozen
class Violation:
    """One stretch of time in which a joint is beyond one of its limits."""

    joint: str
    quantity: str
    unit: str
    limit: float
    start: float  # seconds
    end: float
    worst: float
    worst_time: float

    def as_json(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)

    def __str__(self) -> str:
        side = "above" if self.worst > self.limit else "below"
        stretch = f"from {self.start:.4g} s to {self.end:.4g} s"
        return (
            f"joint {self.joint}: {self.quantity} {side} {self.limit:.6g} {self.unit} {stretch},"
            f" {self.worst:.6g} {self.unit} at {self.worst_time:.4g} s"
        )


def find_violations(times: Sequence[float], series: Iterable[JointSeries]) -> tuple[Violation, ...]:
    """All stretches in which a curve is beyond a limit, in the order of time."""
    found = [
        violation
        for each in series
        for curve in each.curves
        if curve.has_limits
        for violation in (
            *_beyond(times, each, curve, each.upper, 1.0),
            *_beyond(times, each, curve, each.lower, -1.0),
        )
    ]
    return tuple(sorted(found, key=lambda violation: violation.start))


def _beyond(
    times: Sequence[float], series: JointSeries, curve: Curve, limit: float | None, sign: float
) -> Iterator[Violation]:
    """The stretches on one side. They begin and end where the line between two values crosses the limit."""
    if limit is None or math.isinf(limit):
        return
    room = _ROOM * max(1.0, abs(limit))
    excess = [sign * (value - limit) for value in curve.values]
    row = 0
    while row < len(excess):
        if not excess[row] > room:
            row += 1
            continue
        first = row
        while row + 1 < len(excess) and excess[row + 1] > room:
            row += 1
        worst = max(range(first, row + 1), key=excess.__getitem__)
        start = times[first] if first == 0 else _crossing(times, excess, first - 1)
        end = times[row] if row + 1 == len(excess) else _crossing(times, excess, row)
        yield Violation(
            joint=series.joint,
            quantity=series.quantity.value,
            unit=series.unit,
            limit=limit,
            start=start,
            end=end,
            worst=curve.values[worst],
            worst_time=times[worst],
        )
        row += 1


def _crossing(times: Sequence[float], excess: Sequence[float], row: int) -> float:
    """When the limit is crossed between a row and the next one."""
    before, after = excess[row], excess[row + 1]
    if not (math.isfinite(before) and math.isfinite(after)) or before == after:
        return times[row + 1]
    share = min(max(before / (before - after), 0.0), 1.0)
    return times[row] + share * (times[row + 1] - times[row])
