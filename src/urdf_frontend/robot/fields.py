"""The fields of URDF elements: one table for all who read, check, build, compare or export them.

An element type has its members in the order of its record: fields, which are values, and parts, which are elements
inside of it. A member that is called the same everywhere has one name here; the others say what they are called in the
file (`xml`, `tag`), in this project's records (`record`) and in those of DLR's URDFModelica (`script`).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final, TypeVar

from attrs import Factory, frozen

from urdf_frontend.robot.items import Item, Origin
from urdf_frontend.robot.mechanism import (
    Axis,
    Box,
    Calibration,
    Capsule,
    Collision,
    Colour,
    Cylinder,
    Dynamics,
    Inertia,
    Inertial,
    Joint,
    Limit,
    Link,
    LinkReference,
    Material,
    Mesh,
    Mimic,
    Safety,
    Sphere,
    Texture,
    Visual,
)

VERSIONS: Final = ("1.0", "1.1", "1.2")


class Kind(enum.Enum):
    """What a field has as its value."""

    NUMBER = "number"
    VECTOR = "vector"
    TEXT = "text"
    CHOICE = "enumeration"
    FILE = "file name"


def _same(name: str) -> Any:
    """A column that is as another one where the table does not say otherwise."""
    return Factory(lambda self: getattr(self, name), takes_self=True)


@frozen
class Field:
    """A value of an element. What `None` stands for is said with each column."""

    attribute: str  # of the model's class, as the file says it
    kind: Kind
    unit: str = ""  # of SI; where it depends on the joint, that of one that turns
    linear_unit: str = ""  # that of a joint that slides
    sizes: tuple[int, ...] = ()  # of a vector; those after the first are accepted too
    default: float | tuple[float, ...] | None = None  # of URDF; None: it names none
    script_default: float | tuple[float, ...] | str | None = _same("default")  # of URDFModelica
    is_required: bool = False  # and that it is absent is an error of its own
    is_magnitude: bool = False  # it can't be negative
    since: str = "1.0"  # the version of URDF that brought it
    noun: str = ""  # how a sentence calls it, if not by its attribute
    xml: str = Factory(lambda self: f"@{self.attribute}", takes_self=True)  # its XPath; "": the tag says it
    effective: str = _same("attribute")  # the attribute that has what counts
    record: str | None = _same("attribute")  # None: not there; "": the part's own name
    script: str | None = _same("record")  # likewise


@frozen
class Part:
    """An element inside of another one; `types` are the element types that it can have."""

    attribute: str
    types: tuple[ElementType, ...]
    tag: str = _same("attribute")
    effective: str = _same("attribute")
    record: str = _same("tag")
    script: str = _same("tag")
    script_flag: str = ""  # the field that says whether it is there
    is_repeated: bool = False


AMember = TypeVar("AMember", bound=Field | Part)


@frozen(slots=False)
class ElementType:
    """An element of URDF. Without a record, its only field is one of the record around it."""

    model: type[Item]
    record: str | None
    members: tuple[Field | Part, ...]
    since: str = "1.0"
    tag: str = ""  # of a shape: its part has several

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The members that are values."""
        return tuple(member for member in self.members if isinstance(member, Field))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The members that are elements."""
        return tuple(member for member in self.members if isinstance(member, Part))

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that it can have in the file."""
        return tuple(each.xml[1:] for each in self.fields if each.xml.startswith("@"))

    @cached_property
    def single_tags(self) -> tuple[str, ...]:
        """The elements that it can have once; a field may have one of its own."""
        inside = [each.xml.partition("/")[0] for each in self.fields if "/" in each.xml]
        return (*inside, *(part.tag for part in self.parts if not part.is_repeated))

    @cached_property
    def repeated_tags(self) -> tuple[str, ...]:
        """The elements that it can have several times."""
        return tuple(part.tag for part in self.parts if part.is_repeated)

    @cached_property
    def newer_fields(self) -> tuple[Field, ...]:
        """Those that the first version of URDF did not have."""
        return tuple(each for each in self.fields if each.since != VERSIONS[0])

    @cached_property
    def is_nested(self) -> bool:
        """Does its record have records inside?"""
        return any(inside.record is not None for part in self.parts for inside in part.types)

    def part(self, attribute: str) -> Part:
        """The part that the model has in this attribute."""
        return next(part for part in self.parts if part.attribute == attribute)


def _number(attribute: str, unit: str = "", linear_unit: str = "", **more: Any) -> Field:
    return Field(attribute, Kind.NUMBER, unit=unit, linear_unit=linear_unit, **more)


def _vector(attribute: str, *sizes: int, **more: Any) -> Field:
    return Field(attribute, Kind.VECTOR, sizes=sizes, **more)


_NAME: Final = Field("name", Kind.TEXT, noun="the name")
_ZERO: Final = (0.0, 0.0, 0.0)
_ONES: Final = (1.0, 1.0, 1.0)
_POSITION: Final = ("rad", "m")
_MOMENT: Final[dict[str, Any]] = {"unit": "kg.m2", "script_default": 0.0}
_LENGTH: Final[dict[str, Any]] = {"unit": "m", "is_required": True, "script_default": 1.0}
_MOST: Final[dict[str, Any]] = {"is_magnitude": True, "script_default": 0.0}  # a limit of what a joint can do
_NEWER: Final[dict[str, Any]] = {"is_magnitude": True, "script": None, "since": "1.2"}

ORIGIN: Final = ElementType(
    Origin,
    "Origin",
    (
        _vector("xyz", 3, unit="m", default=_ZERO),
        _vector("rpy", 3, unit="rad", default=_ZERO, effective="turn"),
        _vector("quat_xyzw", 4, unit="1", record=None, since="1.1"),
    ),
)
_ORIGIN: Final = Part("origin", (ORIGIN,))

# ---------------------------------------------------------------- links

INERTIA: Final = ElementType(
    Inertia, "Inertia", tuple(_number(name, **_MOMENT) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
)
INERTIAL: Final = ElementType(
    Inertial,
    "Inertial",
    (
        _ORIGIN,
        _number("mass", "kg", xml="mass/@value", is_required=True, script_default=0.0, noun="the mass"),
        Part("inertia", (INERTIA,)),
    ),
)
_SHAPE: Final = Field("tag", Kind.CHOICE, xml="", record="geometryType", script_default="sphere")
_RADIUS: Final = _number("radius", **_LENGTH, noun="the radius")
_LONG: Final = _number("length", **_LENGTH, noun="the length")
_SIZE: Final = _vector("size", 3, unit="m", is_required=True, script_default=_ONES, noun="the size")
_FILE: Final = Field("filename", Kind.FILE, is_required=True, script_default="defaultMeshPath", noun="the file")
_SCALE: Final = _vector("scale", 3, 1, unit="1", default=_ONES, noun="the scale")
SHAPES: Final = {
    kind.tag: ElementType(kind, "Geometry", (_SHAPE, *members), since, kind.tag)
    for kind, members, since in (
        (Box, (_SIZE,), "1.0"),
        (Cylinder, (_RADIUS, _LONG), "1.0"),
        (Capsule, (_RADIUS, _LONG), "1.1"),
        (Sphere, (_RADIUS,), "1.0"),
        (Mesh, (_FILE, _SCALE), "1.0"),
    )
}
_GREY: Final = (0.5, 0.5, 0.5, 1.0)
COLOUR: Final = ElementType(
    Colour,
    None,
    (_vector("rgba", 4, 3, unit="1", is_required=True, script_default=_GREY, record="", effective="shown"),),
)
TEXTURE: Final = ElementType(
    Texture, None, (Field("filename", Kind.FILE, script_default="defaultTextureFilename", record=""),)
)
MATERIAL: Final = ElementType(
    Material,
    "Material",
    (
        Field("name", Kind.TEXT, script_default="defaultMaterialName"),
        Part("colour", (COLOUR,), tag="color", record="rgba", script="rgba"),
        Part("texture", (TEXTURE,)),
    ),
)
_GEOMETRY: Final = Part("geometry", tuple(SHAPES.values()))
_OF_SHAPES: Final = (Field("name", Kind.TEXT, script=None), _ORIGIN, _GEOMETRY)
COLLISION: Final = ElementType(Collision, "Collision", _OF_SHAPES)
VISUAL: Final = ElementType(
    Visual, "Visual", (*_OF_SHAPES, Part("material", (MATERIAL,), effective="look_or_material"))
)
LINK: Final = ElementType(
    Link,
    "Link",
    (
        _NAME,
        Part("inertial", (INERTIAL,)),
        Part("visuals", (VISUAL,), tag="visual", script_flag="hasVisual", is_repeated=True),
        Part("collisions", (COLLISION,), tag="collision", script_flag="hasCollision", is_repeated=True),
    ),
)

# ---------------------------------------------------------------- joints

LINK_REFERENCE: Final = ElementType(
    LinkReference, None, (Field("link", Kind.TEXT, is_required=True, script_default="", record="", script="link"),)
)
AXIS: Final = ElementType(Axis, None, (_vector("xyz", 3, unit="1", default=(1.0, 0.0, 0.0), record="", script="xyz"),))
LIMIT: Final = ElementType(
    Limit,
    "Limit",
    (
        _number("lower", *_POSITION, default=0.0),
        _number("upper", *_POSITION, default=0.0),
        _number("effort", "N.m", "N", **_MOST),
        _number("velocity", "rad/s", "m/s", **_MOST),
        _number("acceleration", "rad/s2", "m/s2", **_NEWER),
        _number("deceleration", "rad/s2", "m/s2", **_NEWER),
        _number("jerk", "rad/s3", "m/s3", **_NEWER),
    ),
)
DYNAMICS: Final = ElementType(
    Dynamics,
    "Dynamics",
    (
        _number("damping", "N.m.s/rad", "N.s/m", default=0.0, is_magnitude=True),
        _number("friction", "N.m", "N", default=0.0, is_magnitude=True),
    ),
)
MIMIC: Final = ElementType(
    Mimic,
    "Mimic",
    (
        Field("joint", Kind.TEXT, is_required=True, script_default="defaultJointName"),
        _number("multiplier", default=1.0),  # in m/rad or rad/m, if one of the joints turns and the other one slides
        _number("offset", *_POSITION, default=0.0),
    ),
)
CALIBRATION: Final = ElementType(
    Calibration,
    "Calibration",
    (
        _number("rising", *_POSITION, script_default=0.0),
        _number("falling", *_POSITION, script_default=0.0),
        _number("reference_position", *_POSITION, record=None),
    ),
)
SAFETY: Final = ElementType(
    Safety,
    "SafetyController",
    (
        _number("soft_lower_limit", *_POSITION, default=0.0, record="softLowerLimit", script="soft_lower_limit"),
        _number("soft_upper_limit", *_POSITION, default=0.0, record="softUpperLimit", script="soft_upper_limit"),
        _number("k_position", "1/s", default=0.0, record="kPosition", script="k_position"),
        _number("k_velocity", "N.m.s/rad", "N.s/m", script_default=0.0, record="kVelocity", script="k_velocity"),
    ),
)
JOINT: Final = ElementType(
    Joint,
    "Joint",
    (
        _NAME,
        Field("type", Kind.CHOICE, record="jointType", noun="the type"),
        _ORIGIN,
        Part("axis", (AXIS,)),
        Part("parent_reference", (LINK_REFERENCE,), tag="parent"),
        Part("child_reference", (LINK_REFERENCE,), tag="child"),
        Part("calibration", (CALIBRATION,), script_flag="hasCalibration"),
        Part("dynamics", (DYNAMICS,), script_flag="hasDynamics"),
        Part("limit", (LIMIT,), script_flag="hasLimit", effective="effective_limit"),
        Part("mimic", (MIMIC,), script_flag="hasMimic"),
        Part(
            "safety",
            (SAFETY,),
            tag="safety_controller",
            record="safetyController",
            script_flag="hasSafety_controller",
        ),
    ),
)

# The values of a joint whose unit is another one where it slides, by their paths in its record.
MOTION_VALUES: Final = frozenset(
    f"{part.record}.{each.record}"
    for part in JOINT.parts
    for kind in part.types
    for each in kind.fields
    if each.linear_unit and each.record is not None
)

# ---------------------------------------------------------------- items by the table


def _all_types() -> Iterator[ElementType]:
    todo = [LINK, JOINT]
    while todo:
        yield (found := todo.pop(0))
        todo += [inside for part in found.parts for inside in part.types]


ELEMENT_TYPES: Final = {found.model: found for found in _all_types()}


ROBOT_TAGS: Final = ("link", "joint", "material", "transmission")


def _homes() -> dict[str, list[str]]:
    found = {tag: ["robot"] for tag in ROBOT_TAGS} | {shape: ["geometry"] for shape in SHAPES}
    todo = [("link", LINK), ("joint", JOINT)]
    while todo:
        tag, of = todo.pop(0)
        for inside in (*of.single_tags, *of.repeated_tags):
            found.setdefault(inside, []).append(tag)
        todo += [(part.tag, each) for part in of.parts for each in part.types if not each.tag]
    return found


HOMES: Final = _homes()  # the elements that each element of URDF can be inside of, by tags


def type_of(item: Item) -> ElementType | None:
    """Its element type; None for a shape that URDF does not define."""
    return ELEMENT_TYPES.get(type(item))


def contents_of(item: Item) -> Iterator[tuple[str | None, Field | Part, Any]]:
    """What an item has, in the order of its record: the name there, the member, and its value or the item inside.

    A value is a Number, a Vector, a text or a JointType.
    """
    found = type_of(item)
    return iter(()) if found is None else _given(item, found.members)


def values_of(item: Item) -> Iterator[tuple[Field, Any]]:
    """The fields that an item itself has a value for."""
    found = type_of(item)
    return ((each, value) for _, each, value in _given(item, () if found is None else found.fields))


def items_in(item: Item) -> Iterator[tuple[str, Item]]:
    """An item and all that is inside of it, each with its path in the record: `inertial.origin`."""
    todo = [("", item)]
    while todo:
        path, at = todo.pop()
        yield path, at
        found = type_of(at)
        if found is not None:
            todo += [(joined(path, name), inside) for name, _, inside in _given(at, found.parts)][::-1]


def _given(item: Item, members: Iterable[AMember]) -> Iterator[tuple[str | None, AMember, Any]]:
    for member in members:
        value = getattr(item, member.effective)
        if isinstance(member, Part) and member.is_repeated:
            yield from ((numbered(member.record, n), member, each) for n, each in enumerate(value, 1))
        elif value is not None:
            yield member.record, member, value


def joined(path: str, name: str | None) -> str:
    """A name inside of a path; either may be missing."""
    return f"{path}.{name}" if path and name else path or name or ""


def numbered(name: str, number: int) -> str:
    """`visual`, `visual2`, `visual3`, …"""
    return name if number == 1 else f"{name}{number}"
