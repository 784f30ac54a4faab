"""`modelica-patch urdf verify`: the Modelica of a package against another engine."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from modelica_ast.cli import (
    EARLIER,
    EXIT_FOUND,
    EXIT_OK,
    CommandError,
    Elapsed,
    add_library_option,
    complain,
    count,
    exit_code,
    tell,
    write_json,
)
from modelica_ast.simulation import SimulationError
from urdf_frontend.cli.arguments import (
    add_compiler_options,
    add_package_argument,
    add_reading_options,
    package_folder,
    read_robot,
)
from urdf_frontend.cli.reports import robot_errors
from urdf_frontend.urdf import UrdfError

if TYPE_CHECKING:
    from urdf_frontend.motion import Verification

DESCRIPTION: Final = """
Simulate a robot's package as it is now, and compare it with what Pinocchio, an independent engine, makes of the URDF
file: where all links are, masses, mass matrix and gravity torques at random configurations within the limits, and the
free motion with and without friction. The largest difference of each kind is listed, with its place; links and joints
that are wrong are named.

The time to compile a robot grows faster than the robot. So one with more than 8 links is compared in parts that share
links: joints and links are compared one by one, places and masses of the whole robot, mass matrix and motions of parts.

The exit code is 0 if all differences are rounding, 1 if not, or if the package can't be simulated. It needs a compiler
and Pinocchio: pip install 'modelica-ast[verify]'. docs/verification.md says what is compared and how precisely.
"""
EXAMPLES: Final = """
  modelica-patch urdf verify arm.urdf --package Robots.Arm                       compare
  modelica-patch urdf verify arm.urdf --package Arm --configurations 10 --seed 7 at other places
  modelica-patch urdf verify arm.urdf --package Arm --seconds 0                  no free motion
  modelica-patch urdf verify big.urdf --package Big --links-at-once 0            all in one, which may take hours
  modelica-patch urdf verify arm.urdf --package Arm --json                       for programs
"""

_FEWEST_LINKS: Final = 2  # a joint and what it connects


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
    add_package_argument(parser)
    parser.add_argument("--configurations", type=int, metavar="N", help="how many are compared; 1 without")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other numbers, other configurations")
    parser.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="the longest free motion; 0 for none (1)"
    )
    parser.add_argument(
        "--base",
        choices=["fixed", "free"],
        help="whether the root link is fixed to the world; by default as it was built",
    )
    parser.add_argument(
        "--links-at-once",
        type=int,
        metavar="N",
        help="compare a robot with more links part by part; 8 without, 0 for all at once, which may take hours",
    )
    add_library_option(parser, "--path")
    add_compiler_options(parser)
    parser.add_argument("--timeout", type=float, metavar="S", help="end a compilation or a run that takes longer")
    add_reading_options(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="what is wrong, and nothing else")
    parser.add_argument("--json", action="store_true", help="all of it as JSON on standard output")


def run(options: argparse.Namespace) -> int:
    """Compare, and show what came of it."""
    try:
        from urdf_frontend.motion import (  # noqa: PLC0415  (it needs NumPy)
            CONFIGURATIONS,
            LINKS_AT_ONCE,
            VerifyOptions,
            verify,
        )
    except ModuleNotFoundError as error:
        raise CommandError(f"this needs {error.name}: pip install 'modelica-ast[verify]'") from None
    _check(options)
    folder = package_folder(options.package)
    urdf, _ = read_robot(options)
    with Elapsed(quiet=options.quiet) as elapsed:
        wanted = VerifyOptions(
            configurations=CONFIGURATIONS if options.configurations is None else options.configurations,
            seed=options.seed,
            seconds=options.seconds,
            free_base=None if options.base is None else options.base == "free",
            libraries=tuple(map(Path, options.library)),
            links_at_once=LINKS_AT_ONCE if options.links_at_once is None else options.links_at_once,
            backend=options.backend,
            timeout=options.timeout,
            cache=not options.no_cache,
            doing=elapsed,
        )
        try:
            result = verify(urdf, folder, wanted)
        except UrdfError as error:
            raise robot_errors(error, "; nothing was compared", file=options.file) from None
        except SimulationError as error:
            if error.cause != "failed":
                raise
            raise CommandError(f"{options.package} can't be simulated: {error}", exit_code(error)) from None
    if result.is_earlier:
        tell(EARLIER, quiet=options.quiet)
    _show(result, options)
    return EXIT_OK if result.is_ok else EXIT_FOUND


def _check(options: argparse.Namespace) -> None:
    """Refuse numbers that mean nothing."""
    if options.configurations is not None and options.configurations < 1:
        raise CommandError(f"--configurations must be at least 1, not {options.configurations}")
    if options.links_at_once is not None and options.links_at_once != 0 and options.links_at_once < _FEWEST_LINKS:
        raise CommandError(f"--links-at-once is {_FEWEST_LINKS} or more, or 0, not {options.links_at_once}")
    if options.seed < 0:
        raise CommandError(f"--seed must be at least 0, not {options.seed}")
    if not 0 <= options.seconds < math.inf:
        raise CommandError(f"--seconds must be a time, not {options.seconds:g}")
    if options.timeout is not None and not options.timeout > 0:
        raise CommandError(f"--timeout must be a time, not {options.timeout:g}")


def _show(result: Verification, options: argparse.Namespace) -> None:
    if options.json:
        write_json(result.as_json())
        return
    if not options.quiet:
        sys.stdout.writelines(f"{line}\n" for line in result.lines())
        sys.stdout.flush()
    for note in result.notes:
        tell(f"  {note}", quiet=options.quiet)
    for each in result.wrong:
        complain(f"{each.where}: {each.kind.words} differs by {each.size:.1e}")
    bad = sum(not each.is_ok for each in result.largest)
    freedoms = "1 degree" if result.freedoms == 1 else f"{result.freedoms} degrees"
    size = f"{count(result.links, 'link')}, {freedoms} of freedom"
    verdict = "as in the URDF file" if result.is_ok else f"{bad} of {len(result.largest)} checks differ"
    tell(f"{result.package}: {size}: {verdict}", quiet=options.quiet)
