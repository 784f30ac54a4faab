"""Where a part sits in the frame of its link or joint."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from urdf_frontend.model.items import Item
from urdf_frontend.model.numbers import Vector
from urdf_frontend.model.poses import IDENTITY, Pose, Triple, rotation_of_quaternion, rotation_of_rpy

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
