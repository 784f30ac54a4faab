"""Lines, polygons, rectangles and ellipses on the canvas."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from modelica_ast.drawing.canvas import Canvas
from modelica_ast.drawing.outlines import Outline, ellipse, placed, polyline, rectangle, spline
from modelica_ast.drawing.painting import stroke
from modelica_ast.drawing.planes import Affine, Box, Xy
from modelica_ast.drawing.values import Plain
from modelica_ast.graphics import (
    Arrow,
    BorderPattern,
    Color,
    Ellipse,
    EllipseClosure,
    FillPattern,
    LinePattern,
    Point,
    Polygon,
    Rectangle,
    Smooth,
)

_LONGEST_ARROW: Final = 1 / 3  # of the line's last stretch, so that short lines keep a visible shaft
_SLENDER: Final = 1.5  # the length of an arrow by its width
_FRAME: Final = 0.75  # the thickness of raised and sunken frames
_LIGHT: Final = Color(255, 255, 255)
_DARK: Final = Color(128, 128, 128)


def draw_line(canvas: Canvas, line: Plain, map_: Affine) -> tuple[Xy, ...]:
    """A line with its arrows; its points as they are drawn."""
    points = map_.all_at(_points(line.points))
    style = stroke(line.color, line.pattern, line.thickness)
    is_smooth = line.smooth is Smooth.Bezier
    canvas.path(spline(points) if is_smooth else polyline(points), {"fill": "none", **style})
    arrows = line.arrow
    for arrow, way in zip(arrows, (points[::-1], points), strict=False):
        _draw_arrow(canvas, arrow, way, line.arrowSize, style)
    return points


def _draw_arrow(canvas: Canvas, arrow: Arrow, way: Sequence[Xy], size: float, style: dict[str, str]) -> None:
    """The arrow at the end of a way, in the direction of its last stretch."""
    stretch = next(((a, way[-1]) for a in reversed(way[:-1]) if a != way[-1]), None)
    if arrow is Arrow.None_ or stretch is None or style["stroke"] == "none":
        return
    (from_x, from_y), (tip_x, tip_y) = stretch
    distance = math.dist(*stretch)
    length = min(abs(float(size)) * _SLENDER, distance * _LONGEST_ARROW)
    half = length / _SLENDER / 2
    along_x, along_y = (tip_x - from_x) / distance, (tip_y - from_y) / distance
    foot = tip_x - length * along_x, tip_y - length * along_y
    left = foot[0] - half * along_y, foot[1] + half * along_x
    right = foot[0] + half * along_y, foot[1] - half * along_x
    plain = {key: value for key, value in style.items() if key != "stroke-dasharray"}
    tip = (tip_x, tip_y)
    if arrow is Arrow.Filled:
        canvas.path(polyline([left, tip, right], is_closed=True), {"fill": style["stroke"], **plain})
    else:
        ends = [left, tip, right] if arrow is Arrow.Open else [left, tip]
        canvas.path(polyline(ends), {"fill": "none", **plain})


def draw_shape(canvas: Canvas, shape: Plain, map_: Affine) -> None:
    """A shape with its inside."""
    outline = _outline(shape)
    attributes = stroke(shape.lineColor, shape.pattern, shape.lineThickness)
    is_open = isinstance(shape, Ellipse) and shape.closure is EllipseClosure.None_
    fill = "none" if is_open else _fill(canvas, shape, map_)
    if fill == "none" and attributes["stroke"] == "none":
        # Nothing is seen of it, but it takes part in the size of the picture.
        attributes = {"stroke": "none"}
    canvas.path(placed(outline, map_), {"fill": fill, **attributes})
    if isinstance(shape, Rectangle) and shape.borderPattern is not BorderPattern.None_:
        for frame, color in _frame(shape):
            style = stroke(color, LinePattern.Solid, _FRAME)
            canvas.path(placed(frame, map_), {"fill": "none", **style})


def _outline(shape: Plain) -> Outline:
    if isinstance(shape, Polygon):
        points = _points(shape.points)
        return (spline if shape.smooth is Smooth.Bezier else polyline)(points, is_closed=True)
    if shape.extent is None:
        return ()
    box = Box.of(shape.extent)
    radius = getattr(shape, "radius", None)
    if radius is not None:  # of a rectangle
        return rectangle(box, float(radius))
    start, end = float(shape.startAngle), float(shape.endAngle)
    return ellipse(box, start, end, str(shape.closure.value))


def _fill(canvas: Canvas, shape: Plain, map_: Affine) -> str:
    pattern: FillPattern = shape.fillPattern
    return canvas.paints.fill(pattern, shape.fillColor, shape.lineColor, map_)


def _frame(shape: Plain) -> Iterator[tuple[Outline, Color]]:
    """The edges of a frame as lines inside the extent: light from above on the left for a raised one."""
    if shape.extent is None:
        return
    inner = Box.of(shape.extent).grown(-_FRAME / 2)
    left_bottom, right_bottom, right_top, left_top = inner.corners
    upper, lower = polyline([left_bottom, left_top, right_top]), polyline([left_bottom, right_bottom, right_top])
    if shape.borderPattern is BorderPattern.Raised:
        yield from ((upper, _LIGHT), (lower, _DARK))
    elif shape.borderPattern is BorderPattern.Sunken:
        yield from ((upper, _DARK), (lower, _LIGHT))
    else:  # engraved: a groove, dark outside and light inside
        yield rectangle(inner), _DARK
        yield rectangle(inner.grown(-_FRAME)), _LIGHT


def crossed_box(canvas: Canvas, box: Box, map_: Affine, color: Color) -> None:
    """What stands for something that is missing."""
    left_bottom, right_bottom, right_top, left_top = box.corners
    outline = (
        *rectangle(box),
        *polyline([left_bottom, right_top]),
        *polyline([left_top, right_bottom]),
    )
    style = {"fill": "none", **stroke(color, LinePattern.Dash, 0.25)}
    canvas.path(placed(outline, map_), style)


def plain_box(canvas: Canvas, box: Box, map_: Affine, color: Color, pattern: LinePattern) -> None:
    """The outline of something that has no picture of its own."""
    canvas.path(placed(rectangle(box), map_), {"fill": "none", **stroke(color, pattern, 0.25)})


def _points(points: Any) -> list[Xy]:
    found: Sequence[Point] = points or ()
    return [(float(point.x), float(point.y)) for point in found]
