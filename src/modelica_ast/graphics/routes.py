"""Lines of connections: how they follow a component that moves, and a way for a new one. Geometry only."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final, Literal

from modelica_ast.foundation import Record
from modelica_ast.graphics.geometry import ORIGIN, Extent, Number, Point, add, whole_middle
from modelica_ast.graphics.records import Points

_NOISE: Final = 1e-6  # tools write 5.55112e-16 for 0
MARGIN: Final = 10  # how far a line goes around a component
_SIDES: Final = ("right", "left", "top", "bottom")
_OPPOSITE: Final = {"right": "left", "left": "right", "top": "bottom", "bottom": "top"}


def moved(points: Points, dx: Number, dy: Number) -> Points:
    """All points so far to the right and up."""
    return tuple(point.moved(dx, dy) for point in points)


def follow(points: Points, dx: Number, dy: Number) -> Points:
    """The line when its first point moves and its last one stays; what was horizontal or vertical remains so.

    The points on the first straight run follow across it, so only the segment after the run changes its length.
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


# ---------------------------------------------------------------- obstacles
# A line around what is in its way: the shortest one of few bends, along the edges of what it goes around.
#
# The way is searched for on a grid of coordinates: those of the two ends, and of every box its edges and lines beside
# them. A cell of the grid is inside of a box or outside of it, so a line along the grid cuts no box by accident.

_BEND: Final = 20  # as long a way round is worth a bend
_CLOSE: Final = 3  # how much longer a way counts that runs closer to a box than it need
_MOST_CELLS: Final = 20_000  # PERF: the search of so many takes a quarter of a second
_NEAR: Final = 40
_ACROSS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))


class Stop(Record):
    """An end of a line: a connector of a component, or the component as a whole where no connector is known."""

    box: Extent
    connector: Point | None = None

    def exits(self) -> Iterator[tuple[Point, Point]]:
        """Where a line may end, each with the point at which it leaves the box."""
        box, point = self.box, self.connector
        sides = (
            Point(box.left, box.center.y if point is None else point.y),
            Point(box.right, box.center.y if point is None else point.y),
            Point(box.center.x if point is None else point.x, box.top),
            Point(box.center.x if point is None else point.x, box.bottom),
        )
        if point is None:
            yield from ((side, side) for side in sides)
        elif box.left < point.x < box.right and box.bottom < point.y < box.top:
            yield from ((point, side) for side in sides)
        else:
            yield point, point


Borders = Literal["all", "own", "none"]
_DETOUR: Final = 2
_BORDERS: Final[tuple[Borders, ...]] = ("all", "own", "none")


def routed(one: Stop, other: Stop, obstacles: Sequence[Extent]) -> Points | None:
    """A line between two ends: through none of the obstacles if there is such a way, else as if they were not there.

    None if there is no line: one box covers the other, and no connector is known.
    """
    plain = None
    if one.connector is None and other.connector is None:
        plain = between(one.box, other.box)
        if plain is None or not crosses(plain, *obstacles):
            return plain
    exits = [exit_ for stop in (one, other) for _, exit_ in stop.exits()]
    for boxes in (obstacles, None):
        if boxes is None:  # what covers an end is in the way wherever the line goes
            boxes = [box for box in obstacles if not any(crosses((exit_, exit_), box) for exit_ in exits)]  # noqa: PLW2901
        for near in (_near(exits, boxes), boxes):
            ways = [around(one, other, near, borders) for borders in _BORDERS[:2]]
            free = [way for way in ways if way is not None and not crosses(way, *boxes)]
            if free:  # along a border a line seems to end at connectors there; a long way round is worse
                return free[0] if length(free[0]) <= _DETOUR * length(free[-1]) else free[-1]
            found = around(one, other, near, _BORDERS[2])
            if found is not None and not crosses(found, *boxes):
                return found
    return plain or _direct(one, other)


def _near(exits: Sequence[Point], boxes: Sequence[Extent]) -> list[Extent]:
    """The boxes between the ends of a line, and not far from there.

    PERF: most lines meet no others, and a search among a few boxes is a hundred times as fast as among hundreds.
    """
    xs, ys = [exit_.x for exit_ in exits], [exit_.y for exit_ in exits]
    left, right, bottom, top = min(xs) - _NEAR, max(xs) + _NEAR, min(ys) - _NEAR, max(ys) + _NEAR
    return [box for box in boxes if box.left < right and left < box.right and box.bottom < top and bottom < box.top]


def _direct(one: Stop, other: Stop) -> Points | None:
    """From connector to connector with a step between them, whatever is there."""
    ways = [
        (start, *step(start, end, horizontal=abs(end.x - start.x) >= abs(end.y - start.y)), end)
        for start, _ in one.exits()
        for end, _ in other.exits()
        if start != end
    ]
    return min(ways, key=length) if ways else None


def around(one: Stop, other: Stop, obstacles: Iterable[Extent], borders: Borders = "own") -> Points | None:
    """A line of horizontal and vertical segments from one end to the other that goes through no box.

    `borders` are those that it may not run along: of all boxes, of its own, which it leaves straight then, or of none.
    None if there is none, or if there are too many boxes to find out.
    """
    starts, ends = list(one.exits()), list(other.exits())
    boxes = [one.box, other.box, *obstacles]
    closed = {"all": len(boxes), "own": 2, "none": 0}[borders]
    grid = _Grid.over(boxes, [exit_ for _, exit_ in (*starts, *ends)], closed)
    if grid is None:
        return None
    others = boxes[2:]
    starts = [(point, exit_) for point, exit_ in starts if not crosses((point, exit_), other.box, *others)]
    ends = [(point, exit_) for point, exit_ in ends if not crosses((point, exit_), one.box, *others)]
    found = grid.way(starts, ends)
    points = () if found is None else _straightened(found)
    return points if len(points) > 1 else None


def _straightened(points: Sequence[Point]) -> Points:
    """The points without those on a straight way, and without those that appear twice."""
    found: list[Point] = []
    for point in points:
        if found and found[-1] == point:
            continue
        if len(found) > 1 and (found[-2].x == found[-1].x == point.x or found[-2].y == found[-1].y == point.y):
            found.pop()
        found.append(point)
    return tuple(found)


_State = tuple[int, int, int]  # numbers of a column and a row, and of the direction in which it was reached


class _Grid:
    """Columns and rows, and what the steps between them cost: nothing goes through a box."""

    def __init__(self, xs: list[Number], ys: list[Number], boxes: Sequence[Extent], closed: int) -> None:
        self._xs, self._ys = xs, ys
        # A step starts at a column and a row, and leads to the right, or up; what is missing is free and far away.
        self._right: dict[tuple[int, int], int] = {}
        self._up: dict[tuple[int, int], int] = {}
        for box in boxes:
            self._mark(box, MARGIN, _CLOSE)
        for number, box in enumerate(boxes):
            self._mark(box, 0, 0, is_closed=number < closed)

    @classmethod
    def over(cls, boxes: Sequence[Extent], ends: Sequence[Point], closed: int) -> _Grid | None:
        """The grid of some boxes and ends, the first boxes closed; None if it would be too large."""
        xs, ys = {end.x for end in ends}, {end.y for end in ends}
        xs |= {whole_middle(a, b) for a, b in pairwise(sorted(xs))}
        ys |= {whole_middle(a, b) for a, b in pairwise(sorted(ys))}
        for box in boxes:
            xs |= {add(box.left, -MARGIN), box.left, box.right, add(box.right, MARGIN)}
            ys |= {add(box.bottom, -MARGIN), box.bottom, box.top, add(box.top, MARGIN)}
        return cls(sorted(xs), sorted(ys), boxes, closed) if len(xs) * len(ys) <= _MOST_CELLS else None

    def _mark(self, box: Extent, margin: Number, cost: int, *, is_closed: bool = False) -> None:
        """Steps inside of a box with a margin cost so much; 0 is for those that nobody may take.

        Those along the border of a closed box count as inside.
        """
        left, right = box.left - margin, box.right + margin
        bottom, top = box.bottom - margin, box.top + margin
        columns = range(bisect_left(self._xs, left), bisect_left(self._xs, right))
        rows = range(bisect_left(self._ys, bottom), bisect_left(self._ys, top))
        more = range(columns.stop, columns.stop + is_closed), range(rows.stop, rows.stop + is_closed)
        for column in columns:
            for row in (*rows, *more[1]):
                if is_closed or self._ys[row] > bottom:
                    self._right[column, row] = cost
        for column in (*columns, *more[0]):
            for row in rows:
                if is_closed or self._xs[column] > left:
                    self._up[column, row] = cost

    def way(self, starts: Sequence[tuple[Point, Point]], ends: Sequence[tuple[Point, Point]]) -> list[Point] | None:
        """The best way from one of the starts to one of the ends, each a point and where it leaves its box."""
        todo: list[tuple[Number, _State]] = []
        before: dict[_State, _State | None] = {}
        cost: dict[_State, Number] = {}
        first: dict[_State, Point] = {}
        for point, exit_ in starts:
            state = (*self._place(exit_), _direction(point, exit_))
            known = length((point, exit_)) * _CLOSE
            if known < cost.get(state, known + 1):
                cost[state], before[state], first[state] = known, None, point
                heappush(todo, (known, state))
        goals: dict[tuple[int, int], list[tuple[Point, Point]]] = {}
        for point, exit_ in ends:
            goals.setdefault(self._place(exit_), []).append((point, exit_))
        best: tuple[Number, _State, Point] | None = None
        while todo:
            known, state = heappop(todo)
            if best is not None and known >= best[0]:
                break
            if known > cost[state]:
                continue
            for point, exit_ in goals.get(state[:2], ()):
                turn = _direction(exit_, point)
                total = known + length((exit_, point)) * _CLOSE + _bend(state[2], turn)
                if best is None or total < best[0]:
                    best = total, state, point
            for new, more in self._steps(state):
                if known + more < cost.get(new, known + more + 1):
                    cost[new], before[new] = known + more, state
                    heappush(todo, (known + more, new))
        if best is None:
            return None
        found = [best[2]]
        at: _State | None = best[1]
        while at is not None:
            found.append(Point(self._xs[at[0]], self._ys[at[1]]))
            last, at = at, before[at]
        return [*found, first[last]][::-1]

    def _place(self, point: Point) -> tuple[int, int]:
        return bisect_left(self._xs, point.x), bisect_left(self._ys, point.y)

    def _steps(self, state: _State) -> Iterator[tuple[_State, Number]]:
        """Where a line can go from a place, and what that costs."""
        column, row, direction = state
        for number, (right, up) in enumerate(_ACROSS):
            to_column, to_row = column + right, row + up
            if not (0 <= to_column < len(self._xs) and 0 <= to_row < len(self._ys)):
                continue
            costs = self._right if right else self._up
            factor = costs.get((min(column, to_column), min(row, to_row)), 1)
            if not factor or (direction >= 0 and _ACROSS[direction] == (-right, -up)):
                continue  # through a box, or back on itself
            length = abs(self._xs[to_column] - self._xs[column]) + abs(self._ys[to_row] - self._ys[row])
            yield (to_column, to_row, number), length * factor + _bend(direction, number)


def _direction(one: Point, other: Point) -> int:
    """The number of the direction from one point to another beside or above it; -1 if they are the same."""
    right, up = (other.x > one.x) - (other.x < one.x), (other.y > one.y) - (other.y < one.y)
    return _ACROSS.index((right, up)) if (right, up) in _ACROSS else -1


def _bend(one: int, other: int) -> int:
    return _BEND if one >= 0 and other >= 0 and one != other else 0
