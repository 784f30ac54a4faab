"""Robots at random that can be built, and changes of them as they happen to URDF files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve
from hypothesis import strategies as st

from urdf_frontend.robot import (
    Axis,
    Box,
    Cylinder,
    Dynamics,
    Geometry,
    Inertia,
    Inertial,
    Joint,
    JointType,
    Limit,
    Link,
    LinkReference,
    Mimic,
    Number,
    Origin,
    Robot,
    Sphere,
    Vector,
    Visual,
)

# Names that stay as they are, and such that need another one in Modelica; a link and a joint may have the same.
NAMES = ("base", "arm", "tool", "left.wheel", "2nd", "model", "Camera", "world_2", "x y")
SIZES = st.sampled_from(("0.1", "0.25", "2", "3.50", "1e-2")).map(lambda text: Number(text, float(text)))
PLACES = st.sampled_from(("0", "0.1", "-0.2", "1.5", "-3e-2")).map(lambda text: Number(text, float(text)))
AXES = st.sampled_from(((1, 0, 0), (0, 1, 0), (0, 0, -1))).map(lambda axis: Axis(xyz=Vector.of(*axis)))
KINDS = st.sampled_from([kind for kind in JointType if kind is not JointType.UNKNOWN])
# The joints that another one can lead.
LED = (JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC)


def _maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def _positions() -> st.SearchStrategy[Vector]:
    return st.tuples(PLACES, PLACES, PLACES).map(Vector)


ORIGINS = st.builds(Origin, xyz=_positions(), rpy=_maybe(_positions()))
INERTIAS = SIZES.map(lambda n: Inertia(ixx=n, ixy=Number.of(0), ixz=Number.of(0), iyy=n, iyz=Number.of(0), izz=n))
INERTIALS = st.builds(Inertial, origin=_maybe(ORIGINS), mass=SIZES, inertia=INERTIAS)
GEOMETRIES: st.SearchStrategy[Geometry] = st.one_of(
    st.builds(Box, size=st.tuples(SIZES, SIZES, SIZES).map(Vector)),
    st.builds(Cylinder, radius=SIZES, length=SIZES),
    st.builds(Sphere, radius=SIZES),
)
VISUALS = st.builds(Visual, origin=_maybe(ORIGINS), geometry=GEOMETRIES)
LIMITS = st.builds(Limit, lower=st.just(Number.of(-1)), upper=SIZES, effort=SIZES, velocity=SIZES)
DYNAMICS = st.builds(Dynamics, damping=_maybe(SIZES), friction=_maybe(SIZES))


@st.composite
def buildable_robots(draw: st.DrawFn) -> Robot:
    """A tree of two to five links whose values make sense."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
    links = tuple(_link(draw, name) for name in names)
    joint_names = draw(st.lists(st.sampled_from(NAMES), min_size=len(names) - 1, max_size=len(names) - 1, unique=True))
    joints: list[Joint] = []
    for number, name in enumerate(joint_names):
        parent = names[draw(st.integers(0, number))]
        joints.append(_joint(draw, name, parent, names[number + 1]))
    return Robot(name=draw(st.sampled_from(("robot", "desk arm"))), links=links, joints=tuple(joints))


def _link(draw: st.DrawFn, name: str) -> Link:
    visuals = draw(st.lists(VISUALS, max_size=2).map(tuple))
    return Link(name=name, inertial=draw(_maybe(INERTIALS)), visuals=visuals)


def _joint(draw: st.DrawFn, name: str, parent: str, child: str) -> Joint:
    kind = draw(KINDS)
    return Joint(
        name=name,
        type=kind,
        type_text=kind.value,
        parent_reference=LinkReference(link=parent),
        child_reference=LinkReference(link=child),
        origin=draw(_maybe(ORIGINS)),
        axis=draw(AXES),
        limit=draw(LIMITS),
        dynamics=draw(_maybe(DYNAMICS)),
    )


# ---------------------------------------------------------------- changes

Change = Callable[[st.DrawFn, Robot], Robot]


def _with_link(robot: Robot, number: int, **values: Any) -> Robot:
    links = list(robot.links)
    links[number] = evolve(links[number], **values)
    return evolve(robot, links=tuple(links))


def _with_joint(robot: Robot, number: int, **values: Any) -> Robot:
    joints = list(robot.joints)
    joints[number] = evolve(joints[number], **values)
    return evolve(robot, joints=tuple(joints))


def _any_joint(draw: st.DrawFn, robot: Robot) -> int:
    return draw(st.integers(0, len(robot.joints) - 1))


def _inertial(draw: st.DrawFn, robot: Robot) -> Robot:
    return _with_link(robot, draw(st.integers(0, len(robot.links) - 1)), inertial=draw(_maybe(INERTIALS)))


def _visuals(draw: st.DrawFn, robot: Robot) -> Robot:
    number = draw(st.integers(0, len(robot.links) - 1))
    return _with_link(robot, number, visuals=draw(st.lists(VISUALS, max_size=3).map(tuple)))


def _origin(draw: st.DrawFn, robot: Robot) -> Robot:
    return _with_joint(robot, _any_joint(draw, robot), origin=draw(_maybe(ORIGINS)))


def _limit(draw: st.DrawFn, robot: Robot) -> Robot:
    return _with_joint(robot, _any_joint(draw, robot), limit=draw(LIMITS), axis=draw(AXES))


def _dynamics(draw: st.DrawFn, robot: Robot) -> Robot:
    return _with_joint(robot, _any_joint(draw, robot), dynamics=draw(_maybe(DYNAMICS)))


def _kind(draw: st.DrawFn, robot: Robot) -> Robot:
    kind = draw(KINDS)
    return _with_joint(robot, _any_joint(draw, robot), type=kind, type_text=kind.value)


def _parent(draw: st.DrawFn, robot: Robot) -> Robot:
    """A joint is attached to another link; one that comes before its child, so no loop is closed."""
    number = _any_joint(draw, robot)
    parent = robot.links[draw(st.integers(0, number))].name
    return _with_joint(robot, number, parent_reference=LinkReference(link=parent))


def _mimic(draw: st.DrawFn, robot: Robot) -> Robot:
    """The last joint follows the first."""
    first, last = robot.joints[0], robot.joints[-1]
    if first is last or first.type not in LED or last.type not in LED or first.mimic is not None:
        return robot
    mimic = draw(_maybe(SIZES.map(lambda factor: Mimic(joint=first.name, multiplier=factor))))
    return _with_joint(robot, len(robot.joints) - 1, mimic=mimic)


def _new_leaf(draw: st.DrawFn, robot: Robot) -> Robot:
    link_names = [name for name in NAMES if name not in {link.name for link in robot.links}]
    joint_names = [name for name in NAMES if name not in {joint.name for joint in robot.joints}]
    link = _link(draw, draw(st.sampled_from(link_names)))
    parent = draw(st.sampled_from(robot.links)).name
    joint = _joint(draw, draw(st.sampled_from(joint_names)), parent, link.name)
    return evolve(robot, links=(*robot.links, link), joints=(*robot.joints, joint))


def _no_leaf(_draw: st.DrawFn, robot: Robot) -> Robot:
    """Without the last link, which is a leaf: a parent comes before its children."""
    gone = robot.joints[-1].name
    if len(robot.joints) == 1 or any(joint.mimic and joint.mimic.joint == gone for joint in robot.joints):
        return robot
    return evolve(robot, links=robot.links[:-1], joints=robot.joints[:-1])


def _joint_name(draw: st.DrawFn, robot: Robot) -> Robot:
    number = len(robot.joints) - 1
    free = [name for name in NAMES if name not in {joint.name for joint in robot.joints}]
    return _with_joint(robot, number, name=draw(st.sampled_from(free)))


def _robot_name(_draw: st.DrawFn, robot: Robot) -> Robot:
    return evolve(robot, name=f"{robot.name} 2")


CHANGES: dict[str, Change] = {
    "nothing": lambda _, robot: robot,
    "inertial": _inertial,
    "visuals": _visuals,
    "origin": _origin,
    "limit": _limit,
    "dynamics": _dynamics,
    "type": _kind,
    "parent": _parent,
    "mimic": _mimic,
    "new leaf": _new_leaf,
    "no leaf": _no_leaf,
    "joint renamed": _joint_name,
    "robot renamed": _robot_name,
}


@st.composite
def changed_robots(draw: st.DrawFn, robot: Robot) -> Robot:
    """The same robot after one to three changes."""
    for name in draw(st.lists(st.sampled_from(sorted(CHANGES)), min_size=1, max_size=3)):
        robot = CHANGES[name](draw, robot)
    return robot
