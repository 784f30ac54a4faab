"""Colours, line patterns and fill patterns as SVG: attributes, and the gradients and patterns that they refer to."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element, SubElement

from modelica_ast.drawing.outlines import number
from modelica_ast.drawing.planes import Affine
from modelica_ast.graphics import Color, FillPattern, LinePattern

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
