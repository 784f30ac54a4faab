"""The values of links and joints as the records of URDFModelica have them.

Its script writes every field. What the URDF file does not say has the default of the library, so a link without
anything gives all the defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from modelica_ast import Constructor, Real, Reference
from urdf_frontend.building.part_values import geometry_kind
from urdf_frontend.building.values import real, real_of, reals
from urdf_frontend.model import (
    Box,
    Collision,
    Cylinder,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Link,
    Material,
    Mesh,
    Number,
    Origin,
    Sphere,
    Vector,
    Visual,
)

LIBRARY: Final = "URDFModelica"
LINK_RECORD: Final = f"{LIBRARY}.Records.Link"
JOINT_RECORD: Final = f"{LIBRARY}.Records.Joint"
_KINDS: Final = frozenset({"box", "cylinder", "sphere", "mesh"})  # the library has no capsules
_SAFETY: Final = ("soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity")
# From the fields of this project's records to those of URDFModelica, where they are called otherwise.
_OTHER_NAMES: Final = {
    "axis": "axis.xyz",
    "parent": "parent.link",
    "child": "child.link",
    "safetyController": "safety_controller",
    "safetyController.softLowerLimit": "safety_controller.soft_lower_limit",
    "safetyController.softUpperLimit": "safety_controller.soft_upper_limit",
    "safetyController.kPosition": "safety_controller.k_position",
    "safetyController.kVelocity": "safety_controller.k_velocity",
}

Fields = Mapping[str, Any]  # by path, `inertial.mass`: a Real, a list of them, a text, a truth, a Reference


def script_path(path: str) -> str:
    """A path in a record of this project as one in a record of URDFModelica."""
    return _OTHER_NAMES.get(path, path)


def known_visual(link: Link) -> Visual | None:
    """The visual that a record has: the first one of a kind that the library knows."""
    return next((each for each in link.visuals if geometry_kind(each.geometry) in _KINDS), None)


def known_collision(link: Link) -> Collision | None:
    """The collision element that a record has."""
    return next((each for each in link.collisions if geometry_kind(each.geometry) in _KINDS), None)


def link_fields(link: Link) -> dict[str, Any]:
    """All fields of `Records.Link`, in its order."""
    visual, collision = known_visual(link), known_collision(link)
    found: dict[str, Any] = {"name": link.name, "hasVisual": visual is not None, "hasCollision": collision is not None}
    found |= _below("inertial", _inertial(link.inertial))
    found |= _below("visual", _shape(visual))
    look = None if visual is None else visual.look or visual.material
    found |= _below("visual.material", _material(look))
    return found | _below("collision", _shape(collision))


def joint_fields(joint: Joint) -> dict[str, Any]:
    """All fields of `Records.Joint`, in its order."""
    limit, dynamics, calibration, mimic = joint.limit, joint.dynamics, joint.calibration, joint.mimic
    safety = joint.safety
    name = "fixedJoint" if joint.type is JointType.FIXED else joint.type.value
    found: dict[str, Any] = {
        "name": joint.name,
        "hasCalibration": calibration is not None,
        "hasDynamics": dynamics is not None,
        "hasLimit": limit is not None,
        "hasMimic": mimic is not None,
        "hasSafety_controller": safety is not None,
        "jointType": Reference(f"{LIBRARY}.Types.JointType.{name}"),
    }
    found |= _below("origin", _origin(joint.origin))
    found |= {"parent.link": joint.parent, "child.link": joint.child}
    found["axis.xyz"] = _vector(None if joint.axis is None else joint.axis.xyz, "1.0", "0.0", "0.0")
    found |= _below("calibration", _numbers(calibration, ("rising", "falling")))
    found |= _below("dynamics", _numbers(dynamics, ("damping", "friction")))
    found |= _below("limit", _numbers(limit, ("lower", "upper", "effort", "velocity")))
    found["mimic.joint"] = "defaultJointName" if mimic is None else mimic.joint
    found["mimic.multiplier"] = _number(None if mimic is None else mimic.multiplier, "1.0")
    found["mimic.offset"] = _number(None if mimic is None else mimic.offset)
    return found | _below("safety_controller", _numbers(safety, _SAFETY))


def constructor_of(record: str, fields: Fields) -> Constructor:
    """A part of a record as the call that makes it; its fields are by their paths inside of it."""
    return Constructor(f"{LIBRARY}.Records.{record.capitalize()}", arguments_of(fields))


def arguments_of(fields: Fields, indent: int | None = None) -> dict[str, Any]:
    """Fields by their paths as arguments. A part that has parts gets a line for each of its own fields, if indented."""
    parts: dict[str, dict[str, Any]] = {}
    arguments: dict[str, Any] = {}
    for path, value in fields.items():
        first, _, rest = path.partition(".")
        if rest:
            parts.setdefault(first, {})[rest] = value
            arguments[first] = None  # its place among the others
        else:
            arguments[first] = value
    for name, inner in parts.items():  # records of URDFModelica are three deep, so this goes no deeper
        part = constructor_of(name, inner)
        is_large = indent is not None and any("." in path for path in inner)
        arguments[name] = Constructor(part.name, part.arguments, indent) if is_large else part
    return arguments


def _below(path: str, fields: Fields) -> dict[str, Any]:
    return {f"{path}.{name}": value for name, value in fields.items()}


def _inertial(inertial: Inertial | None) -> dict[str, Any]:
    found = _below("origin", _origin(None if inertial is None else inertial.origin))
    found["mass"] = _number(None if inertial is None else inertial.mass)
    inertia = None if inertial is None else inertial.inertia
    return found | _below("inertia", _numbers(inertia, ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")))


def _origin(origin: Origin | None) -> dict[str, Any]:
    xyz = _vector(None if origin is None else origin.xyz, "0.0", "0.0", "0.0")
    if origin is not None and origin.quat_xyzw is not None:  # the records have angles
        return {"xyz": xyz, "rpy": [real_of(angle) for angle in origin.angles]}
    return {"xyz": xyz, "rpy": _vector(None if origin is None else origin.rpy, "0.0", "0.0", "0.0")}


def _shape(shape: Visual | Collision | None) -> dict[str, Any]:
    found = _below("origin", _origin(None if shape is None else shape.origin))
    return found | _below("geometry", _geometry(None if shape is None else shape.geometry))


def _geometry(geometry: Geometry | None) -> dict[str, Any]:
    kind = geometry_kind(geometry) or "sphere"
    size, length, radius, filename, scale = None, None, None, "defaultMeshPath", None
    match geometry:
        case Box():
            size = geometry.size
        case Cylinder():
            length, radius = geometry.length, geometry.radius
        case Sphere():
            radius = geometry.radius
        case Mesh():
            filename, scale = geometry.filename, geometry.scale
    return {
        "geometryType": Reference(f"{LIBRARY}.Types.GeometryType.{kind}"),
        "size": _vector(size, "1.0", "1.0", "1.0"),
        "length": _number(length, "1.0"),
        "radius": _number(radius, "1.0"),
        "filename": filename,
        "scale": _vector(scale, "1.0", "1.0", "1.0"),
    }


def _material(look: Material | None) -> dict[str, Any]:
    rgba = [Real("0.5"), Real("0.5"), Real("0.5"), Real("1.0")]
    if look is not None and look.colour is not None:
        in_range = all(0.0 <= value <= 1.0 for value in look.colour.rgba.values)
        rgba = reals(look.colour.rgba) if in_range else [real_of(value) for value in look.colour.clamped]
    texture = None if look is None or look.texture is None else look.texture.filename
    name = "defaultMaterialName" if look is None else look.name or ""
    return {"name": name, "rgba": rgba, "texture": texture or "defaultTextureFilename"}


def _numbers(item: object, names: Iterable[str]) -> dict[str, Any]:
    return {name: _number(None if item is None else getattr(item, name)) for name in names}


def _number(number: Number | None, default: str = "0.0") -> Real:
    return Real(default) if number is None else real(number)


def _vector(vector: Vector | None, *defaults: str) -> list[Real]:
    return [Real(text) for text in defaults] if vector is None else reals(vector)


LINK_DEFAULTS: Final = link_fields(Link(name=""))
JOINT_DEFAULTS: Final = joint_fields(Joint(name="", type=JointType.FIXED))
