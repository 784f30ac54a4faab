"""What a picture is put together on: groups and elements of SVG, and what must be known of them at the end."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from modelica_ast.foundation import Record
from modelica_ast.graphics import Affine, Box, Color, FillPattern, LinePattern, Xy
from modelica_ast.library import Problem

# ---------------------------------------------------------------- outlines
# The outlines of shapes as paths: lines, and curves that any affine map keeps.

Segment = tuple[str, tuple[Xy, ...]]  # a letter of SVG's path data and its points
Outline = tuple[Segment, ...]

_FULL_TURN: Final = 360.0
_STEP: Final = 90.0  # no arc is longer than this, so that a cubic curve can't be told from it
_CORNER: Final = 4 / 3 * math.tan(math.radians(_STEP) / 4)  # where the control points of a quarter circle are
_FARTHEST: Final = 1e9  # no viewer draws what is farther away
_CURVED: Final = 3  # two points are a line, smooth or not


def polyline(points: Sequence[Xy], *, is_closed: bool = False) -> Outline:
    """Straight lines from point to point."""
    if not points:
        return ()
    lines: Outline = (("M", (points[0],)), ("L", tuple(points[1:])))
    return (*lines, ("Z", ())) if is_closed else lines


def spline(points: Sequence[Xy], *, is_closed: bool = False) -> Outline:
    """Quadratic curves between the middles of the segments, each pulled to the point between; straight ends."""
    if is_closed and points and points[0] != points[-1]:
        points = [*points, points[0]]
    if len(points) < _CURVED:
        return polyline(points, is_closed=is_closed)
    middles = [((x1 + x2) / 2, (y1 + y2) / 2) for (x1, y1), (x2, y2) in pairwise(points)]
    found: list[Segment] = [("M", (points[0],)), ("L", (middles[0],))]
    found += [("Q", (point, middle)) for point, middle in zip(points[1:-1], middles[1:], strict=True)]
    found.append(("L", (points[-1],)))
    return (*found, ("Z", ())) if is_closed else tuple(found)


def rectangle(box: Box, radius: float = 0.0) -> Outline:
    """A rectangle, its corners round if there is a radius."""
    radius = min(abs(radius), box.width / 2, box.height / 2)
    if radius <= 0:
        return polyline(box.corners, is_closed=True)
    left, bottom, right, top = box
    pull = radius * (1 - _CORNER)
    return (
        ("M", ((left + radius, bottom),)),
        ("L", ((right - radius, bottom),)),
        ("C", ((right - pull, bottom), (right, bottom + pull), (right, bottom + radius))),
        ("L", ((right, top - radius),)),
        ("C", ((right, top - pull), (right - pull, top), (right - radius, top))),
        ("L", ((left + radius, top),)),
        ("C", ((left + pull, top), (left, top - pull), (left, top - radius))),
        ("L", ((left, bottom + radius),)),
        ("C", ((left, bottom + pull), (left + pull, bottom), (left + radius, bottom))),
        ("Z", ()),
    )


def ellipse(box: Box, start: float = 0.0, end: float = _FULL_TURN, closure: str = "Automatic") -> Outline:
    """An ellipse or an arc of it, counter-clockwise from 3 o'clock; `closure` is a name of EllipseClosure."""
    is_whole = abs(end - start) >= _FULL_TURN
    if closure == "Automatic":
        closure = "Chord" if is_whole else "Radial"
    curves = list(_arc(box, start, start + math.copysign(min(abs(end - start), _FULL_TURN), end - start)))
    first = _on(box, start)
    if closure == "None":
        return (("M", (first,)), *curves)
    if closure == "Radial" and not is_whole:
        return (("M", (box.center,)), ("L", (first,)), *curves, ("Z", ()))
    return (("M", (first,)), *curves, ("Z", ()))


def _arc(box: Box, start: float, end: float) -> Iterator[Segment]:
    count = max(1, math.ceil(abs(end - start) / _STEP - 1e-9))
    step = (end - start) / count
    pull = 4 / 3 * math.tan(math.radians(step) / 4)
    for number in range(count):
        one, other = start + number * step, start + (number + 1) * step
        yield "C", (_on(box, one, pull), _on(box, other, -pull), _on(box, other))


def _on(box: Box, degrees: float, along: float = 0.0) -> Xy:
    """A point of the ellipse in a box, or one so far along its tangent there."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = box.center
    return x + box.width / 2 * (cosine - along * sine), y + box.height / 2 * (sine + along * cosine)


def placed(outline: Outline, map_: Affine) -> Outline:
    """The outline where a map puts it."""
    return tuple((letter, map_.all_at(points)) for letter, points in outline)


def points_of(outline: Outline) -> list[Xy]:
    """All points, those that only pull a curve too: what is drawn is never outside of them."""
    return [point for _, points in outline for point in points]


def path_data(outline: Outline) -> str:
    """The `d` of an SVG path; there y points downwards."""
    return "".join(
        letter + " ".join(f"{number(x)},{number(-y)}" for x, y in points)
        for letter, points in outline
        if points or letter == "Z"
    )


def number(value: float) -> str:
    """A number of an SVG file: a thousandth of a millimetre is fine enough."""
    text = f"{max(-_FARTHEST, min(_FARTHEST, value)):.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


# ---------------------------------------------------------------- painting
# Colours, line patterns and fill patterns as SVG: attributes, and the gradients and patterns that they refer to.

_THINNEST: Final = 0.1  # a line of thickness 0 is seen all the same
_HATCHING: Final = 2.5  # from one line of a fill pattern to the next
_HATCH_WIDTH: Final = 0.25
_DASHES: Final = {  # for a line of the usual thickness
    LinePattern.Dash: (3, 1.5),
    LinePattern.Dot: (0.5, 1),
    LinePattern.DashDot: (3, 1.25, 0.5, 1.25),
    LinePattern.DashDotDot: (3, 1, 0.5, 1, 0.5, 1),
}
_USUAL_WIDTH: Final = 0.25
_HATCHED: Final = {  # the lines of one tile of the pattern, its size being 1
    FillPattern.Horizontal: ("M0,.5H1",),
    FillPattern.Vertical: ("M.5,0V1",),
    FillPattern.Cross: ("M0,.5H1", "M.5,0V1"),
    FillPattern.Forward: ("M-.25,.25L.25,-.25M0,1L1,0M.75,1.25L1.25,.75",),
    FillPattern.Backward: ("M-.25,.75L.25,1.25M0,0L1,1M.75,-.25L1.25,.25",),
    FillPattern.CrossDiag: ("M0,1L1,0", "M0,0L1,1"),
}
_QUARTER: Final = 90


def hexadecimal(color: Color) -> str:
    """`#rrggbb`."""
    return f"#{color.red:02x}{color.green:02x}{color.blue:02x}"


def stroke(color: Color, pattern: LinePattern, thickness: float) -> dict[str, str]:
    """The attributes of a line. Its thickness does not depend on the size of the component that it is part of."""
    if pattern is LinePattern.None_:
        return {"stroke": "none"}
    width = max(abs(float(thickness)), _THINNEST)
    found = {"stroke": hexadecimal(color), "stroke-width": number(width)}
    dashes = _DASHES.get(pattern)
    if dashes is not None:
        found["stroke-dasharray"] = " ".join(number(dash * max(1.0, width / _USUAL_WIDTH / 2)) for dash in dashes)
    return found


class Paints:
    """The gradients and patterns of a drawing, each once."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._ids: dict[tuple[str, ...], str] = {}
        self.defs = Element("defs")

    def fill(self, pattern: FillPattern, color: Color, line: Color, map_: Affine) -> str:
        """The value of `fill`."""
        if pattern is FillPattern.None_:
            return "none"
        if pattern is FillPattern.Solid:
            return hexadecimal(color)
        inside, edge = hexadecimal(color), hexadecimal(line)
        if pattern in _HATCHED:
            return self._once((pattern.value, inside, edge), lambda: self._hatched(pattern, inside, edge))
        if pattern is FillPattern.Sphere:
            return self._once(("Sphere", inside, edge), lambda: self._sphere(inside, edge))
        # Along a cylinder nothing changes; across it the colours go from the edge to the middle and back.
        across = map_.angle + (_QUARTER if pattern is FillPattern.HorizontalCylinder else 0)
        angle = number(-across % (2 * _QUARTER))
        return self._once(("Cylinder", inside, edge, angle), lambda: self._cylinder(inside, edge, angle))

    def _once(self, key: tuple[str, ...], make: object) -> str:
        if key not in self._ids:
            assert callable(make)
            self._ids[key] = f"{self._prefix}fill.{len(self._ids) + 1}"  # no component has a dot in its name
            element = make()
            element.set("id", self._ids[key])
            self.defs.append(element)
        return f"url(#{self._ids[key]})"

    @staticmethod
    def _hatched(pattern: FillPattern, inside: str, edge: str) -> Element:
        size = number(_HATCHING)
        element = Element("pattern", patternUnits="userSpaceOnUse", width=size, height=size)
        SubElement(element, "rect", width=size, height=size, fill=inside)
        lines = "".join(_HATCHED[pattern])
        width = number(_HATCH_WIDTH / _HATCHING)
        SubElement(element, "path", {"d": lines, "transform": f"scale({size})", "stroke": edge, "stroke-width": width})
        return element

    @staticmethod
    def _sphere(inside: str, edge: str) -> Element:
        element = Element("radialGradient")
        _stops(element, ("0", inside), ("1", edge))
        return element

    @staticmethod
    def _cylinder(inside: str, edge: str, angle: str) -> Element:
        element = Element("linearGradient")
        if angle != "0":
            element.set("gradientTransform", f"rotate({angle} .5 .5)")
        _stops(element, ("0", edge), ("0.5", inside), ("1", edge))
        return element


def _stops(gradient: Element, *stops: tuple[str, str]) -> None:
    for offset, color in stops:
        SubElement(gradient, "stop", {"offset": offset, "stop-color": color})


# ---------------------------------------------------------------- canvas

_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # by XML 1.0
_NO_IDENTIFIER: Final = re.compile(r"[^A-Za-z0-9_.-]")


class TextBox(Record):
    """A text as it is drawn, and the upright box around its letters."""

    text: str
    owner: str  # the path of the component whose text it is, '' for the class itself; of a connection its two ends
    box: Box


class Canvas:
    """The elements of a picture in the order in which they are drawn."""

    def __init__(self, prefix: str = "") -> None:
        self.root = Element("g", {"stroke-linejoin": "round"})
        self.paints = Paints(prefix)
        self.text_boxes: list[TextBox] = []
        self.owner = ""  # whose graphics are being drawn
        self.box: Box | None = None  # around all that is drawn
        self._prefix = prefix
        self._problems: dict[Problem, None] = {}
        self._ids: dict[str, int] = {}
        self._groups = [self.root]

    # ------------------------------------------------------------ elements

    @contextmanager
    def group(self, name: str, title: str, attributes: dict[str, str]) -> Iterator[Element]:
        """A group with an id and a title; what is drawn in the meantime is in it."""
        element = SubElement(self._groups[-1], "g", {"id": self._free_id(name)})
        for key, value in attributes.items():
            element.set(key, clean(value))
        SubElement(element, "title").text = clean(title)
        self._groups.append(element)
        owner, self.owner = self.owner, name
        try:
            yield element
        finally:
            self.owner = owner
            self._groups.pop()

    def add(self, tag: str, attributes: dict[str, str], box: Box) -> Element:
        """One element that covers a box."""
        self.box = box if self.box is None else self.box.joined(box)
        return SubElement(self._groups[-1], tag, attributes)

    def path(self, outline: Outline, attributes: dict[str, str]) -> None:
        """A path; one without points is nothing."""
        points = points_of(outline)
        if points:
            self.add("path", {"d": path_data(outline), **attributes}, Box.around(points))

    def text(self, text: str, box: Box) -> None:
        """Remember a text that was drawn."""
        self.text_boxes.append(TextBox(text, self.owner, box))

    def _free_id(self, name: str) -> str:
        """The name itself if an id may be so and no other is; else with a number after it."""
        wanted = self._prefix + _NO_IDENTIFIER.sub("_", name)
        self._ids[wanted] = count = self._ids.get(wanted, 0) + 1
        return wanted if count == 1 else self._free_id(f"{name}-{count}")

    # ------------------------------------------------------------ problems

    def report(self, problem: Problem) -> None:
        """Say what could not be drawn, once."""
        self._problems[problem] = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that was reported."""
        return tuple(self._problems)


def clean(text: str) -> str:
    """A text without the characters that no XML file can have."""
    return _FORBIDDEN.sub("\ufffd", text)
