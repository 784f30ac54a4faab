"""The URDF file as Pinocchio reads it: without pictures, and with planar joints that have an axis.

Numbers stay as they are in the file, so that nothing of our own reading is between the file and the other engine.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from lxml import etree

from urdf_frontend.robot import Joint, JointType, Named, Robot, plane_of

# What has a part in the motion. All else is left out: some files have it in a form that Pinocchio's reader refuses.
_KEPT: Final = {
    "robot": frozenset({"link", "joint"}),
    "link": frozenset({"inertial"}),
    "joint": frozenset({"parent", "child", "origin", "axis", "limit", "dynamics", "mimic"}),
}
# What is a number in these, or how many are in a row.
_NUMBERS: Final[Mapping[str, Mapping[str, int]]] = {
    "origin": {"xyz": 3, "rpy": 3},
    "axis": {"xyz": 3},
    "mass": {"value": 1},
    "inertia": dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), 1),
    "limit": dict.fromkeys(("lower", "upper", "effort", "velocity"), 1),
    "dynamics": dict.fromkeys(("damping", "friction"), 1),
    "mimic": dict.fromkeys(("multiplier", "offset"), 1),
}
_NUMBER: Final = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)  # and nothing after it
_DECLARATION: Final = re.compile(r"\A\ufeff?\s*(?:<\?xml\b[^>]*\?>)?\s*")
_FIRST: Final = "{}/first"
_SECOND: Final = "{}/second"
_UNNAMED: Final = "robot"
ADDED_MASS: Final = 1.0  # kg
ADDED_INERTIA: Final = 0.01  # kg.m2


def planar_joints(name: str) -> tuple[str, str, str]:
    """The three joints that stand for a planar one: two that slide, one that turns."""
    return _FIRST.format(name), _SECOND.format(name), name


def reduced_urdf(text: str, robot: Robot, added_masses: Collection[str] = ()) -> str:
    """The file for Pinocchio, with the links and joints of a robot, which may be a part of the one in the file.

    Links of `added_masses` get a mass, or an inertia if they have the mass already.
    """
    root = _parsed(text)
    _keep(root, _KEPT["robot"])
    known = {("link", link.name) for link in robot.links} | {("joint", joint.name) for joint in robot.joints}
    for element in list(root):
        if (element.tag, element.get("name", "")) not in known:
            root.remove(element)
    for element in root:
        _keep(element, _KEPT[str(element.tag)])
    root.set("name", root.get("name") or _UNNAMED)
    for link in robot.links:
        if link.is_implicit:
            etree.SubElement(root, "link", name=link.name)
    for element in root.findall("link"):
        if element.get("name") in added_masses:
            _give_mass(element)
        _complete_inertial(element)
    joints = {joint.name: joint for joint in robot.joints}
    for element in root.findall("joint"):
        _mend_joint(root, element, joints[element.get("name", "")])
    return etree.tostring(root, encoding="unicode")


def refused_limits(joint: Joint) -> list[str]:
    """What of a joint's `<limit>` Pinocchio does not take: a negative effort or velocity."""
    limit = joint.limit
    values = {} if limit is None else {"effort": limit.effort, "velocity": limit.velocity}
    return [name for name, value in values.items() if value is not None and value.value < 0]


def refused_number(text: str) -> str | None:
    """The first number of a file for Pinocchio that its reader, urdfdom, does not take, and where it is.

    It leaves the whole element out then, as if the link had no mass, or gives up without a reason.
    """
    root = _parsed(text)
    for element in root:
        for part in element.iter(etree.Element):
            for name, size in _NUMBERS.get(str(part.tag), {}).items():
                written = part.get(name)
                if written is None:
                    continue
                pieces = [written] if size == 1 else [piece for piece in written.split(" ") if piece]
                if len(pieces) != size or not all(map(_is_taken, pieces)):
                    return f"{element.tag!s} '{element.get('name')}': <{part.tag!s} {name}={written!r}>"
    return None


def _is_taken(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and math.isfinite(float(text))


def loose_urdf(text: str) -> str:
    """The file for Pinocchio with every joint floating: then each link is a body of its own, with its own inertia."""
    root = _parsed(text)
    for element in root.findall("joint"):
        element.set("type", "floating")
        for child in list(element):
            if child.tag not in {"parent", "child", "origin"}:
                element.remove(child)
    return etree.tostring(root, encoding="unicode")


def _parsed(text: str) -> etree._Element:
    """The elements, with plain names. What the text declares of its encoding and of XML was for its bytes.

    Some programs leave NUL characters behind the last element.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    root = etree.fromstring(_DECLARATION.sub("", text, count=1).rstrip("\0 \t\r\n").encode(), parser)
    space = etree.QName(root).namespace
    for element in root.iter(etree.Element):
        name = etree.QName(element)
        if name.namespace == space:
            element.tag = name.localname
    return root


def _keep(element: etree._Element, names: Collection[str]) -> None:
    for child in list(element):
        if child.tag not in names:
            element.remove(child)


def _give_mass(link: etree._Element) -> None:
    inertial = link.find("inertial")
    if inertial is None:
        inertial = etree.SubElement(link, "inertial")
    mass = inertial.find("mass")
    if mass is None or float(mass.get("value", "0")) <= 0:
        _replace(inertial, "mass", {"value": repr(ADDED_MASS)})
    values = dict.fromkeys(("ixx", "iyy", "izz"), repr(ADDED_INERTIA)) | dict.fromkeys(("ixy", "ixz", "iyz"), "0")
    _replace(inertial, "inertia", values)


def _complete_inertial(link: etree._Element) -> None:
    """Write the zeros that the file leaves out."""
    inertial = link.find("inertial")
    if inertial is None:
        return
    if inertial.find("mass") is None:
        etree.SubElement(inertial, "mass", value="0")
    if inertial.find("inertia") is None:
        etree.SubElement(inertial, "inertia", dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), "0"))


def _mend_joint(root: etree._Element, element: etree._Element, joint: Joint) -> None:
    """Make a joint one that Pinocchio's reader takes, without changing its motion."""
    if joint.type is JointType.PLANAR:
        _write_planar(root, element, joint)
        return
    limit = element.find("limit")
    if limit is None and joint.type.is_bounded:
        limit = etree.SubElement(element, "limit")
    if limit is not None:
        refused = refused_limits(joint)
        for name in ("effort", "velocity"):
            limit.set(name, "0" if name in refused else limit.get(name, "0"))


def _write_planar(root: etree._Element, element: etree._Element, joint: Joint) -> None:
    """Three joints in place of one: Pinocchio knows planar joints in one plane only."""
    first, second = plane_of(joint.direction)
    names = planar_joints(joint.name)
    links = [joint.parent, *names[:2], joint.child]
    origin = element.find("origin")
    for place, (name, axis) in enumerate(zip(names, (first, second, joint.direction), strict=True)):
        new = etree.SubElement(root, "joint", name=name, type="continuous" if name == joint.name else "prismatic")
        etree.SubElement(new, "parent", link=links[place])
        etree.SubElement(new, "child", link=links[place + 1])
        etree.SubElement(new, "axis", xyz=" ".join(map(repr, axis)))
        if place == 0 and origin is not None:
            new.append(origin)
        if name != joint.name:
            etree.SubElement(new, "limit", lower="-1e9", upper="1e9", effort="0", velocity="0")
            etree.SubElement(root, "link", name=name)
    root.remove(element)


def _replace(element: etree._Element, tag: str, attributes: Mapping[str, str]) -> None:
    for old in element.findall(tag):
        element.remove(old)
    etree.SubElement(element, tag, dict(attributes))


def added_mass_parameters(named: Named, mass: float) -> Iterator[tuple[str, float]]:
    """The same for the package: parameters of a link, which has this mass after it."""
    values = named.path("linkParams.inertial")
    yield f"{values}.mass", mass
    for name in ("ixx", "iyy", "izz"):
        yield f"{values}.inertia.{name}", ADDED_INERTIA
    for name in ("ixy", "ixz", "iyz"):
        yield f"{values}.inertia.{name}", 0.0
