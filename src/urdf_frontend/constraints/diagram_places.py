"""Free places in a diagram, for components that a program puts there."""

from __future__ import annotations

from typing import Final

from modelica_ast import ModelicaError
from modelica_ast.edit import ClassHandle
from modelica_ast.graphics import Extent, Placement, Point, Transformation

_HALF: Final = 10
_STEP: Final = 30
_ROWS: Final = 40
_START: Final = Point(-90, 90)


def free_place(handle: ClassHandle, start: Point = _START) -> Placement:
    """A placement that covers no component of the class: to the right of a point, then in rows below it."""
    boxes = _boxes(handle)
    for row in range(_ROWS):
        for column in range(8):
            box = _box(float(start.x) + column * _STEP, float(start.y) - row * _STEP)
            if not any(_overlap(box, other) for other in boxes):
                return Placement(transformation=Transformation(extent=box))
    return Placement(transformation=Transformation(extent=_box(float(start.x), float(start.y) + _STEP)))


def place_beside(handle: ClassHandle, component: str) -> Placement:
    """A placement to the right of a component, if there is room; the first free one of all if it has none."""
    box = _box_of(handle, component)
    if box is None:
        return free_place(handle)
    middle = box.center
    return free_place(handle, Point(float(middle.x) + _STEP + _HALF, middle.y))


def _box(x: float, y: float) -> Extent:
    left, bottom = _plain(x - _HALF), _plain(y - _HALF)
    return Extent(Point(left, bottom), Point(left + 2 * _HALF, bottom + 2 * _HALF))


def _plain(number: float) -> int | float:
    return int(number) if number == int(number) else number


def _boxes(handle: ClassHandle) -> list[Extent]:
    found = (_box_of(handle, component.name) for component in handle.components)
    return [box for box in found if box is not None]


def _box_of(handle: ClassHandle, component: str) -> Extent | None:
    declared = handle.get_component(component)
    try:
        placement = None if declared is None else declared.placement
    except ModelicaError:  # an annotation that can't be read takes no room
        return None
    transformation = None if placement is None else placement.transformation
    return transformation.box if isinstance(transformation, Transformation) else None


def _overlap(one: Extent, other: Extent) -> bool:
    """Do two boxes cover each other, whatever corners they are given by?"""
    beside = one.right <= other.left or other.right <= one.left
    return not (beside or one.top <= other.bottom or other.top <= one.bottom)
