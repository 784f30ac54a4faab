"""The outlines of shapes as paths: lines, and curves that any affine map keeps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from modelica_ast.drawing.planes import Affine, Box, Xy

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
