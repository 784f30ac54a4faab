"""The robot as Pinocchio has it: where its links are, its mass matrix, the forces of gravity and of friction.

Velocities are those of the freedoms, one after the other. A joint that follows another one is tied to it by the matrix
`G`: all velocities = G * those of the freedoms, and forces the other way round.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Collection, Mapping
from types import ModuleType
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from attrs import frozen

from urdf_frontend.motion.verification.freedoms import Freedom, Motion, VerifyError, quaternion_of, rotation_of_rpy
from urdf_frontend.motion.verification.urdf_text import loose_urdf, planar_joints, reduced_urdf, refused_number
from urdf_frontend.robot import Joint, JointType, Robot

Array = npt.NDArray[np.float64]
# Of each freedom by its name: an angle or a distance; two distances and an angle; x, y, z and a quaternion x, y, z, w.
Positions = Mapping[str, Array]

GRAVITY: Final = 9.81
_ROOT_JOINT: Final = "root_joint"  # what Pinocchio calls it
_FLOATING_NUMBERS: Final = 7  # a place and a quaternion
_INSTALL: Final = "pip install 'modelica-ast[verify]'"


def pinocchio() -> ModuleType:
    """The engine; VerifyError if it is not installed."""
    try:
        return importlib.import_module("pinocchio")
    except ImportError:
        raise VerifyError(f"this needs Pinocchio: {_INSTALL}") from None


class PinocchioRobot:
    """A robot in Pinocchio, from the text of its URDF file."""

    def __init__(self, text: str, robot: Robot, motion: Motion, added_masses: Collection[str] = ()) -> None:
        self._pin = pinocchio()
        self.motion = motion
        reduced = reduced_urdf(text, robot, added_masses)
        refused = refused_number(reduced)
        if refused is not None:
            raise VerifyError(
                "Pinocchio leaves out a part of the URDF file, so there is nothing to compare with: its reader, "
                f"urdfdom, does not take {refused}; write plain numbers, with nothing after them"
            )
        is_free = any(freedom.joint is None for freedom in motion.freedoms)
        self._model = self._read(reduced, is_free=is_free)
        self._data = self._model.createData()
        self._model.gravity.linear = np.array([0.0, 0.0, -GRAVITY])
        self._frames = {link.name: self._model.getFrameId(link.name, self._pin.BODY) for link in robot.links}
        # PERF: looking for a joint by its name takes longer than the mechanics of a small robot.
        self._joints = {freedom.name: self._joints_of(freedom) for freedom in motion.freedoms}
        self._following = [(each, self._joint(each.name)) for each in motion.followers]
        self._tie = self._make_tie()
        self.inertias = self._link_inertias(reduced, robot)
        rubs = np.zeros(self._model.nv)  # the templates of planar and floating joints have no friction
        rubs[[self._joint(each.name).idx_v for each in motion.single]] = 1.0
        self.damping, self.friction = self._model.damping * rubs, self._model.friction * rubs

    def _read(self, text: str, *, is_free: bool) -> Any:
        try:
            if is_free:
                return self._pin.buildModelFromXML(text, self._pin.JointModelFreeFlyer())
            return self._pin.buildModelFromXML(text)
        except (ValueError, RuntimeError) as wrong:
            raise VerifyError(f"Pinocchio does not read this robot: {' '.join(str(wrong).split())}") from None

    def _link_inertias(self, text: str, robot: Robot) -> dict[str, Any]:
        loose = self._read(loose_urdf(text), is_free=True)
        frames = {link.name: loose.frames[loose.getFrameId(link.name, self._pin.BODY)] for link in robot.links}
        return {name: loose.inertias[frame.parentJoint] for name, frame in frames.items()}

    # ---------------------------------------------------------------- joints of Pinocchio

    def _joints_of(self, freedom: Freedom) -> list[Any]:
        if freedom.joint is None:
            return [self._model.joints[self._model.getJointId(_ROOT_JOINT)]]
        names = planar_joints(freedom.name) if freedom.type is JointType.PLANAR else (freedom.name,)
        return [self._joint(name) for name in names]

    def _joint(self, name: str) -> Any:
        return self._model.joints[self._model.getJointId(name)]

    def _make_tie(self) -> Array:
        tie = np.zeros((self._model.nv, self.motion.size))
        for freedom in self.motion.freedoms:
            column = freedom.first
            for joint in self._joints_of(freedom):
                for index in range(joint.nv):
                    tie[joint.idx_v + index, column + index] = 1.0
                column += joint.nv
        for follower in self.motion.followers:
            tie[self._joint(follower.name).idx_v, follower.leader.first] = follower.factor
        return tie

    def configuration(self, positions: Positions) -> Array:
        """The numbers that Pinocchio takes for these positions."""
        numbers: Array = self._pin.neutral(self._model)
        for freedom in self.motion.freedoms:
            values = positions[freedom.name]
            for index, joint in enumerate(self._joints[freedom.name]):
                _put(numbers, joint, values if freedom.type is JointType.FLOATING else values[index : index + 1])
        for follower, joint in self._following:
            _put(numbers, joint, follower.factor * positions[follower.leader.name] + follower.shift)
        return numbers

    def limits_of(self, name: str, type_: JointType) -> dict[str, float]:
        """What Pinocchio has read of a joint's `<limit>` and `<dynamics>`."""
        joint = self._joint(name)
        at = joint.idx_v
        found = {
            "limit.effort": float(self._model.upperEffortLimit[at]),
            "limit.velocity": float(self._model.upperVelocityLimit[at]),
            "dynamics.damping": float(self._model.damping[at]),
            "dynamics.friction": float(self._model.friction[at]),
        }
        if type_ is not JointType.CONTINUOUS:
            found["limit.lower"] = float(self._model.lowerPositionLimit[joint.idx_q])
            found["limit.upper"] = float(self._model.upperPositionLimit[joint.idx_q])
        return found

    # ---------------------------------------------------------------- quantities

    def places(self, positions: Positions) -> dict[str, Any]:
        """Where every link is, as SE3."""
        self._pin.framesForwardKinematics(self._model, self._data, self.configuration(positions))
        return {name: self._data.oMf[frame].copy() for name, frame in self._frames.items()}

    def mass_and_centre(self, positions: Positions) -> tuple[float, Array]:
        """The mass of all links, and where its centre is."""
        places = self.places(positions)
        mass = sum(inertia.mass for inertia in self.inertias.values())
        moment = sum(
            (inertia.mass * places[name].act(inertia.lever) for name, inertia in self.inertias.items()), np.zeros(3)
        )
        return float(mass), moment / mass if mass else np.zeros(3)

    def mass_matrix(self, positions: Positions) -> Array:
        """The mass matrix of the freedoms."""
        full = self._pin.crba(self._model, self._data, self.configuration(positions))
        full = np.triu(full) + np.triu(full, 1).T
        reduced: Array = self._tie.T @ full @ self._tie
        return reduced

    def gravity(self, positions: Positions) -> Array:
        """The forces that hold the robot at rest."""
        full = self._pin.computeGeneralizedGravity(self._model, self._data, self.configuration(positions))
        forces: Array = self._tie.T @ full
        return forces

    def forces(self, positions: Positions, velocities: Array, slip_speeds: Array | None) -> Array:
        """What drives must give for no acceleration, against gravity and centrifugal forces.

        With slip speeds, the speeds at which dry friction sets in, it is against friction, too.
        """
        speeds = self._tie @ velocities
        full = self._pin.nonLinearEffects(self._model, self._data, self.configuration(positions), speeds)
        if slip_speeds is not None:
            full = full + self.damping * speeds + self.friction * np.tanh(speeds / slip_speeds)
        forces: Array = self._tie.T @ full
        return forces

    def slip_speeds(self, given: Mapping[str, float], usual: float) -> Array:
        """The speeds at which dry friction sets in, of all joints of Pinocchio, from those that are given by name."""
        speeds = np.full(self._model.nv, usual)
        for name, speed in given.items():
            speeds[self._joint(name).idx_v] = speed
        return speeds

    def decay_rate(self, positions: Positions, slip_speeds: Array) -> float:
        """How fast friction slows the fastest part of the motion down, near standstill, in 1/s."""
        rubbing = self._tie.T @ np.diag(self.damping + self.friction / slip_speeds) @ self._tie
        rates = np.linalg.eigvals(np.linalg.solve(self.mass_matrix(positions), rubbing))
        return float(np.max(np.abs(rates), initial=0.0))

    def has_friction(self) -> bool:
        """Does a joint rub?"""
        return bool(np.any(self.damping) or np.any(self.friction))


def _put(numbers: Array, joint: Any, values: Array) -> None:
    """Write the position of a joint the way Pinocchio wants it: an angle without limits is its cosine and sine."""
    span = slice(joint.idx_q, joint.idx_q + joint.nq)
    if len(values) == _FLOATING_NUMBERS:
        numbers[span] = [*values[:3], *(values[3:] / np.linalg.norm(values[3:]))]
    elif joint.nq == joint.nv:
        numbers[span] = values
    else:
        numbers[span] = np.cos(values[0]), np.sin(values[0])


# ---------------------------------------------------------------- configurations
# Where the comparison looks: configurations at random, within the limits of the joints and of those that follow.

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
    lower, upper = joint.bounds or (-widest, widest)
    # A joint may be allowed to turn a hundred times; a few times say as much.
    lower, upper = max(lower, -3 * widest), min(upper, 3 * widest)
    return (lower, upper) if lower < upper else (-widest, widest)


def _speed_limit(joint: Joint | None) -> float:
    limit = None if joint is None else joint.effective_limit
    return _FAST if limit is None or limit.velocity is None else limit.velocity.value or _FAST
