"""Diagrams: where components are placed, the lines of their connections, and lines that follow what moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from modelica_ast.edit.connections import add_connection, connection_path, connections
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.leafwise import set_at, set_fields
from modelica_ast.edit.looking import annotation_part
from modelica_ast.edit.surgery import Path, at
from modelica_ast.edit.values import parsed
from modelica_ast.edit.working import Working
from modelica_ast.errors import ModelicaError
from modelica_ast.graphics.geometry import Extent, Point
from modelica_ast.graphics.items import Line
from modelica_ast.graphics.json_forms import LineJson, PlacementJson
from modelica_ast.graphics.layers import Placement, Transformation
from modelica_ast.graphics.numbers import Number, as_number, difference, negative
from modelica_ast.graphics.routing import between, follow, moved
from modelica_ast.green import tokens
from modelica_ast.views.base import Expression

if TYPE_CHECKING:
    GivenPlacement = Placement | PlacementJson
    GivenLine = Line | LineJson
else:  # what a patch may hold is read from the hints of its verbs
    GivenPlacement = PlacementJson
    GivenLine = LineJson

_HALF: Final = 10  # half of the size that a component has in the Standard Library
_QUARTER: Final = 90
_WHERE: Final = ("origin", "rotation")


@attrs.frozen
class LeftAlone:
    """A connection whose line did not follow, and why."""

    one: str
    other: str
    reason: str


# ---------------------------------------------------------------- placements


def get_placement(work: Working, class_: str, component: str) -> Placement | None:
    """The placement of a component, or None."""
    found = annotation_part(work, work.component_path(class_, component), "Placement")
    return None if found is None else Placement.from_expression(found)


def set_placement(work: Working, class_: str, component: str, placement: GivenPlacement) -> None:
    """Place a component. Only values that differ are written; what the placement leaves open stays as it is.

    An extent is where it is by its origin and rotation: with a new extent, those that are not given go.
    """
    new = placement if isinstance(placement, Placement) else Placement.from_json(placement)
    old = get_placement(work, class_, component)
    for name in ("transformation", "iconTransformation"):
        if isinstance(getattr(new, name), Expression):
            raise EditError(f"the {name} of '{component}' can't be '{getattr(new, name).text}': give its values")
    set_fields(work, class_, "Placement", old, new, component=component)
    for name in ("transformation", "iconTransformation"):
        inner = getattr(new, name)
        before = getattr(old, name, None)
        if isinstance(inner, Transformation):
            known = before if isinstance(before, Transformation) else None
            together = _WHERE if inner.extent is not None else ()
            set_fields(work, class_, f"Placement.{name}", known, inner, together=together, component=component)


def place_component(work: Working, class_: str, component: str, x: Number, y: Number) -> list[LeftAlone]:
    """Move a component so that its middle is at a point, with its lines; one without a placement gets one."""
    placement = get_placement(work, class_, component)
    if placement is None or placement.transformation is None:
        box = Extent(Point(-_HALF, -_HALF), Point(_HALF, _HALF)).moved(as_number(x), as_number(y))
        set_placement(work, class_, component, Placement(transformation=Transformation(extent=box)))
        return [
            LeftAlone(one, other, f"'{component}' had no placement that the line could follow from")
            for one, other, path in connections(work, class_)
            if component in _components(work, path) and annotation_part(work, path, "Line") is not None
        ]
    center = _box(placement, class_, component).center
    dx, dy = difference(as_number(x), center.x), difference(as_number(y), center.y)
    return move_in_diagram(work, class_, component, dx, dy)


def move_in_diagram(work: Working, class_: str, component: str, dx: Number, dy: Number) -> list[LeftAlone]:
    """Move a component to the right and up. The lines of its connections follow; those that can't are returned.

    A connector without an icon transformation moves in the icon too: one transformation places it in both.
    """
    dx, dy = as_number(dx), as_number(dy)
    placement = get_placement(work, class_, component)
    if placement is None or not isinstance(placement.transformation, Transformation):
        raise EditError(f"'{component}' has no placement in '{class_}' that could be moved; set_placement gives it one")
    transformation = placement.transformation.moved(dx, dy)
    owner = work.component_path(class_, component)
    for name, value in transformation.given.items():
        if value != getattr(placement.transformation, name):
            set_at(work, owner, f"Placement.transformation.{name}", value)
    left = []
    for one, other, path in connections(work, class_):
        first, last = _components(work, path)
        reason = _follow(work, path, (first == component, last == component), dx, dy)
        if reason:
            left.append(LeftAlone(one, other, reason))
    return left


def _follow(work: Working, path: Path, ends: tuple[bool, bool], dx: Number, dy: Number) -> str | None:
    """Let the line of a connection follow at its first end, its last, or both; why not, if it can't.

    The first point belongs to the first end: of 23,000 ends in the Standard Library, one is the other way round.
    """
    if not any(ends):
        return None
    try:
        found = annotation_part(work, path, "Line")
        if found is None:
            return None
        line = Line.from_expression(found)
    except ModelicaError as error:
        return str(error)
    if not isinstance(line.points, tuple):
        return "its points are not numbers" if line.points is not None else "it has no points"
    rotation = 0 if line.rotation is None else line.rotation
    if not isinstance(rotation, int | float) or rotation % _QUARTER:
        return f"it is turned by {rotation if isinstance(rotation, int | float) else rotation.text}"
    step = Point(dx, dy).rotated(negative(rotation))
    if all(ends):
        points = moved(line.points, step.x, step.y)
    elif ends[0]:
        points = follow(line.points, step.x, step.y)
    else:
        points = follow(line.points[::-1], step.x, step.y)[::-1]
    set_at(work, path, "Line.points", points)
    return None


# ---------------------------------------------------------------- lines


def get_line(work: Working, class_: str, one: str, other: str) -> Line | None:
    """The line of a connection, given by its ends in either order; or None."""
    found = annotation_part(work, connection_path(work, class_, one, other), "Line")
    return None if found is None else Line.from_expression(found)


def set_line(work: Working, class_: str, one: str, other: str, line: GivenLine) -> None:
    """Draw the line of a connection. Only values that differ are written; what the line leaves open stays as it is.

    Points are where they are by the line's origin and rotation: with new points, those that are not given go.
    """
    new = line if isinstance(line, Line) else Line.from_json(line)
    old = get_line(work, class_, one, other)
    together = _WHERE if new.points is not None else ()
    set_fields(work, class_, "Line", old, new, together=together, connection=[one, other])


def route(work: Working, class_: str, one: str, other: str) -> Line | None:
    """A line between the components of two ends, from the sides that face each other; None if there is none.

    There is none if a component has no placement, or if one covers the other. Connectors inside components are not
    known here, so the line starts in the middle of a side.
    """
    boxes = []
    for end in (one, other):
        component = tokens(parsed(end, "component_reference", "a reference"))[0]
        placement = get_placement(work, class_, component)
        transformation = placement.transformation if placement else None
        box = transformation.box if isinstance(transformation, Transformation) else None
        if box is None:
            return None
        boxes.append(box)
    points = between(*boxes)
    return None if points is None else Line(points=points)


def connect(work: Working, class_: str, one: str, other: str, *, line: bool | GivenLine = True) -> None:
    """Connect two connectors, behind the last equation, with a line.

    The line is routed between the components where both are placed in this class; `line` gives another, or false for
    none.
    """
    drawn: GivenLine | None = line if not isinstance(line, bool) else None
    if line is True:  # PERF: before the edit, while the class's scope is known
        declared = work.index.scope(at(work.root, work.body_path(class_))).components
        ends = [tokens(parsed(end, "component_reference", "a reference"))[0] for end in (one, other)]
        drawn = route(work, class_, one, other) if all(end in declared for end in ends) else None
    add_connection(work, class_, one, other)
    if drawn is not None:
        set_line(work, class_, one, other, drawn)


def route_line(work: Working, class_: str, one: str, other: str) -> None:
    """Draw the line of a connection anew, on the way that `route` finds."""
    line = route(work, class_, one, other)
    if line is None:
        raise EditError(f"there is no way for a line from '{one}' to '{other}': place the components side by side")
    set_line(work, class_, one, other, line)


# ---------------------------------------------------------------- finding


def _box(placement: Placement, class_: str, component: str) -> Extent:
    transformation = placement.transformation
    box = transformation.box if isinstance(transformation, Transformation) else None
    if box is None:
        raise EditError(f"the placement of '{component}' in '{class_}' is not given by numbers: '{placement}'")
    return box


def _components(work: Working, connection: Path) -> tuple[str, str]:
    """The components at the two ends of a connect equation."""
    node = at(work.root, connection)
    return tokens(node[3])[0], tokens(node[5])[0]
