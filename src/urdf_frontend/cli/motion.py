"""`modelica-patch urdf animate` and `plot`: how a robot moves, as a page for the browser and over time."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, frozen

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
    Actor,
    AnimationError,
    Motion,
    RobotRecording,
    RunOptions,
    find_robot,
    recorded_motion,
    robot_variables,
    simulate_model,
    simulate_robot,
    stage_page,
    sweep,
    usual_names,
)
from urdf_frontend.package import FOLDER, PackageError, RobotPackage
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


def add_motion_arguments(parser: argparse.ArgumentParser) -> None:
    """The robot and where its motion comes from."""
    parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
    parser.add_argument("--package", metavar="ADDRESS", help=f"{PACKAGE_HELP}; it is simulated")
    parser.add_argument(
        "--instance", metavar="PATH", help="the robot's component in the model, if there are several: robot, cell.left"
    )
    _add_run_arguments(parser)


def _add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """A result, or how one is computed."""
    parser.add_argument("--result", metavar="FILE", help="an existing result, .csv or .mat, instead of a simulation")
    parser.add_argument("--model", metavar="CLASS", help="the model to simulate; without it the package's …Test")
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
    return _result(options.result)


def _result(file: str) -> Result:
    with reading(SimulationError, place=file):
        return read_result(file)


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
simulated before, and --compare shows another run beside it. Without either, each joint moves through its range, one
after the other: a look at a URDF file without a simulation. On the page, joints can be moved by hand. Meshes are STL,
OBJ or DAE files, where the URDF file names them or in the package that they were copied into; what can't be shown is
listed on the page.

Several files stand side by side, or where one result with several --instance has them.

The YAML file of a cell, as 'modelica-patch constraints from-urdf' takes it, shows all its robots, grippers, holders
and tools, and who holds what at which time. Its library, that of --package or the one beside the file, is simulated.
"""
    EXAMPLES: Final = """
  modelica-patch urdf animate arm.urdf                                  each joint through its range: arm.html
  modelica-patch urdf animate arm.urdf --package Robots.Arm             simulate it first
  modelica-patch urdf animate arm.urdf --package Robots.Arm --stop 2 -o run.html
  modelica-patch urdf animate arm.urdf --package Robots.Arm --model ArmRun --set robot.elbow.q_start=0.5
  modelica-patch urdf animate arm.urdf --package Robots.Arm --result result.csv
  modelica-patch urdf animate arm.urdf --result run.csv --compare earlier.csv
  modelica-patch urdf animate arm.urdf hand.urdf                        two robots, side by side
  modelica-patch urdf animate arm.urdf --result cell.csv --instance left --instance right
  modelica-patch urdf animate cell.yaml                                 a cell of several robots and tools
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument(
            "file", nargs="+", metavar="FILE", help="a .urdf or .xacro file, several, or the .yaml file of a cell"
        )
        parser.add_argument(
            "--package",
            action="append",
            default=[],
            metavar="ADDRESS",
            help=f"{PACKAGE_HELP}; it is simulated; repeatable, one for each robot",
        )
        parser.add_argument(
            "--instance",
            action="append",
            default=[],
            metavar="PATH",
            help="the robot's component in the model, if there are several: robot, cell.left; repeatable",
        )
        _add_run_arguments(parser)
        parser.add_argument(
            "--compare", metavar="FILE", help="a result of another run, .csv or .mat, which is shown as a shadow"
        )
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
        place = options.output or f"{Path(options.file[0]).name.partition('.')[0]}.html"
        if place != _STANDARD_OUTPUT:
            check_folder(Path(place))
        wanted = _one_by_one(options)
        if any(Path(file).suffix in _CELLS for file in options.file):
            if len(wanted) > 1 or options.compare is not None:
                raise CommandError("a cell is shown by itself: it has robots of its own")
            page, motion = load(_OF_CELLS).cell_page(wanted[0])
            motions, title = [motion], motion.title
        else:
            page, motions, title = _robots_page(options, wanted)
        _write(place, page)
        seconds = max(motion.times[-1] for motion in motions) - min(motion.times[0] for motion in motions)
        tell(f"{place}: {title}, {seconds:.6g} s, {len(page) / 1e6:.1f} MB", quiet=options.quiet)
        return EXIT_OK


def _one_by_one(options: argparse.Namespace) -> list[argparse.Namespace]:
    """The options of each robot. What is given once is for all of them."""
    given = {"FILE": options.file, "--package": options.package, "--instance": options.instance}
    number = max(map(len, given.values()))
    for name, found in given.items():
        if len(found) not in (0, 1, number):
            raise CommandError(f"{name} is given {len(found)} times, and there are {number} robots")

    def one(found: Sequence[str], at: int) -> str | None:
        return found[at if len(found) > 1 else 0] if found else None

    return [
        argparse.Namespace(
            **{
                **vars(options),
                "file": one(options.file, at),
                "package": one(options.package, at),
                "instance": one(options.instance, at),
            }
        )
        for at in range(number)
    ]


Recordings = list[tuple[RobotRecording, str]]


def _robots_page(options: argparse.Namespace, wanted: list[argparse.Namespace]) -> tuple[bytes, list[Motion], str]:
    """The page of robots, their motions, and what is shown."""
    robots = [given_robot(one) for one in wanted]
    packages = [None if one.package is None else _package(one) for one in wanted]
    recorded, is_one_run = _recordings(options, wanted, robots, packages)
    names = _names(wanted, robots)
    actors: list[Actor] = []
    try:
        for at, robot in enumerate(robots):
            copies = _copies(robot.path, packages[at])
            motion = recorded_motion(*recorded[at], most_frames=options.frames) if recorded else sweep(robot.robot)
            actors.append(Actor(names[at], robot.robot, motion, robot.packages, robot.path, copies))
        title = actors[0].motion.title
        if options.compare is not None:
            others = _of_result(_result(options.compare), wanted, robots, packages, Path(options.compare).name)
            for actor, other in zip(list(actors), others, strict=True):
                motion = recorded_motion(*other, most_frames=options.frames)
                actors.append(evolve(actor, motion=motion, compared=True))
            title += f", compared with {Path(options.compare).name}"
        page = stage_page(
            title,
            actors,
            notes=[note for robot in robots for note in robot.notes],
            name=", ".join(names) if len(robots) > 1 else None,
            side_by_side=len(robots) > 1 and not is_one_run,
        )
    except AnimationError as wrong:
        raise CommandError(f"{', '.join(options.file)}: {wrong}") from None
    return page, [actor.motion for actor in actors], title


def _recordings(
    options: argparse.Namespace,
    wanted: list[argparse.Namespace],
    robots: list[GivenRobot],
    packages: list[RobotPackage | None],
) -> tuple[Recordings, bool]:
    """The robots in results, or nothing for a look at the URDF files alone; and whether it is one result of all."""
    if options.result is not None:
        return _of_result(given_result(options), wanted, robots, packages, Path(options.result).name), True
    there = [package for package in packages if package is not None]
    if not there:
        for name in ("model", "stop", "step", "set", "instance", "compare"):
            if getattr(options, name) not in (None, []):
                or_result = ", or a result with --result" if name in ("instance", "compare") else ""
                raise CommandError(f"--{name} is for a simulation: name the robot's package with --package{or_result}")
        return [], False
    if len(wanted) == 1 or len(options.package) > 1:
        return [recorded_robot(one, robot.robot) for one, robot in zip(wanted, robots, strict=True)], False
    first, model = there[0], there[0].model(options.model)

    def variables(known: Iterable[str]) -> list[str]:
        known = frozenset(known)
        found = (
            robot_variables(known, robot.robot, first.names, one.instance)
            for one, robot in zip(wanted, robots, strict=True)
        )
        return list(dict.fromkeys(name for names in found for name in names))

    all_of_them = argparse.Namespace(**{**vars(options), "instance": None})
    result = simulated(all_of_them, lambda how: simulate_model(first.library_folder, model, variables, how))
    return _of_result(result, wanted, robots, packages, model), True


def _of_result(
    result: Result,
    wanted: list[argparse.Namespace],
    robots: list[GivenRobot],
    packages: list[RobotPackage | None],
    title: str,
) -> Recordings:
    """The robots in one result."""
    found = []
    for one, robot, package in zip(wanted, robots, packages, strict=True):
        names = usual_names(robot.robot, result) if package is None else package.names
        found.append((find_robot(result, robot.robot, names, one.instance), title))
    return found


def _names(wanted: list[argparse.Namespace], robots: list[GivenRobot]) -> list[str]:
    """What the robots of a page are called; one that is alone needs no name."""
    if len(robots) == 1:
        return [""]
    names: list[str] = []
    for one, robot in zip(wanted, robots, strict=True):
        name = one.instance or shown_name(robot.robot.name or robot.path.name)
        same = sum(each.partition(" ")[0] == name for each in names)
        names.append(f"{name} {same + 1}" if same else name)
    return names


def _copies(file: Path, package: RobotPackage | None) -> Mapping[str, Path]:
    """The meshes that a build has copied: into the package that is named, or that this file is kept in."""
    if package is not None:
        return package.copies
    folder = file.absolute().parent
    if folder.parts[-2:] != PurePosixPath(FOLDER).parts:
        return {}
    try:
        return RobotPackage.open(folder.parents[1]).copies
    except PackageError:
        return {}  # the file is shown as any other


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
