"""The tree of a robot as a table: each link has a cell with the joint above it.

The links from one to its farthest leaf are a limb: a row of cells from left to right. Limbs that branch off are below,
those of the last links nearest. So a branch goes straight down, between two columns, and meets nothing: what is already
there begins farther to the right. A limb stands as high as what is above it lets it, so leaves that branch off one limb
share a row.

A robot that would be too high to be read on a screen is folded: limbs that branch off the same link stand side by side,
on shelves of a width. All of it takes linear time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import define, field

from urdf_frontend.robot.robot import Kinematics

Cell = tuple[int, int]  # column and row

_SCREEN: Final = (1800.0, 900.0)  # pixels
_WIDTHS: Final = (3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # columns of a shelf
_GAIN: Final = 1.2  # by which a folded tree must be easier to read


@define
class _Limb:
    """A limb with all that branches off it, seen from its first cell."""

    lowest: list[int]  # the last row in use, by column
    edges: list[int]  # likewise for the edge to the right of a column, which lines cross or run along
    branches: list[tuple[str, Cell]] = field(factory=list)  # the first links of other limbs, and their cells

    @property
    def width(self) -> int:
        return len(self.lowest)

    def branch_off(self, index: int, limbs: Sequence[tuple[str, _Limb]]) -> None:
        """Put limbs on a shelf below the link of an index, side by side."""
        first, end = index + 1, index + 1 + sum(limb.width for _, limb in limbs)
        more = end - self.width
        self.lowest += [0] * more
        self.edges += [0] * more
        row = 1 + max([*self.lowest[first:end], *self.edges[first : end - 1]])
        column = first
        for head, limb in limbs:
            self.branches.append((head, (column, row)))
            self.edges[column - 1] = max(self.edges[column - 1], row)
            self.lowest[column : column + limb.width] = [row + each for each in limb.lowest]
            self.edges[column : column + limb.width - 1] = [row + each for each in limb.edges[:-1]]
            column += limb.width


def limbs_of(kinematics: Kinematics) -> list[list[str]]:
    """The links of each limb, and those that branch off before the one that they branch off."""
    farthest: dict[str, tuple[int, str | None]] = {}  # how many links there are to the farthest leaf, and the next one
    for link in reversed(kinematics.order):
        below = [joint.child for joint in kinematics.joints_below(link)]
        steps = max((farthest[child][0] for child in below), default=0)
        farthest[link] = steps + 1, next((child for child in below if farthest[child][0] == steps), None)
    followers = {after for _, after in farthest.values()}
    return [list(_way(head, farthest)) for head in reversed(kinematics.order) if head not in followers]


def _way(head: str, farthest: Mapping[str, tuple[int, str | None]]) -> Iterator[str]:
    link: str | None = head
    while link is not None:
        yield link
        link = farthest[link][1]


def tree_cells(kinematics: Kinematics, column: float, row: float, legible: float) -> dict[str, Cell]:
    """The cells of all links that can be reached from a root; trees of several roots are below each other.

    `column` and `row` say how large a cell is, and `legible` how many pixels a unit of that needs to be read.
    """
    limbs = limbs_of(kinematics)

    def scale(cells: Mapping[str, Cell]) -> float:
        """Pixels for a unit, if a screen shows all of it."""
        columns, rows = (2 + max((cell[axis] for cell in cells.values()), default=0) for axis in (0, 1))
        return min(_SCREEN[0] / (columns * column), _SCREEN[1] / (rows * row))

    unfolded = _placed(kinematics, limbs, 1)
    if scale(unfolded) >= legible:
        return unfolded
    best = max((_placed(kinematics, limbs, width) for width in _WIDTHS), key=scale)
    return best if scale(best) > _GAIN * scale(unfolded) else unfolded


def _placed(kinematics: Kinematics, all_links: Sequence[list[str]], width: int) -> dict[str, Cell]:
    """The cells with shelves of a width; one of a single limb may be wider."""
    limbs: dict[str, _Limb] = {}
    links_of = {links[0]: links for links in all_links}
    for head, links in links_of.items():
        limb = limbs[head] = _Limb([0] * len(links), [0] * len(links))
        for index in reversed(range(len(links) - 1)):
            others = [joint.child for joint in kinematics.joints_below(links[index])]
            branches = [(other, limbs[other]) for other in others if other != links[index + 1]]
            for shelf in _shelves(branches, width):
                limb.branch_off(index, shelf)
    cells: dict[str, Cell] = {}
    todo: list[tuple[str, Cell]] = []
    rows = 0
    for root in kinematics.roots:
        todo.append((root, (0, rows)))
        rows += 1 + max(limbs[root].lowest)
    while todo:
        head, (column, row) = todo.pop()
        cells |= {link: (column + number, row) for number, link in enumerate(links_of[head])}
        todo += [(other, (column + right, row + down)) for other, (right, down) in limbs[head].branches]
    return cells


def _shelves(limbs: Sequence[tuple[str, _Limb]], width: int) -> Iterator[list[tuple[str, _Limb]]]:
    shelf: list[tuple[str, _Limb]] = []
    used = 0
    for each in limbs:
        if shelf and used + each[1].width > width:
            yield shelf
            shelf, used = [], 0
        shelf.append(each)
        used += each[1].width
    if shelf:
        yield shelf
