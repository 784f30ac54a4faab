"""`<link>` and what is inside."""

from __future__ import annotations

from typing import Any

from urdf_frontend.model.fields import COLLISION, INERTIA, INERTIAL, LINK, VISUAL, ElementType
from urdf_frontend.model.geometry import Geometry
from urdf_frontend.model.links import Collision, Inertia, Inertial, Link, Visual
from urdf_frontend.reading.context import Reading
from urdf_frontend.reading.shapes import read_geometry, read_material
from urdf_frontend.reading.xml_tree import Element


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
        reading.report("urdf-mass-missing", element, "<inertial> has no <mass>")
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
    geometry, fields = _shape(reading, element, VISUAL)
    return Visual(
        name=reading.string(element, "name"),
        origin=reading.part(element, VISUAL.part("origin")),
        geometry=geometry,
        material=None if material is None else read_material(reading, material),
        **fields,
    )


def _collision(reading: Reading, element: Element) -> Collision:
    geometry, fields = _shape(reading, element, COLLISION)
    return Collision(
        name=reading.string(element, "name"),
        origin=reading.part(element, COLLISION.part("origin")),
        geometry=geometry,
        **fields,
    )


def _shape(reading: Reading, element: Element, of: ElementType) -> tuple[Geometry | None, dict[str, Any]]:
    """The shape of a visual or collision, and what is left: further shapes are kept as extensions."""
    shape, others = read_geometry(reading, element)
    fields = reading.rest(element, of)
    fields["extensions"] += others
    return shape, fields
