"""`modelica-patch constraints sync`: number the objects of a model."""

from __future__ import annotations

import argparse
from typing import Final

from modelica_ast.cli import EXIT_FOUND, CommandError, add_write_options, finish, tell
from urdf_frontend.constraints.cli.output import (
    add_model_arguments,
    as_json,
    complain_about,
    given_model,
    tell_networks,
)
from urdf_frontend.constraints.synchronisation import Style, sync

DESCRIPTION: Final = """
Give the objects of DynamicConstraints in a model what Modelica can't: a unique ID for each, and the number of all of
them to the collector and to those who have to know it. Objects are found wherever they are: in components of
components, in arrays, inherited, redeclared. All is written as modifiers of the model itself; other classes stay as
they are. A collector that is missing is put there.

IDs that are valid and unique stay, only the others change; a second call changes nothing. IDs that are expressions are
left to you, and looked at. What is not in order then is listed, and the exit code is 1: the rest is numbered all the
same. A model that can't be numbered at all is exit code 2, and nothing changes.

--style connect makes connections of all pairs in place of IDs and a collector, --style outer goes back.
"""
EXAMPLES: Final = """
  modelica-patch constraints sync Cell.mo                        see what would change
  modelica-patch constraints sync Cell.mo --in-place             write it
  modelica-patch constraints sync Plant::Plant.Cell -i           a model of a library
  modelica-patch constraints sync Cell.mo --renumber             IDs in the order of the declarations
  modelica-patch constraints sync Cell.mo --style connect        connections in place of a collector
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_model_arguments(parser)
    parser.add_argument("--style", choices=[style.value for style in Style], help="rewire objects of the other style")
    parser.add_argument("--renumber", action="store_true", help="number all anew, in the order of their declarations")
    parser.add_argument("--collector", metavar="PATH", help="only the objects of this collector")
    add_write_options(parser)


def run(options: argparse.Namespace) -> int:
    """Sync it; the exit code."""
    if options.output is not None:
        raise CommandError("--output is for commands that know one file: use --in-place")
    session, libraries, model = given_model(options)
    report = sync(libraries, model, style=options.style, renumber=options.renumber, collector=options.collector)
    complain_about(report.findings, quiet=options.quiet)
    code = finish(session, options, **report.as_json(), findings=as_json(report.findings))
    if not options.json:
        tell_networks(report.networks, quiet=options.quiet)
    if report.errors:
        tell("some objects are not in order: see above", quiet=options.quiet)
        return EXIT_FOUND
    return code
