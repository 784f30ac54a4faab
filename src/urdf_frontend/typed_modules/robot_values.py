"""Links, joints and transmissions of a robot as calls of the runtime. What is as its default is left out."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Final

from urdf_frontend.model import (
    Box,
    Calibration,
    Capsule,
    Collision,
    Cylinder,
    Dynamics,
    Geometry,
    Inertia,
    Joint,
    JointType,
    Limit,
    Link,
    Material,
    Mesh,
    Mimic,
    Number,
    Origin,
    Safety,
    Sphere,
    Transmission,
    Vector,
    Visual,
)
from urdf_frontend.typed_modules.blueprint import Blueprint
from urdf_frontend.typed_modules.nodes import call, literal, numbers, texts, tuple_of

JOINT_CLASSES: Final = {
    JointType.REVOLUTE: "RevoluteJoint",
    JointType.CONTINUOUS: "ContinuousJoint",
    JointType.PRISMATIC: "PrismaticJoint",
    JointType.PLANAR: "PlanarJoint",
    JointType.FIXED: "FixedJoint",
    JointType.FLOATING: "FloatingJoint",
}
_ZERO: Final = (0.0, 0.0, 0.0)
_X: Final = (1.0, 0.0, 0.0)
_ONES: Final = (1.0, 1.0, 1.0)
_SPEEDS: Final = ("effort", "velocity", "acceleration", "deceleration", "jerk")
_BOUNDS: Final = ("lower", "upper")


def link_call(plan: Blueprint, link: Link) -> ast.Call:
    """`typed.Link(…)`."""
    inertial = link.inertial
    named = {} if inertial is None else {"mass": _number(inertial.mass, 0.0), "origin": _origin(inertial.origin)}
    if inertial is not None:
        named["inertia"] = _inertia(inertial.inertia)
    named["visuals"] = _several(map(_visual, link.visuals))
    named["collisions"] = _several(map(_collision, link.collisions))
    return call("Link", plan.link(link.name), named=named)


def joint_call(plan: Blueprint, joint: Joint) -> ast.Call:
    """`typed.RevoluteJoint(…)`, or of another type."""
    named: dict[str, ast.expr | None] = {"origin": _origin(joint.origin)}
    if joint.type.has_axis:
        named["axis"] = _triple(joint.direction, _X)
    if joint.type.is_single:
        named["limits"] = _limits(joint.limit, is_bounded=joint.type is not JointType.CONTINUOUS)
        named["dynamics"] = _dynamics(joint.dynamics)
        named["mimic"] = _mimic(plan, joint.mimic)
        named["calibration"] = _calibration(joint.calibration)
        named["safety"] = _safety(joint.safety)
    ends = (plan.joint(joint.name), plan.link(joint.parent), plan.link(joint.child))
    return call(JOINT_CLASSES[joint.type], *ends, named=named)


def transmission_call(plan: Blueprint, transmission: Transmission) -> ast.Call:
    """`typed.Transmission(…)`; joints that the robot does not have are left out."""

    def both(interfaces: Sequence[str], reduction: Number | None) -> dict[str, ast.expr | None]:
        listed = texts(interfaces) if interfaces else None
        return {"hardware_interfaces": listed, "mechanical_reduction": _number(reduction)}

    joints = [
        call(
            "TransmissionJoint", plan.joint(each.name), named=both(each.hardware_interfaces, each.mechanical_reduction)
        )
        for each in transmission.joints
        if each.name in plan.joints
    ]
    actuators = [
        call("Actuator", literal(each.name), named=both(each.hardware_interfaces, each.mechanical_reduction))
        for each in transmission.actuators
    ]
    named = {
        "joints": _several(joints),
        "actuators": _several(actuators),
        "mechanical_reduction": _number(transmission.mechanical_reduction),
    }
    return call("Transmission", literal(transmission.name), literal(transmission.type), named=named)


def _several(calls: Iterable[ast.expr]) -> ast.expr | None:
    made = list(calls)
    return tuple_of(made) if made else None


def _number(number: Number | None, default: float | None = None) -> ast.expr | None:
    return None if number is None or number.value == default else literal(number.value)


def _required(number: Number | None) -> ast.expr:
    return literal(0.0 if number is None else number.value)


def _triple(values: Sequence[float], default: Sequence[float]) -> ast.expr | None:
    return None if tuple(values) == default else numbers(values)


def _origin(origin: Origin | None) -> ast.expr | None:
    if origin is None or (origin.translation == _ZERO and origin.angles == _ZERO):
        return None
    if origin.angles == _ZERO:
        return call("Origin", numbers(origin.translation))
    if origin.translation == _ZERO:
        return call("Origin", named={"rpy": numbers(origin.angles)})
    return call("Origin", numbers(origin.translation), numbers(origin.angles))


def _inertia(inertia: Inertia | None) -> ast.expr | None:
    return None if inertia is None else call("Inertia", *map(literal, inertia.values))


def _visual(visual: Visual) -> ast.expr:
    named = {
        "origin": _origin(visual.origin),
        "material": _material(visual.look or visual.material),
        "name": None if visual.name is None else literal(visual.name),
    }
    return call("Visual", _shape(visual.geometry), named=named)


def _collision(collision: Collision) -> ast.expr:
    name = None if collision.name is None else literal(collision.name)
    return call("Collision", _shape(collision.geometry), named={"origin": _origin(collision.origin), "name": name})


def _shape(shape: Geometry | None) -> ast.expr:
    match shape:
        case None:
            return literal(None)
        case Box(size=size):
            return call("Box", numbers(_ZERO if size is None else size.values))
        case Cylinder(radius=radius, length=length):
            return call("Cylinder", _required(radius), _required(length))
        case Capsule(radius=radius, length=length):
            return call("Capsule", _required(radius), _required(length))
        case Sphere(radius=radius):
            return call("Sphere", _required(radius))
        case Mesh(filename=filename):
            return call("Mesh", literal(filename), named={"scale": _triple(shape.scales, _ONES)})
        case _:
            return call("OtherShape", literal(shape.tag))


def _material(material: Material | None) -> ast.expr | None:
    if material is None:
        return None
    rgba: Vector | None = None if material.colour is None else material.colour.rgba
    named = {
        "name": None if material.name is None else literal(material.name),
        "rgba": None if rgba is None or material.colour is None else numbers(material.colour.clamped),
        "texture": None if material.texture is None else literal(material.texture.filename),
    }
    return call("Material", named=named)


def _limits(limit: Limit | None, *, is_bounded: bool) -> ast.expr | None:
    if limit is None:
        return None
    fields = (*_BOUNDS, *_SPEEDS) if is_bounded else _SPEEDS
    named = {field: _number(getattr(limit, field)) for field in fields}
    return call("PositionLimits" if is_bounded else "Limits", named=named) if any(named.values()) else None


def _dynamics(dynamics: Dynamics | None) -> ast.expr | None:
    if dynamics is None:
        return None
    named = {"damping": _number(dynamics.damping, 0.0), "friction": _number(dynamics.friction, 0.0)}
    return call("Dynamics", named=named) if any(named.values()) else None


def _mimic(plan: Blueprint, mimic: Mimic | None) -> ast.expr | None:
    if mimic is None:
        return None
    named = {"multiplier": _number(mimic.multiplier, 1.0), "offset": _number(mimic.offset, 0.0)}
    return call("Mimic", plan.joint(mimic.joint), named=named)


def _calibration(calibration: Calibration | None) -> ast.expr | None:
    if calibration is None:
        return None
    fields = ("rising", "falling", "reference_position")
    return call("Calibration", named={field: _number(getattr(calibration, field)) for field in fields})


def _safety(safety: Safety | None) -> ast.expr | None:
    if safety is None:
        return None
    fields = ("soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity")
    return call("Safety", named={field: _number(getattr(safety, field)) for field in fields})
