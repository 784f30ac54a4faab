"""The free motion of Pinocchio's robot, and for how long it can be compared.

A robot without friction is like a double pendulum: small differences grow. Where they have grown a thousandfold, a
comparison says nothing about the robot any more, so the run ends before. From another start they may grow less.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, Final

import numpy as np
from attrs import evolve, frozen

from urdf_frontend.motion.verification.comparison import Sample
from urdf_frontend.motion.verification.freedoms import (
    Freedom,
    Motion,
    VerifyError,
    quaternion_rate,
    rotation_of_quaternion,
)
from urdf_frontend.motion.verification.reference import Array, PinocchioRobot, Start
from urdf_frontend.robot import JointType

SAMPLES: Final = 20  # in the time that was asked for
_GROWTH: Final = 1e3
_NUDGE: Final = 1e-7
_ACCURACY: Final = 1e-11
_MOST_CALLS: Final = 20_000  # of the equations of motion, between two samples
_SHORTEST: Final = 1e-6  # seconds: what is too fast for even that is not a motion
_STIFF_STEPS: Final = 2000.0  # of an explicit method; where it would take more, an implicit one does it


@frozen
class FreeMotion:
    """Where the robot is at some times, by freedoms."""

    times: Array
    positions: list[dict[str, Array]]
    ended: str  # why it ends before the time that was asked for; empty if it does not
    is_stiff: bool  # does friction of light parts slow them down in no time?

    @property
    def stop(self) -> float:
        """The last time."""
        return float(self.times[-1])

    @property
    def step(self) -> float:
        """From one time to the next."""
        return float(self.times[1])


def calm_motion(
    robot: PinocchioRobot, starts: Iterable[Start], slip_speeds: Array | None, longest: float
) -> tuple[Start, FreeMotion]:
    """Let the robot fall from the first start from which it can be compared all the time, or longest."""
    best: tuple[Start, FreeMotion] | None = None
    for start in starts:
        found = free_motion(robot, start, slip_speeds, longest)
        if best is None or found.stop > best[1].stop:
            best = start, found
        if not found.ended:
            break
    assert best is not None, "there is at least one start"
    return best


def free_motion(robot: PinocchioRobot, start: Start, slip_speeds: Array | None, longest: float) -> FreeMotion:
    """Let the robot fall from a start, for as long as a comparison makes sense."""
    motion = robot.motion
    state = np.concatenate([_packed(motion, start.positions(motion)), start.velocities(motion)])
    is_stiff = (
        slip_speeds is not None and robot.decay_rate(start.positions(motion), slip_speeds) * longest > _STIFF_STEPS
    )
    integration = _Integration(_rate_of(robot, slip_speeds), "LSODA" if is_stiff else "DOP853")
    times, states, ended = np.linspace(0.0, longest, SAMPLES + 1), [state], ""
    nudged = state + np.random.default_rng(0).choice([-_NUDGE, _NUDGE], len(state))
    for before, after in pairwise(times):
        try:
            found, nudged = integration.step(states[-1], before, after), integration.step(nudged, before, after)
        except _TooManyStepsError:
            ended = "because it becomes too fast to be computed"
            break
        if np.max(np.abs(nudged - found)) >= _GROWTH * _NUDGE:
            ended = f"because small differences have then grown {_GROWTH:.0f} times"
            break
        states.append(found)
    if ended and len(states) == 1:
        if longest < _SHORTEST:
            raise VerifyError("the motion of Pinocchio's robot can't be computed: it is too fast")
        return evolve(free_motion(robot, start, slip_speeds, longest / SAMPLES), ended=ended)
    return FreeMotion(times[: len(states)], [*map(_unpacking(motion), states)], ended, is_stiff)


def apart(freedom: Freedom, one: Array, other: Array) -> float:
    """How far two positions of a freedom are apart: in radians or metres, or relative where they are large."""
    if freedom.type is JointType.FLOATING:
        turns = rotation_of_quaternion(one[3:]) - rotation_of_quaternion(other[3:])
        return float(max(np.max(np.abs(one[:3] - other[:3])), np.max(np.abs(turns))))
    return float(np.max(np.abs(one - other) / np.maximum(1.0, np.abs(other))))


def largest_apart(motion: Motion, run: list[Sample], expected: FreeMotion) -> dict[str, float]:
    """The largest difference of each freedom along the way, by what a message calls it."""
    return {
        freedom.words: max(
            apart(freedom, sample.positions[freedom.name], positions[freedom.name])
            for sample, positions in zip(run, expected.positions, strict=True)
        )
        for freedom in motion.freedoms
    }


def _packed(motion: Motion, positions: dict[str, Array]) -> Array:
    return np.concatenate([positions[freedom.name] for freedom in motion.freedoms])


def _unpacking(motion: Motion) -> Callable[[Array], dict[str, Array]]:
    """A function from a state to the positions of all freedoms."""
    spans, at = {}, 0
    for freedom in motion.freedoms:
        size = 7 if freedom.type is JointType.FLOATING else freedom.size
        spans[freedom.name] = slice(at, at + size)
        at += size
    return lambda state: {name: state[span] for name, span in spans.items()}


def _rate_of(robot: PinocchioRobot, slip_speeds: Array | None) -> Callable[[float, Array], Array]:
    motion = robot.motion
    # PERF: this is called some ten thousand times, and what a motion says of itself is worked out each time.
    size = motion.size
    spans = [(freedom, freedom.span) for freedom in motion.freedoms]

    def rate(_time: float, state: Array) -> Array:
        velocities = state[len(state) - size :]
        positions = unpacked(state)
        forces = robot.forces(positions, velocities, slip_speeds)
        accelerations = np.linalg.solve(robot.mass_matrix(positions), -forces)
        rates = [_position_rate(each, positions[each.name], velocities[span]) for each, span in spans]
        return np.concatenate([*rates, accelerations])

    unpacked = _unpacking(motion)
    return rate


def _position_rate(freedom: Freedom, position: Array, velocity: Array) -> Array:
    if freedom.type is not JointType.FLOATING:
        return velocity
    line = rotation_of_quaternion(position[3:]) @ velocity[:3]
    return np.concatenate([line, quaternion_rate(position[3:], velocity[3:])])


class _TooManyStepsError(Exception):
    """The motion is so fast that it would take very long to compute it."""


class _Integration:
    """From one time to the next, by a method of SciPy."""

    def __init__(self, rate: Callable[[float, Array], Array], method: str) -> None:
        try:
            self._solve: Any = importlib.import_module("scipy.integrate").solve_ivp
        except ImportError:
            raise VerifyError("this needs SciPy: pip install 'modelica-ast[verify]'") from None
        self._rate = rate
        self._method = method

    def step(self, state: Array, before: float, after: float) -> Array:
        """The state at a later time."""
        calls = itertools.count(1)

        def rate(time: float, state: Array) -> Array:
            if next(calls) > _MOST_CALLS or not np.all(np.isfinite(state)):
                raise _TooManyStepsError
            return self._rate(time, state)

        solved = self._solve(rate, (before, after), state, self._method, rtol=_ACCURACY, atol=_ACCURACY)
        if not solved.success:
            raise _TooManyStepsError
        found: Array = solved.y[:, -1]
        return found
