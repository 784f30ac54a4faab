"""Geometries and materials."""

from __future__ import annotations

from attrs import evolve

from urdf_frontend.model.fields import COLOUR, MATERIAL, SHAPES, TEXTURE
from urdf_frontend.model.geometry import Colour, Geometry, Material, Mesh, OtherGeometry, Texture
from urdf_frontend.model.items import Extension
from urdf_frontend.model.numbers import Number, Vector
from urdf_frontend.reading.context import Reading
from urdf_frontend.reading.xml_tree import Element


def read_geometry(reading: Reading, element: Element) -> tuple[Geometry | None, tuple[Extension, ...]]:
    """The shape inside a `<visual>` or `<collision>`: the first one that its `<geometry>` has; and the others."""
    geometry = reading.first(element, "geometry")
    if geometry is None or not geometry.children:
        message = f"<{element.tag}> has no geometry; there is nothing to show"
        reading.report("urdf-geometry-missing", geometry or element, message, f"give it one of: {', '.join(SHAPES)}")
        return None, ()
    for other in geometry.children[1:]:
        message = f"<geometry> has more than one shape; <{other.tag}> is left out"
        reading.report("urdf-geometry-several", other, message, f"give each shape a <{element.tag}> of its own")
    others = tuple(reading.extension(other) for other in geometry.children[1:])
    return _shape(reading, geometry.children[0]), others


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
    message = "'scale' has one number, and three are expected; it is taken for all three"
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
        message = "'rgba' has three numbers, and four are expected; alpha is taken as 1"
        reading.findings.report("urdf-rgba-count", rgba.place, message)
        rgba = evolve(rgba, numbers=(*rgba.numbers, Number.of(1.0)))
    if any(not 0.0 <= value <= 1.0 for value in rgba.values):
        hint = "divide by 255" if max(rgba.values) > 2 else ""  # noqa: PLR2004  (no rounding error, so bytes)
        message = f"the colour {rgba.text} has numbers outside of 0 to 1; they are clamped"
        reading.findings.report("urdf-rgba-range", rgba.place, message, hint)
    return Colour(rgba=rgba, **fields)


def _texture(reading: Reading, element: Element) -> Texture | None:
    fields = reading.attributes(element, TEXTURE)
    if not fields["filename"]:
        reading.report("urdf-texture-empty", element, "<texture> names no file; it is left out")
        return None
    return Texture(**fields)
