"""Where each value of a parameter record stands in the URDF file: for reports, and for writing values back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from urdf_frontend.building import BuildOptions
from urdf_frontend.building.part_values import numbered
from urdf_frontend.building.parts import JOINTS, LINKS, shown_collisions, shown_visuals
from urdf_frontend.model import (
    Box,
    Capsule,
    Collision,
    Cylinder,
    Item,
    Joint,
    Link,
    Mesh,
    Number,
    Origin,
    Sphere,
    Vector,
    Visual,
)
from urdf_frontend.model.places import Place
from urdf_frontend.names import NameTable
from urdf_frontend.reader import ReadResult
from urdf_frontend.reading.document import Document

_INERTIA: Final = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_SAFETY: Final = {
    "softLowerLimit": "soft_lower_limit",
    "softUpperLimit": "soft_upper_limit",
    "kPosition": "k_position",
    "kVelocity": "k_velocity",
}
_PLAIN_PARTS: Final = {
    "limit": ("lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"),
    "dynamics": ("damping", "friction"),
    "mimic": ("multiplier", "offset"),
    "calibration": ("rising", "falling"),
}


@frozen
class UrdfValue:
    """A value of a record: the numbers that it is made of, if it is, and where it stands."""

    place: Place
    numbers: tuple[Number, ...] = ()
    is_vector: bool = False

    @property
    def can_be_written(self) -> bool:
        """Is each number a stretch of the file of its own?"""
        return bool(self.numbers) and all(number.span is not None for number in self.numbers)


def urdf_values(urdf: ReadResult, names: NameTable, options: BuildOptions) -> dict[tuple[str, str], UrdfValue]:
    """All values by file and path: `("Links/armParams.mo", "inertial.mass")`; a path may name a group of values."""
    robot, document = urdf.robot, urdf.document
    assert robot is not None, "it was built"
    assert document is not None
    found: dict[tuple[str, str], UrdfValue] = {}
    for link in robot.links:
        file = f"{LINKS}/{names.link(link.name).parameters}.mo"
        found |= {(file, path): value for path, value in _link(link, options)}
    for joint in robot.joints:
        file = f"{JOINTS}/{names.joint(joint.name).parameters}.mo"
        found |= {(file, path): value for path, value in _joint(joint)}
    return {key: _with_line(value, document) for key, value in found.items()}


def _with_line(value: UrdfValue, document: Document) -> UrdfValue:
    """The place of the number itself: its element may begin lines before it."""
    span = value.numbers[0].span if value.numbers else None
    return value if span is None else evolve(value, place=document.place(span, value.place.xpath))


def _link(link: Link, options: BuildOptions) -> Iterator[tuple[str, UrdfValue]]:
    yield "name", UrdfValue(link.place)
    inertial = link.inertial
    if inertial is not None:
        yield "inertial", UrdfValue(inertial.place)
        yield from _origin("inertial", inertial.origin)
        yield from _number("inertial.mass", inertial.mass, inertial)
        if inertial.inertia is not None:
            yield from _numbers("inertial.inertia", inertial.inertia, dict(zip(_INERTIA, _INERTIA, strict=True)))
    for n, visual in enumerate(shown_visuals(link), 1):
        yield from _shape(numbered("visual", n), visual)
        if visual.look is not None and visual.look.colour is not None:
            colour = visual.look.colour
            yield from _vector(f"{numbered('visual', n)}.material.rgba", colour.rgba, colour)
    for n, collision in enumerate(shown_collisions(link, options), 1):
        yield from _shape(numbered("collision", n), collision)


def _shape(path: str, shape: Visual | Collision) -> Iterator[tuple[str, UrdfValue]]:
    yield path, UrdfValue(shape.place)
    yield from _origin(path, shape.origin)
    geometry = shape.geometry
    if geometry is None:
        return
    inside = f"{path}.geometry"
    yield inside, UrdfValue(geometry.place)
    match geometry:
        case Box():
            yield from _vector(f"{inside}.size", geometry.size, geometry)
        case Cylinder() | Capsule():
            yield from _numbers(inside, geometry, {"radius": "radius", "length": "length"})
        case Sphere():
            yield from _numbers(inside, geometry, {"radius": "radius"})
        case Mesh():
            yield from _vector(f"{inside}.scale", geometry.scale, geometry)


def _joint(joint: Joint) -> Iterator[tuple[str, UrdfValue]]:
    for path in ("name", "jointType", "parent", "child"):
        yield path, UrdfValue(joint.place)
    yield from _origin("", joint.origin)
    if joint.axis is not None:
        yield from _vector("axis", joint.axis.xyz, joint.axis)
    for part, fields in _PLAIN_PARTS.items():
        item: Item | None = getattr(joint, part)
        if item is not None:
            yield from _numbers(part, item, dict(zip(fields, fields, strict=True)))
    if joint.safety is not None:
        yield from _numbers("safetyController", joint.safety, _SAFETY)


def _origin(path: str, origin: Origin | None) -> Iterator[tuple[str, UrdfValue]]:
    if origin is None:
        return
    inside = f"{path}.origin" if path else "origin"
    yield inside, UrdfValue(origin.place)
    yield from _vector(f"{inside}.xyz", origin.xyz, origin)
    if origin.quat_xyzw is not None:  # the record has angles, which are no numbers of the file
        yield f"{inside}.rpy", UrdfValue(origin.quat_xyzw.place)
    else:
        yield from _vector(f"{inside}.rpy", origin.rpy, origin)


def _numbers(path: str, item: Item, fields: dict[str, str]) -> Iterator[tuple[str, UrdfValue]]:
    yield path, UrdfValue(item.place)
    for field, attribute in fields.items():
        yield from _number(f"{path}.{field}", getattr(item, attribute), item)


def _number(path: str, number: Number | None, item: Item) -> Iterator[tuple[str, UrdfValue]]:
    if number is not None:
        yield path, UrdfValue(item.place, (number,))


def _vector(path: str, vector: Vector | None, item: Item) -> Iterator[tuple[str, UrdfValue]]:
    if vector is not None:
        place = vector.place if vector.place.line else item.place
        yield path, UrdfValue(place, vector.numbers, is_vector=True)
