"""Where a robot is cut: which link, joint and other element belongs to which module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import frozen

from urdf_frontend.checks.tree import listed
from urdf_frontend.diagnostics import quoted
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import Joint, JointType, Robot
from urdf_frontend.modules.errors import ModuleError
from urdf_frontend.modules.module_file import INPUT_CONNECTOR, OUTPUT_CONNECTOR, ports_of


@frozen
class Cut:
    """A joint where a module ends and the next begins.

    A fixed joint becomes the connector itself. One that moves belongs to the next module: the connector then is at
    the link before it, and the next module begins with an empty link there.
    """

    joint: Joint
    connector: str  # the name of the output connector
    parent: int  # the modules on both sides
    child: int

    @property
    def is_fixed(self) -> bool:
        """Is the joint itself the connector?"""
        return self.joint.type is JointType.FIXED


@frozen
class Pieces:
    """The modules by number, the one with the root first: where links and joints go, and the cuts between them."""

    cuts: tuple[Cut, ...]
    link_homes: Mapping[str, int]
    joint_homes: Mapping[str, int]
    port_counts: Mapping[int, int]  # the output connectors of each module, those that the robot had included

    @property
    def count(self) -> int:
        """How many modules there are."""
        return len(self.cuts) + 1

    def cut_above(self, number: int) -> Cut | None:
        """The cut that a module begins at."""
        return self.cuts[number - 1] if number > 0 else None

    def cuts_below(self, number: int) -> tuple[Cut, ...]:
        """The cuts that a module ends at."""
        return tuple(cut for cut in self.cuts if cut.parent == number)


def cut_robot(robot: Robot, at: Sequence[str], file: str) -> Pieces:
    """Cut a robot at joints; ModuleError if one is not there, or if a joint would mimic one of another module."""
    kinematics = Kinematics.of(robot)
    wanted = set(at)
    for name in at:
        if robot.get_joint(name) is None:
            joints = listed(joint.name for joint in robot.joints)
            raise ModuleError(f"{file}: there is no joint {quoted(name)} to cut at; there are {joints or 'none'}")
    links: dict[str, int] = {}
    joints_at: dict[str, int] = {}
    cuts: list[Cut] = []
    taken = {joint.name for joint in robot.joints}
    for link in kinematics.order:
        joint = kinematics.joint_above(link)
        if joint is None or joint.name not in wanted:
            links[link] = 0 if joint is None else links[joint.parent]
        else:
            links[link] = len(cuts) + 1
            cuts.append(Cut(joint, _connector(joint.name, taken), links[joint.parent], links[link]))
        if joint is not None:
            is_connector = joint.name in wanted and joint.type is JointType.FIXED
            joints_at[joint.name] = links[joint.parent] if is_connector else links[link]
    _refuse_far_mimics(robot, joints_at, file)
    _refuse_taken_name(cuts, links, file)
    ports = [port.joint for port in ports_of(robot, kinematics) if port.joint not in wanted]
    counts = Counter([*(cut.parent for cut in cuts), *(joints_at[port] for port in ports)])
    return Pieces(tuple(cuts), links, joints_at, counts)


def _connector(joint: str, taken: set[str]) -> str:
    """A name that tells where the cut was, and is no other joint's."""
    if joint.startswith(OUTPUT_CONNECTOR):
        return joint
    name, number = f"{OUTPUT_CONNECTOR}_{joint}", 1
    while name in taken:
        number += 1
        name = f"{OUTPUT_CONNECTOR}_{joint}_{number}"
    taken.add(name)
    return name


def _refuse_taken_name(cuts: list[Cut], homes: Mapping[str, int], file: str) -> None:
    """An empty first link is known by its name, so no other link of its module may have it."""
    home = homes.get(INPUT_CONNECTOR)
    cut = next((cut for cut in cuts if cut.child == home and not cut.is_fixed), None)
    if cut is not None:
        raise ModuleError(
            f"{file}: the module that begins at {quoted(cut.joint.name)} needs the name {quoted(INPUT_CONNECTOR)} for "
            "its first link, and a link has it already; rename that link"
        )


def _refuse_far_mimics(robot: Robot, homes: Mapping[str, int], file: str) -> None:
    for joint in robot.joints:
        leader = joint.mimic.joint if joint.mimic is not None else joint.name
        if homes.get(joint.name) != homes.get(leader):
            raise ModuleError(
                f"{file}:{joint.place.line}: the joint {quoted(joint.name)} mimics {quoted(leader)}, which would be in "
                "another module; cut where both stay together"
            )
