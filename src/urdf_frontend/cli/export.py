"""`modelica-patch urdf export`: the URDF file with the values of a package."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from modelica_ast.cli import EXIT_FOUND, EXIT_OK, CommandError, complain, count, tell, write_json, write_result
from modelica_ast.generate import NoBaseError
from urdf_frontend.cli.arguments import add_package_argument, package_folder
from urdf_frontend.cli.reports import no_base
from urdf_frontend.package import Exported, export

DESCRIPTION: Final = """
Write the values of a robot's package back into URDF: masses, inertias, origins, axes, limits, shapes and colours as
they are in its parameter records now. The result is the very text that the package was built or updated from, with
these numbers in it and every other byte as it was.

What URDF can't express, an expression in place of a number for one, is listed, and the exit code is 1 then. Of a robot
that was described in xacro this is the expanded file.
"""
EXAMPLES: Final = """
  modelica-patch urdf export --package Robots.Arm                 to standard output
  modelica-patch urdf export --package Robots.Arm -o arm.urdf     into a file
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_package_argument(parser)
    parser.add_argument("--templates", metavar="DIR", help="the library of templates, if it is one of your own")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to this file")
    parser.add_argument("-q", "--quiet", action="store_true", help="what can't be written, and nothing else")
    parser.add_argument("--json", action="store_true", help="what changed, as JSON on standard output; needs -o")


def run(options: argparse.Namespace) -> int:
    """Export it."""
    if options.json and options.output is None:
        raise CommandError("--json needs -o: the URDF text and JSON can't both go to standard output")
    folder = package_folder(options.package)
    templates = None if options.templates is None else Path(options.templates)
    try:
        result = export(folder, templates=templates)
    except NoBaseError as error:
        raise no_base(error, "FILE", options.package) from None
    if options.output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(result.data)
    else:
        write_result(options.output, result.data)
    _tell(result, options)
    return EXIT_FOUND if result.problems else EXIT_OK


def _tell(result: Exported, options: argparse.Namespace) -> None:
    if options.json:
        written = [
            {"file": each.file, "path": each.path, "line": each.line, "old": each.old, "new": each.new}
            for each in result.written
        ]
        write_json({"written": written, "problems": list(result.problems)})
    for each in result.written:
        tell(f"  {each}", quiet=options.quiet or options.json)
    for problem in result.problems:
        complain(f"not written: {problem}")
    tell(f"{count(len(result.written), 'value')} written back", quiet=options.quiet)
