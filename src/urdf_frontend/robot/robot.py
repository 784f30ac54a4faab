"""A robot: everything that its URDF file says, how its links are connected, and where they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from attrs import evolve, field, frozen

from urdf_frontend.robot.items import (
    IDENTITY,
    Comment,
    Extension,
    Item,
    Number,
    Pose,
    Triple,
    rotation_about,
    rotation_of_rpy,
)
from urdf_frontend.robot.mechanism import Joint, JointType, Link, Material


@frozen(kw_only=True)
class Actuator(Item):
    """A motor of a transmission."""

    name: str
    hardware_interfaces: tuple[str, ...] = ()
    mechanical_reduction: Number | None = None


@frozen(kw_only=True)
class TransmissionJoint(Item):
    """A joint of a transmission."""

    name: str
    hardware_interfaces: tuple[str, ...] = ()
    mechanical_reduction: Number | None = None


@frozen(kw_only=True)
class Transmission(Item):
    """Motors that drive joints. Its `text` is the whole element as it is written: there are many dialects."""

    name: str | None
    type: str | None
    joints: tuple[TransmissionJoint, ...] = ()
    actuators: tuple[Actuator, ...] = ()
    mechanical_reduction: Number | None = None
    text: str = field(default="", repr=False)


@frozen(kw_only=True, slots=False)
class Robot(Item):
    """All of a file, in its order. What the file does not say is None or empty, never a default.

    `materials` are those at the top of the file, `looks` all definitions by name, inline ones included.
    """

    name: str | None
    version: str | None = None
    links: tuple[Link, ...] = ()
    joints: tuple[Joint, ...] = ()
    materials: tuple[Material, ...] = ()
    looks: Mapping[str, Material] = field(factory=dict, repr=False, hash=False)
    transmissions: tuple[Transmission, ...] = ()
    comments: tuple[Comment, ...] = field(default=(), repr=False)

    @cached_property
    def _links_by_name(self) -> dict[str, Link]:
        # Of two links with one name, which is an error, the first one counts.
        return {link.name: link for link in reversed(self.links)}

    @cached_property
    def _joints_by_name(self) -> dict[str, Joint]:
        return {joint.name: joint for joint in reversed(self.joints)}

    def get_link(self, name: str) -> Link | None:
        """The link with this name."""
        return self._links_by_name.get(name)

    def get_joint(self, name: str) -> Joint | None:
        """The joint with this name."""
        return self._joints_by_name.get(name)

    @property
    def as_written(self) -> Robot:
        """The robot with limits that count as they are written: so packages were made of it before."""
        return evolve(self, joints=tuple(joint.as_written for joint in self.joints))

    def extensions_named(self, tag: str) -> tuple[Extension, ...]:
        """The elements at the top of the file that URDF does not define and that have this tag, such as `gazebo`."""
        return tuple(extension for extension in self.extensions if extension.tag == tag)


# ---------------------------------------------------------------- kinematics
# How the links of a robot hang together, and where they are. Everything here takes linear time, whatever the shape.

JointValue = float | Sequence[float]


@frozen
class Kinematics:
    """The links by name and the joints between them.

    `order` has every link that can be reached from a root once, each after its parent: branch after branch, in the
    order of the file. What is missing there is attached to a loop. Joints with an end that does not exist are not part
    of it. A link with several parents is attached to the first one; the other joints are in `closing`.
    """

    robot: Robot = field(repr=False)
    roots: tuple[str, ...]
    leaves: tuple[str, ...]
    order: tuple[str, ...] = field(repr=False)
    closing: tuple[Joint, ...]
    unreachable: tuple[str, ...]
    _joints_below: Mapping[str, tuple[Joint, ...]] = field(repr=False)
    _joint_above: Mapping[str, Joint] = field(repr=False)

    @classmethod
    def of(cls, robot: Robot) -> Kinematics:
        """Look at a robot, a broken one too."""
        names = list(dict.fromkeys(link.name for link in robot.links))
        below: dict[str, list[Joint]] = {name: [] for name in names}
        above: dict[str, Joint] = {}
        closing: list[Joint] = []
        for joint in robot.joints:
            if joint.parent not in below or joint.child not in below:
                continue
            if joint.child in above:
                closing.append(joint)
                continue
            above[joint.child] = joint
            below[joint.parent].append(joint)
        roots = tuple(name for name in names if name not in above)
        order = _order(roots, below)
        reached = set(order)
        return cls(
            robot=robot,
            roots=roots,
            leaves=tuple(name for name in names if not below[name]),
            order=order,
            closing=tuple(closing),
            unreachable=tuple(name for name in names if name not in reached),
            joints_below={name: tuple(joints) for name, joints in below.items()},
            joint_above=above,
        )

    @property
    def is_tree(self) -> bool:
        """One root, from which every link is reached in one way."""
        return len(self.roots) == 1 and not self.closing and not self.unreachable

    def joints_below(self, link: str) -> tuple[Joint, ...]:
        """The joints that are attached to a link, in the order of the file."""
        return self._joints_below.get(link, ())

    def joint_above(self, link: str) -> Joint | None:
        """The joint that a link is attached to; None for a root."""
        return self._joint_above.get(link)

    def chain(self, link: str) -> tuple[Joint, ...]:
        """The joints from the root to a link; those of a loop once."""
        found: list[Joint] = []
        seen: set[str] = set()
        joint = self.joint_above(link)
        while joint is not None and joint.name not in seen:
            seen.add(joint.name)
            found.append(joint)
            joint = self.joint_above(joint.parent)
        return tuple(reversed(found))

    def chains(self) -> Iterator[tuple[Joint, ...]]:
        """The joints from a root to each leaf that can be reached, leaf after leaf."""
        reached = set(self.order)
        return (self.chain(leaf) for leaf in self.leaves if leaf in reached)

    @property
    def loops(self) -> tuple[tuple[str, ...], ...]:
        """Links that are attached to each other in a circle, each circle once, from its first link in the file."""
        found: list[tuple[str, ...]] = []
        done: set[str] = set()
        for start in self.unreachable:
            way: dict[str, None] = {}
            link = start
            while link not in done and link not in way:
                way[link] = None
                link = self._joint_above[link].parent
            if link in way:
                members = list(way)
                found.append(tuple(reversed(members[members.index(link) :])))
            done.update(way)
        return tuple(found)

    def joint_order(self) -> tuple[Joint, ...]:
        """The joints above the links of `order`."""
        return tuple(self._joint_above[link] for link in self.order if link in self._joint_above)

    def forward(self, values: Mapping[str, JointValue] | None = None) -> dict[str, Pose]:
        """Where every link of `order` is, seen from its root, at these joint values; others are 0.

        An angle in radians or a distance in metres; three numbers for a planar joint (two distances along `plane_of`
        its axis and an angle), six for a floating one (x, y, z, roll, pitch, yaw). Joints that mimic another one
        follow it, whatever value is given for them. ValueError for a joint that does not exist, and for a wrong count.
        """
        places = joint_values(self.robot, values or {})
        poses: dict[str, Pose] = {}
        for link in self.order:
            joint = self._joint_above.get(link)
            if joint is None:
                poses[link] = IDENTITY
                continue
            origin = IDENTITY if joint.origin is None else joint.origin.pose
            # Of two joints with one name, which is an error, the second has no value of its own.
            is_named = self.robot.get_joint(joint.name) is joint
            value = places[joint.name] if is_named else (0.0,) * joint.type.degrees_of_freedom
            poses[link] = poses[joint.parent] @ origin @ motion(joint, value)
        return poses


def _order(roots: tuple[str, ...], below: Mapping[str, list[Joint]]) -> tuple[str, ...]:
    order: list[str] = []
    todo = list(reversed(roots))
    while todo:
        link = todo.pop()
        order.append(link)
        todo += [joint.child for joint in reversed(below[link])]
    return tuple(order)


def joint_values(robot: Robot, given: Mapping[str, JointValue]) -> dict[str, tuple[float, ...]]:
    """The value of each joint, as many numbers as it has degrees of freedom; those that mimic one follow it."""
    values: dict[str, tuple[float, ...]] = {}
    for joint in robot.joints:
        values.setdefault(joint.name, (0.0,) * joint.type.degrees_of_freedom)
    for name, value in given.items():
        if name not in values:
            raise ValueError(f"there is no joint '{name}'")
        numbers = tuple(float(number) for number in value) if isinstance(value, Sequence) else (float(value),)
        if len(numbers) != len(values[name]):
            raise ValueError(f"joint '{name}' takes {len(values[name])} numbers, not {len(numbers)}")
        values[name] = numbers
    _follow(robot, values)
    return values


def _follow(robot: Robot, values: dict[str, tuple[float, ...]]) -> None:
    """Let the joints follow those that they mimic, which may follow others themselves. A circle follows nobody."""
    settled = {joint.name for joint in robot.joints if not follows(joint)}
    for joint in robot.joints:
        way: dict[str, Joint] = {}
        at: Joint | None = joint
        while at is not None and at.name not in settled and at.name not in way:
            way[at.name] = at
            at = robot.get_joint(at.mimic.joint) if at.mimic is not None else None
        for follower in reversed(way.values()):
            mimic = follower.mimic
            leader = robot.get_joint(mimic.joint) if mimic is not None else None
            # A leader that does not exist, or has no single value, is at 0; the checks report both.
            value = values[leader.name][0] if leader is not None and leader.type.is_single else 0.0
            if mimic is not None:
                values[follower.name] = (mimic.factor * value + mimic.shift,)
            settled.add(follower.name)


def follows(joint: Joint) -> bool:
    """Does it mimic another joint? One that has no single value can't."""
    return joint.mimic is not None and joint.type.is_single


def motion(joint: Joint, value: tuple[float, ...]) -> Pose:
    """How far a joint has moved its child."""
    if joint.type.is_rotational:
        return Pose(rotation_about(joint.direction, value[0]), (0.0, 0.0, 0.0))
    if joint.type is JointType.PRISMATIC:
        return Pose(IDENTITY.rotation, _along((joint.direction, value[0])))
    if joint.type is JointType.PLANAR:
        first, second = plane_of(joint.direction)
        rotation = rotation_about(joint.direction, value[2])
        return Pose(rotation, _along((first, value[0]), (second, value[1])))
    if joint.type is JointType.FLOATING:
        x, y, z, roll, pitch, yaw = value
        return Pose(rotation_of_rpy(roll, pitch, yaw), (x, y, z))
    return IDENTITY


def plane_of(normal: Triple) -> tuple[Triple, Triple]:
    """Two directions of the plane with this normal, which make a right-handed frame with it.

    The first is the x axis as the plane sees it, or the y axis if the normal is nearer to x: for a normal along z
    these are x and y.
    """
    nearest_x = abs(normal[0]) > max(abs(normal[1]), abs(normal[2]))
    start = (0.0, 1.0, 0.0) if nearest_x else (1.0, 0.0, 0.0)
    share = sum(a * b for a, b in zip(start, normal, strict=True))
    x, y, z = (a - share * b for a, b in zip(start, normal, strict=True))
    length = (x * x + y * y + z * z) ** 0.5
    first = (x / length, y / length, z / length)
    return first, _cross(normal, first)


def _cross(a: Triple, b: Triple) -> Triple:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _along(*steps: tuple[Triple, float]) -> Triple:
    x, y, z = (sum(direction[axis] * length for direction, length in steps) for axis in range(3))
    return x, y, z
