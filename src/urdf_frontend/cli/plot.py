"""`modelica-patch urdf plot`: joints over time, and where they leave their limits."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from modelica_ast.cli import EXIT_OK, CommandError, count, tell, write_json, writing
from urdf_frontend.cli.motion import add_motion_arguments, check_folder, given_robot, recorded_robot
from urdf_frontend.motion import (
    JointSeries,
    Quantity,
    Violation,
    check_plots,
    draw_plots,
    find_violations,
    joint_series,
)
from urdf_frontend.robot import shown_name

DESCRIPTION: Final = """
Plot what the joints of a robot do in a simulation: angles and positions, speeds, and what drives and friction give.
There is a row for each joint, in one picture; a PDF file has pages. The limits of the URDF file are shaded, and where a
joint is beyond one it is drawn in red and listed: which joint, when, and how far.

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
_HEADER: Final = ("joint", "quantity", "limit", "from", "to", "worst", "at")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_motion_arguments(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="a .png, .svg or .pdf file; without it FILE with .png")
    parser.add_argument("--joints", nargs="+", metavar="GLOB", help="these joints only")
    parser.add_argument(
        "--quantities", nargs="+", choices=[each.value for each in Quantity], help="these quantities only"
    )
    parser.add_argument("--json", action="store_true", help="what was found, as JSON on standard output")


def run(options: argparse.Namespace) -> int:
    """Plot, and list what is beyond its limits."""
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
