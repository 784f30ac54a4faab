"""Placements and lines as the diagrams of robots have them."""

from __future__ import annotations

from typing import Final

from modelica_ast.graphics import Color, CoordinateSystem, Extent, Line, Placement, Point, Transformation

Xy = tuple[int, int]

_FRAME_COLOR: Final = Color(95, 95, 95)  # that of connections between frames in the Standard Library
_FRAME_THICKNESS: Final = 0.5
_ROTATIONAL_COLOR: Final = Color(0, 0, 0)
_TRANSLATIONAL_COLOR: Final = Color(0, 127, 0)


def frame_line(*points: Xy) -> Line:
    """The line of a connection between frames."""
    return Line(points=tuple(Point(*point) for point in points), color=_FRAME_COLOR, thickness=_FRAME_THICKNESS)


def flange_line(*points: Xy, rotational: bool) -> Line:
    """The line of a connection between flanges, in the colour that these have in the Standard Library."""
    color = _ROTATIONAL_COLOR if rotational else _TRANSLATIONAL_COLOR
    return Line(points=tuple(Point(*point) for point in points), color=color)


def placement(x: int, y: int, half: int) -> Placement:
    """A component around a point, `half` to each side."""
    return Placement(transformation=Transformation(extent=_extent((x - half, y - half), (x + half, y + half))))


def turned_placement(x: int, y: int, half: int, rotation: int) -> Placement:
    """A component around a point, turned counter-clockwise by some degrees."""
    extent = _extent((-half, -half), (half, half))
    return Placement(transformation=Transformation(extent=extent, rotation=rotation, origin=Point(x, y)))


def coordinate_system(low: Xy, high: Xy) -> CoordinateSystem:
    """A diagram between two corners."""
    return CoordinateSystem(extent=_extent(low, high))


def _extent(low: Xy, high: Xy) -> Extent:
    return Extent(Point(*low), Point(*high))
