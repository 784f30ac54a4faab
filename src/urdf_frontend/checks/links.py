"""Masses, inertias and shapes."""

from __future__ import annotations

import math
from typing import Final

from urdf_frontend.diagnostics import Findings, quoted
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model.fields import INERTIA, values_of
from urdf_frontend.model.geometry import Geometry, Mesh
from urdf_frontend.model.joints import JointType
from urdf_frontend.model.links import Inertia, Inertial, Link
from urdf_frontend.model.numbers import Vector
from urdf_frontend.model.origins import Origin
from urdf_frontend.model.robot import Robot

# Of the trace: what is left when a tensor is written with a few digits, or turned from other axes.
_ROUNDING: Final = 1e-6
_UNIT_ROUNDING: Final = 1e-3


def check_links(robot: Robot, kinematics: Kinematics, findings: Findings) -> None:
    """All links, one by one."""
    carried = _carried_mass(robot, kinematics)
    for link in robot.links:
        _inertial(link, findings)
        _moving_mass(link, carried[link.name], kinematics, findings)
        for part in link.parts:
            if part.geometry is not None:
                _geometry(part.geometry, findings)
            _quaternion(part.origin, findings)
        if link.inertial is not None:
            _quaternion(link.inertial.origin, findings)
    for joint in robot.joints:
        _quaternion(joint.origin, findings)


def _carried_mass(robot: Robot, kinematics: Kinematics) -> dict[str, float]:
    """The mass of each link and all that is fixed to it, below it."""
    carried = {link.name: _mass(link) for link in reversed(robot.links)}
    for joint in reversed(kinematics.joint_order()):
        if joint.type is JointType.FIXED:
            carried[joint.parent] += carried[joint.child]
    return carried


def _mass(link: Link) -> float:
    mass = None if link.inertial is None else link.inertial.mass
    return 0.0 if mass is None else mass.value


def _moving_mass(link: Link, carried: float, kinematics: Kinematics, findings: Findings) -> None:
    joint = kinematics.joint_above(link.name)
    if joint is None or joint.type is JointType.FIXED:
        return  # what it is fixed to carries it
    if link.inertial is None:
        rest = "; what is fixed to it has mass" if carried > 0 else ""
        message = f"the link {quoted(link.name)} is moved by a joint and has no <inertial>; its mass is 0{rest}"
        findings.report("urdf-no-inertial", link.place, message)


def _inertial(link: Link, findings: Findings) -> None:
    inertial = link.inertial
    if inertial is None:
        return
    mass = inertial.mass
    if mass is not None and mass.value < 0:
        findings.report("urdf-mass-negative", inertial.place, f"the mass {mass.text} is negative")
    elif mass is not None and mass.value == 0:
        findings.report("urdf-mass-zero", inertial.place, f"the mass of the link {quoted(link.name)} is 0")
    _inertia(inertial, findings)


def _inertia(inertial: Inertial, findings: Findings) -> None:
    inertia = inertial.inertia
    if inertia is None:
        if inertial.mass is None or inertial.mass.value != 0:
            message = "<inertial> has a mass and no <inertia>; it is taken as a point"
            findings.report("urdf-inertia-missing", inertial.place, message)
        return
    if len(list(values_of(inertia))) < len(INERTIA.fields):
        return  # reported where it was read
    smallest, middle, largest = principal_moments(inertia)
    slack = _ROUNDING * max(abs(smallest), abs(largest))
    if smallest < -slack:
        message = f"the inertia has the principal moment {smallest:.6g}, and no body has a negative one"
        findings.report("urdf-inertia-negative", inertia.place, message)
    elif smallest <= slack:
        if inertial.mass is None or inertial.mass.value != 0:
            what = "a principal moment of the inertia is 0" if largest > 0 else "the inertia is 0"
            findings.report("urdf-inertia-zero", inertia.place, what)
    elif smallest + middle < largest - slack:
        message = (
            f"the principal moments {smallest:.6g}, {middle:.6g} and {largest:.6g} break the triangle inequality: "
            "no body has them"
        )
        findings.report("urdf-inertia-triangle", inertia.place, message)


def principal_moments(inertia: Inertia) -> tuple[float, float, float]:
    """The eigenvalues of the tensor, the smallest first."""
    a, d, e, b, f, c = inertia.values
    scale = max(map(abs, (a, b, c, d, e, f)))
    if scale == 0.0:
        return 0.0, 0.0, 0.0
    a, b, c, d, e, f = (value / scale for value in (a, b, c, d, e, f))
    off = d * d + e * e + f * f
    if off == 0.0:
        low, mid, high = sorted((a, b, c))
        return low * scale, mid * scale, high * scale
    # The trigonometric solution for symmetric 3 x 3 matrices: no iteration, and all three are real.
    mean = (a + b + c) / 3
    spread = math.sqrt(((a - mean) ** 2 + (b - mean) ** 2 + (c - mean) ** 2 + 2 * off) / 6)
    a, b, c, d, e, f = ((v - m) / spread for v, m in ((a, mean), (b, mean), (c, mean), (d, 0), (e, 0), (f, 0)))
    half = (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)) / 2
    angle = math.acos(min(max(half, -1.0), 1.0)) / 3
    high = mean + 2 * spread * math.cos(angle)
    low = mean + 2 * spread * math.cos(angle + 2 * math.pi / 3)
    return low * scale, (3 * mean - low - high) * scale, high * scale


def _geometry(geometry: Geometry, findings: Findings) -> None:
    if isinstance(geometry, Mesh) and geometry.scale is not None and 0.0 in geometry.scale.values:
        message = f"the mesh is scaled by {geometry.scale.text}, which leaves nothing of it"
        findings.report("urdf-scale", geometry.scale.place, message)
    lengths = [value for field, value in values_of(geometry) if field.unit == "m"]
    sizes = [size for value in lengths for size in (value.numbers if isinstance(value, Vector) else (value,))]
    wrong = next((size for size in sizes if size.value <= 0), None)
    if wrong is not None:
        findings.report("urdf-size", geometry.place, f"the size {wrong.text} is not positive")


def _quaternion(origin: Origin | None, findings: Findings) -> None:
    quaternion = None if origin is None else origin.quat_xyzw
    if quaternion is None:
        return
    length = math.hypot(*quaternion.values)
    if length == 0.0:
        findings.report("urdf-quaternion-zero", quaternion.place, "the quaternion is zero, and that is no rotation")
    elif abs(length - 1.0) > _UNIT_ROUNDING:
        message = f"the quaternion has the length {length:.6g}, not 1; it is normalised"
        findings.report("urdf-quaternion-not-unit", quaternion.place, message)
