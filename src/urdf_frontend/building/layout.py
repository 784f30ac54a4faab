"""Where the links and joints of a robot stand in its diagram: a tree from left to right, in linear time.

Every leaf has a row of its own, and what leads to it without a branch is in the same row. Branches start at a line
behind their link, and those of different links never meet: a subtree has its rows for itself. So no component covers
another, and no line crosses one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from modelica_ast.graphics import CoordinateSystem, Line, Placement
from urdf_frontend.building.figures import Xy, coordinate_system, flange_line, frame_line, placement, turned_placement
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import Joint

_LEFT: Final = -60  # the root link
_TOP: Final = -60  # below the frames of the robot, which are at the height 0
_COLUMN: Final = 80  # from a link to the next
_ROW: Final = 40
_JOINT_BEFORE_LINK: Final = 40
_BRANCH_BEHIND_LINK: Final = 20
_HALF: Final = 10
_HALF_OF_MIMIC: Final = 6
_MIMIC_ABOVE_JOINT: Final = 20
_FRAME_A: Final = (-100, 0)
_FRAME_B: Final = (100, 0)
_BEHIND_FRAME_A: Final = -80
_BUS: Final = 140  # at least: the line to which all leaves go, to the right of the robot's frame_b
_USUAL: Final = 100


@frozen
class Layout:
    """The places of a robot's links, by name: the point where the link's frame is, at the bottom of its icon."""

    links: Mapping[str, Xy]
    bus: int
    bottom: int

    @classmethod
    def of(cls, kinematics: Kinematics) -> Layout:
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
                y = _TOP - _ROW * rows
                rows += 1
            places[link] = (x + _COLUMN, y)
        bus = max([_BUS, *(x + _BRANCH_BEHIND_LINK for x, _ in places.values())])
        return cls(places, bus, _TOP - _ROW * rows)

    # ------------------------------------------------------------ components

    def link_placement(self, link: str) -> Placement:
        """A link stands on its row, turned so that its frame is at the bottom."""
        x, y = self.links[link]
        return turned_placement(x, y + _HALF, _HALF, 90)

    def joint_placement(self, joint: Joint) -> Placement:
        """A joint stands before the link that it moves."""
        x, y = self._joint(joint)
        return placement(x, y, _HALF)

    def mimic_placement(self, joint: Joint) -> Placement:
        """What makes a joint follow stands above that joint."""
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

    def line_from_mimic(self, joint: Joint) -> Line:
        """From what makes a joint follow to the flange at the top of that joint."""
        x, y = self._joint(joint)
        right, middle = x + _HALF, y + _HALF + (_MIMIC_ABOVE_JOINT - _HALF_OF_MIMIC - _HALF) // 2
        start = (x + _HALF_OF_MIMIC, y + _MIMIC_ABOVE_JOINT)
        bends = [(right, y + _MIMIC_ABOVE_JOINT), (right, middle), (x, middle)]
        return flange_line(start, *bends, (x, y + _HALF), rotational=joint.type.is_rotational)

    def line_from_leaf(self, link: str) -> Line:
        """From a leaf to the frame at the ends of the robot."""
        x, y = self.links[link]
        return frame_line((x, y), (self.bus, y), (self.bus, 0), _FRAME_B)

    def _joint(self, joint: Joint) -> Xy:
        x, y = self.links[joint.child]
        return x - _JOINT_BEFORE_LINK, y
