"""`<robot>`: all of a file, and materials that are defined in one place and used in another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import evolve

from urdf_frontend.diagnostics import Findings, quoted
from urdf_frontend.model.geometry import Material
from urdf_frontend.model.items import Comment
from urdf_frontend.model.joints import Joint
from urdf_frontend.model.links import Link, Visual
from urdf_frontend.model.robot import Robot
from urdf_frontend.reading.context import Reading
from urdf_frontend.reading.joints import read_joint
from urdf_frontend.reading.links import read_link
from urdf_frontend.reading.shapes import read_material
from urdf_frontend.reading.transmissions import read_transmission
from urdf_frontend.reading.unexpanded import report_unexpanded
from urdf_frontend.reading.xml_tree import Element, XmlTree

_WORLD: Final = "world"
_ATTRIBUTES: Final = ("name", "version")
_INSIDE: Final = ("link", "joint", "material", "transmission")


def read_robot(tree: XmlTree, findings: Findings) -> Robot | None:
    """The robot of a file; None if its root is no robot."""
    reading, root = Reading(tree, findings), tree.root
    if root.tag != "robot":
        message = f"the root element is <{root.tag}>, and <robot> is expected"
        reading.report("urdf-no-robot", root, message)
        return None
    report_unexpanded(reading)
    if tree.has_default_namespace:  # a few files put all of URDF into one of their own; the names are what counts
        reading.report("urdf-namespace", root, "the file has a default name space; it is not looked at")
    links = [read_link(reading, child, _name(reading, child)) for child in reading.all(root, "link")]
    joints = tuple(read_joint(reading, child, _name(reading, child)) for child in reading.all(root, "joint"))
    materials = tuple(read_material(reading, child) for child in reading.all(root, "material"))
    looks = _looks(materials, links, findings)
    return Robot(
        name=_robot_name(reading),
        version=reading.string(root, "version"),
        links=(*(_with_looks(link, looks, findings) for link in links), *_implicit_world(links, joints, findings)),
        joints=joints,
        materials=materials,
        looks=looks,
        transmissions=tuple(read_transmission(reading, child) for child in reading.all(root, "transmission")),
        comments=tuple(_comments(tree)),
        **reading.leftovers(root, _ATTRIBUTES, several=_INSIDE),
    )


def _robot_name(reading: Reading) -> str | None:
    name = reading.string(reading.tree.root, "name")
    if not name:
        reading.report("urdf-robot-name", reading.tree.root, "the robot has no name", 'write <robot name="…">')
    return name or None


def _name(reading: Reading, element: Element) -> str:
    name = reading.string(element, "name")
    if not name or not name.strip():
        reading.report("urdf-no-name", element, f"the {element.tag} has no name")
    return name or ""


def _looks(materials: Iterable[Material], links: Iterable[Link], findings: Findings) -> dict[str, Material]:
    """All definitions of materials by name: first those at the top, then those inside of links. The first counts."""
    inline = (visual.material for link in links for visual in link.visuals if visual.material is not None)
    looks: dict[str, Material] = {}
    for material in (*materials, *inline):
        if material.name is None or not material.is_definition:
            continue
        known = looks.setdefault(material.name, material)
        if (known.colour, known.texture) != (material.colour, material.texture):
            message = f"the material {quoted(material.name)} looks different in line {known.place.line}"
            findings.report("urdf-material-conflict", material.place, message, "give one of them another name")
    return looks


def _with_looks(link: Link, looks: dict[str, Material], findings: Findings) -> Link:
    if all(visual.material is None for visual in link.visuals):
        return link
    return evolve(link, visuals=tuple(_with_look(visual, looks, findings) for visual in link.visuals))


def _with_look(visual: Visual, looks: dict[str, Material], findings: Findings) -> Visual:
    material = visual.material
    if material is None:
        return visual
    if material.is_definition:
        return evolve(visual, look=material)
    if material.name is None:
        message = "the material has no name, no colour and no texture; it means nothing"
        findings.report("urdf-material-empty", material.place, message)
        return visual
    look = looks.get(material.name)
    if look is None:
        message = f"the material {quoted(material.name)} is not defined anywhere in the file"
        findings.report("urdf-material-undefined", material.place, message)
    return evolve(visual, look=look)


def _implicit_world(links: list[Link], joints: Iterable[Joint], findings: Findings) -> list[Link]:
    """Some programs take a link `world` as given; then the file only refers to it."""
    if any(link.name == _WORLD for link in links):
        return []
    for joint in joints:
        reference = joint.parent_reference
        if reference is not None and reference.link == _WORLD:
            message = "the link 'world' is not defined; it is taken as one without a body"
            findings.report("urdf-implicit-world", reference.place, message, 'add <link name="world"/>')
            return [Link(name=_WORLD, is_implicit=True, place=reference.place)]
    return []


def _comments(tree: XmlTree) -> Iterable[Comment]:
    for found in tree.comments:
        yield Comment(
            text=found.mark.text,
            inside="/" if found.inside is None else found.inside.xpath,
            before=None if found.before is None else found.before.xpath,
            place=tree.document.place(found.mark.span),
        )
