"""Links, joints and transmissions of a robot as calls of the runtime. What is as its default is left out."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Final

from urdf_frontend import typed
from urdf_frontend.model import (
    Collision,
    Geometry,
    Inertia,
    Item,
    Joint,
    JointType,
    Limit,
    Link,
    Material,
    Number,
    Origin,
    Transmission,
    Vector,
    Visual,
)
from urdf_frontend.model.fields import Field, Kind, type_of, values_of
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
        named["dynamics"] = None if joint.dynamics is None else _or_none(_numbers("Dynamics", joint.dynamics))
        named["mimic"] = None if joint.mimic is None else _numbers("Mimic", joint.mimic, plan.joint(joint.mimic.joint))
        named["calibration"] = None if joint.calibration is None else _numbers("Calibration", joint.calibration)
        named["safety"] = None if joint.safety is None else _numbers("Safety", joint.safety)
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


def _triple(values: Sequence[float], default: object) -> ast.expr | None:
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
        "material": _material(visual.look_or_material),
        "name": None if visual.name is None else literal(visual.name),
    }
    return call("Visual", _shape(visual.geometry), named=named)


def _collision(collision: Collision) -> ast.expr:
    name = None if collision.name is None else literal(collision.name)
    return call("Collision", _shape(collision.geometry), named={"origin": _origin(collision.origin), "name": name})


def _shape(shape: Geometry | None) -> ast.expr:
    if shape is None:
        return literal(None)
    found = type_of(shape)
    if found is None:
        return call("OtherShape", literal(shape.tag))
    values = [(each, getattr(shape, each.attribute)) for each in found.fields if each.kind is not Kind.CHOICE]
    required = [_required(each, value) for each, value in values if each.is_required]
    named = {
        each.attribute: _triple(value.values, each.default)
        for each, value in values
        if isinstance(value, Vector) and not each.is_required
    }
    return call(found.model.__name__, *required, named=named)


def _required(field: Field, value: Number | Vector | str | None) -> ast.expr:
    match value:
        case None:
            return numbers(_ZERO) if field.kind is Kind.VECTOR else literal(0.0)
        case Vector():
            return numbers(value.values)
    return literal(value.value if isinstance(value, Number) else value)


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
    return None if limit is None else _or_none(_numbers("PositionLimits" if is_bounded else "Limits", limit))


def _numbers(name: str, item: Item, *first: ast.expr) -> ast.Call:
    """A call of a class of the runtime, with those numbers of an element that it has."""
    kind = getattr(typed, name)
    named = {
        field.attribute: _number(value, getattr(kind, field.attribute))
        for field, value in values_of(item)
        if isinstance(value, Number) and hasattr(kind, field.attribute)
    }
    return call(name, *first, named=named)


def _or_none(made: ast.Call) -> ast.Call | None:
    """None for a call that says nothing."""
    return made if made.keywords else None
