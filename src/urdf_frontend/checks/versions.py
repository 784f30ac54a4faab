"""What a file says of its version, and what it uses of newer ones."""

from __future__ import annotations

from typing import Final

from urdf_frontend.diagnostics import Findings, quoted
from urdf_frontend.model.geometry import Capsule
from urdf_frontend.model.items import Item
from urdf_frontend.model.origins import Origin
from urdf_frontend.model.places import Place
from urdf_frontend.model.robot import Robot

VERSIONS: Final = ("1.0", "1.1", "1.2")


def check_version(robot: Robot, findings: Findings) -> None:
    """An unknown version is read as the newest one; older programs do not know what newer ones brought."""
    version = "1.0" if robot.version is None else robot.version
    if version == "1":
        version = "1.0"
    if version not in VERSIONS:
        message = f"there is no URDF version {quoted(version)}; it is read as {VERSIONS[-1]}"
        findings.report("urdf-version", robot.place, message, f"the versions are: {', '.join(VERSIONS)}")
        return
    for needed, what, place in _newer(robot):
        if needed > version:
            message = f"{what} is of URDF {needed}, and the file is of version {version}"
            findings.report("urdf-newer-version", place, message, f'write <robot version="{needed}" …>')


def _newer(robot: Robot) -> list[tuple[str, str, Place]]:
    found: list[tuple[str, str, Place]] = []
    origins: list[Origin | None] = [joint.origin for joint in robot.joints]
    shapes: list[Item | None] = []
    for link in robot.links:
        for part in link.parts:
            origins.append(part.origin)
            shapes.append(part.geometry)
        if link.inertial is not None:
            origins.append(link.inertial.origin)
    found += [("1.1", "<capsule>", shape.place) for shape in shapes if isinstance(shape, Capsule)]
    found += [("1.1", "'quat_xyzw'", origin.place) for origin in origins if origin is not None and origin.quat_xyzw]
    for joint in robot.joints:
        if joint.limit is not None:
            names = ("acceleration", "deceleration", "jerk")
            found += [("1.2", f"'{name}'", joint.limit.place) for name in names if getattr(joint.limit, name)]
    return found
