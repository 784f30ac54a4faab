"""Where the modules of a robot stand in its diagram: in cells of a grid, and what was drawn stays where it is.

A module stands to the right of the one that it hangs on. If somebody is there already, it goes to the next free row
below. Lines run between the columns and between the rows, so they cross no module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from modelica_ast.graphics import CoordinateSystem, Line, Placement
from urdf_frontend.building.figures import Xy, coordinate_system, frame_line, placement, turned_placement
from urdf_frontend.modules.placing import Tree

Cell = tuple[int, int]  # column and row

_LEFT: Final = -60
_TOP: Final = -60  # below the frames of the robot, which are at the height 0
_COLUMN: Final = 80
_ROW: Final = 40
_HALF: Final = 10
_HALF_OF_TURN: Final = 6
_TURN_BEFORE: Final = 40
_BEHIND: Final = 20  # where lines go up and down, to the right of a module
_BEFORE: Final = 60  # where they do to the left of it
_LINK_BEHIND: Final = 27  # between the lines that go up and down and what turns the next module
_HALF_OF_LINK: Final = 6
_FRAME_A: Final = (-100, 0)
_FRAME_B: Final = (100, 0)
_BEHIND_FRAME_A: Final = -80
_USUAL: Final = 100
_ICON: Final = 100  # half of the side of an icon, in its own units


def cells_of(tree: Tree, known: Mapping[str, Cell]) -> dict[str, Cell]:
    """The cells of all instances by name; those that are known stay."""
    cells = {placed.name: known[placed.name] for placed in tree.placed if placed.name in known}
    taken = set(cells.values())
    for placed in tree.parents_first:
        if placed.name in cells:
            continue
        column, row = (-1, 0) if placed.parent is None else cells[tree.placed[placed.parent].name]
        column += 1
        while (column, row) in taken:
            row += 1
        cells[placed.name] = column, row
        taken.add((column, row))
    return {placed.name: cells[placed.name] for placed in tree.placed}


def _middle(cell: Cell) -> Xy:
    column, row = cell
    return _LEFT + _COLUMN * column, _TOP - _ROW * row


def module_placement(cell: Cell) -> Placement:
    """The module itself."""
    return placement(*_middle(cell), _HALF)


def turn_placement(cell: Cell) -> Placement:
    """What turns a module stands before it."""
    x, y = _middle(cell)
    return placement(x - _TURN_BEFORE, y, _HALF_OF_TURN)


def end_link_placement(cell: Cell) -> Placement:
    """A link at an open end hangs on the line behind its module."""
    x, y = _middle(cell)
    return turned_placement(x + _LINK_BEHIND, y - _HALF_OF_LINK, _HALF_OF_LINK, -90)


def diagram(cells: Iterable[Cell]) -> CoordinateSystem:
    """The whole diagram."""
    places = [_middle(cell) for cell in cells]
    right = max([_USUAL, *(x + 2 * _BEHIND for x, _ in places)])
    bottom = min([-_USUAL, *(y - _ROW for _, y in places)])
    return coordinate_system((-_USUAL, bottom), (right, _USUAL))


# ---------------------------------------------------------------- lines


def line_to_first(cell: Cell) -> Line:
    """From the frame of the robot to its first module."""
    x, y = _middle(cell)
    return frame_line(_FRAME_A, (_BEHIND_FRAME_A, 0), (_BEHIND_FRAME_A, y), (x - _HALF, y))


def line_between(start: Cell, height: int, end: Cell, *, to_turn: bool) -> Line:
    """From an outlet, `height` above the middle of its module's icon, to a module or to what turns it."""
    (x, y), (there, level) = _middle(start), _middle(end)
    y += _HALF * height // _ICON
    first, bend = (x + _HALF, y), x + _BEHIND
    target = (there - _TURN_BEFORE - _HALF_OF_TURN, level) if to_turn else (there - _HALF, level)
    if there == x + _COLUMN:
        return frame_line(first, target) if level == y else frame_line(first, (bend, y), (bend, level), target)
    # Between two rows nothing stands. It counts for nothing what is in the way now: a line shall stay as it is.
    between = level + _ROW // 2
    before = there - _BEFORE
    return frame_line(first, (bend, y), (bend, between), (before, between), (before, level), target)


def line_from_turn(cell: Cell) -> Line:
    """From what turns a module to the module."""
    x, y = _middle(cell)
    return frame_line((x - _TURN_BEFORE + _HALF_OF_TURN, y), (x - _HALF, y))


def line_to_end(cell: Cell, height: int) -> Line:
    """From an open end to the frames of the robot."""
    x, y = _middle(cell)
    y += _HALF * height // _ICON
    return frame_line((x + _HALF, y), (x + _BEHIND, y), (x + _BEHIND, 0), _FRAME_B)


def line_to_end_link(cell: Cell, height: int) -> Line:
    """From an open end to the link that stands there."""
    x, y = _middle(cell)
    if height == 0:
        return frame_line((x + _HALF, y), (x + _LINK_BEHIND, y))
    level = y + _HALF * height // _ICON
    return frame_line((x + _HALF, level), (x + _BEHIND, level), (x + _BEHIND, y), (x + _LINK_BEHIND, y))


def outlet_height(number: int) -> int:
    """How high the frame of an outlet is in the icon of its module: the first one in the middle, then down and up."""
    steps = (number + 1) // 2
    return (-1 if number % 2 else 1) * 40 * steps
