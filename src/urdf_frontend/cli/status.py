"""`modelica-patch urdf status`: how a package and a URDF file differ."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from modelica_ast.cli import EXIT_CONFLICTS, EXIT_FOUND, EXIT_OK, printable, tell
from modelica_ast.foundation import shown
from urdf_frontend.cli.arguments import add_robot_arguments, package_folder, read_robot
from urdf_frontend.cli.assemble_modelica import assembled_again, is_assembly
from urdf_frontend.cli.reports import tell_attention, tell_report, worked_out, write_changes
from urdf_frontend.package import UpdateOptions

if TYPE_CHECKING:
    from modelica_ast.generate import Update

DESCRIPTION: Final = """
Say how a robot's package and a URDF file differ, and write nothing: what you have edited in generated classes, what an
update would bring in, where both changed the same value, which conflicts of earlier updates are still open, and which
classes stayed of links and joints that are gone.

A package that was assembled from modules is compared with its assembly: name that in place of a URDF file.

The exit code is 0 if the package is up to date, 1 if an update would change something, 3 if it would need you.
"""
EXAMPLES: Final = """
  modelica-patch urdf status arm.urdf --package Robots.Arm      what an update would do
  modelica-patch urdf status arm.urdf --package Arm --diff      as a unified diff
  modelica-patch urdf status arm.urdf --package Arm --json      for programs
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_robot_arguments(parser)
    parser.add_argument("-d", "--diff", action="store_true", help="what an update would change, as a unified diff")
    parser.add_argument("-q", "--quiet", action="store_true", help="what an update would change, and nothing else")
    parser.add_argument("--json", action="store_true", help="all of it as JSON on standard output")


def _worked_out(folder: Path, options: argparse.Namespace) -> Update:
    urdf, packages = read_robot(options)
    templates = None if options.templates is None else Path(options.templates)
    wanted = UpdateOptions(templates=templates, packages=packages)
    return worked_out(folder, urdf, wanted, file=options.file, package=options.package)


def run(options: argparse.Namespace) -> int:
    """Work the update out, and show it."""
    folder = package_folder(options.package)
    result = assembled_again(folder, options) if is_assembly(options.file) else _worked_out(folder, options)
    tell_attention(result)
    if not options.json and not options.diff and not options.quiet:
        base = shown(result.folder)
        sys.stdout.writelines(printable(f"edited by you {base}/{edit}") + "\n" for edit in result.report.edits)
    write_changes(result, options, written=False, is_status=True)
    tell_report(result, quiet=options.quiet)
    for question in result.questions:
        tell(f"  {question} `urdf update` asks", quiet=options.quiet)
    if not result.files and not result.questions:
        tell(f"{result.report.package}: up to date with {options.file}", quiet=options.quiet)
        return EXIT_OK
    return EXIT_CONFLICTS if result.report.needs_user or result.questions else EXIT_FOUND
