"""A whole robot: its bodies, its motion, and how both hang together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Generic, Self, TypeAlias, TypeGuard, TypeVar, cast

from urdf_frontend.typed.mechanism import (
    AxisT,
    Joint,
    JointId,
    JointT,
    Link,
    LinkId,
    LinkT,
    RobotId,
    Transmission,
    Value,
)

# ---------------------------------------------------------------- skeletons


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


# ---------------------------------------------------------------- in Modelica
# Where the parts of a robot are in a Modelica model: typed names for simulation results and parameters.


ParameterValue: TypeAlias = float | bool | list[float]


class Axis(Value):
    """The names of a joint that has one angle or distance: in the robot's model, without what is before that."""

    q: str  # angle or distance
    qd: str  # its derivative
    tau: str  # torque or force of the drive
    flange: str | None = None  # where drives act; None if there is no such connector


class Modelica(Value, Generic[LinkT, JointT, AxisT]):
    """What the robot is called in Modelica. `at` is the component that the robot is in `model`, '' if it is that."""

    package: str
    robot: str
    model: str
    at: str
    links: Mapping[LinkT, str]
    joints: Mapping[JointT, str]
    axes: Mapping[AxisT, Axis]


class ModelicaSkeleton(Skeleton[LinkT, JointT], Generic[LinkT, JointT, AxisT]):
    """A robot that is also a Modelica package.

        result[ARM.q(ArmJointId.ELBOW)]

    Any mapping of names to values will do as a result.
    """

    modelica: Modelica[LinkT, JointT, AxisT]

    @property
    def model(self) -> str:
        """The class to simulate, by its full name."""
        return self.modelica.model

    @property
    def axes(self) -> tuple[AxisT, ...]:
        """The joints that have an angle or a distance in Modelica."""
        return tuple(self.modelica.axes)

    def is_axis(self, joint: JointT) -> TypeGuard[AxisT]:
        """Has the joint an angle or a distance in Modelica?"""
        return joint in cast(Mapping[JointT, Axis], self.modelica.axes)

    def at(self, path: str) -> Self:
        """The same robot as the component `path` of another model; '' is the robot's model itself."""
        now = self.modelica
        moved: Modelica[LinkT, JointT, AxisT] = Modelica(
            now.package, now.robot, now.model, path, now.links, now.joints, now.axes
        )
        return type(self)(self.name, self.linkage, self.articulation, self.transmissions, moved)

    def q(self, joint: AxisT) -> str:
        """The name of its angle or distance."""
        return self._full(self._axis(joint).q)

    def qd(self, joint: AxisT) -> str:
        """The name of its speed."""
        return self._full(self._axis(joint).qd)

    def tau(self, joint: AxisT) -> str:
        """The name of the torque or force of its drive."""
        return self._full(self._axis(joint).tau)

    def flange(self, joint: AxisT) -> str | None:
        """The name of the connector that drives act on."""
        flange = self._axis(joint).flange
        return None if flange is None else self._full(flange)

    def component(self, part: LinkT | JointT) -> str:
        """The name of the component that a link or a joint is."""
        return self._full(self.modelica.links[part] if isinstance(part, LinkId) else self.modelica.joints[part])

    def named(self, part: LinkT | JointT, values: Mapping[str, object]) -> dict[str, ParameterValue]:
        """Values for parameters of a link or a joint, by their full names, as a simulation takes them.

        The class of a generated module has `parameters` too, which knows the names and types of each part's. Several
        of these are joined with `|`.
        """
        component = self.component(part)
        return {
            f"{component}.{name}": list(value) if isinstance(value, Sequence) else cast(ParameterValue, value)
            for name, value in values.items()
        }

    def _axis(self, joint: AxisT) -> Axis:
        found = self.modelica.axes.get(joint)
        if found is None:
            raise KeyError(f"{joint!r} has no angle and no distance in {self.modelica.robot}")
        return found

    def _full(self, path: str) -> str:
        return f"{self.modelica.at}.{path}" if self.modelica.at else path


AnySkeleton: TypeAlias = Skeleton[Any, Any]


# ---------------------------------------------------------------- all robots of a package
# The robots of a package: their modules are imported when somebody asks for them.


# ---------------------------------------------------------------- discovery
# Robots of other packages, by entry points.
#
# A package says in its pyproject.toml
#
# [project.entry-points."urdf_frontend.robots"] panda = "my_robots.panda:PANDA"

GROUP: Final = "urdf_frontend.robots"


class RobotNotFoundError(LookupError):
    """There is no robot of that name, or what is there is none; the sentence says which."""


def robot_names() -> list[str]:
    """The names of all robots that installed packages bring; none of them is imported."""
    from importlib.metadata import entry_points  # noqa: PLC0415  (takes longer to import than all the rest)

    return sorted({entry.name for entry in entry_points(group=GROUP)})


def find_robot(name: str) -> AnySkeleton:
    """The robot of a name; RobotNotFoundError names those that there are, or says why it can't be loaded."""
    from importlib.metadata import entry_points  # noqa: PLC0415  (as above)

    found = sorted({entry.value for entry in entry_points(group=GROUP, name=name)})
    if not found:
        known = ", ".join(robot_names()) or "none"
        raise RobotNotFoundError(f"there is no robot '{name}' in the entry points {GROUP}; there is {known}")
    if len(found) > 1:
        raise RobotNotFoundError(f"there are several robots '{name}': {', '.join(found)}")
    return load_robot(found[0])


def load_robot(place: str, package: str | None = None) -> AnySkeleton:
    """The robot of a place, `module:NAME`; a module that starts with a dot is one of `package`."""
    from importlib import import_module  # noqa: PLC0415  (only who asks for a robot by its name needs it)

    module, _, name = place.partition(":")
    try:
        robot = getattr(import_module(module, package), name)
    except (ImportError, AttributeError) as wrong:
        raise RobotNotFoundError(f"the robot of {place} can't be loaded: {wrong}") from wrong
    if not isinstance(robot, Skeleton):
        raise RobotNotFoundError(f"{place} is not a robot, but a {type(robot).__name__}")
    return robot


# ---------------------------------------------------------------- registry

RobotT = TypeVar("RobotT", bound=RobotId)


class Registry(Generic[RobotT]):
    """Base of generated registries, which say of which class each robot is. A place is `module:NAME`."""

    def __init__(self, places: Mapping[RobotT, str], package: str | None) -> None:
        self._places = dict(places)
        self._package = package or None  # '' for a module that is in no package

    def __iter__(self) -> Iterator[RobotT]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def load(self, robot: RobotT | str) -> AnySkeleton:
        """The robot of an id or of its text; RobotNotFoundError names those that there are."""
        for known, place in self._places.items():
            if known == robot:
                return load_robot(place, self._package)
        raise RobotNotFoundError(f"there is no robot '{robot}'; there is {', '.join(self._places) or 'none'}")
