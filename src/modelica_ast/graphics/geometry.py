"""What graphical annotations are made of: points, extents, colours, and the words for lines and patterns."""

from __future__ import annotations

import math
from decimal import Decimal
from enum import Enum
from typing import Any, Final

import attrs

from modelica_ast.foundation import ModelicaError
from modelica_ast.tree import Real

# ---------------------------------------------------------------- errors
# Why a graphical annotation can't be read or written.


class GraphicsError(ModelicaError, ValueError):
    """A value of a wrong shape: a colour of two numbers, a pattern that there is not."""


# ---------------------------------------------------------------- numbers
# Coordinates: numbers that are added without rounding, and written as short as the Standard Library writes them.

Number = int | float

_DIGITS: Final = 9  # after the point; what is smaller is the noise of a tool, 5.55112e-16
_ROUNDED_BELOW: Final = 10**15  # larger numbers have no such digits
_FAR_APART: Final = 2  # ends that have a whole number between them that is neither of them


def as_number(value: Any) -> Number:
    """The value itself; GraphicsError if it is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise GraphicsError(f"{value!r} is not a number")
    return value


def number_text(value: Number) -> str:
    """`10` for 10 and 10.0, `0.25`; a number that was read is written as it was."""
    if isinstance(value, Real):
        return value.text
    return str(int(value)) if value == int(value) else repr(value)


def add(number: Number, change: Number) -> Number:
    """The sum, exactly: 0.1 + 0.2 is 0.3. A number written `10.0` keeps its digits if it moves by a whole number."""
    if change == 0:
        return number
    total = _decimal(number) + _decimal(change)
    if isinstance(number, Real) and "." in number.text and "e" not in number.text.lower() and change == int(change):
        return Real(f"{total:f}")
    return _shortest(total)


def _shortest(number: Decimal) -> Number:
    if abs(number) < _ROUNDED_BELOW:
        number = round(number, _DIGITS)
    return int(number) if number == int(number) else Real(f"{number:f}".rstrip("0"))


def negative(number: Number) -> Number:
    """The same with the other sign."""
    return add(0, -number) if isinstance(number, Real) else -number


def difference(one: Number, other: Number) -> Number:
    """`one - other`, exactly."""
    return add(one, negative(other))


def middle(one: Number, other: Number) -> Number:
    """Half way between two numbers, exactly."""
    return _shortest((_decimal(one) + _decimal(other)) / 2)


def whole_middle(one: Number, other: Number) -> Number:
    """Half way between two numbers, or the whole number next to it if that still lies between them."""
    exact = (_decimal(one) + _decimal(other)) / 2
    return int(exact.to_integral_value()) if abs(one - other) >= _FAR_APART else middle(one, other)


def _decimal(number: Number) -> Decimal:
    return Decimal(number_text(number))


# ---------------------------------------------------------------- geometry

_QUARTER: Final = 90
_TURN: Final = 360
_GEOMETRY_DIGITS: Final = 6  # of what was rotated by an angle that is not a quarter turn
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
                round(self.x * math.cos(angle) - self.y * math.sin(angle), _GEOMETRY_DIGITS),
                round(self.x * math.sin(angle) + self.y * math.cos(angle), _GEOMETRY_DIGITS),
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


# ---------------------------------------------------------------- enumerations
# The enumerations of section 18.6.1.2. Their members are named as in Modelica; `None` is a word of Python: `None_`.


class GraphicEnumeration(Enum):
    """Base of them; `str()` gives the literal as Modelica writes it, `LinePattern.Dash`."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.value}"


class LinePattern(GraphicEnumeration):
    """How a line is drawn."""

    None_ = "None"
    Solid = "Solid"
    Dash = "Dash"
    Dot = "Dot"
    DashDot = "DashDot"
    DashDotDot = "DashDotDot"


class FillPattern(GraphicEnumeration):
    """How the inside of a shape is drawn."""

    None_ = "None"
    Solid = "Solid"
    Horizontal = "Horizontal"
    Vertical = "Vertical"
    Cross = "Cross"
    Forward = "Forward"
    Backward = "Backward"
    CrossDiag = "CrossDiag"
    HorizontalCylinder = "HorizontalCylinder"
    VerticalCylinder = "VerticalCylinder"
    Sphere = "Sphere"


class BorderPattern(GraphicEnumeration):
    """The frame of a rectangle."""

    None_ = "None"
    Raised = "Raised"
    Sunken = "Sunken"
    Engraved = "Engraved"


class Smooth(GraphicEnumeration):
    """Straight segments, or a spline."""

    None_ = "None"
    Bezier = "Bezier"


class EllipseClosure(GraphicEnumeration):
    """How the ends of an arc are joined."""

    None_ = "None"
    Chord = "Chord"
    Radial = "Radial"
    Automatic = "Automatic"


class Arrow(GraphicEnumeration):
    """The end of a line."""

    None_ = "None"
    Open = "Open"
    Filled = "Filled"
    Half = "Half"


class TextStyle(GraphicEnumeration):
    """Variations of a font."""

    Bold = "Bold"
    Italic = "Italic"
    UnderLine = "UnderLine"


class TextAlignment(GraphicEnumeration):
    """Where a text is in its extent. `Automatic` is for the texts of connections only."""

    Left = "Left"
    Center = "Center"
    Right = "Right"
    Automatic = "Automatic"


ENUMERATIONS: Final[dict[str, type[GraphicEnumeration]]] = {
    cls.__name__: cls
    for cls in (LinePattern, FillPattern, BorderPattern, Smooth, EllipseClosure, Arrow, TextStyle, TextAlignment)
}
