"""`modelica-patch constraints check`: what is wrong with the objects of a model."""

from __future__ import annotations

import argparse
from typing import Final

from modelica_ast.cli import EXIT_FOUND, EXIT_OK, add_format_option, write_findings
from urdf_frontend.constraints.cli.output import add_model_arguments, as_shown, given_model
from urdf_frontend.constraints.inspection import CODES, check

DESCRIPTION: Final = """
Look at the objects of DynamicConstraints in a model: IDs that are missing, there twice or out of range, wrong counts,
no collector, a pair that is not connected, an input closed without a source, a frame that is connected with nothing.
Values are computed where they can be, through modifiers, inheritance and arrays.

The exit code is 1 if there is an error; warnings don't change it. sync brings in order what can be.
"""
EXAMPLES: Final = """
  modelica-patch constraints check Cell.mo                       all that is wrong
  modelica-patch constraints check Plant::Plant.Cell             a model of a library
  modelica-patch constraints check Cell.mo --format sarif        for the reviews of a code host
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_model_arguments(parser)
    add_format_option(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no summary")


def run(options: argparse.Namespace) -> int:
    """Check it; the exit code."""
    _, libraries, model = given_model(options)
    findings = check(libraries, model)
    files = len({finding.file for finding in findings}) or 1
    shown = [as_shown(finding) for finding in findings]
    write_findings(shown, options.format, files=files, rules=CODES, summary=not options.quiet, model=model)
    return EXIT_FOUND if any(finding.severity == "error" for finding in findings) else EXIT_OK
