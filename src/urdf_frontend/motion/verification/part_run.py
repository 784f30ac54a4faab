"""A part of a robot against Pinocchio: one compilation, a short run for each configuration, and the free motion."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from attrs import evolve, frozen

from modelica_ast.simulation import CompiledModel, DivergedError, Result, Simulator
from urdf_frontend.motion.verification.comparison import Comparison, Measuring, Sample
from urdf_frontend.motion.verification.differences import Kind
from urdf_frontend.motion.verification.freedoms import (
    Freedom,
    Motion,
    VerifyError,
    VerifyOptions,
    quaternion_rate,
    rotation_of_quaternion,
)
from urdf_frontend.motion.verification.probe import MODEL, ROBOT, STEP, Pulse, make_probe, make_pushes, start_parameters
from urdf_frontend.motion.verification.reference import Array, PinocchioRobot, Start, random_start
from urdf_frontend.robot import JointType

# ---------------------------------------------------------------- free motion
# The free motion of Pinocchio's robot, and for how long it can be compared.
#
# A robot without friction is like a double pendulum: small differences grow. Where they have grown a thousandfold, a
# comparison says nothing about the robot any more, so the run ends before. From another start they may grow less.


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


# ---------------------------------------------------------------- runs


# ---------------------------------------------------------------- probed model
# The compiled model with the robot in it, by the names that its parts have inside the robot.

_BEFORE = f"{ROBOT}."


@frozen
class Run:
    """What a run has computed."""

    times: list[float]
    column: Callable[[str], list[float]]
    ended: str


class ProbedModel:
    """A robot, or a part of one, that can be run. The base and its drive are outside of the robot."""

    def __init__(self, simulator: Simulator, robot_class: str, pulses: list[Pulse]) -> None:
        self._model: CompiledModel = simulator.compile_text(make_probe(robot_class, pulses), MODEL)
        bases = [pulse for pulse in pulses if pulse.is_base]
        self._outside = frozenset(
            name for base in bases for name in (base.freedom.component, base.component, *base.scalars())
        )
        self.parameters: Mapping[str, Any] = dict(self._inside(self._model.parameters.items()))
        self.variables = frozenset(name for name, _ in self._inside((name, None) for name in self._model.variables))

    def _inside(self, named: Any) -> Iterator[tuple[str, Any]]:
        for name, value in named:
            if name.startswith(_BEFORE):
                yield name.removeprefix(_BEFORE), value
            elif name.partition(".")[0] in self._outside:
                yield name, value

    def _path(self, name: str) -> str:
        """Where it is in the whole model."""
        return name if name.partition(".")[0] in self._outside else f"{_BEFORE}{name}"

    def run(
        self,
        *,
        stop: float,
        step: float,
        parameters: Mapping[str, float],
        tolerance: float,
        variables: Sequence[str],
        is_stiff: bool = False,
    ) -> Run:
        """Run it from 0 to `stop`."""
        result: Result = self._model.run(
            stop=stop,
            step=step,
            parameters={self._path(name): value for name, value in parameters.items()},
            tolerance=tolerance,
            variables=[self._path(name) for name in variables],
            solver=self._model.stiff_solver if is_stiff else None,
        )
        return Run(result.times, lambda name: result[self._path(name)], result.ended)


# ---------------------------------------------------------------- part run

_TOLERANCE: Final = 1e-9  # of the solver
_STARTS: Final = 8  # of free motions that are tried, for some are too wild to be compared for long
_SLIP_SPEED: Final = 0.02  # of the templates, where the compiler does not tell another
_RUBBING: Final = ("dynamics.damping", "dynamics.friction")


@frozen
class PartResult:
    """What the package has: the robot at rest at each configuration, and its masses. Differences are in the tally."""

    samples: list[Sample]
    masses: dict[str, float]
    notes: list[str]
    seconds: list[float]  # of each free motion


class PartRun:
    """One comparison, step after step. `masses` are parameters of links that got a mass."""

    def __init__(
        self, comparison: Comparison, pulses: list[Pulse], masses: Mapping[str, float], options: VerifyOptions
    ) -> None:
        self.comparison = comparison
        self.motion = comparison.motion
        self.reference = comparison.reference
        self.pulses = pulses
        self.masses = masses
        self.options = options
        self.seconds: list[float] = []

    def run(self, simulator: Simulator, robot_class: str, step: Callable[[], None]) -> PartResult:
        """All of it; `step` is called after each step, which are three and the configurations at most."""
        model = ProbedModel(simulator, robot_class, self.pulses)
        measuring = Measuring(self.motion, self.comparison.names, model.variables, model.parameters)
        own_masses = self.comparison.compare_values(model.parameters, self.masses)
        rubbing = self._rubbing(model.parameters)
        step()
        samples: list[Sample] = []
        for number in range(self.options.configurations):
            samples.append(self._compare_configuration(model, measuring, number, rubbing))
            step()
        notes: list[str] = []
        if self.motion.size and self.options.seconds > 0:
            notes += self._compare_motion(model, measuring, Kind.MOTION, dict.fromkeys(rubbing, 0.0))
            step()
            if rubbing or self.reference.has_friction():
                notes += self._compare_motion(model, measuring, Kind.RUBBING_MOTION, {})
                step()
        return PartResult(samples, own_masses, notes, self.seconds)

    def _rubbing(self, parameters: Mapping[str, Any]) -> list[str]:
        """The parameters of friction that are not zero."""
        names = [each.named.path(f"jointParams.{name}") for each in self.motion.single for name in _RUBBING]
        return [name for name in names if parameters.get(name)]

    def _compare_configuration(
        self, model: ProbedModel, measuring: Measuring, number: int, rubbing: list[str]
    ) -> Sample:
        """Forces, mass matrix and gravity while one joint after the other is pushed; the robot at rest."""
        start = random_start(self.motion, self.options.seed, number, moving=False)
        pushes = make_pushes(self.pulses, self.reference, start.positions(self.motion))
        count = max(1, pushes.forces.shape[1])
        settings = {**self._start_of(start), **pushes.parameters, **dict.fromkeys(rubbing, 0.0)}
        result = model.run(
            stop=count * STEP, step=STEP, parameters=settings, tolerance=_TOLERANCE, variables=measuring.variables
        )
        samples = measuring.samples(result.times, result.column)[: count + 1]
        if len(samples) <= count:
            raise VerifyError(f"the run ended after {len(samples)} of {count + 1} instants: {result.ended}")
        for sample in samples:
            self.comparison.compare_forces(sample)
        if self.motion.size:
            self.comparison.compare_dynamics(samples[0].positions, pushes.forces, samples)
        return samples[0]

    def _compare_motion(
        self, model: ProbedModel, measuring: Measuring, kind: Kind, settings: Mapping[str, float]
    ) -> list[str]:
        """The free motion from a start that moves; what is good to know of it."""
        is_rubbing = kind is Kind.RUBBING_MOTION
        slip_speeds = self._slip_speeds(model.parameters) if is_rubbing else None
        numbers = range(int(is_rubbing), 2 * _STARTS, 2)
        starts = (random_start(self.motion, self.options.seed, number, moving=True) for number in numbers)
        start, expected = calm_motion(self.reference, starts, slip_speeds, self.options.seconds)
        try:
            result = model.run(
                stop=expected.stop,
                step=expected.step,
                parameters={**self._start_of(start), **settings},
                tolerance=_TOLERANCE,
                variables=measuring.variables,
                is_stiff=expected.is_stiff,
            )
        except DivergedError as wrong:
            self.comparison.tally.note(kind, "the run stopped", np.inf)
            return [f"{kind.words}: {wrong}"]
        samples = measuring.samples(result.times, result.column)[: len(expected.positions)]
        if len(samples) < len(expected.positions):
            self.comparison.tally.note(kind, "the run stopped", np.inf)
            return [f"{kind.words}: the run ended at {result.times[-1]:.3g} s: {result.ended}"]
        for sample in samples:
            self.comparison.compare_way(sample)
            self.comparison.compare_balance(sample, slip_speeds)
        for where, size in largest_apart(self.motion, samples, expected).items():
            self.comparison.tally.note(kind, where, size)
        self.seconds.append(expected.stop)
        return [f"{kind.words}: compared for {expected.stop:.3g} s, {expected.ended}"] if expected.ended else []

    def _start_of(self, start: Start) -> dict[str, float]:
        return {**self.masses, **start_parameters(self.pulses, start)}

    def _slip_speeds(self, parameters: Mapping[str, Any]) -> Array:
        found = {each.name: parameters.get(each.named.path("friction.slipSpeed")) for each in self.motion.single}
        given = {name: float(speed) for name, speed in found.items() if isinstance(speed, int | float)}
        return self.reference.slip_speeds(given, _SLIP_SPEED)
