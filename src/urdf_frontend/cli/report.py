"""`modelica-patch urdf report` and `verify`: all about a robot on one page, and its Modelica against another engine."""

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
    EXIT_UNREADABLE,
    CommandError,
    Elapsed,
    add_library_option,
    complain,
    count,
    exit_code,
    tell,
    write_json,
    write_result,
)
from modelica_ast.generate import BuildError
from modelica_ast.simulation import SimulationError
from urdf_frontend.cli.arguments import (
    PACKAGE_HELP,
    add_compiler_options,
    add_mesh_options,
    add_package_argument,
    add_reading_options,
    package_folder,
    read_robot,
)
from urdf_frontend.cli.reports import robot_errors
from urdf_frontend.motion import PackageView, gather, page, view_built, view_package
from urdf_frontend.package import BuildOptions, PackageError
from urdf_frontend.urdf import Packages, ReadResult, UrdfError

if TYPE_CHECKING:
    from urdf_frontend.motion import Verification


class Verify:
    """`modelica-patch urdf verify`: the Modelica of a package against another engine."""

    DESCRIPTION: Final = """
Simulate a robot's package as it is now, and compare it with what Pinocchio, an independent engine, makes of the URDF
file: where all links are, masses, mass matrix and gravity torques at random configurations within the limits, and the
free motion with and without friction. The largest difference of each kind is listed, with its place; links and joints
that are wrong are named.

The time to compile a robot grows faster than the robot. So one with more than 8 links is compared in parts that share
links: joints and links are compared one by one, places and masses of the whole robot, mass matrix and motions of
parts.

The exit code is 0 if all differences are rounding, 1 if not, or if the package can't be simulated. It needs a compiler
and Pinocchio: pip install 'modelica-ast[verify]'. docs/verification.md says what is compared and how precisely.
"""

    EXAMPLES: Final = """
  modelica-patch urdf verify arm.urdf --package Robots.Arm                       compare
  modelica-patch urdf verify arm.urdf --package Arm --configurations 10 --seed 7 more configurations
  modelica-patch urdf verify arm.urdf --package Arm --seconds 0                  no free motion
  modelica-patch urdf verify big.urdf --package Big --links-at-once 0            all in one, which may take hours
  modelica-patch urdf verify arm.urdf --package Arm --json                       for programs
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
        add_package_argument(parser)
        parser.add_argument("--configurations", type=int, metavar="N", help="how many are compared (1)")
        parser.add_argument("--seed", type=int, default=0, metavar="N", help="chooses the random configurations (0)")
        parser.add_argument(
            "--seconds", type=float, default=1.0, metavar="S", help="the longest free motion; 0 for none (1)"
        )
        parser.add_argument(
            "--base",
            choices=["fixed", "free"],
            help="whether the root link is fixed to the world (as it was built)",
        )
        parser.add_argument(
            "--links-at-once",
            type=int,
            metavar="N",
            help="compare a robot with more links part by part (8); 0 for all at once, which may take hours",
        )
        add_library_option(parser, "--path")
        add_compiler_options(parser)
        parser.add_argument("--timeout", type=float, metavar="S", help="end a compilation or a run that takes longer")
        add_reading_options(parser)
        parser.add_argument("-q", "--quiet", action="store_true", help="what is wrong, and nothing else")
        parser.add_argument("--json", action="store_true", help="all of it as JSON on standard output")

    @staticmethod
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


_FEWEST_LINKS: Final = 2  # a joint and what it connects


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


class Report:
    """`modelica-patch urdf report`: all about a robot on one page."""

    DESCRIPTION: Final = """
Write one HTML page about a robot: what was read, what is wrong with it, its kinematic tree, its Modelica diagram and
icon, the values of its links and joints. The page is complete in itself: no network, no other file, no script.

With --package the diagram is that of a package as it is now, and values that are not those of the URDF file are
marked. Without, the package is built for the page alone. --verify simulates the package and adds what an independent
engine says of it, which needs a compiler and Pinocchio: pip install 'modelica-ast[verify]'.

The exit code is 1 if the robot has errors, or if the package differs or can't be compared; the page is written anyway,
and says why.
"""

    EXAMPLES: Final = """
  modelica-patch urdf report arm.urdf                                                 a robot: arm-report.html
  modelica-patch urdf report arm.urdf --package Robots.Arm -o report.html             and its package
  modelica-patch urdf report arm.urdf --package Arm --verify -o report.html           and whether that is right
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
        parser.add_argument("--package", metavar="ADDRESS", help=PACKAGE_HELP)
        parser.add_argument("--verify", action="store_true", help="simulate the package and compare; it takes a while")
        add_compiler_options(parser)
        parser.add_argument(
            "-o",
            "--output",
            metavar="FILE",
            help="write the page there; without it FILE with -report.html, in this folder, or standard output if that "
            "is not a terminal",
        )
        add_reading_options(parser)
        add_mesh_options(parser)
        add_library_option(parser)
        parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar and no summary")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Write the page; the exit code."""
        if options.verify and options.package is None:
            raise CommandError("--verify compares a package: name it with --package")
        output = options.output
        if output is None and sys.stdout.isatty():
            output = f"{Path(options.file).name.partition('.')[0]}-report.html"
        folder = None if options.package is None else package_folder(options.package)
        urdf, packages = read_robot(options)
        file = Path(options.file)
        package, problem = _package(folder, file, urdf, packages, options.library)
        verification, reason = _verification(folder, urdf, options) if options.verify and folder else (None, "")
        contents = gather(
            file,
            urdf,
            packages=packages,
            package=package,
            package_problem=problem,
            verification=verification,
            verification_problem=reason,
        )
        data = page(contents)
        if output is None:
            sys.stdout.buffer.write(data)
        else:
            write_result(output, data)
            errors = count(contents.errors, "error")
            differing = len(package.differing) if package is not None and package.is_user_s else 0
            differs = f", {count(differing, 'value differs', 'values differ')}" if differing else ""
            tell(f"{output}: {contents.title}, {errors}{differs}", quiet=options.quiet)
        if any(found.code == "urdf-file" for found in contents.diagnostics):
            return EXIT_UNREADABLE
        is_good = not contents.errors and not reason and (verification is None or verification.is_ok)
        return EXIT_OK if is_good else EXIT_FOUND


def _package(
    folder: Path | None, file: Path, urdf: ReadResult, packages: Packages, libraries: list[str]
) -> tuple[PackageView | None, str]:
    """The package, or why there is none to show."""
    if folder is not None:
        return view_package(folder, urdf, [Path(place) for place in libraries]), ""
    if not urdf.is_usable:
        return None, "a robot with errors is not built."
    try:
        return view_built(urdf, BuildOptions(urdf=file, packages=packages, copy_meshes=False)), ""
    except (BuildError, PackageError) as error:
        return None, str(error)


def _verification(folder: Path, urdf: ReadResult, options: argparse.Namespace) -> tuple[Verification | None, str]:
    """What the simulation says, or why it says nothing; neither for a robot with errors, which is not compared."""
    try:
        from urdf_frontend.motion import VerifyError, VerifyOptions, verify  # noqa: PLC0415  (it needs NumPy)
    except ModuleNotFoundError as error:
        raise CommandError(f"--verify needs {error.name}: pip install 'modelica-ast[verify]'") from None
    if not urdf.is_usable:
        return None, ""
    with Elapsed(quiet=options.quiet) as elapsed:
        wanted = VerifyOptions(
            libraries=tuple(map(Path, options.library)),
            backend=options.backend,
            cache=not options.no_cache,
            doing=elapsed,
        )
        found, reason = None, ""
        try:
            found = verify(urdf, folder, wanted)
        except (VerifyError, SimulationError) as error:
            if isinstance(error, SimulationError) and error.cause != "failed":
                raise  # a compiler or a library is missing
            reason = str(error)
    if reason:
        complain(reason)
    elif found is not None and found.is_earlier:
        tell(EARLIER, quiet=options.quiet)
    return found, reason
