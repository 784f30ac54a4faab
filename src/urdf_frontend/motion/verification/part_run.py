"""A part of a robot against Pinocchio: one compilation, a short run for each configuration, and the free motion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from attrs import frozen

from modelica_ast.simulation import CompiledModel, DivergedError, Result, Simulator
from urdf_frontend.motion.verification.comparison import Comparison, Measuring, Sample
from urdf_frontend.motion.verification.freedoms import VerifyError, VerifyOptions
from urdf_frontend.motion.verification.probe import MODEL, ROBOT, STEP, Pulse, make_probe, make_pushes, start_parameters
from urdf_frontend.motion.verification.reference import Array, Start, random_start
from urdf_frontend.motion.verification.report import Kind
from urdf_frontend.motion.verification.trajectories import calm_motion, largest_apart

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
