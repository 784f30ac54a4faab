"""A package against Pinocchio: one compilation, a short run for each configuration, and the free motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from attrs import field, frozen

from modelica_ast.simulation import CompiledModel, DivergedError, Simulator
from urdf_frontend.building.options import TEMPLATES
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.reader import ReadResult
from urdf_frontend.verify.added_masses import reference_with_masses
from urdf_frontend.verify.comparing import Comparison
from urdf_frontend.verify.configurations import Start, random_start
from urdf_frontend.verify.errors import VerifyError
from urdf_frontend.verify.freedoms import FREE_BASE, Motion
from urdf_frontend.verify.measuring import Measuring
from urdf_frontend.verify.packages import RobotPackage, read_package
from urdf_frontend.verify.probing import (
    MODEL,
    STEP,
    Pulse,
    free_name,
    make_probe,
    make_pulses,
    make_pushes,
    start_parameters,
)
from urdf_frontend.verify.reference import Array, PinocchioRobot
from urdf_frontend.verify.report import Kind, Tally, Verification
from urdf_frontend.verify.trajectories import SAMPLES, free_motion, largest_apart
from urdf_frontend.verify.urdf_text import added_mass_parameters

_TOLERANCE: Final = 1e-9  # of the solver
_SLIP_SPEED: Final = 0.02  # of the templates, where the compiler does not tell another
_RUBBING: Final = ("dynamics.damping", "dynamics.friction")


@frozen(kw_only=True)
class VerifyOptions:
    """All options; each has a default.

    `free_base` lets the root link move freely; None does as the package was built. `seconds` is the longest free
    motion, 0 for none. `libraries` are folders in which the package's libraries are looked for first. `timeout` is in
    seconds, for the compilation and for each run. `progress` is called with how many of the steps are done.
    """

    configurations: int = 3
    seed: int = 0
    seconds: float = 1.0
    free_base: bool | None = None
    libraries: tuple[Path, ...] = ()
    timeout: float | None = None
    progress: Callable[[int, int], None] | None = field(default=None, repr=False)


def verify(urdf: ReadResult, folder: Path, options: VerifyOptions | None = None) -> Verification:
    """Compare the package in a folder, as it is now, with the robot of a URDF file.

    UrdfError for a robot with errors, VerifyError if the two can't be compared, SimulationError if the package can't be
    compiled or run.
    """
    options = VerifyOptions() if options is None else options
    robot = urdf.usable_robot()
    assert urdf.document is not None, "it was read"
    package = read_package(folder, robot)
    is_free = not package.is_stationary if options.free_base is None else options.free_base
    table = package.names.table
    taken = {named.component for named in (*table.links.values(), *table.joints.values())}
    kinematics = Kinematics.of(robot)
    motion = Motion.of(kinematics, table, free_name(FREE_BASE, taken) if is_free else None)
    first = random_start(motion, options.seed, 0, moving=False)
    reference, given = reference_with_masses(urdf.document.text, robot, motion, first)
    pulses = make_pulses(motion, taken)
    comparison = Comparison(kinematics, motion, table, reference, Tally())
    masses = {name: value for link in sorted(given) for name, value in _added_mass(package, reference, link)}
    with Simulator([package.library, *options.libraries, TEMPLATES], timeout=options.timeout) as simulator:
        work = _Work(package, comparison, pulses, masses, options)
        return work.run(
            simulator, [f"link '{link}' has no mass or inertia: it got some on both sides" for link in sorted(given)]
        )


def _added_mass(package: RobotPackage, reference: PinocchioRobot, link: str) -> list[tuple[str, float]]:
    component = package.names.table.link(link).component
    return [*added_mass_parameters(component, reference.inertias[link].mass)]


class _Work:
    """One comparison, step after step."""

    def __init__(
        self,
        package: RobotPackage,
        comparison: Comparison,
        pulses: list[Pulse],
        masses: Mapping[str, float],
        options: VerifyOptions,
    ) -> None:
        self.package = package
        self.comparison = comparison
        self.motion = comparison.motion
        self.reference = comparison.reference
        self.pulses = pulses
        self.masses = masses
        self.options = options
        self.done = 0
        self.seconds = 0.0

    def run(self, simulator: Simulator, notes: list[str]) -> Verification:
        """All of it."""
        self._step(0)
        model = simulator.compile_text(make_probe(self.package.robot_class, self.pulses), MODEL)
        measuring = Measuring(self.motion, self.comparison.names, model.variables, model.parameters)
        own_masses = self.comparison.compare_values(model.parameters, self.masses)
        rubbing = self._rubbing(model.parameters)
        self._step()
        for number in range(self.options.configurations):
            self._compare_configuration(model, measuring, number, own_masses, rubbing)
            self._step()
        if self.motion.size and self.options.seconds > 0:
            notes = notes + self._compare_motion(model, measuring, Kind.MOTION, dict.fromkeys(rubbing, 0.0))
            self._step()
            if rubbing or self.reference.has_friction():
                notes = notes + self._compare_motion(model, measuring, Kind.RUBBING_MOTION, {})
                self._step()
        return Verification(
            package=self.package.full_name,
            links=len(self.comparison.kinematics.robot.links),
            freedoms=self.motion.size,
            configurations=self.options.configurations,
            seconds=self.seconds,
            differences=tuple(self.comparison.tally.differences()),
            notes=tuple(notes),
        )

    def _step(self, size: int = 1) -> None:
        self.done += size
        if self.options.progress is not None:
            self.options.progress(self.done, self.options.configurations + 3)

    def _rubbing(self, parameters: Mapping[str, Any]) -> list[str]:
        """The parameters of friction that are not zero."""
        names = [f"{each.component}.jointParams.{name}" for each in self.motion.single for name in _RUBBING]
        return [name for name in names if parameters.get(name)]

    def _compare_configuration(
        self,
        model: CompiledModel,
        measuring: Measuring,
        number: int,
        own_masses: Mapping[str, float],
        rubbing: list[str],
    ) -> None:
        """Places, masses and forces at rest, while one joint after the other is pushed."""
        start = random_start(self.motion, self.options.seed, number, moving=False)
        pushes = make_pushes(self.pulses, self.reference, start.positions(self.motion))
        count = max(1, pushes.forces.shape[1])
        settings = {**self._start_of(start), **pushes.parameters, **dict.fromkeys(rubbing, 0.0)}
        result = model.run(
            stop=count * STEP, step=STEP, parameters=settings, tolerance=_TOLERANCE, variables=measuring.variables
        )
        samples = measuring.samples(result.times, result.__getitem__)[: count + 1]
        if len(samples) <= count:
            raise VerifyError(f"the run has ended after {len(samples)} of {count + 1} instants: {result.ended}")
        self.comparison.compare_places(samples[0])
        self.comparison.compare_centre(samples[0], own_masses)
        for sample in samples:
            self.comparison.compare_forces(sample)
        if self.motion.size:
            self.comparison.compare_dynamics(samples[0].positions, pushes.forces, samples)

    def _compare_motion(
        self, model: CompiledModel, measuring: Measuring, kind: Kind, settings: Mapping[str, float]
    ) -> list[str]:
        """The free motion from a start that moves; what is good to know of it."""
        start = random_start(self.motion, self.options.seed, int(kind is Kind.RUBBING_MOTION), moving=True)
        slip_speeds = self._slip_speeds(model.parameters) if kind is Kind.RUBBING_MOTION else None
        expected = free_motion(self.reference, start, slip_speeds, self.options.seconds)
        try:
            result = model.run(
                stop=expected.stop,
                step=expected.stop / SAMPLES,
                parameters={**self._start_of(start), **settings},
                tolerance=_TOLERANCE,
                variables=measuring.variables,
            )
        except DivergedError as wrong:
            self.comparison.tally.note(kind, "the run has stopped", np.inf)
            return [f"{kind.words}: {wrong}"]
        samples = measuring.samples(result.times, result.__getitem__)[: len(expected.positions)]
        if len(samples) < len(expected.positions):
            self.comparison.tally.note(kind, "the run has stopped", np.inf)
            return [f"{kind.words}: the run has ended at {result.times[-1]:.3g} s: {result.ended}"]
        for sample in samples:
            self.comparison.compare_way(sample)
            self.comparison.compare_balance(sample, slip_speeds)
        for where, size in largest_apart(self.motion, samples, expected).items():
            self.comparison.tally.note(kind, where, size)
        self.seconds = max(self.seconds, expected.stop)
        return [f"{kind.words}: compared for {expected.stop:.3g} s, {expected.ended}"] if expected.ended else []

    def _start_of(self, start: Start) -> dict[str, float]:
        return {**self.masses, **start_parameters(self.pulses, start)}

    def _slip_speeds(self, parameters: Mapping[str, Any]) -> Array:
        found = {each.name: parameters.get(f"{each.component}.friction.slipSpeed") for each in self.motion.single}
        given = {name: float(speed) for name, speed in found.items() if isinstance(speed, int | float)}
        return self.reference.slip_speeds(given, _SLIP_SPEED)
