"""The diagram of a robot's model: where its links and joints stand, and where the lines between them run.

`TreeDiagram` is that of a model that places its connectors itself: `frame_a` at the left end, `frame_b` at the right
one. `FixedDiagram` is for connectors that are inherited: those of modules, of templates of the user's own, and of
packages that were made before. Both take linear time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from attrs import evolve, frozen

from modelica_ast.graphics import CoordinateSystem, Line, Placement
from urdf_frontend.package.builder.part_values import (
    LEAF_FRAMES,
    Xy,
    background_line,
    coordinate_system,
    flange_line,
    frame_line,
    placement,
    turned_placement,
)
from urdf_frontend.robot import Cell, Joint, Kinematics, follows, tree_cells

_FRAME_A: Final = (-100, 0)
_HALF: Final = 10
_HALF_OF_MIMIC: Final = 6


class Diagram(Protocol):
    """What a robot's model asks for."""

    def connectors(self) -> Mapping[str, Placement]:
        """The connectors of the model that are not where the template has them."""

    def link_placement(self, link: str) -> Placement:
        """Of the component."""

    def joint_placement(self, joint: Joint) -> Placement:
        """Of the component."""

    def mimic_placement(self, joint: Joint) -> Placement:
        """What makes a joint follow another."""

    def coordinate_system(self) -> CoordinateSystem:
        """The whole diagram."""

    def line_to_root(self, root: str) -> Line:
        """From the frame of the robot to its root link."""

    def line_to_joint(self, joint: Joint) -> Line:
        """From a link to a joint below it."""

    def line_to_link(self, joint: Joint) -> Line:
        """From a joint to the link that it moves."""

    def line_from_leaf(self, link: str) -> Line:
        """From a leaf to the frame at the ends of the robot."""

    def line_to_flange(self, joint: Joint, side: str) -> Line | None:
        """From a flange of a joint, `a` or `b`, to that of the robot; None draws none."""

    def line_to_mimic(self, leader: Joint, joint: Joint) -> Line | None:
        """From a joint to what makes another one follow it; None draws none."""

    def line_from_mimic(self, joint: Joint) -> Line:
        """From what makes a joint follow to the flange of that joint."""


# ---------------------------------------------------------------- tree
# Where things are in a cell, seen from the middle of its right edge. The row's line runs through the middle. Below it
# are the names of joints, and the line on which leaves go to the right past other limbs; above it the line of the
# flanges, links like flags on their poles, with their names, and the line from which the limbs of a shelf hang.

_COLUMN: Final = 100
_ROW: Final = 72
_LEGIBLE: Final = 0.9  # pixels of a screen for a unit, at least, so that names can be read
_JOINT: Final = -64
_POLE: Final = -42
_FLAG: Final = (-32, 28)
_MIMIC: Final = (-82, 27)
_BEFORE_MIMIC: Final = -92
_BEHIND_LEAF: Final = -8
_LEAVES: Final = -24
_SHELF: Final = 45
_RAILS: Final = {True: 14, False: 17}  # of flanges that turn or not
_TRUNKS: Final = {True: -78, False: -82}  # to which rails lead, on the left of everything
_SUPPORT: Final = -6  # from the axis of a joint to its support
_KINDS: Final = {True: "rotational", False: "translational"}
_FLANGES: Final = {"a": 46, "b": 72}  # above the robot's frame, or below it
_HIDDEN: Final = (-100, 30)  # where flanges are that the robot has none of
_HALF_OF_FRAME: Final = 16
_BUS: Final = 8  # behind the last column: to it all leaves go
_BEHIND_BUS: Final = 32
_ABOVE: Final = 50
_BELOW: Final = 40


@frozen
class TreeDiagram:
    """Links and joints in cells, and connectors at the ends."""

    kinematics: Kinematics
    cells: Mapping[str, Cell]
    ends: Mapping[int, int]  # the last column of each row
    kinds: tuple[bool, ...]  # the kinds of flanges that the robot has
    icons: Mapping[str, Placement]  # the connectors as the template has them

    @classmethod
    def of(cls, kinematics: Kinematics, icons: Mapping[str, Placement]) -> TreeDiagram:
        """Lay out a tree."""
        cells = tree_cells(kinematics, _COLUMN, _ROW, _LEGIBLE)
        ends: dict[int, int] = {}
        for column, row in cells.values():
            ends[row] = max(column, ends.get(row, 0))
        driven = [joint.type for joint in kinematics.robot.joints if joint.type.is_single and not follows(joint)]
        found = {type_.is_rotational for type_ in driven}
        return cls(kinematics, cells, ends, tuple(kind for kind in (True, False) if kind in found), icons)

    # ------------------------------------------------------------ components

    def connectors(self) -> Mapping[str, Placement]:
        """The frames of leaves at the right, flanges at the left. Those that nobody needs are not shown."""
        places = {LEAF_FRAMES: (self._frame_b, _HALF_OF_FRAME)}
        for kind in self.kinds:
            for side in "ab":
                places[f"{_KINDS[kind]}_flange_{side}"] = (self._flange(kind, side), _HALF)
        found = {}
        for name, icon in self.icons.items():
            (x, y), half = places.get(name, (_HIDDEN, _HALF))
            place = placement(x, y, half)
            shown = place if name in places else evolve(place, visible=False)
            found[name] = evolve(shown, iconTransformation=icon.iconTransformation)
        return found

    def link_placement(self, link: str) -> Placement:
        """A link is like a flag: the line of the row goes on past its pole."""
        x, y = self._edge(link)
        return placement(x + _FLAG[0], y + _FLAG[1], _HALF)

    def joint_placement(self, joint: Joint) -> Placement:
        """A joint comes before the link that it moves."""
        x, y = self._edge(joint.child)
        return placement(x + _JOINT, y, _HALF)

    def mimic_placement(self, joint: Joint) -> Placement:
        """What makes a joint follow is above that joint, before the name of its link."""
        x, y = self._edge(joint.child)
        return placement(x + _MIMIC[0], y + _MIMIC[1], _HALF_OF_MIMIC)

    def coordinate_system(self) -> CoordinateSystem:
        """The whole diagram."""
        heights = [self._flange(kind, "b")[1] for kind in self.kinds]
        top, bottom = max([_ABOVE, *(y + 2 * _HALF for y in heights)]), -_ROW * max(self.ends) - _BELOW
        bottom = min([bottom, *(y - 2 * _HALF for y in heights)])
        return coordinate_system((_FRAME_A[0] - 2 * _HALF, bottom), (self._frame_b[0] + 2 * _HALF, top))

    # ------------------------------------------------------------ lines

    def line_to_root(self, root: str) -> Line:
        """From the left end."""
        return frame_line(_FRAME_A, *reversed(self._from_frame(root)))

    def line_to_joint(self, joint: Joint) -> Line:
        """Along the row, or down to that of another limb."""
        (edge, y), (x, below) = self._edge(joint.parent), self._edge(joint.child)
        points = [*self._from_frame(joint.parent)]
        if below != y:
            points += [(edge, y)]
            before = x - _COLUMN
            points += [(edge, below + _SHELF), (before, below + _SHELF)] if before != edge else []
            points += [(before, below)]
        return frame_line(*points, (x + _JOINT - _HALF, below))

    def line_to_link(self, joint: Joint) -> Line:
        """Up the pole."""
        x, y = self._edge(joint.child)
        return frame_line((x + _JOINT + _HALF, y), *reversed(self._from_frame(joint.child)))

    def line_from_leaf(self, link: str) -> Line:
        """To the right end: along the row, or below it where other limbs follow."""
        column, row = self.cells[link]
        x, y = self._edge(link)
        points = self._from_frame(link)
        if row == 0:
            return frame_line(*points, self._frame_b)
        bus = self._frame_b[0] - _BEHIND_BUS
        if self.ends[row] > column:
            points += [(x + _BEHIND_LEAF, y), (x + _BEHIND_LEAF, y + _LEAVES)]
        return background_line(*points, (bus, points[-1][1]), (bus, 0), self._frame_b)

    def line_to_flange(self, joint: Joint, side: str) -> Line:
        """Up to the rail of the row, along it to the left, and up to the connector."""
        kind = joint.type.is_rotational
        x, y = self._axis(joint)
        x += _SUPPORT if side == "b" else 0
        trunk, rail = _TRUNKS[kind], self._rail(joint, kind)
        end = self._flange(kind, side)
        return flange_line(
            (x, y + _HALF), (x, rail), (trunk, rail), (trunk, end[1]), end, rotational=kind, outside=True
        )

    def line_to_mimic(self, leader: Joint, joint: Joint) -> Line:
        """On the rails: they are a bus."""
        kind = leader.type.is_rotational
        (x, y), (edge, level) = self._axis(leader), self._edge(joint.child)
        start, target = self._rail(leader, kind), self._rail(joint, kind)
        way = [(x, y + _HALF), (x, start)]
        if start != target:
            way += [(_TRUNKS[kind], start), (_TRUNKS[kind], target)]
        before, height = edge + _BEFORE_MIMIC, level + _MIMIC[1]
        way += [(before, target), (before, height), (edge + _MIMIC[0] - _HALF_OF_MIMIC, height)]
        return flange_line(*way, rotational=kind, outside=True)

    def line_from_mimic(self, joint: Joint) -> Line:
        """Down to the axis."""
        x, y = self._axis(joint)
        height = y + _MIMIC[1]
        start = (x - _JOINT + _MIMIC[0] + _HALF_OF_MIMIC, height)
        return flange_line(start, (x, height), (x, y + _HALF), rotational=joint.type.is_rotational)

    # ------------------------------------------------------------ points

    def _edge(self, link: str) -> Xy:
        """The middle of the right edge of a cell."""
        column, row = self.cells[link]
        return _COLUMN * column, -_ROW * row

    def _from_frame(self, link: str) -> list[Xy]:
        """From the frame of a link down its pole to the line of its row."""
        x, y = self._edge(link)
        return [(x + _POLE, y + _FLAG[1]), (x + _POLE, y)]

    def _axis(self, joint: Joint) -> Xy:
        x, y = self._edge(joint.child)
        return x + _JOINT, y

    def _rail(self, joint: Joint, kind: bool) -> int:  # noqa: FBT001  (that of the flanges on it)
        return self._edge(joint.child)[1] + _RAILS[kind]

    def _flange(self, kind: bool, side: str) -> Xy:  # noqa: FBT001
        sign = -1 if kind != self.kinds[0] else 1
        return _FRAME_A[0], sign * _FLANGES[side]

    @property
    def _frame_b(self) -> Xy:
        return _COLUMN * max(self.ends.values()) + _BUS + _BEHIND_BUS, 0


# ---------------------------------------------------------------- fixed connectors
# A tree from left to right, and below connectors that are where they are.
#
# Every leaf has a row of its own, and what leads to it without a branch is in the same row. Branches start at a line
# after their link, and those of different links never meet: a subtree has its rows for itself. So no component
# covers another, and no line crosses one.

_LEFT: Final = -60  # the root link
_TOP: Final = -60  # below the frames of the robot, which are at the height 0
_FIXED_COLUMN: Final = 80  # from a link to the next
_FIXED_ROW: Final = 40
_JOINT_BEFORE_LINK: Final = 40
_BRANCH_BEHIND_LINK: Final = 20
_MIMIC_ABOVE_JOINT: Final = 20
_FRAME_B: Final = (100, 0)
_BEHIND_FRAME_A: Final = -80
_FIXED_BUS: Final = 140  # at least: the line to which all leaves go, to the right of the robot's frame_b
_USUAL: Final = 100


@frozen
class FixedDiagram:
    """The places of a robot's links, by name: the point where the link's frame is, at the bottom of its icon."""

    links: Mapping[str, Xy]
    bus: int
    bottom: int

    @classmethod
    def of(cls, kinematics: Kinematics) -> FixedDiagram:
        """Lay out a tree."""
        places: dict[str, Xy] = {}
        rows = 0
        for link in kinematics.order:
            above = kinematics.joint_above(link)
            if above is None:
                places[link] = (_LEFT, _TOP)
                rows += 1
                continue
            x, y = places[above.parent]
            if kinematics.joints_below(above.parent)[0] is not above:
                y = _TOP - _FIXED_ROW * rows
                rows += 1
            places[link] = (x + _FIXED_COLUMN, y)
        bus = max([_FIXED_BUS, *(x + _BRANCH_BEHIND_LINK for x, _ in places.values())])
        return cls(places, bus, _TOP - _FIXED_ROW * rows)

    # ------------------------------------------------------------ components

    def connectors(self) -> Mapping[str, Placement]:
        """They are not the model's own."""
        return {}

    def link_placement(self, link: str) -> Placement:
        """A link is on its row, turned so that its frame is at the bottom."""
        x, y = self.links[link]
        return turned_placement(x, y + _HALF, _HALF, 90)

    def joint_placement(self, joint: Joint) -> Placement:
        """A joint comes before the link that it moves."""
        x, y = self._joint(joint)
        return placement(x, y, _HALF)

    def mimic_placement(self, joint: Joint) -> Placement:
        """What makes a joint follow is above that joint."""
        x, y = self._joint(joint)
        return placement(x, y + _MIMIC_ABOVE_JOINT, _HALF_OF_MIMIC)

    def coordinate_system(self) -> CoordinateSystem:
        """The whole diagram."""
        right = max(_USUAL, self.bus + _BRANCH_BEHIND_LINK)
        return coordinate_system((-_USUAL, min(-_USUAL, self.bottom)), (right, _USUAL))

    # ------------------------------------------------------------ lines

    def line_to_root(self, root: str) -> Line:
        """From the frame of the robot to its root link."""
        x, y = self.links[root]
        return frame_line(_FRAME_A, (_BEHIND_FRAME_A, 0), (_BEHIND_FRAME_A, y), (x, y))

    def line_to_joint(self, joint: Joint) -> Line:
        """From a link to a joint below it."""
        start = self.links[joint.parent]
        x, y = self._joint(joint)
        end = (x - _HALF, y)
        if start[1] == y:
            return frame_line(start, end)
        branch = start[0] + _BRANCH_BEHIND_LINK
        return frame_line(start, (branch, start[1]), (branch, y), end)

    def line_to_link(self, joint: Joint) -> Line:
        """From a joint to the link that it moves."""
        x, y = self._joint(joint)
        return frame_line((x + _HALF, y), self.links[joint.child])

    def line_from_leaf(self, link: str) -> Line:
        """From a leaf to the frame at the ends of the robot."""
        x, y = self.links[link]
        return frame_line((x, y), (self.bus, y), (self.bus, 0), _FRAME_B)

    def line_to_flange(self, joint: Joint, side: str) -> None:
        """They have no lines: these would cross all."""

    def line_to_mimic(self, leader: Joint, joint: Joint) -> None:
        """Likewise."""

    def line_from_mimic(self, joint: Joint) -> Line:
        """From what makes a joint follow to the flange at the top of that joint."""
        x, y = self._joint(joint)
        right, middle = x + _HALF, y + _HALF + (_MIMIC_ABOVE_JOINT - _HALF_OF_MIMIC - _HALF) // 2
        start = (x + _HALF_OF_MIMIC, y + _MIMIC_ABOVE_JOINT)
        bends = [(right, y + _MIMIC_ABOVE_JOINT), (right, middle), (x, middle)]
        return flange_line(start, *bends, (x, y + _HALF), rotational=joint.type.is_rotational)

    def _joint(self, joint: Joint) -> Xy:
        x, y = self.links[joint.child]
        return x - _JOINT_BEFORE_LINK, y
