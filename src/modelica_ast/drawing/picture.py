"""A class as a picture."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from modelica_ast.drawing.canvas import Canvas, TextBox, clean, number
from modelica_ast.drawing.components import ComponentPainter, DrawnComponent, DrawnLine, LinePainter, connections
from modelica_ast.drawing.items import Painter
from modelica_ast.drawing.texts import Subject
from modelica_ast.foundation import EditError, Record
from modelica_ast.graphics import UNCHANGED, Box, LayerName
from modelica_ast.library import Libraries, Problem, instance
from modelica_ast.semantics import Instance

Layer = Literal["icon", "diagram"]
_LAYERS: Final[dict[str, LayerName]] = {"icon": "Icon", "diagram": "Diagram"}
_MARGIN: Final = 4.0
_PIXELS: Final = 4.0  # for a millimetre, so that a usual line is one pixel thick
_MOST_PIXELS: Final = 6000.0  # what is larger, browsers do not show well
_GRID: Final = 10.0
_MOST_GRID_LINES: Final = 400
_NAMESPACE: Final = "http://www.w3.org/2000/svg"


class Drawing(Record):
    """The picture of a class. All boxes and points are in the coordinates of Modelica, y upwards."""

    class_name: str
    layer: str
    svg: str
    box: Box  # what the picture shows
    components: tuple[DrawnComponent, ...]
    lines: tuple[DrawnLine, ...]
    text_boxes: tuple[TextBox, ...]
    problems: tuple[Problem, ...]  # what could not be drawn, or not as it is written

    def overlapping_texts(self) -> list[tuple[TextBox, TextBox]]:
        """Pairs of texts that cover each other, from left to right."""
        found: list[tuple[TextBox, TextBox]] = []
        near: list[TextBox] = []
        for text in sorted(self.text_boxes, key=lambda each: each.box):
            near = [other for other in near if other.box.right > text.box.left]
            found += [(other, text) for other in near if other.box.overlaps(text.box)]
            near.append(text)
        return found


def draw(
    libraries: Libraries,
    class_name: str,
    *,
    layer: Layer = "diagram",
    name: str = "%name",
    grid: bool = False,
    id_prefix: str = "",
) -> Drawing:
    """The icon or the diagram of a class as SVG; NotFoundError if there is no such class.

    `name` is what stands for `%name` in the texts of the class itself. `id_prefix` is put before all ids, for pages
    with several drawings.
    """
    if layer not in _LAYERS:
        raise EditError(f"there is no layer '{layer}'; there is {' and '.join(_LAYERS)}")
    whole = instance(libraries, class_name)
    canvas = Canvas(id_prefix)
    painter = Painter(libraries, canvas)
    components, lines = _draw_class(whole, painter, _LAYERS[layer], name)
    for problem in whole.problems:
        canvas.report(problem)
    system = Box.of(painter.inheritance.system(whole.environment, _LAYERS[layer]).extent)
    box = (system if canvas.box is None else system.joined(canvas.box)).grown(_MARGIN)
    svg = _document(canvas, box, system if grid else None, whole.name, layer)
    return Drawing(
        whole.name, layer, svg, box, tuple(components), tuple(lines), tuple(canvas.text_boxes), canvas.problems
    )


def _draw_class(
    whole: Instance, painter: Painter, layer: LayerName, name: str
) -> tuple[list[DrawnComponent], list[DrawnLine]]:
    """Graphics, then lines, then components: an end of a line is hidden by the connector that it belongs to."""
    parts = painter.inheritance.parts(whole.environment, layer)
    painter.draw_parts(parts, layer, UNCHANGED, Subject(whole, name, whole.name))
    lines: list[DrawnLine] = []
    if layer == "Diagram":
        line_painter = LinePainter(painter, whole)
        found = (line_painter.draw(equation, part) for part in parts for equation in connections(part))
        lines = [line for line in found if line is not None]
    of_owner = {id(part.environment): part for part in reversed(parts)}
    component_painter = ComponentPainter(painter, layer)
    components = []
    for component in whole.components.values():
        part = of_owner.get(id(component.member.owner))
        drawn = component_painter.draw(component, part) if part is not None else None
        if drawn is not None:
            components.append(drawn)
    return components, lines


# ---------------------------------------------------------------- the file


def _document(canvas: Canvas, box: Box, grid: Box | None, class_name: str, layer: str) -> str:
    pixels = min(_PIXELS, _MOST_PIXELS / max(box.width, box.height))
    place = {"x": number(box.left), "y": number(-box.top), "width": number(box.width), "height": number(box.height)}
    root = Element(
        "svg",
        {
            "xmlns": _NAMESPACE,
            "width": number(box.width * pixels),
            "height": number(box.height * pixels),
            "viewBox": " ".join(place.values()),
            "role": "img",
            "data-class": clean(class_name),
            "data-layer": layer,
        },
    )
    SubElement(root, "title").text = clean(f"{class_name} ({layer})")
    if len(canvas.paints.defs):
        root.append(canvas.paints.defs)
    SubElement(root, "rect", {**place, "fill": "#ffffff"})
    if grid is not None:
        root.append(_grid(grid))
    root.append(canvas.root)
    indent(root, " ")
    for text in root.iter("text"):  # blanks between the lines of a text would be drawn
        for line in text:
            line.tail = None
        if len(text):
            text.text = None
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _grid(box: Box) -> Element:
    """Lines at every ten millimetres, and the frame of the coordinate system."""
    group = Element("g", {"stroke": "#dde4ee", "stroke-width": "0.15", "fill": "none"})
    step = _GRID
    while max(box.width, box.height) / step > _MOST_GRID_LINES:
        step *= 10
    for x in _multiples(box.left, box.right, step):
        SubElement(group, "path", {"d": f"M{number(x)},{number(-box.bottom)}V{number(-box.top)}"})
    for y in _multiples(box.bottom, box.top, step):
        SubElement(group, "path", {"d": f"M{number(box.left)},{number(-y)}H{number(box.right)}"})
    frame = {"x": number(box.left), "y": number(-box.top), "width": number(box.width), "height": number(box.height)}
    SubElement(group, "rect", {**frame, "stroke": "#8a94a6", "stroke-width": "0.25"})
    return group


def _multiples(start: float, end: float, step: float) -> Iterator[float]:
    for place in range(math.ceil(start / step), math.floor(end / step) + 1):
        yield place * step
