"""`modelica-patch urdf animate` and `plot`: how a robot moves, as a page for the browser and over time."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from modelica_ast.cli import (
    EARLIER,
    EXIT_OK,
    EXIT_UNREADABLE,
    Command,
    CommandError,
    Elapsed,
    add_library_option,
    complain,
    count,
    load,
    modifiers_of,
    reading,
    tell,
    write_json,
    write_result,
    writing,
)
from modelica_ast.simulation import Result, SimulationError, read_result
from modelica_ast.tree import LiteralError, evaluate
from urdf_frontend.cli.arguments import (
    PACKAGE_HELP,
    add_compiler_options,
    add_mesh_options,
    add_reading_options,
    package_folder,
    read_robot,
)
from urdf_frontend.motion import (
    MOST_FRAMES,
    AnimationError,
    Motion,
    RobotRecording,
    RunOptions,
    animation_page,
    find_robot,
    recorded_motion,
    simulate_robot,
    sweep,
    usual_names,
)
from urdf_frontend.package import RobotPackage
from urdf_frontend.robot import Robot, shown_name
from urdf_frontend.urdf import Packages

if TYPE_CHECKING:
    from urdf_frontend.motion import JointSeries, Violation

# ---------------------------------------------------------------- robots and results
# What the commands share that show how a robot moves: its file, its package, a result or a simulation.


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
    parser.add_argument("--result", metavar="FILE", help="an existing result, .csv or .mat, instead of a simulation")
    parser.add_argument("--model", metavar="CLASS", help="the model to simulate; without it the package's …Test")
    parser.add_argument(
        "--instance", metavar="PATH", help="the robot's component in the model, if there are several: robot, cell.left"
    )
    parser.add_argument(
        "--stop", type=float, metavar="SECONDS", help="how long to simulate; otherwise as the model says"
    )
    parser.add_argument("--step", type=float, metavar="SECONDS", help="the time between two values")
    parser.add_argument(
        "--set", action="append", default=[], metavar="PATH=VALUE", help="a parameter: robot.elbow.q_start=0.5"
    )
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="how long the simulation may take")
    add_compiler_options(parser)
    add_library_option(parser)
    add_reading_options(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")


def given_robot(options: argparse.Namespace) -> GivenRobot:
    """The robot of the file. Errors in it are reported, and what can be seen in spite of them is shown."""
    result, packages = read_robot(options)
    if result.robot is None:
        for found in result.errors:
            complain(str(found))
        raise CommandError(f"{options.file}: there is no robot to show", EXIT_UNREADABLE)
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
        result = given_result(options)
        names = usual_names(robot, result) if package is None else package.names
        return find_robot(result, robot, names, options.instance), Path(options.result).name
    if package is None:
        raise CommandError("name the robot's package with --package, or a result with --result")
    result = simulated(options, lambda wanted: simulate_robot(package, robot, wanted))
    return find_robot(result, robot, package.names, options.instance), package.model(options.model)


def _package(options: argparse.Namespace) -> RobotPackage:
    libraries = [Path(place) for place in options.library]
    return RobotPackage.open(package_folder(options.package), libraries=libraries)


def given_result(options: argparse.Namespace) -> Result:
    """The result of --result."""
    for name in ("model", "stop", "step", "set"):
        if getattr(options, name) not in (None, []):
            raise CommandError(f"--{name} is for a simulation, and --result is already simulated")
    with reading(SimulationError, place=options.result):
        return read_result(options.result)


def simulated(options: argparse.Namespace, simulate: Callable[[RunOptions], Result]) -> Result:
    """Simulate what the options of a command say; what is under way is shown, and whether it was done before."""
    with Elapsed(quiet=options.quiet) as elapsed:
        wanted = RunOptions(
            model=options.model,
            instance=options.instance,
            stop=options.stop,
            step=options.step,
            parameters={path: _plain(value) for path, value in modifiers_of(options.set).items()},
            timeout=options.timeout,
            progress=elapsed,
            libraries=[Path(place) for place in options.library],
            backend=options.backend,
            cache=not options.no_cache,
        )
        result = simulate(wanted)
    if result.is_earlier:
        tell(EARLIER, quiet=options.quiet)
    return result


def _plain(value: Any) -> Any:
    """A number or truth value as such; an expression stays one."""
    try:
        return evaluate(value)
    except LiteralError:
        return value


# ---------------------------------------------------------------- animate

# The room of cells is above this one: it is named, as commands are, and not imported.
_OF_CELLS: Final = Command("urdf_frontend.constraints.cli.cells", "a cell that moves")
_CELLS: Final = (".yaml", ".yml")
_STANDARD_OUTPUT: Final = "-"


class Animate:
    """`modelica-patch urdf animate`: a robot that moves, as a page for the browser."""

    DESCRIPTION: Final = """
See a robot move: one HTML page that opens in any browser, without a network. It shows the shapes and meshes of the
robot, its joints with their axes, and the joint values; a slider and keys move through time. Point at something to see
its name.

With --package the robot's test model is simulated and its motion is shown; with --result the motion is one that was
simulated before. Without either, each joint moves through its range, one after the other: a look at a URDF file
without a simulation. Meshes are STL, OBJ or DAE files; what can't be shown is listed on the page.

The YAML file of a cell, as 'modelica-patch constraints from-urdf' takes it, shows all its robots, grippers, holders
and tools, and who holds what at which time. Its library, that of --package or the one beside the file, is simulated.
"""
    EXAMPLES: Final = """
  modelica-patch urdf animate arm.urdf                                  each joint through its range: arm.html
  modelica-patch urdf animate arm.urdf --package Robots.Arm             simulate it first
  modelica-patch urdf animate arm.urdf --package Robots.Arm --stop 2 -o run.html
  modelica-patch urdf animate arm.urdf --package Robots.Arm --model ArmRun --set robot.elbow.q_start=0.5
  modelica-patch urdf animate arm.urdf --package Robots.Arm --result result.csv
  modelica-patch urdf animate cell.yaml                                 a cell of several robots and tools
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_motion_arguments(parser, "a .urdf or .xacro file, or the .yaml file of a cell")
        add_mesh_options(parser)
        parser.add_argument(
            "-o", "--output", metavar="OUT", help="the page; without it FILE with .html, in this folder"
        )
        parser.add_argument(
            "--frames",
            type=int,
            default=MOST_FRAMES,
            metavar="N",
            help=f"show at most N points in time ({MOST_FRAMES})",
        )

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Make the page and write it."""
        if options.frames < 2:  # noqa: PLR2004  (a start and an end)
            raise CommandError("--frames is 2 or more")
        place = options.output or f"{Path(options.file).name.partition('.')[0]}.html"
        if place != _STANDARD_OUTPUT:
            check_folder(Path(place))
        if Path(options.file).suffix in _CELLS:
            page, motion = load(_OF_CELLS).cell_page(options)
        else:
            page, motion = _robot_page(options)
        _write(place, page)
        seconds = motion.times[-1] - motion.times[0]
        tell(f"{place}: {motion.title}, {seconds:.6g} s, {len(page) / 1e6:.1f} MB", quiet=options.quiet)
        return EXIT_OK


def _robot_page(options: argparse.Namespace) -> tuple[bytes, Motion]:
    given = given_robot(options)
    recorded = _recorded(options, given.robot)
    try:
        motion = recorded_motion(*recorded, most_frames=options.frames) if recorded else sweep(given.robot)
        page = animation_page(given.robot, motion, packages=given.packages, urdf=given.path, notes=given.notes)
    except AnimationError as wrong:
        raise CommandError(f"{options.file}: {wrong}") from None
    return page, motion


def _recorded(options: argparse.Namespace, robot: Robot) -> tuple[RobotRecording, str] | None:
    """The robot in a result and what that is called; None for a look at the URDF file alone."""
    if options.package is None and options.result is None:
        for name in ("model", "stop", "step", "set", "instance"):
            if getattr(options, name) not in (None, []):
                raise CommandError(f"--{name} is for a simulation: name the robot's package with --package")
        return None
    return recorded_robot(options, robot)


def _write(place: str, page: bytes) -> None:
    if place == _STANDARD_OUTPUT:
        sys.stdout.buffer.write(page)
        return
    write_result(place, page)


# ---------------------------------------------------------------- plot

_HEADER: Final = ("joint", "quantity", "limit", "from", "to", "worst", "at")


class Plot:
    """`modelica-patch urdf plot`: joints over time, and where they leave their limits."""

    DESCRIPTION: Final = """
Plot what the joints of a robot do in a simulation: angles and positions, speeds, and the efforts of drives and
friction. There is a row for each joint, in one picture; a PDF file has pages. The limits of the URDF file are shaded,
and where a joint is beyond one it is drawn in red and listed: which joint, when, and how far.

With --package the robot's test model is simulated; with --result the values are those of a CSV file. The exit code is
0 whether limits are kept or not; --json has the list for programs.
"""
    EXAMPLES: Final = """
  modelica-patch urdf plot arm.urdf --package Robots.Arm                       simulate and plot: arm.png
  modelica-patch urdf plot arm.urdf --package Robots.Arm --stop 2 -o arm.pdf   two seconds, as pages
  modelica-patch urdf plot arm.urdf --package Robots.Arm --result result.csv -o arm.svg
  modelica-patch urdf plot arm.urdf --package Robots.Arm --joints 'left_*' --quantities position effort
  modelica-patch urdf plot arm.urdf --package Robots.Arm --json                limits that are violated, as JSON
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        from urdf_frontend.motion import Quantity  # noqa: PLC0415  (PERF: `animate` does without)

        add_motion_arguments(parser)
        parser.add_argument(
            "-o", "--output", metavar="OUT", help="a .png, .svg or .pdf file; without it FILE with .png"
        )
        parser.add_argument("--joints", nargs="+", metavar="GLOB", help="these joints only")
        parser.add_argument(
            "--quantities", nargs="+", choices=[each.value for each in Quantity], help="these quantities only"
        )
        parser.add_argument("--json", action="store_true", help="what was found, as JSON on standard output")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Plot, and list what is beyond its limits."""
        from urdf_frontend.motion import check_plots, draw_plots, find_violations, joint_series  # noqa: PLC0415  (as above)

        given = given_robot(options)
        place = Path(options.output or f"{given.path.name.partition('.')[0]}.png")
        check_folder(place)
        check_plots(place)
        recording, title = recorded_robot(options, given.robot)
        series = _chosen(joint_series(recording), options)
        violations = find_violations(recording.times, series)
        with writing():
            draw_plots(place, recording.times, series, violations, f"{given.robot.name or 'robot'}: {title}")
        if options.json:
            data = {"file": str(place), "model": title, "violations": [each.as_json() for each in violations]}
            write_json(data)
        elif violations:
            sys.stdout.writelines(f"{line}\n" for line in _table(violations))
        joints = len({each.joint for each in series})
        limits = count(len(violations), "violated limit") if violations else "all limits kept"
        tell(f"{place}: {count(joints, 'joint')}, {limits}", quiet=options.quiet)
        return EXIT_OK


def _chosen(series: Sequence[JointSeries], options: argparse.Namespace) -> list[JointSeries]:
    for pattern in options.joints or ():
        if not any(fnmatchcase(each.joint, pattern) for each in series):
            raise CommandError(f"there is no joint '{pattern}' with values in the result")
    return [
        each
        for each in series
        if (options.joints is None or any(fnmatchcase(each.joint, pattern) for pattern in options.joints))
        and (options.quantities is None or each.quantity.value in options.quantities)
    ]


def _table(violations: Sequence[Violation]) -> list[str]:
    rows = [_HEADER, *map(_row, violations)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(each: Violation) -> tuple[str, ...]:
    return (
        shown_name(each.joint),
        each.quantity,
        f"{each.limit:.6g} {each.unit}",
        f"{each.start:.4g} s",
        f"{each.end:.4g} s",
        f"{each.worst:.6g} {each.unit}",
        f"{each.worst_time:.4g} s",
    )
