"""A simulation of a robot's package that keeps what can be seen and plotted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen

from modelica_ast.simulation import Result, Simulator
from urdf_frontend.animation.recording import robot_variables
from urdf_frontend.model.robot import Robot
from urdf_frontend.package import RobotPackage

_USUAL_SECONDS: Final = 1.0
_USUAL_TOLERANCE: Final = 1e-6


@frozen
class RunOptions:
    """What is simulated and how long. None is what the model's `experiment` annotation says, or the usual."""

    model: str | None = None
    instance: str | None = None
    stop: float | None = None
    step: float | None = None
    parameters: Mapping[str, Any] = field(factory=dict)
    timeout: float | None = None
    progress: Callable[[str, float], None] | None = None
    libraries: Sequence[Path] = ()  # libraries, or folders of them, that go before all others


def simulate_robot(package: RobotPackage, robot: Robot, options: RunOptions) -> Result:
    """Simulate a model of the package. SimulationError says what failed, RecordingError that the robot is not in it.

    PackageError if the package is not that of a robot.
    """
    folder = package.library_folder
    simulator = Simulator(
        [folder, *options.libraries], around=[folder], progress=options.progress, timeout=options.timeout
    )
    with simulator:
        model = simulator.compile(package.model(options.model))
        wanted = robot_variables(model.variables, robot, package.names, options.instance)
        said = model.experiment
        start = said.start or 0.0
        return model.run(
            start=start,
            stop=next(time for time in (options.stop, said.stop, start + _USUAL_SECONDS) if time is not None),
            step=said.step if options.step is None else options.step,
            tolerance=_USUAL_TOLERANCE if said.tolerance is None else said.tolerance,
            parameters=options.parameters,
            variables=wanted,
        )
