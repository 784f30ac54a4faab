"""What the commands share that show how a robot moves: its file, its package, a result or a simulation."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import frozen

from modelica_ast.cli import EXIT_UNREADABLE, CommandError, Elapsed, add_library_option, complain, modifiers_of, reading
from modelica_ast.simulation import Result, SimulationError, read_result
from modelica_ast.tree import LiteralError, evaluate
from urdf_frontend.cli.arguments import PACKAGE_HELP, add_reading_options, package_folder, read_robot
from urdf_frontend.motion import RobotRecording, RunOptions, find_robot, simulate_robot, usual_names
from urdf_frontend.package import RobotPackage
from urdf_frontend.robot import Robot
from urdf_frontend.urdf import Packages


@frozen
class GivenRobot:
    """The robot of a command, what finds its meshes, and the notes that its viewer should read."""

    robot: Robot
    packages: Packages
    path: Path
    notes: tuple[str, ...]


def add_motion_arguments(parser: argparse.ArgumentParser, file: str = "a .urdf or .xacro file") -> None:
    """The robot and where its motion comes from."""
    parser.add_argument("file", metavar="FILE", help=file)
    parser.add_argument("--package", metavar="ADDRESS", help=f"{PACKAGE_HELP}; it is simulated")
    parser.add_argument(
        "--result", metavar="FILE", help="a result that is there already, .csv or .mat, instead of a simulation"
    )
    parser.add_argument("--model", metavar="CLASS", help="the model to simulate; without it the package's …Test")
    parser.add_argument(
        "--instance", metavar="PATH", help="the robot's component in the model, if there are several: robot, cell.left"
    )
    parser.add_argument("--stop", type=float, metavar="SECONDS", help="how long to simulate; else as the model says")
    parser.add_argument("--step", type=float, metavar="SECONDS", help="the time between two values")
    parser.add_argument(
        "--set", action="append", default=[], metavar="PATH=VALUE", help="a parameter: robot.elbow.q_start=0.5"
    )
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="how long the simulation may take")
    add_library_option(parser)
    add_reading_options(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")


def given_robot(options: argparse.Namespace) -> GivenRobot:
    """The robot of the file. Errors in it are told, and what can be seen in spite of them is shown."""
    result, packages = read_robot(options)
    if result.robot is None:
        for found in result.errors:
            complain(str(found))
        raise CommandError(f"{options.file}: there is no robot that could be shown", EXIT_UNREADABLE)
    notes = [f"Line {found.line} of {options.file}: {found.message}." for found in result.errors]
    for found in result.errors:
        complain(str(found))
    return GivenRobot(result.robot, packages, Path(options.file), tuple(notes))


def check_folder(place: Path) -> None:
    """Is there a folder for the output? It is better to know before a simulation than after it."""
    if not place.absolute().parent.is_dir():
        raise CommandError(f"{place}: there is no folder {place.parent}", EXIT_UNREADABLE)


def recorded_robot(options: argparse.Namespace, robot: Robot) -> tuple[RobotRecording, str]:
    """The robot in a result, which is read or computed, and what the result is called."""
    package = None if options.package is None else _package(options)
    if options.result is not None:
        names = usual_names(robot) if package is None else package.names
        return find_robot(given_result(options), robot, names, options.instance), Path(options.result).name
    if package is None:
        raise CommandError("name the robot's package with --package, or a result with --result")
    with Elapsed(quiet=options.quiet) as elapsed:
        result = simulate_robot(package, robot, run_options(options, elapsed))
    return find_robot(result, robot, package.names, options.instance), package.model(options.model)


def _package(options: argparse.Namespace) -> RobotPackage:
    libraries = [Path(place) for place in options.library]
    return RobotPackage.open(package_folder(options.package), libraries=libraries)


def given_result(options: argparse.Namespace) -> Result:
    """The result of --result."""
    for name in ("model", "stop", "step", "set"):
        if getattr(options, name) not in (None, []):
            raise CommandError(f"--{name} is for a simulation, and --result is one that is done")
    with reading(SimulationError, place=options.result):
        return read_result(options.result)


def run_options(options: argparse.Namespace, progress: Callable[[str, float], None]) -> RunOptions:
    """What is simulated and how long, as the options of a command have it."""
    return RunOptions(
        model=options.model,
        instance=options.instance,
        stop=options.stop,
        step=options.step,
        parameters={path: _plain(value) for path, value in modifiers_of(options.set).items()},
        timeout=options.timeout,
        progress=progress,
        libraries=[Path(place) for place in options.library],
    )


def _plain(value: Any) -> Any:
    """A number or truth value as such; an expression stays one."""
    try:
        return evaluate(value)
    except LiteralError:
        return value
