"""The values of real robots are those that yourdfpy reads, and links are where it puts them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from conftest import ROOT
from urdf_frontend import Kinematics, Robot, read
from urdf_frontend.robot import Box, Cylinder, Joint, Link, Mesh, Number, Origin, Sphere

yourdfpy = pytest.importorskip("yourdfpy")

ROBOTS = ROOT.parent / "shared" / "urdf"
NAMES = sorted(path.name for path in ROBOTS.glob("*.urdf"))

# Read here and not there: what each of them stops at.
NOT_LOADED = {
    "all_geometries_as_visual--drake.urdf": "capsule",
    "custom_example--jackal.urdf": "name",
    "humanoid_partial_xyz_spherical--tiny-differentiable-simulator.urdf": "capsule",
    "humanoid_torso--tiny-differentiable-simulator.urdf": "capsule",
    "husky--bullet3.urdf": "optenv",
    "perseverance--perseverance-ingenuity-urdfs.urdf": "x not in list",
}
# yourdfpy sees no links in it, because they are in a name space.
NOT_SEEN = "quadrotor--bullet3.urdf"

pytestmark = pytest.mark.skipif(not NAMES, reason="there are no robots in ../shared/urdf")


@cache
def theirs(name: str) -> Any:
    """The robot as yourdfpy reads it; the exception if it does not."""
    try:
        return yourdfpy.URDF.load(
            str(ROBOTS / name),
            build_scene_graph=True,
            build_collision_scene_graph=False,
            load_meshes=False,
            load_collision_meshes=False,
        )
    except Exception as error:  # noqa: BLE001  (whatever it raises, it has not loaded the file)
        return error


def ours(name: str) -> Robot:
    robot = read(ROBOTS / name).robot
    assert robot is not None
    return robot


LOADED = [name for name in NAMES if name not in NOT_LOADED and name != NOT_SEEN]


@pytest.mark.parametrize("name", NOT_LOADED)
def test_what_the_peer_does_not_load(name: str) -> None:
    if name in NAMES:
        assert NOT_LOADED[name] in str(theirs(name))
        assert ours(name)


def value(number: Number | None) -> float | None:
    return None if number is None else number.value


def close(our: Any, their: Any) -> bool:
    """Equal but for the last bits of sines and cosines."""
    pairs = zip((number for row in our for number in row), their.flatten().tolist(), strict=True)
    return all(math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12) for a, b in pairs)


def same_origin(origin: Origin | None, matrix: Any) -> bool:
    if origin is None or matrix is None:
        return origin is None and matrix is None
    return close(origin.pose.matrix, matrix)


@pytest.mark.parametrize("name", LOADED)
def test_links_are_the_same(name: str) -> None:
    peer = theirs(name)
    assert not isinstance(peer, Exception), peer
    links = [link for link in ours(name).links if not link.is_implicit]
    assert [link.name for link in links] == [link.name for link in peer.robot.links]
    for link, other in zip(links, peer.robot.links, strict=True):
        check_inertial(link, other)
        others = [*other.visuals, *other.collisions]
        assert [part.name for part in link.parts] == [part.name for part in others]
        for part, their_part in zip(link.parts, others, strict=True):
            assert same_origin(part.origin, their_part.origin)
            check_shape(part.geometry, their_part.geometry)


def check_inertial(link: Link, other: Any) -> None:
    assert (link.inertial is None) == (other.inertial is None)
    if link.inertial is None:
        return
    assert value(link.inertial.mass) == other.inertial.mass
    assert same_origin(link.inertial.origin, other.inertial.origin)
    if link.inertial.inertia is not None:
        ixx, ixy, ixz, iyy, iyz, izz = link.inertial.inertia.values
        assert other.inertial.inertia.tolist() == [[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]]


def check_shape(shape: object, other: Any) -> None:
    match shape:
        case Box(size=size):
            assert size is not None
            assert list(size.values) == other.box.size.tolist()
        case Cylinder(radius=radius, length=length):
            assert (value(radius), value(length)) == (other.cylinder.radius, other.cylinder.length)
        case Sphere(radius=radius):
            assert value(radius) == other.sphere.radius
        case Mesh(filename=filename, scale=scale):
            assert filename == other.mesh.filename
            if scale is not None:
                assert list(scale.values) == other.mesh.scale.tolist()


@pytest.mark.parametrize("name", LOADED)
def test_joints_are_the_same(name: str) -> None:
    peer = theirs(name)
    joints = ours(name).joints
    assert [joint.name for joint in joints] == [joint.name for joint in peer.robot.joints]
    for joint, other in zip(joints, peer.robot.joints, strict=True):
        assert (joint.type.value, joint.parent, joint.child) == (other.type, other.parent, other.child)
        assert same_origin(joint.origin, other.origin)
        written = (1.0, 0.0, 0.0) if joint.axis is None or joint.axis.xyz is None else joint.axis.xyz.values
        assert list(written) == other.axis.tolist()
        assert list(numbers_of(joint)) == list(their_numbers_of(other))


def numbers_of(joint: Joint) -> Iterator[object]:
    if joint.limit is not None:
        yield from map(value, (joint.limit.lower, joint.limit.upper, joint.limit.effort, joint.limit.velocity))
    if joint.dynamics is not None:
        yield from map(value, (joint.dynamics.damping, joint.dynamics.friction))
    if joint.mimic is not None:
        yield from (joint.mimic.joint, joint.mimic.factor, joint.mimic.shift)


def their_numbers_of(joint: Any) -> Iterator[object]:
    if joint.limit is not None:
        yield from (joint.limit.lower, joint.limit.upper, joint.limit.effort, joint.limit.velocity)
    if joint.dynamics is not None:
        # yourdfpy keeps these two as texts.
        texts = (joint.dynamics.damping, joint.dynamics.friction)
        yield from (None if text is None else float(text) for text in texts)
    if joint.mimic is not None:
        yield from (joint.mimic.joint, joint.mimic.multiplier, joint.mimic.offset)


@pytest.mark.parametrize("name", [name for name in LOADED if not name.startswith("fail_")])
def test_every_link_is_where_the_peer_puts_it(name: str) -> None:
    robot, peer = ours(name), theirs(name)
    kinematics = Kinematics.of(robot)
    drawn = random.Random(name)  # noqa: S311  (the same numbers in every run)
    for _ in range(5):
        # yourdfpy does not move planar and floating joints.
        single = [joint.name for joint in robot.joints if joint.type.is_single and joint.mimic is None]
        values = {joint: drawn.uniform(-3, 3) for joint in single}
        peer.update_cfg(values)
        poses = kinematics.forward(values)
        assert set(poses) == {link.name for link in robot.links}
        for link, pose in poses.items():
            assert close(pose.matrix, peer.get_transform(link, kinematics.roots[0])), link


def test_the_comparison_would_see_a_wrong_axis() -> None:
    name = "rx200--urdf_files_dataset.urdf"
    if name in NAMES:
        peer = theirs(name)
        peer.update_cfg({"waist": 0.1})
        poses = Kinematics.of(ours(name)).forward({"waist": 0.1 + 1e-11})
        assert not close(poses["/shoulder_link"].matrix, peer.get_transform("/shoulder_link", "/base_link"))
