"""Origins of connectors that are turned."""

from __future__ import annotations

import math

from lxml import etree

from urdf_frontend.model.poses import Pose, Rotation, Triple, rotation_about


def precise_angles(rotation: Rotation) -> Triple:
    """Roll, pitch and yaw, as exact near straight up and down as elsewhere.

    There yaw is badly known by itself. So it is taken first, whatever its error, and roll and pitch are those of
    what is left: they make up for it.
    """
    first, second, third = rotation
    yaw = math.atan2(second[0], first[0])
    s, c = math.sin(yaw), math.cos(yaw)
    pitch = math.atan2(-third[0], c * first[0] + s * second[0])
    roll = math.atan2(-(c * second[2] - s * first[2]), c * second[1] - s * first[1])
    return roll, pitch, yaw


def turn_origin(joint: etree._Element, pose: Pose, angle: float) -> None:
    """Turn a connector, which is at `pose`, about its own z axis; its place stays as it is written."""
    origin = joint.find("origin")
    if origin is None:
        origin = etree.Element("origin")
        origin.tail = joint.text
        joint.insert(0, origin)
    origin.attrib.pop("quat_xyzw", None)
    turned = pose @ Pose(rotation_about((0.0, 0.0, 1.0), angle), (0.0, 0.0, 0.0))
    origin.set("rpy", " ".join(map(_number, precise_angles(turned.rotation))))


def _number(value: float) -> str:
    return "0" if value == 0.0 else repr(value)
