"""Boxes and affine maps, in the coordinates of Modelica: millimetres, y upwards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from modelica_ast.graphics.geometry import Extent

Xy = tuple[float, float]

_QUARTER: Final = 90
_EXACT: Final[dict[int, Xy]] = {0: (1.0, 0.0), 1: (0.0, 1.0), 2: (-1.0, 0.0), 3: (0.0, -1.0)}


class Box(NamedTuple):
    """An upright rectangle."""

    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def of(cls, extent: Extent) -> Box:
        """The rectangle of an extent, whatever the order of its corners."""
        return cls(float(extent.left), float(extent.bottom), float(extent.right), float(extent.top))

    @classmethod
    def around(cls, points: Iterable[Xy]) -> Box:
        """The smallest box around points, of which there is one at least."""
        found = list(points)
        xs, ys = [x for x, _ in found], [y for _, y in found]
        return cls(min(xs), min(ys), max(xs), max(ys))

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From bottom to top."""
        return self.top - self.bottom

    @property
    def center(self) -> Xy:
        """The point in the middle."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2

    @property
    def corners(self) -> tuple[Xy, Xy, Xy, Xy]:
        """Counter-clockwise from the left bottom."""
        left, bottom, right, top = self
        return (left, bottom), (right, bottom), (right, top), (left, top)

    def joined(self, other: Box) -> Box:
        """The smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.bottom, other.bottom),
            max(self.right, other.right),
            max(self.top, other.top),
        )

    def grown(self, margin: float) -> Box:
        """The box with a margin on all sides; a negative one makes it smaller."""
        return Box(self.left - margin, self.bottom - margin, self.right + margin, self.top + margin)

    def overlaps(self, other: Box) -> bool:
        """Do they share more than a border?"""
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )


class Affine(NamedTuple):
    """x' = a*x + c*y + e, y' = b*x + d*y + f; the letters are those of SVG's matrix(…)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    @classmethod
    def shift(cls, dx: float, dy: float) -> Affine:
        """Move so far to the right and up."""
        return cls(e=dx, f=dy)

    @classmethod
    def turn(cls, degrees: float) -> Affine:
        """Turn counter-clockwise around {0,0}; exactly, for quarters of a turn."""
        quarters, rest = divmod(degrees, _QUARTER)
        if rest:
            cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        else:
            cosine, sine = _EXACT[int(quarters) % 4]
        return cls(cosine, sine, -sine, cosine)

    @classmethod
    def mapping(cls, source: Extent, target: Extent, *, keeps_ratio: bool = False) -> Affine:
        """Map one extent to another, corner to corner, so that swapped corners flip what is inside.

        If the ratio is kept, the picture has the largest size that fits and is in the middle.
        """
        scale_x = _ratio(target.second.x - target.first.x, source.second.x - source.first.x)
        scale_y = _ratio(target.second.y - target.first.y, source.second.y - source.first.y)
        if keeps_ratio:
            size = min(abs(scale_x), abs(scale_y))
            scale_x, scale_y = math.copysign(size, scale_x), math.copysign(size, scale_y)
        (from_x, from_y), (to_x, to_y) = Box.of(source).center, Box.of(target).center
        return cls(scale_x, 0.0, 0.0, scale_y, to_x - scale_x * from_x, to_y - scale_y * from_y)

    def then(self, outer: Affine) -> Affine:
        """First this map, then the other one."""
        return Affine(
            outer.a * self.a + outer.c * self.b,
            outer.b * self.a + outer.d * self.b,
            outer.a * self.c + outer.c * self.d,
            outer.b * self.c + outer.d * self.d,
            outer.a * self.e + outer.c * self.f + outer.e,
            outer.b * self.e + outer.d * self.f + outer.f,
        )

    def at(self, point: Xy) -> Xy:
        """Where a point is mapped to."""
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def all_at(self, points: Sequence[Xy]) -> tuple[Xy, ...]:
        """Where points are mapped to."""
        a, b, c, d, e, f = self
        return tuple((a * x + c * y + e, b * x + d * y + f) for x, y in points)

    @property
    def x_length(self) -> float:
        """How long a horizontal line of length 1 becomes."""
        return math.hypot(self.a, self.b)

    @property
    def y_length(self) -> float:
        """How long a vertical line of length 1 becomes."""
        return math.hypot(self.c, self.d)

    @property
    def angle(self) -> float:
        """The direction, in degrees, that a horizontal line has then."""
        return math.degrees(math.atan2(self.b, self.a))


UNCHANGED: Final = Affine()


def _ratio(target: float, source: float) -> float:
    return float(target) / float(source) if source else 1.0
