"""`modelica-patch urdf animate`: a robot that moves, as a page for the browser."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from modelica_ast.cli import EXIT_OK, Command, CommandError, load, tell, write_result
from urdf_frontend.cli.arguments import add_mesh_options
from urdf_frontend.cli.motion import add_motion_arguments, check_folder, given_robot, recorded_robot
from urdf_frontend.motion import (
    MOST_FRAMES,
    AnimationError,
    Motion,
    RobotRecording,
    animation_page,
    recorded_motion,
    sweep,
)
from urdf_frontend.robot import Robot

DESCRIPTION: Final = """
See a robot move: one HTML page that opens in any browser, without a network. It shows the shapes and meshes of the
robot, its joints with their axes, and the joint values; a slider and keys go through the time. Point at something and
it says its name.

With --package the robot's test model is simulated and its motion is shown; with --result the motion is one that was
simulated before. Without both, each joint goes through its range, one after the other: a look at a URDF file that needs
no simulation. Meshes are STL, OBJ or DAE files; what can't be shown is listed on the page.

The YAML file of a cell, as 'modelica-patch constraints from-urdf' takes it, shows all its robots, grippers, holders and
tools, and who holds what at which time. Its library, that of --package or the one beside the file, is simulated.
"""
EXAMPLES: Final = """
  modelica-patch urdf animate arm.urdf                                  each joint through its range: arm.html
  modelica-patch urdf animate arm.urdf --package Robots.Arm             simulate it first
  modelica-patch urdf animate arm.urdf --package Robots.Arm --stop 2 -o run.html
  modelica-patch urdf animate arm.urdf --package Robots.Arm --model ArmRun --set robot.elbow.q_start=0.5
  modelica-patch urdf animate arm.urdf --package Robots.Arm --result result.csv
  modelica-patch urdf animate cell.yaml                                 a cell of several robots and tools
"""
# The room of cells is above this one: it is named, as commands are, and not imported.
_OF_CELLS: Final = Command("urdf_frontend.constraints.cli.animation", "a cell that moves")
_CELLS: Final = (".yaml", ".yml")
_STANDARD_OUTPUT: Final = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_motion_arguments(parser, "a .urdf or .xacro file, or the .yaml file of a cell")
    add_mesh_options(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="the page; without it FILE with .html, in this folder")
    parser.add_argument(
        "--frames", type=int, default=MOST_FRAMES, metavar="N", help=f"show at most N times ({MOST_FRAMES})"
    )


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
