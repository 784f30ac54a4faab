"""The values of links and joints, as fields of their parameter records.

What the URDF file does not say is not a field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import evolve, frozen

from modelica_ast.graphics import Color, CoordinateSystem, Extent, Line, Placement, Point, Transformation
from modelica_ast.tree import Constructor, Real, Reference
from urdf_frontend.robot import (
    Collision,
    Field,
    Geometry,
    Item,
    Joint,
    JointType,
    Kind,
    Kinematics,
    Link,
    Number,
    Part,
    Vector,
    Visual,
    contents_of,
    follows,
    numbered,
    type_of,
    values_of,
)

# ---------------------------------------------------------------- values
# Values of URDF as values of Modelica. A number keeps its author's text where that is a literal of Modelica.

# What Modelica reads as the same number. A whole number that is too long for an Integer would not be one.
_LITERAL: Final = re.compile(r"-?(?:[0-9]{1,9}|[0-9]+\.[0-9]*|[0-9]+(?:\.[0-9]*)?[eE][+-]?[0-9]+)")

Fields = Mapping[str, Any]


def real(number: Number) -> Real:
    """A number as it is written, or else in the shortest text that reads back equal."""
    return Real(number.text if _LITERAL.fullmatch(number.text) else repr(number.value))


def reals(vector: Vector) -> list[Real]:
    """The numbers of a vector."""
    return [real(number) for number in vector.numbers]


def real_of(value: float) -> Real:
    """A number that was computed."""
    return Real(repr(float(value)))


def enumeration(library: str, field: Field, value: str | JointType) -> Reference:
    """A type of joints or shapes, in a library that calls it as URDF does where Modelica lets it."""
    word = "fixedJoint" if value is JointType.FIXED else value.value if isinstance(value, JointType) else value
    assert field.record, "enumerations are fields of records"
    return Reference(f"{library}.Types.{field.record[0].upper()}{field.record[1:]}.{word}")


def given_reals(item: Item) -> dict[str, Real]:
    """The numbers that an element gives, by their names in its record."""
    return {field.record: real(value) for field, value in values_of(item) if field.record and isinstance(value, Number)}


def constructor(name: str, fields: Fields, indent: int | None = None) -> Constructor | None:
    """A record with these fields; None if there are none, for then its default says the same."""
    return Constructor(name, fields, indent) if fields else None


# ---------------------------------------------------------------- part values

# Records that are fields of a link or joint have a line for each of their own fields.
_INNER_LINES: Final = 6
_INNER_LINES_OF_COMPONENT: Final = 4


def geometry_kind(geometry: Geometry | None) -> str | None:
    """The name of its kind in the template library; None for a shape that URDF does not define."""
    return None if geometry is None or type_of(geometry) is None else geometry.tag


@frozen
class PartValues:
    """Makes the values.

    `library` is the name of the template library, `resource` says what a mesh or texture is called in the package.
    """

    library: str
    resource: Callable[[str], str]

    def link(self, link: Link, visuals: list[Visual], collisions: list[Collision]) -> dict[str, Any]:
        """The fields that `Records.Link` has: the first visual and the first collision."""
        first = evolve(link, visuals=tuple(visuals[:1]), collisions=tuple(collisions[:1]))
        return self._fields(first, _INNER_LINES)

    def more_of_link(self, visuals: list[Visual], collisions: list[Collision]) -> dict[str, Constructor]:
        """The fields that a link with several visuals or collisions adds: `visual2`, …"""
        lines = _INNER_LINES_OF_COMPONENT
        more = {numbered("visual", n): self._part(each, lines) for n, each in enumerate(visuals[1:], 2)}
        return more | {numbered("collision", n): self._part(each, lines) for n, each in enumerate(collisions[1:], 2)}

    def joint(self, joint: Joint) -> dict[str, Any]:
        """The fields that `Records.Joint` has."""
        return self._fields(joint)

    def _fields(self, item: Item, lines: int | None = None) -> dict[str, Any]:
        """The fields of its record. The table has no element inside of itself, so this goes three deep."""
        made = (
            (name, self._part(value, lines) if isinstance(member, Part) else self._value(member, value))
            for name, member, value in contents_of(item)
            if name is not None
        )
        return {name: value for name, value in made if value is not None}

    def _part(self, item: Item, lines: int | None) -> Any:
        """A record, or the value that stands for one; None if the file says nothing."""
        found = type_of(item)
        assert found is not None, "shapes of other kinds are left out before"
        fields = self._fields(item)
        if found.record is None:
            return fields.get("")
        return constructor(f"{self.library}.Records.{found.record}", fields, lines if found.is_nested else None)

    def _value(self, field: Field, value: Any) -> Any:
        match value:
            case Number():
                return real(value)
            case Vector():
                return reals(value)
            case _ if field.kind is Kind.CHOICE:
                return enumeration(self.library, field, value)
        return self.resource(value) if field.kind is Kind.FILE else value


# ---------------------------------------------------------------- connectors
# The connectors of a robot model, and which link or joint each of them belongs to.

ROOT_FRAME: Final = "frame_a"
LEAF_FRAMES: Final = "frame_b"
_FLANGES: Final = tuple(f"{kind}_flange_{side}" for kind in ("rotational", "translational") for side in "ab")
CONNECTORS: Final = frozenset((ROOT_FRAME, LEAF_FRAMES, *_FLANGES))


def leaf_frames(kinematics: Kinematics) -> dict[str, str]:
    """The frames at the ends of a robot by the names of their links, in the order of the file."""
    return {leaf: f"{LEAF_FRAMES}[{number}]" for number, leaf in enumerate(kinematics.leaves, 1)}


def flanges(joints: Iterable[Joint]) -> Iterator[tuple[Joint, str, str]]:
    """(joint, its flange, its support) of all joints that can be driven, in the order of the file."""
    counts = {"rotational": 0, "translational": 0}
    for joint in joints:
        if joint.type.is_single and not follows(joint):
            kind = "rotational" if joint.type.is_rotational else "translational"
            counts[kind] += 1
            yield joint, f"{kind}_flange_a[{counts[kind]}]", f"{kind}_flange_b[{counts[kind]}]"


# ---------------------------------------------------------------- figures
# Placements and lines as the diagrams of robots have them.

Xy = tuple[int, int]

_FRAME_COLOR: Final = Color(95, 95, 95)  # that of connections between frames in the Standard Library
_FRAME_THICKNESS: Final = 0.5
_BACKGROUND_COLOR: Final = Color(175, 175, 175)
_FLANGE_COLORS: Final = {
    True: (Color(0, 0, 0), Color(128, 128, 128)),
    False: (Color(0, 127, 0), Color(110, 180, 110)),
}


def frame_line(*points: Xy) -> Line:
    """The line of a connection between frames."""
    return Line(points=tuple(Point(*point) for point in points), color=_FRAME_COLOR, thickness=_FRAME_THICKNESS)


def background_line(*points: Xy) -> Line:
    """Likewise, where it crosses others that matter more."""
    return Line(points=tuple(Point(*point) for point in points), color=_BACKGROUND_COLOR)


def flange_line(*points: Xy, rotational: bool, outside: bool = False) -> Line:
    """The line of a connection between flanges, in the colour of the Standard Library; lighter if it leads outside."""
    color = _FLANGE_COLORS[rotational][outside]
    return Line(points=tuple(Point(*point) for point in points), color=color)


def placement(x: int, y: int, half: int) -> Placement:
    """A component around a point, `half` to each side."""
    return Placement(transformation=Transformation(extent=_extent((x - half, y - half), (x + half, y + half))))


def turned_placement(x: int, y: int, half: int, rotation: int) -> Placement:
    """A component around a point, turned counter-clockwise by some degrees."""
    extent = _extent((-half, -half), (half, half))
    return Placement(transformation=Transformation(extent=extent, rotation=rotation, origin=Point(x, y)))


def coordinate_system(low: Xy, high: Xy) -> CoordinateSystem:
    """A diagram between two corners."""
    return CoordinateSystem(extent=_extent(low, high))


def _extent(low: Xy, high: Xy) -> Extent:
    return Extent(Point(*low), Point(*high))
