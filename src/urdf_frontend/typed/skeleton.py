"""A whole robot: its bodies, its motion, and how both hang together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeAlias

from urdf_frontend.typed.joints import Joint, Transmission
from urdf_frontend.typed.links import Link
from urdf_frontend.typed.values import JointId, JointT, LinkId, LinkT, Value

Part: TypeAlias = Joint[LinkT, JointT] | Link[LinkT]


class Linkage(Generic[LinkT]):
    """All links of a robot, in the order of its URDF file."""

    def __init__(self, ids: type[LinkT], *links: Link[LinkT]) -> None:
        self.links: Mapping[LinkT, Link[LinkT]] = {link.id: link for link in links}
        _expect_all(ids, [link.id for link in links])

    def __getitem__(self, link: LinkT) -> Link[LinkT]:
        return self.links[link]

    def __iter__(self) -> Iterator[Link[LinkT]]:
        return iter(self.links.values())

    def __len__(self) -> int:
        return len(self.links)

    @property
    def mass(self) -> float:
        """The sum of all masses."""
        return sum(link.mass for link in self)


class Articulation(Generic[LinkT, JointT]):
    """All joints of a robot, in the order of its URDF file."""

    def __init__(self, links: type[LinkT], ids: type[JointT], *joints: Joint[LinkT, JointT]) -> None:
        self.link_ids = links
        self.joints: Mapping[JointT, Joint[LinkT, JointT]] = {joint.id: joint for joint in joints}
        _expect_all(ids, [joint.id for joint in joints])

    def __getitem__(self, joint: JointT) -> Joint[LinkT, JointT]:
        return self.joints[joint]

    def __iter__(self) -> Iterator[Joint[LinkT, JointT]]:
        return iter(self.joints.values())

    def __len__(self) -> int:
        return len(self.joints)


class Skeleton(Value, Generic[LinkT, JointT]):
    """A robot. The class of a generated module has `robot[id]` too, and says of which type each joint is.

    It is not here, because checkers take overloads that say more for a contradiction to their base.
    """

    name: str
    linkage: Linkage[LinkT]
    articulation: Articulation[LinkT, JointT]
    transmissions: tuple[Transmission[JointT], ...]

    def _check(self) -> None:
        links = self.linkage.links
        for joint in self.articulation:
            for end in (joint.parent, joint.child):
                if end not in links:
                    raise ValueError(f"the joint '{joint.name}' connects '{end}', which is not a link of '{self.name}'")

    def part(self, part: JointT | LinkT) -> Part[LinkT, JointT]:
        """The link or the joint of an id."""
        # A link and a joint may have one name, so one mapping can't hold both.
        if isinstance(part, LinkId):
            return self.linkage[part]
        return self.articulation[part]

    def parent_link(self, joint: JointT) -> Link[LinkT]:
        """The link that a joint is attached to."""
        return self.linkage[self.articulation[joint].parent]

    def child_link(self, joint: JointT) -> Link[LinkT]:
        """The link that a joint moves."""
        return self.linkage[self.articulation[joint].child]


def _expect_all(ids: type[LinkId | JointId], found: Sequence[LinkId | JointId]) -> None:
    """ValueError unless each member is there once."""
    missing = [member.name for member in ids if member not in found]
    if missing or len(found) != len(ids):
        what = f"no {', '.join(missing)}" if missing else "one of them twice"
        raise ValueError(f"each member of {ids.__name__} is expected once, and there is {what}")
