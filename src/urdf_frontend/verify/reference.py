"""The robot as Pinocchio has it: where its links are, its mass matrix, the forces of gravity and of friction.

Velocities are those of the freedoms, one after the other. A joint that follows another one is tied to it by the matrix
`G`: all velocities = G * those of the freedoms, and forces the other way round.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping
from types import ModuleType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from urdf_frontend.model import JointType, Robot
from urdf_frontend.verify.errors import VerifyError
from urdf_frontend.verify.freedoms import Freedom, Motion
from urdf_frontend.verify.urdf_text import loose_urdf, planar_joints, reduced_urdf

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
