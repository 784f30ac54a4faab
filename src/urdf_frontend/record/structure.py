"""The joints of a robot as the generic robots count them: those that turn, then those that slide, then the fixed ones.

Joints are counted from 1, links by the joint above them. The base is link 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from modelica_ast.generate import BuildError
from urdf_frontend.kinematics import Kinematics, follows
from urdf_frontend.model import Joint, JointType, Link

_LISTED: Final = 5  # joints that a refusal names


@frozen
class Structure:
    """Who hangs on whom. `joints[i - 1]` is joint i, and `links[i - 1]` the link below it."""

    base: Link
    joints: tuple[Joint, ...]
    links: tuple[Link, ...]
    revolute: int
    prismatic: int
    fixed: int
    parents: tuple[int, ...]  # the link that each joint hangs on
    order: tuple[int, ...]  # all joints, each behind the one above it

    @classmethod
    def of(cls, kinematics: Kinematics) -> Structure:
        """Count the joints of a robot without errors; BuildError if a generic robot can't move like one of them."""
        robot = kinematics.robot
        _refuse_others(robot.joints)
        turning = [joint for joint in robot.joints if joint.type.is_rotational]
        sliding = [joint for joint in robot.joints if joint.type is JointType.PRISMATIC]
        fixed = [joint for joint in robot.joints if joint.type is JointType.FIXED]
        joints = (*turning, *sliding, *fixed)
        (base,) = kinematics.roots
        links = {link.name: link for link in robot.links}
        numbers = {base: 0} | {joint.child: number for number, joint in enumerate(joints, 1)}
        return cls(
            base=links[base],
            joints=joints,
            links=tuple(links[joint.child] for joint in joints),
            revolute=len(turning),
            prismatic=len(sliding),
            fixed=len(fixed),
            parents=tuple(numbers[joint.parent] for joint in joints),
            order=tuple(numbers[joint.child] for joint in kinematics.joint_order()),
        )

    @property
    def moveable(self) -> tuple[Joint, ...]:
        """The joints that move; they come first."""
        return self.joints[: self.revolute + self.prismatic]

    def numbered(self) -> Iterator[tuple[int, Joint, Link]]:
        """Each joint with its number and the link below it."""
        yield from zip(range(1, len(self.joints) + 1), self.joints, self.links, strict=True)

    def flange(self, number: int) -> int:
        """The place of a joint that moves among those that turn, or among those that slide."""
        return number if number <= self.revolute else number - self.revolute


def _refuse_others(joints: tuple[Joint, ...]) -> None:
    found = list(_others(joints))
    if found:
        more = f", and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        raise BuildError(
            "a generic robot has joints that turn, slide or are fixed, and none that follows another one, but "
            f"{', '.join(found[:_LISTED])}{more}: make the package of this robot instead, with "
            "modelica-patch urdf build"
        )


def _others(joints: tuple[Joint, ...]) -> Iterator[str]:
    for joint in joints:
        if joint.mimic is not None and follows(joint):
            yield f"the joint '{joint.name}' follows '{joint.mimic.joint}'"
        elif not joint.type.is_single and joint.type is not JointType.FIXED:
            yield f"the joint '{joint.name}' is {joint.type.value}"
