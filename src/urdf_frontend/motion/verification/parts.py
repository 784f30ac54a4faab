"""A large robot in parts that share links: the time of a compiler grows faster than the robot.

Every joint is in one part, with the two links that it connects. So what a joint does and what a link weighs is compared
as in the whole robot, only the rest of the robot is not there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from attrs import evolve, field, frozen

from urdf_frontend.robot import Joint, Kinematics, Link, Robot


@frozen
class Part:
    """Some joints of a robot that hang together, and the links between them.

    The root is the link that they are attached to.
    """

    root: str
    joints: frozenset[str]
    robot: Robot = field(repr=False)  # these links and joints alone

    @property
    def links(self) -> list[str]:
        """The names of its links."""
        return [link.name for link in self.robot.links]


def cut(kinematics: Kinematics, most: int, ties: Iterable[Collection[str]] = ()) -> list[Part]:
    """Parts of at most this many links, each after the one that has its root as a child; one part if it is 0.

    `ties` are joints that must be in one part. Those may make a part larger.
    """
    if not most or len(kinematics.robot.links) <= most:
        root = kinematics.roots[0]
        return [_part(kinematics, root, [joint.name for joint in kinematics.robot.joints])]
    tied = _Tied(kinematics)
    for tie in [*_massless_ties(kinematics), *ties]:
        tied.join(tie)
    # Parts of the same size: one of 20 links takes much longer than two of 11.
    joints, largest = len(kinematics.robot.joints), max(most - 1, 1)
    cutting = _Cutting(kinematics, tied, -(-joints // -(-joints // largest)))
    return [_part(kinematics, root, joints) for root, joints in reversed(cutting.cut())]


def _part(kinematics: Kinematics, root: str, joints: Collection[str]) -> Part:
    robot = kinematics.robot
    kept = [joint for joint in robot.joints if joint.name in joints]
    links = {root, *(joint.child for joint in kept)}
    inside = evolve(robot, links=tuple(each for each in robot.links if each.name in links), joints=tuple(kept))
    return Part(root, frozenset(joints), inside)


class _Tied:
    """Which joints must stay together, with all that are between them."""

    def __init__(self, kinematics: Kinematics) -> None:
        self._kinematics = kinematics
        self._heads: dict[str, str] = {}

    def head(self, joint: str) -> str:
        """One joint that stands for all that this one is tied to."""
        while joint in self._heads:
            joint = self._heads[joint]
        return joint

    def join(self, joints: Collection[str]) -> None:
        """Tie joints, and those on the way from one to the other."""
        chains = [self._chain(joint) for joint in joints]
        shared = set.intersection(*map(set, chains)) if chains else set()
        way = [*joints, *(joint for chain in chains for joint in chain if joint not in shared)]
        for joint in way[1:]:
            one, other = self.head(way[0]), self.head(joint)
            if one != other:
                self._heads[one] = other

    def _chain(self, name: str) -> list[str]:
        joint = self._kinematics.robot.get_joint(name)
        assert joint is not None, "ties are made of joints of the robot"
        return [each.name for each in self._kinematics.chain(joint.child)]


class _Cutting:
    """Goes up from the leaves. What is attached to a link is in bundles, and goes up further while there is room."""

    def __init__(self, kinematics: Kinematics, tied: _Tied, most: int) -> None:
        self._kinematics = kinematics
        self._tied = tied
        self._most = most  # joints of a part
        self._found: list[tuple[str, list[str]]] = []

    def cut(self) -> list[tuple[str, list[str]]]:
        """(root, joints) of each part, those at the leaves first."""
        bundles: dict[str, list[list[str]]] = {}
        for link in reversed(self._kinematics.order):
            below = self._kinematics.joints_below(link)
            bundles[link] = self._merged([self._lifted(joint, bundles.pop(joint.child)) for joint in below])
        for root in self._kinematics.roots:
            self._emit(root, bundles[root])
        return self._found

    def _lifted(self, joint: Joint, bundles: list[list[str]]) -> list[str]:
        """A joint with as much as possible of what is attached to its child; the rest becomes parts."""
        head = self._tied.head(joint.name)
        lifted, rest = [joint.name], []
        # The small ones first, after those that must come along.
        for bundle in sorted(bundles, key=lambda each: (not self._has(each, head), len(each))):
            if self._has(bundle, head) or len(lifted) + len(bundle) <= self._most:
                lifted += bundle
            else:
                rest.append(bundle)
        self._emit(joint.child, rest)
        return lifted

    def _has(self, bundle: list[str], head: str) -> bool:
        return any(self._tied.head(joint) == head for joint in bundle)

    def _merged(self, bundles: list[list[str]]) -> list[list[str]]:
        """The bundles of a link, those that are tied to each other as one."""
        merged: list[list[str]] = []
        for bundle in bundles:
            heads = {self._tied.head(joint) for joint in bundle}
            apart = [each for each in merged if heads.isdisjoint(map(self._tied.head, each))]
            whole = bundle + [joint for each in merged if each not in apart for joint in each]
            merged = [*apart, whole]
        return merged

    def _emit(self, root: str, bundles: list[list[str]]) -> None:
        """Make parts that are attached to a link, as few as possible."""
        parts: list[list[str]] = []
        for bundle in sorted(bundles, key=len, reverse=True):
            room = next((part for part in parts if len(part) + len(bundle) <= self._most), None)
            if room is None:
                parts.append(list(bundle))
            else:
                room += bundle
        self._found += [(root, part) for part in parts]


def _massless_ties(kinematics: Kinematics) -> Iterator[tuple[str, str]]:
    """A link without mass moves with what is attached to it: it is not a good end of a part."""
    carried: dict[str, float] = {}
    for name in reversed(kinematics.order):
        link = kinematics.robot.get_link(name)
        assert link is not None, "it is in the order"
        below = kinematics.joints_below(name)
        carried[name] = _mass(link) + sum(carried[joint.child] for joint in below)
        above = kinematics.joint_above(name)
        if above is not None and below and not _mass(link) and carried[name] > 0:
            yield above.name, max(below, key=lambda joint: carried[joint.child]).name


def _mass(link: Link) -> float:
    mass = link.inertial.mass if link.inertial is not None else None
    return max(mass.value, 0.0) if mass is not None else 0.0
