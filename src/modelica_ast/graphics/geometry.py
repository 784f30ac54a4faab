"""Points, extents and colours."""

from __future__ import annotations

import math
from typing import Final

import attrs

from modelica_ast.graphics.errors import GraphicsError
from modelica_ast.graphics.numbers import Number, add, as_number, middle, negative

_QUARTER: Final = 90
_TURN: Final = 360
_DIGITS: Final = 6  # of what was rotated by an angle that is no quarter turn
_BRIGHTEST: Final = 255


@attrs.frozen
class Point:
    """`{x,y}`, in millimetres."""

    x: Number = attrs.field(converter=as_number)
    y: Number = attrs.field(converter=as_number)

    def moved(self, dx: Number, dy: Number) -> Point:
        """The point so far to the right and up."""
        return Point(add(self.x, dx), add(self.y, dy))

    def rotated(self, degrees: Number) -> Point:
        """The point turned counter-clockwise around `{0,0}`; exactly, for quarters of a turn."""
        degrees %= _TURN
        if degrees % _QUARTER:
            angle = math.radians(degrees)
            return Point(
                round(self.x * math.cos(angle) - self.y * math.sin(angle), _DIGITS),
                round(self.x * math.sin(angle) + self.y * math.cos(angle), _DIGITS),
            )
        point = self
        for _ in range(int(degrees) // _QUARTER):
            point = Point(negative(point.y), point.x)
        return point


@attrs.frozen
class Extent:
    """`{{x1,y1},{x2,y2}}`: a rectangle by two corners. Corners in another order than usual flip what is inside."""

    first: Point
    second: Point

    @property
    def left(self) -> Number:
        """The smaller x."""
        return min(self.first.x, self.second.x)

    @property
    def right(self) -> Number:
        """The larger x."""
        return max(self.first.x, self.second.x)

    @property
    def bottom(self) -> Number:
        """The smaller y."""
        return min(self.first.y, self.second.y)

    @property
    def top(self) -> Number:
        """The larger y."""
        return max(self.first.y, self.second.y)

    @property
    def center(self) -> Point:
        """The point in the middle, exactly."""
        return Point(middle(self.first.x, self.second.x), middle(self.first.y, self.second.y))

    def moved(self, dx: Number, dy: Number) -> Extent:
        """The extent so far to the right and up."""
        return Extent(self.first.moved(dx, dy), self.second.moved(dx, dy))

    def rotated(self, degrees: Number) -> Extent:
        """The smallest upright extent around this one when it is turned around `{0,0}`."""
        corners = [Point(x, y).rotated(degrees) for x in (self.left, self.right) for y in (self.bottom, self.top)]
        xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
        return Extent(Point(min(xs), min(ys)), Point(max(xs), max(ys)))

    def holds(self, point: Point, margin: Number = 0) -> bool:
        """Is a point inside, on the border, or no farther than a margin outside?"""
        return (
            self.left - margin <= point.x <= self.right + margin
            and self.bottom - margin <= point.y <= self.top + margin
        )


@attrs.frozen
class Color:
    """`{red,green,blue}`, each from 0 to 255."""

    red: int
    green: int
    blue: int

    def __attrs_post_init__(self) -> None:
        parts = (self.red, self.green, self.blue)
        if not all(type(part) is int and 0 <= part <= _BRIGHTEST for part in parts):
            raise GraphicsError(f"a colour is three whole numbers from 0 to {_BRIGHTEST}, not {parts}")


BLACK: Final = Color(0, 0, 0)
ORIGIN: Final = Point(0, 0)
