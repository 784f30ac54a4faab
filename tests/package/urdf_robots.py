"""Robots at random, and a writer that makes URDF of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from lxml import etree

from urdf_frontend.robot import (
    Axis,
    Box,
    Calibration,
    Capsule,
    Collision,
    Colour,
    Cylinder,
    Dynamics,
    Extension,
    Geometry,
    Inertia,
    Inertial,
    Item,
    Joint,
    JointType,
    Limit,
    Link,
    LinkReference,
    Material,
    Mesh,
    Mimic,
    Number,
    Origin,
    Robot,
    Safety,
    Sphere,
    Texture,
    Vector,
    Visual,
)

# What may be in an XML attribute; no `$`, which could begin an expression of xacro.
NAMES = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cn"), exclude_characters="$\ufffe\uffff"), min_size=1, max_size=12
).filter(lambda name: bool(name.strip()))

NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-999, 999).map(str),
    st.sampled_from(["0", "0.10", "-0.0", "+1", ".5", "5.", "1e-3", "1E+02", "00.5", "3.14159265358979"]),
).map(lambda text: Number(text, float(text)))


def vectors(count: int) -> st.SearchStrategy[Vector]:
    return st.tuples(*[NUMBERS] * count).map(Vector)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


ORIGINS = st.builds(Origin, xyz=maybe(vectors(3)), rpy=maybe(vectors(3)), quat_xyzw=maybe(vectors(4)))
GEOMETRIES: st.SearchStrategy[Geometry] = st.one_of(
    st.builds(Box, size=vectors(3)),
    st.builds(Cylinder, radius=NUMBERS, length=NUMBERS),
    st.builds(Capsule, radius=NUMBERS, length=NUMBERS),
    st.builds(Sphere, radius=NUMBERS),
    st.builds(Mesh, filename=NAMES, scale=maybe(vectors(3))),
)
COLOURS = st.builds(Colour, rgba=vectors(4))
TEXTURES = st.builds(Texture, filename=NAMES)
MATERIALS = st.builds(Material, name=maybe(NAMES), colour=maybe(COLOURS), texture=maybe(TEXTURES))
INERTIAS = st.builds(Inertia, ixx=NUMBERS, ixy=NUMBERS, ixz=NUMBERS, iyy=NUMBERS, iyz=NUMBERS, izz=NUMBERS)
INERTIALS = st.builds(Inertial, origin=maybe(ORIGINS), mass=NUMBERS, inertia=maybe(INERTIAS))
VISUALS = st.builds(Visual, name=maybe(NAMES), origin=maybe(ORIGINS), geometry=GEOMETRIES, material=maybe(MATERIALS))
COLLISIONS = st.builds(Collision, name=maybe(NAMES), origin=maybe(ORIGINS), geometry=GEOMETRIES)
EXTENSIONS = st.sampled_from(['<gazebo reference="base"><mu1>0.5</mu1></gazebo>', "<sensor/>"]).map(
    lambda text: Extension(tag=text[1:].split(">")[0].split(" ")[0].rstrip("/"), text=text)
)


def _few(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=2).map(tuple)


def _all_numbers(kind: type[Item], names: str) -> st.SearchStrategy[Any]:
    return st.builds(kind, **{name: maybe(NUMBERS) for name in names.split()})


LIMITS = _all_numbers(Limit, "lower upper effort velocity acceleration deceleration jerk")
DYNAMICS = _all_numbers(Dynamics, "damping friction")
CALIBRATIONS = _all_numbers(Calibration, "rising falling reference_position")
SAFETIES = _all_numbers(Safety, "soft_lower_limit soft_upper_limit k_position k_velocity")


@st.composite
def robots(draw: st.DrawFn) -> Robot:
    """A tree of up to five links with anything on them, whether it makes sense or not."""
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    links = tuple(
        Link(
            name=name,
            inertial=draw(maybe(INERTIALS)),
            visuals=draw(_few(VISUALS)),
            collisions=draw(_few(COLLISIONS)),
            extensions=draw(_few(EXTENSIONS)),
        )
        for name in names
    )
    joint_names = draw(st.lists(NAMES, min_size=len(names) - 1, max_size=len(names) - 1, unique=True))
    joints = tuple(
        _joint(draw, name, parent=names[draw(st.integers(0, number))], child=names[number + 1], others=joint_names)
        for number, name in enumerate(joint_names)
    )
    return Robot(
        name=draw(NAMES),
        version=draw(st.sampled_from([None, "1.0", "1.1", "1.2"])),
        links=links,
        joints=joints,
        materials=draw(_few(MATERIALS.filter(lambda material: material.name is not None))),
        extensions=draw(_few(EXTENSIONS)),
    )


def _joint(draw: st.DrawFn, name: str, *, parent: str, child: str, others: Sequence[str]) -> Joint:
    kind = draw(st.sampled_from([kind for kind in JointType if kind is not JointType.UNKNOWN]))
    mimics = st.builds(Mimic, joint=st.sampled_from(others), multiplier=maybe(NUMBERS), offset=maybe(NUMBERS))
    return Joint(
        name=name,
        type=kind,
        type_text=kind.value,
        parent_reference=LinkReference(link=parent),
        child_reference=LinkReference(link=child),
        origin=draw(maybe(ORIGINS)),
        axis=draw(maybe(st.builds(Axis, xyz=maybe(vectors(3))))),
        limit=draw(maybe(LIMITS)),
        dynamics=draw(maybe(DYNAMICS)),
        mimic=draw(maybe(mimics)),
        calibration=draw(maybe(CALIBRATIONS)),
        safety=draw(maybe(SAFETIES)),
    )


# ---------------------------------------------------------------- writing

_COMMON = {"extensions", "other_attributes", "place"}
_TAGS = {"colour": "color", "safety": "safety_controller", "parent_reference": "parent", "child_reference": "child"}
_NOT_WRITTEN = {"type_text", "look", "looks", "is_implicit", "is_literal", "comments", "transmissions"}


def urdf_of(robot: Robot) -> bytes:
    """The robot as a URDF file."""
    root = etree.Element("robot")
    todo: list[tuple[Item, etree._Element]] = [(robot, root)]
    while todo:
        item, element = todo.pop()
        for field in type(item).__attrs_attrs__:
            if field.name not in _COMMON | _NOT_WRITTEN:
                todo += _write(element, field.name, getattr(item, field.name))
        for extension in item.extensions:
            element.append(etree.fromstring(extension.text))
    return etree.tostring(root, xml_declaration=True, encoding="utf-8")


def _write(element: etree._Element, name: str, value: Any) -> list[tuple[Item, etree._Element]]:
    """Write one field; what is inside of it is left to be done."""
    if value is None:
        return []
    if isinstance(value, tuple):
        return [(item, etree.SubElement(element, name.removesuffix("s"))) for item in value]
    if name == "geometry":
        outer = etree.SubElement(element, "geometry")
        return [(value, etree.SubElement(outer, type(value).__name__.lower()))]
    if isinstance(value, Item):
        return [(value, etree.SubElement(element, _TAGS.get(name, name)))]
    if name == "mass":
        element = etree.SubElement(element, "mass")
        name = "value"
    text = value.value if isinstance(value, JointType) else value if isinstance(value, str) else value.text
    element.set(name, text)
    return []
