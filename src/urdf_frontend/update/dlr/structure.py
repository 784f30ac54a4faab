"""What the models of a robot have to have for a URDF file: counts, components, connections.

A connection has a role, which it keeps when its ends change: the one that leads from a joint to its child, say. So two
structures say what was led elsewhere, what is new and what is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import Robot
from urdf_frontend.names import Named, NameTable
from urdf_frontend.update.dlr.fields import known_collision
from urdf_frontend.update.dlr.part_classes import flange_of

Role = tuple[str, str]  # what it leads to, and the URDF name of the link or joint
Ends = tuple[str, str]  # the one that stays where it is, and the one that the URDF file decides about


@frozen
class NewPart:
    """A component of the robot's model: a link, or a joint with the number of its flange."""

    package: str
    named: Named
    parent: str | None  # the component that it hangs on
    flange: int | None = None

    @property
    def type(self) -> str:
        """The class, as the robot's model names it."""
        return f"{self.package}.{self.named.class_name}"


@frozen
class Structure:
    """All of it. The parts are by their package and their URDF name, in the order of the file."""

    counts: Mapping[str, int]
    parts: Mapping[Role, NewPart]
    connections: Mapping[Role, Ends]

    @property
    def leaves(self) -> int:
        """How many frames the robot ends with."""
        return self.counts["numLeafLinks"]


def structure_of(robot: Robot, names: NameTable, families: Mapping[str, str]) -> Structure:
    """What the script makes of a robot; `families` says what the model of each joint moves like."""
    kinematics = Kinematics.of(robot)
    flanges = dict(_flanges(robot, families))
    parts = dict(_parts(kinematics, names, flanges))
    turning = sum(kind == "rotational" for kind, _ in flanges.values())
    colliding = sum(known_collision(link) is not None for link in robot.links)
    counts = {
        "numCollisionLinks": colliding,
        "numNonCollisionLinks": len(robot.links) - colliding,
        "numLeafLinks": len(kinematics.leaves),
        "numRotationalJoints": turning,
        "numTranslationalJoints": len(flanges) - turning,
        "numOtherJoints": len(robot.joints) - len(flanges),
    }
    return Structure(counts, parts, dict(_connections(kinematics, names, flanges)))


def _flanges(robot: Robot, families: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, int]]]:
    """(joint, (kind, number)): both kinds are counted by themselves, in the order of the file."""
    count = {"rotational": 0, "translational": 0}
    for joint in robot.joints:
        kind = flange_of(families[joint.name])
        if kind is not None:
            count[kind] += 1
            yield joint.name, (kind, count[kind])


def _parts(
    kinematics: Kinematics, names: NameTable, flanges: Mapping[str, tuple[str, int]]
) -> Iterator[tuple[Role, NewPart]]:
    for link in kinematics.robot.links:
        above = kinematics.joint_above(link.name)
        parent = None if above is None else names.joint(above.name).component
        yield (LINKS, link.name), NewPart(LINKS, names.link(link.name), parent)
    for joint in kinematics.robot.joints:
        number = flanges[joint.name][1] if joint.name in flanges else None
        parent = names.link(joint.parent).component
        yield (JOINTS, joint.name), NewPart(JOINTS, names.joint(joint.name), parent, number)


def _connections(
    kinematics: Kinematics, names: NameTable, flanges: Mapping[str, tuple[str, int]]
) -> Iterator[tuple[Role, Ends]]:
    for root in kinematics.roots:
        yield ("root", ""), ("frame_a", f"{names.link(root).component}.frame_a")
    leaves = set(kinematics.leaves)
    for number, link in enumerate((each for each in kinematics.robot.links if each.name in leaves), 1):
        yield ("leaf", link.name), (f"{names.link(link.name).component}.frame_a", f"frame_b[{number}]")
    for joint in kinematics.robot.joints:
        component = names.joint(joint.name).component
        yield ("parent", joint.name), (f"{component}.frame_a", f"{names.link(joint.parent).component}.frame_a")
        yield ("child", joint.name), (f"{component}.frame_b", f"{names.link(joint.child).component}.frame_a")
        if joint.name in flanges:
            kind, number = flanges[joint.name]
            for side in ("flange_a", "flange_b"):
                yield (side, joint.name), (f"{component}.{side}", f"{kind}_{side}[{number}]")
