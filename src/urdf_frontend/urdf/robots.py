"""`<robot>`: all of a file, and materials that are defined in one place and used in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from attrs import evolve

from modelica_ast.foundation import did_you_mean
from urdf_frontend.robot import (
    COLLISION,
    COLOUR,
    HOMES,
    INERTIA,
    INERTIAL,
    JOINT,
    LINK,
    MATERIAL,
    ROBOT_TAGS,
    SHAPES,
    TEXTURE,
    VISUAL,
    Actuator,
    Collision,
    Colour,
    Comment,
    ElementType,
    Extension,
    Geometry,
    Inertia,
    Inertial,
    Joint,
    JointType,
    Link,
    Material,
    Mesh,
    Number,
    OtherGeometry,
    Robot,
    Standing,
    Texture,
    Transmission,
    TransmissionJoint,
    Vector,
    Visual,
)
from urdf_frontend.urdf.diagnostics import Findings, quoted
from urdf_frontend.urdf.elements import Reading, is_unexpanded
from urdf_frontend.urdf.xml_tree import Element, XmlTree

# ---------------------------------------------------------------- joints
# `<joint>` and what is inside.

_TYPES: Final = [kind.value for kind in JointType if kind is not JointType.UNKNOWN]
_ENDS: Final = ("parent", "child")


def read_joint(reading: Reading, element: Element, name: str) -> Joint:
    """A joint with all that it says."""
    kind = _type(reading, element)
    for tag in _ENDS:
        if reading.first(element, tag) is None:
            message = f"the joint has no <{tag}>"
            reading.report("urdf-joint-ends", element, message, f'add <{tag} link="…"/>')
    return Joint(
        name=name,
        type=kind,
        type_text=reading.string(element, "type") or "",
        **{part.attribute: reading.part(element, part) for part in JOINT.parts},
        **reading.rest(element, JOINT),
    )


def _type(reading: Reading, element: Element) -> JointType:
    text = reading.string(element, "type")
    if text in _TYPES:
        return JointType(text)
    if text is None:
        reading.report("urdf-joint-type", element, "the joint has no type", f"the types are: {', '.join(_TYPES)}")
        return JointType.UNKNOWN
    hint = did_you_mean(text.strip().lower()[:40], _TYPES) or f"the types are: {', '.join(_TYPES)}"
    place = reading.tree.place_of(element, element.attributes["type"])
    reading.findings.report("urdf-joint-type", place, f"URDF has no joint type {quoted(text)}", hint)
    return JointType.UNKNOWN


# ---------------------------------------------------------------- shapes
# Geometries and materials.


def read_geometry(reading: Reading, element: Element) -> tuple[Geometry | None, tuple[Extension, ...]]:
    """The shape inside a `<visual>` or `<collision>`: the first one that its `<geometry>` has; and the others."""
    geometry = reading.first(element, "geometry")
    shapes: list[Element] = []
    others: list[Extension] = []
    for child in () if geometry is None else geometry.children:
        if child.tag in SHAPES or child.tag not in HOMES:
            shapes.append(child)
        else:
            others.append(reading.extension(child, reading.misplaced(child)))
    if not shapes:
        message = f"<{element.tag}> has no geometry; there is nothing to show"
        reading.report("urdf-geometry-missing", geometry or element, message, f"give it one of: {', '.join(SHAPES)}")
        return None, tuple(others)
    for other in shapes[1:]:
        message = f"<geometry> has more than one shape; <{other.tag}> is left out"
        reading.report("urdf-geometry-several", other, message, f"give each shape a <{element.tag}> of its own")
        others.append(reading.extension(other, Standing.REPEATED))
    return _shape(reading, shapes[0]), tuple(others)


def _shape(reading: Reading, shape: Element) -> Geometry:
    if shape.tag in SHAPES:
        found: Geometry = reading.item(shape, SHAPES[shape.tag])
        return _scaled(reading, found) if isinstance(found, Mesh) else found
    message = f"URDF has no shape <{shape.tag}>; it is kept as it is and not shown"
    reading.report("urdf-geometry-unknown", shape, message, f"the shapes are: {', '.join(SHAPES)}")
    return OtherGeometry(tag=shape.tag, text=reading.tree.text_of(shape), place=reading.place(shape))


def _scaled(reading: Reading, mesh: Mesh) -> Mesh:
    scale = mesh.scale
    if scale is None or len(scale.numbers) > 1:
        return mesh
    message = "'scale' has one number, but three are expected; it is used for all three"
    reading.findings.report("urdf-scale-count", scale.place, message)
    return evolve(mesh, scale=evolve(scale, numbers=scale.numbers * 3))


def read_material(reading: Reading, element: Element) -> Material:
    """A `<material>`, at the top or inside a `<visual>`."""
    colour, texture = reading.first(element, "color"), reading.first(element, "texture")
    return Material(
        name=reading.string(element, "name") or None,
        colour=None if colour is None else _colour(reading, colour),
        texture=None if texture is None else _texture(reading, texture),
        **reading.rest(element, MATERIAL),
    )


def _colour(reading: Reading, element: Element) -> Colour | None:
    fields = reading.attributes(element, COLOUR)
    rgba: Vector | None = fields.pop("rgba")
    if rgba is None:
        return None
    if len(rgba.numbers) == 3:  # noqa: PLR2004  (red, green, blue)
        message = "'rgba' has three numbers, but four are expected; alpha is taken as 1"
        reading.findings.report("urdf-rgba-count", rgba.place, message)
        rgba = evolve(rgba, numbers=(*rgba.numbers, Number.of(1.0)))
    if any(not 0.0 <= value <= 1.0 for value in rgba.values):
        hint = "divide by 255" if max(rgba.values) > 2 else ""  # noqa: PLR2004  (no rounding error, so bytes)
        message = f"the colour {rgba.text} has numbers outside 0 to 1; they are clamped"
        reading.findings.report("urdf-rgba-range", rgba.place, message, hint)
    return Colour(rgba=rgba, **fields)


def _texture(reading: Reading, element: Element) -> Texture | None:
    fields = reading.attributes(element, TEXTURE)
    if not fields["filename"]:
        reading.report("urdf-texture-empty", element, "<texture> names no file; it is left out")
        return None
    return Texture(**fields)


# ---------------------------------------------------------------- links
# `<link>` and what is inside.


def read_link(reading: Reading, element: Element, name: str) -> Link:
    """A link with all its visuals and collisions."""
    inertial = reading.first(element, "inertial")
    return Link(
        name=name,
        inertial=None if inertial is None else _inertial(reading, inertial),
        visuals=tuple(_visual(reading, child) for child in reading.all(element, "visual")),
        collisions=tuple(_collision(reading, child) for child in reading.all(element, "collision")),
        **reading.rest(element, LINK),
    )


def _inertial(reading: Reading, element: Element) -> Inertial:
    mass, inertia = reading.first(element, "mass"), reading.first(element, "inertia")
    fields = reading.rest(element, INERTIAL)
    if mass is None:
        reading.report("urdf-mass-missing", element, "<inertial> has no <mass>", 'add <mass value="…"/>')
    else:
        # A mass is a number and no item of its own, so what else is written there is kept here.
        more = reading.leftovers(mass, ["value"])
        fields["extensions"] += more["extensions"]
        fields["other_attributes"] += more["other_attributes"]
    return Inertial(
        origin=reading.part(element, INERTIAL.part("origin")),
        mass=None if mass is None else reading.required_number(mass, "value"),
        inertia=None if inertia is None else _inertia(reading, inertia),
        **fields,
    )


def _inertia(reading: Reading, element: Element) -> Inertia:
    missing = [name for name in INERTIA.attributes if name not in element.attributes]
    if missing:
        message = f"<inertia> has no {', '.join(missing)}"
        reading.report("urdf-inertia-incomplete", element, message, "write a 0 if that is what is meant")
    return Inertia(**reading.attributes(element, INERTIA))


def _visual(reading: Reading, element: Element) -> Visual:
    material = reading.first(element, "material")
    geometry, fields = _links_shape(reading, element, VISUAL)
    return Visual(
        name=reading.string(element, "name"),
        origin=reading.part(element, VISUAL.part("origin")),
        geometry=geometry,
        material=None if material is None else read_material(reading, material),
        **fields,
    )


def _collision(reading: Reading, element: Element) -> Collision:
    geometry, fields = _links_shape(reading, element, COLLISION)
    return Collision(
        name=reading.string(element, "name"),
        origin=reading.part(element, COLLISION.part("origin")),
        geometry=geometry,
        **fields,
    )


def _links_shape(reading: Reading, element: Element, of: ElementType) -> tuple[Geometry | None, dict[str, Any]]:
    """The shape of a visual or collision, and what is left: further shapes are kept as extensions."""
    shape, others = read_geometry(reading, element)
    fields = reading.rest(element, of)
    fields["extensions"] += others
    return shape, fields


# ---------------------------------------------------------------- transmissions
# `<transmission>`: there are two dialects and many private ones, so what is not understood is only kept.


def read_transmission(reading: Reading, element: Element) -> Transmission:
    """The type may be an element or an attribute, the reduction at a joint, at an actuator, or at the top."""
    kind = reading.first(element, "type")
    return Transmission(
        name=reading.string(element, "name"),
        type=kind.text.strip() if kind is not None else reading.string(element, "type"),
        joints=tuple(
            TransmissionJoint(
                name=reading.string(joint, "name") or "",
                hardware_interfaces=_interfaces(reading, joint),
                mechanical_reduction=_reduction(reading, joint),
                place=reading.place(joint),
            )
            for joint in reading.all(element, "joint")
        ),
        actuators=tuple(
            Actuator(
                name=reading.string(actuator, "name") or "",
                hardware_interfaces=_interfaces(reading, actuator),
                mechanical_reduction=_reduction(reading, actuator),
                place=reading.place(actuator),
            )
            for actuator in reading.all(element, "actuator")
        ),
        mechanical_reduction=_reduction(reading, element),
        text=reading.tree.text_of(element),
        place=reading.place(element),
    )


def _interfaces(reading: Reading, element: Element) -> tuple[str, ...]:
    return tuple(child.text.strip() for child in reading.all(element, "hardwareInterface"))


def _reduction(reading: Reading, element: Element) -> Number | None:
    """The number of `<mechanicalReduction>`.

    A text that is not a number stays in the element's text and has no effect.
    """
    for tag in ("mechanicalReduction", "mechanical_reduction"):
        found = reading.first(element, tag)
        if found is not None:
            return reading.number_in(found)
    return None


# ---------------------------------------------------------------- unexpanded
# What xacro should have replaced: its elements, and its expressions in attributes and texts.

_HINT: Final = "expand the file with xacro first, or read it as a .xacro file"
_DEFINITIONS: Final = {"xacro:include", "xacro:property", "xacro:macro", "xacro:arg"}


def report_unexpanded(reading: Reading) -> None:
    """Say each of them, with its place; one that only other programs read, or nothing, is not missed."""
    todo = [reading.tree.root]
    while todo:
        element = todo.pop()
        if element.tag in _DEFINITIONS:
            _report_unused(reading, element, f"<{element.tag}> is xacro and was not expanded")
            continue
        if element.tag.startswith("xacro:"):
            reading.report("urdf-xacro", element, f"<{element.tag}> is xacro and was not expanded", _HINT)
        elif not _is_modelled(element):
            if any(map(_is_xacro, _all_in(element))):
                _report_unused(reading, element, f"<{element.tag}> has xacro in it that was not expanded")
            continue
        else:
            for attribute in filter(lambda each: is_unexpanded(each.value), element.attributes.values()):
                message = f"{quoted(attribute.value)} is xacro and was not expanded"
                reading.findings.report("urdf-xacro", reading.tree.place_of(element, attribute), message, _HINT)
            if is_unexpanded(element.text):  # URDF has all it says in attributes
                shown = quoted(element.text.strip())
                _report_unused(reading, element, f"the text {shown} is xacro and was not expanded")
        todo += reversed(element.children)


def _report_unused(reading: Reading, element: Element, message: str) -> None:
    reading.report("urdf-xacro-unused", element, f"{message}; the robot does without it", _HINT)


def _is_modelled(element: Element) -> bool:
    """May the robot be another one without this element? In what xacro has left, all may be."""
    parent = element.parent
    if parent is None or parent.tag.startswith("xacro:"):
        return True
    return parent.tag in HOMES.get(element.tag, ()) and element.tag != "transmission"


def _is_xacro(element: Element) -> bool:
    values = (attribute.value for attribute in element.attributes.values())
    return element.tag.startswith("xacro:") or is_unexpanded(element.text) or any(map(is_unexpanded, values))


def _all_in(element: Element) -> Iterator[Element]:
    todo = [element]
    while todo:
        yield (found := todo.pop())
        todo += found.children


# ---------------------------------------------------------------- robots

_WORLD: Final = "world"
_ATTRIBUTES: Final = ("name", "version")


def read_robot(tree: XmlTree, findings: Findings) -> Robot | None:
    """The robot of a file; None if its root is not a robot."""
    reading, root = Reading(tree, findings), tree.root
    if root.tag != "robot":
        message = f"the root element is <{root.tag}>, but <robot> is expected"
        reading.report("urdf-no-robot", root, message, "name a URDF file, or a .xacro file that becomes one")
        return None
    report_unexpanded(reading)
    if tree.has_default_namespace:  # a few files put all of URDF into one of their own; the names are what counts
        reading.report("urdf-namespace", root, "the file has a default name space; it is ignored")
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
        **reading.leftovers(root, _ATTRIBUTES, several=ROBOT_TAGS),
    )


def _robot_name(reading: Reading) -> str | None:
    name = reading.string(reading.tree.root, "name")
    if not name:
        reading.report("urdf-robot-name", reading.tree.root, "the robot has no name", 'write <robot name="…">')
    return name or None


def _name(reading: Reading, element: Element) -> str:
    name = reading.string(element, "name")
    if not name or not name.strip():
        reading.report("urdf-no-name", element, f"the {element.tag} has no name", f'write <{element.tag} name="…">')
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
            message = f"the material {quoted(material.name)} looks different in {known.place}"
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
        message = "the material has no name, no colour and no texture; it has no effect"
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
