"""Where the comparison looks: configurations at random, within the limits of the joints and of those that follow."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from attrs import frozen

from urdf_frontend.model import Joint, JointType
from urdf_frontend.verify.freedoms import Freedom, Motion
from urdf_frontend.verify.reference import Array
from urdf_frontend.verify.rotations import quaternion_of, rotation_of_rpy

_WIDE: Final = math.pi  # of an angle without limits, in both directions
_FAR: Final = 0.5  # of a distance without limits, in metres
_TILT: Final = 1.2  # of roll, pitch and yaw
_FAST: Final = 1.0  # of start velocities, in rad/s or m/s
_EDGE: Final = 0.02  # share of the way between two limits that is left free at each of them


@frozen
class Start:
    """Where a run starts. Floating joints have x, y, z, roll, pitch, yaw, and velocities in the frame of the joint."""

    values: dict[str, Array]
    speeds: dict[str, Array]

    def positions(self, motion: Motion) -> dict[str, Array]:
        """The same as the reference takes it."""
        return {freedom.name: _position(freedom, self.values[freedom.name]) for freedom in motion.freedoms}

    def velocities(self, motion: Motion) -> Array:
        """All velocities; those of floating joints along the axes of the link that moves."""
        found = np.zeros(motion.size)
        for freedom in motion.freedoms:
            speeds = self.speeds[freedom.name]
            if freedom.type is JointType.FLOATING:
                turn = rotation_of_rpy(self.values[freedom.name][3:])
                speeds = np.concatenate([turn.T @ speeds[:3], turn.T @ speeds[3:]])
            found[freedom.span] = speeds
        return found


def random_start(motion: Motion, seed: int, number: int, *, moving: bool) -> Start:
    """The start of a given number; the same numbers give the same start."""
    random = np.random.default_rng([seed, number, int(moving)])
    values, speeds = {}, {}
    for freedom in motion.freedoms:
        lower, upper = _range_of(freedom, motion)
        margin = _EDGE * (upper - lower)
        values[freedom.name] = random.uniform(lower + margin, upper - margin)
        fastest = min(_FAST, _speed_limit(freedom.joint))
        speeds[freedom.name] = random.uniform(-fastest, fastest, freedom.size) * moving
    return Start(values, speeds)


def _position(freedom: Freedom, values: Array) -> Array:
    if freedom.type is not JointType.FLOATING:
        return values
    return np.concatenate([values[:3], quaternion_of(rotation_of_rpy(values[3:]))])


def _range_of(freedom: Freedom, motion: Motion) -> tuple[Array, Array]:
    if freedom.type is JointType.FLOATING:
        widest = np.array([_FAR] * 3 + [_TILT] * 3)
        return -widest, widest
    if freedom.type is JointType.PLANAR:
        widest = np.array([_FAR, _FAR, _WIDE])
        return -widest, widest
    assert freedom.joint is not None, "the free base is floating"
    lower, upper = _limits_of(freedom.joint)
    for follower in motion.followers:
        if follower.leader is freedom and follower.factor:
            ends = sorted((end - follower.shift) / follower.factor for end in _limits_of(follower.joint))
            # Limits that leave no place for both are not made for each other: then the leader's own hold.
            if max(lower, ends[0]) < min(upper, ends[1]):
                lower, upper = max(lower, ends[0]), min(upper, ends[1])
    return np.array([lower]), np.array([upper])


def _limits_of(joint: Joint) -> tuple[float, float]:
    widest = _WIDE if joint.type.is_rotational else _FAR
    if joint.type is JointType.CONTINUOUS or joint.limit is None:
        return -widest, widest
    lower = 0.0 if joint.limit.lower is None else joint.limit.lower.value
    upper = 0.0 if joint.limit.upper is None else joint.limit.upper.value
    # A joint may be allowed to turn a hundred times; a few times say as much.
    lower, upper = max(lower, -3 * widest), min(upper, 3 * widest)
    return (lower, upper) if lower < upper else (-widest, widest)


def _speed_limit(joint: Joint | None) -> float:
    if joint is None or joint.limit is None or joint.limit.velocity is None:
        return _FAST
    return abs(joint.limit.velocity.value) or _FAST
