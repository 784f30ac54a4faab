"""`modelica-patch urdf report`: all about a robot on one page."""

from __future__ import annotations

import argparse
import shlex
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
    count,
    reading,
    tell,
    write_result,
)
from modelica_ast.generate import BuildError
from urdf_frontend.cli.arguments import (
    PACKAGE_HELP,
    add_compiler_options,
    add_mesh_options,
    add_reading_options,
    package_folder,
    read_robot,
)
from urdf_frontend.motion import PackageView, gather, page, view_built, view_package
from urdf_frontend.package import BuildOptions, PackageError
from urdf_frontend.urdf import Packages, ReadResult

if TYPE_CHECKING:
    from urdf_frontend.motion import Verification

DESCRIPTION: Final = """
Write one HTML page about a robot: what was read, what is wrong with it, its kinematic tree, its Modelica diagram and
icon, the values of its links and joints. The page is complete in itself: no network, no other file, no script.

With --package the diagram is that of a package as it is now, and values that are not those of the URDF file are marked.
Without, the package is built for the page alone. --verify simulates the package and adds what an independent engine
says of it, which needs a compiler and Pinocchio: pip install 'modelica-ast[verify]'.

The exit code is 1 if the robot has errors or the verification fails; the page is written anyway.
"""
EXAMPLES: Final = """
  modelica-patch urdf report arm.urdf -o report.html                                  a robot
  modelica-patch urdf report arm.urdf --package Robots.Arm -o report.html             and its package
  modelica-patch urdf report arm.urdf --package Arm --verify -o report.html           and how right that is
"""


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
        help="write the page there; without it to standard output, if that is not a terminal",
    )
    add_reading_options(parser)
    add_mesh_options(parser)
    add_library_option(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar and no summary")


def run(options: argparse.Namespace) -> int:
    """Write the page; the exit code."""
    if options.verify and options.package is None:
        raise CommandError("--verify compares a package: name it with --package")
    if options.output is None and sys.stdout.isatty():
        page_file = shlex.quote(f"{Path(options.file).name.partition('.')[0]}.html")
        raise CommandError(f"the page is HTML, which no terminal shows: write it to a file with -o {page_file}")
    folder = None if options.package is None else package_folder(options.package)
    urdf, packages = read_robot(options)
    file = Path(options.file)
    package, problem = _package(folder, file, urdf, packages, options.library)
    verification = _verification(folder, urdf, options) if options.verify and folder is not None else None
    contents = gather(
        file, urdf, packages=packages, package=package, package_problem=problem, verification=verification
    )
    data = page(contents)
    if options.output is None:
        sys.stdout.buffer.write(data)
    else:
        write_result(options.output, data)
        errors = count(contents.errors, "error")
        differing = len(package.differing) if package is not None and package.is_user_s else 0
        differs = f", {count(differing, 'value differs', 'values differ')}" if differing else ""
        tell(f"{options.output}: {contents.title}, {errors}{differs}", quiet=options.quiet)
    if any(found.code == "urdf-file" for found in contents.diagnostics):
        return EXIT_UNREADABLE
    is_good = not contents.errors and (verification is None or verification.is_ok)
    return EXIT_OK if is_good else EXIT_FOUND


def _package(
    folder: Path | None, file: Path, urdf: ReadResult, packages: Packages, libraries: list[str]
) -> tuple[PackageView | None, str]:
    """The package, or why there is none to show."""
    if folder is not None:
        with reading(PackageError):
            return view_package(folder, urdf, [Path(place) for place in libraries]), ""
    if not urdf.is_usable:
        return None, "a robot with errors is not built."
    try:
        return view_built(urdf, BuildOptions(urdf=file, packages=packages, copy_meshes=False)), ""
    except (BuildError, PackageError) as error:
        return None, str(error)


def _verification(folder: Path, urdf: ReadResult, options: argparse.Namespace) -> Verification | None:
    """What the simulation says; None for a robot with errors, which is not compared."""
    from modelica_ast.simulation import SimulationError  # noqa: PLC0415  (PERF: only here)

    try:
        from urdf_frontend.motion import VerifyError, VerifyOptions, verify  # noqa: PLC0415  (it needs NumPy)
    except ModuleNotFoundError as error:
        raise CommandError(f"--verify needs {error.name}: pip install 'modelica-ast[verify]'") from None
    if not urdf.is_usable:
        return None
    with Elapsed(quiet=options.quiet) as elapsed:
        wanted = VerifyOptions(
            libraries=tuple(map(Path, options.library)),
            backend=options.backend,
            cache=not options.no_cache,
            doing=elapsed,
        )
        try:
            found = verify(urdf, folder, wanted)
        except (VerifyError, SimulationError) as error:
            raise CommandError(str(error), EXIT_FOUND) from None
    if found.is_earlier:
        tell(EARLIER, quiet=options.quiet)
    return found
