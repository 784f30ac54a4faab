"""Lines of connections: how they follow a component that moves, and a way for a new one. Geometry only."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from modelica_ast.graphics.geometry import ORIGIN, Extent, Point
from modelica_ast.graphics.numbers import Number, add, whole_middle
from modelica_ast.graphics.shapes import Points

_NOISE: Final = 1e-6  # tools write 5.55112e-16 for 0
MARGIN: Final = 10  # how far a line goes around a component
_SIDES: Final = ("right", "left", "top", "bottom")
_OPPOSITE: Final = {"right": "left", "left": "right", "top": "bottom", "bottom": "top"}


def moved(points: Points, dx: Number, dy: Number) -> Points:
    """All points so far to the right and up."""
    return tuple(point.moved(dx, dy) for point in points)


def follow(points: Points, dx: Number, dy: Number) -> Points:
    """The line when its first point moves and its last one stays; what was horizontal or vertical remains so.

    The points on the first straight run follow across it, so only the segment behind the run changes its length.
    A line that is one straight run gets a step in its last segment, and a step that shrinks to nothing goes.
    """
    if not points:
        return points
    start = points[0].moved(dx, dy)
    rest = points[1:]
    horizontal = bool(rest) and _same(rest[0].y, points[0].y)
    vertical = bool(rest) and _same(rest[0].x, points[0].x)
    if not horizontal and not vertical:
        return (start, *rest)
    across = Point(0, dy) if horizontal else Point(dx, 0)
    if across == ORIGIN:
        return (start, *rest)
    run = _run([point.y if horizontal else point.x for point in points])
    if run < len(points):
        return _without_step((start, *moved(points[1:run], across.x, across.y), *points[run:]), run)
    followed = (start, *moved(points[1:-1], across.x, across.y))
    return (*followed, *step(followed[-1], points[-1], horizontal=horizontal), points[-1])


def _without_step(points: Points, place: int) -> Points:
    """The line without the points before and at `place`, if they are at one place now and on the way straight on."""
    around = points[place - 2 : place + 2]
    straight = len({point.x for point in around}) == 1 or len({point.y for point in around}) == 1
    if points[place - 1] != points[place] or place == len(points) - 1 or not straight:
        return points
    return (*points[: place - 1], *points[place + 1 :])


def _run(values: list[Number]) -> int:
    """How many values at the start are the same."""
    return next((place for place, value in enumerate(values) if not _same(value, values[0])), len(values))


def _same(one: Number, other: Number) -> bool:
    return abs(one - other) < _NOISE


def step(one: Point, other: Point, *, horizontal: bool) -> Points:
    """The two bends between points that are not on one line any more; none if they are on one again."""
    if one.x == other.x or one.y == other.y:
        return ()
    if horizontal:
        x = whole_middle(one.x, other.x)
        return Point(x, one.y), Point(x, other.y)
    y = whole_middle(one.y, other.y)
    return Point(one.x, y), Point(other.x, y)


# ---------------------------------------------------------------- a new line


def between(one: Extent, other: Extent) -> Points | None:
    """A line of at most three segments from the border of one box to that of another, on top of neither.

    It joins the sides that face each other if it can, else it goes around one corner, else around one side. None
    if there is no such line: one box covers the other.
    """
    ways = [
        (_rank(one, other, leave, arrive), length(points), points)
        for leave in _SIDES
        for arrive in _SIDES
        if (points := _way(one, other, leave, arrive)) is not None and not crosses(points, one, other)
    ]
    return min(ways, key=lambda way: way[:2])[2] if ways else None


def _rank(one: Extent, other: Extent, leave: str, arrive: str) -> tuple[int, Number]:
    """Facing sides first, and of these the ones that are farther apart."""
    if arrive == _OPPOSITE[leave]:
        gap = max(other.left - one.right, one.left - other.right)
        if leave in ("top", "bottom"):
            gap = max(other.bottom - one.top, one.bottom - other.top)
        return 0, -gap
    return (2, 0) if arrive == leave else (1, 0)


def _side(box: Extent, side: str) -> Point:
    center = box.center
    if side in ("left", "right"):
        return Point(getattr(box, side), center.y)
    return Point(center.x, getattr(box, side))


def _way(one: Extent, other: Extent, leave: str, arrive: str) -> Points | None:
    """The line that leaves one box on a side and arrives at a side of the other."""
    start, end = _side(one, leave), _side(other, arrive)
    sideways = leave in ("left", "right")
    if arrive == leave and (start.y == end.y if sideways else start.x == end.x):
        return None  # it would come back on itself
    bends: Points
    if arrive == _OPPOSITE[leave]:
        bends = step(start, end, horizontal=sideways)
    elif arrive == leave:
        bends = _around(start, end, leave)
    else:
        bends = (Point(end.x, start.y),) if sideways else (Point(start.x, end.y),)
    line = [start]
    for point in (*bends, end):
        if point != line[-1]:
            line.append(point)
    return tuple(line) if len(line) > 1 else None


def _around(start: Point, end: Point, side: str) -> Points:
    """The two bends of a line that leaves and arrives on the same side."""
    match side:
        case "right":
            x = add(max(start.x, end.x), MARGIN)
        case "left":
            x = add(min(start.x, end.x), -MARGIN)
        case "top":
            y = add(max(start.y, end.y), MARGIN)
            return Point(start.x, y), Point(end.x, y)
        case _:
            y = add(min(start.y, end.y), -MARGIN)
            return Point(start.x, y), Point(end.x, y)
    return Point(x, start.y), Point(x, end.y)


def length(points: Points) -> Number:
    """How long a line of horizontal and vertical segments is."""
    return sum(abs(b.x - a.x) + abs(b.y - a.y) for a, b in pairwise(points))


def crosses(points: Points, *boxes: Extent) -> bool:
    """Does a segment go through the inside of a box? Along its border is not through it."""
    return any(
        max(a.x, b.x) > box.left
        and min(a.x, b.x) < box.right
        and max(a.y, b.y) > box.bottom
        and min(a.y, b.y) < box.top
        for a, b in pairwise(points)
        for box in boxes
    )
