"""Positions and orientations as plain floats."""

from __future__ import annotations

import math
from typing import Final

from attrs import frozen

from urdf_frontend.robot.items import Item, Vector

Triple = tuple[float, float, float]
Rotation = tuple[Triple, Triple, Triple]  # by rows

_UPRIGHT: Final = 1e-12  # what is left of the cosine of a right angle


@frozen
class Pose:
    """A frame seen from another one: a point p of it is at `rotation · p + translation` there."""

    rotation: Rotation
    translation: Triple

    def __matmul__(self, inner: Pose) -> Pose:
        """The frame `inner`, which is given in this one, seen from where this one is seen."""
        columns = tuple(zip(*inner.rotation, strict=True))
        rows = tuple(tuple(_dot(row, column) for column in columns) for row in self.rotation)
        return Pose(rows, self.point(inner.translation))  # type: ignore[arg-type]  # three rows of three

    def point(self, point: Triple) -> Triple:
        """Where a point of this frame is."""
        x, y, z = self.direction(point)
        return x + self.translation[0], y + self.translation[1], z + self.translation[2]

    def direction(self, direction: Triple) -> Triple:
        """A direction of this frame, turned but not moved."""
        first, second, third = self.rotation
        return _dot(first, direction), _dot(second, direction), _dot(third, direction)

    @property
    def matrix(self) -> tuple[tuple[float, float, float, float], ...]:
        """The homogeneous 4 x 4 matrix, by rows."""
        rows = [(*row, at) for row, at in zip(self.rotation, self.translation, strict=True)]
        return (*rows, (0.0, 0.0, 0.0, 1.0))

    @property
    def angles(self) -> Triple:
        """Roll, pitch and yaw of the rotation. Straight up or down roll and yaw turn about one axis; yaw is 0 then."""
        rows = self.rotation
        level = math.hypot(rows[0][0], rows[1][0])
        pitch = math.atan2(-rows[2][0], level)
        if level < _UPRIGHT:
            return math.atan2(-rows[1][2], rows[1][1]), pitch, 0.0
        return math.atan2(rows[2][1], rows[2][2]), pitch, math.atan2(rows[1][0], rows[0][0])


IDENTITY: Final = Pose(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), (0.0, 0.0, 0.0))


def _dot(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def rotation_of_rpy(roll: float, pitch: float, yaw: float) -> Rotation:
    """Roll about x, then pitch about y, then yaw about z, all about axes that stay where they are."""
    sr, cr = math.sin(roll), math.cos(roll)
    sp, cp = math.sin(pitch), math.cos(pitch)
    sy, cy = math.sin(yaw), math.cos(yaw)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def rotation_of_quaternion(x: float, y: float, z: float, w: float) -> Rotation:
    """The rotation of a quaternion of any length but zero, which turns nothing."""
    length = math.hypot(x, y, z, w)
    if length == 0.0:
        return IDENTITY.rotation
    x, y, z, w = x / length, y / length, z / length, w / length
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )


def rotation_about(axis: Triple, angle: float) -> Rotation:
    """The rotation by an angle about an axis of length one."""
    x, y, z = axis
    s, c = math.sin(angle), math.cos(angle)
    t = 1 - c
    return (
        (t * x * x + c, t * x * y - s * z, t * x * z + s * y),
        (t * x * y + s * z, t * y * y + c, t * y * z - s * x),
        (t * x * z - s * y, t * y * z + s * x, t * z * z + c),
    )


# ---------------------------------------------------------------- origins
# Where a part sits in the frame of its link or joint.

_ZERO: Final = (0.0, 0.0, 0.0)


@frozen(kw_only=True)
class Origin(Item):
    """`<origin>`: None is what the file does not say. `quat_xyzw` is URDF 1.1 and goes before `rpy`."""

    xyz: Vector | None = None
    rpy: Vector | None = None
    quat_xyzw: Vector | None = None

    @property
    def translation(self) -> Triple:
        """`xyz`, or zeros."""
        if self.xyz is None:
            return _ZERO
        x, y, z = self.xyz.values
        return x, y, z

    @property
    def turn(self) -> Vector | None:
        """`rpy`, or what it would be for the quaternion."""
        return self.rpy if self.quat_xyzw is None else Vector.of(*self.angles)

    @property
    def angles(self) -> Triple:
        """Roll, pitch and yaw, of the quaternion too, or zeros."""
        if self.quat_xyzw is not None:
            return self.pose.angles
        if self.rpy is None:
            return _ZERO
        roll, pitch, yaw = self.rpy.values
        return roll, pitch, yaw

    @property
    def pose(self) -> Pose:
        """Rotation and translation."""
        if self.quat_xyzw is not None:
            x, y, z, w = self.quat_xyzw.values
            return Pose(rotation_of_quaternion(x, y, z, w), self.translation)
        if self.rpy is not None:
            return Pose(rotation_of_rpy(*self.angles), self.translation)
        return Pose(IDENTITY.rotation, self.translation)
