"""`modelica-patch copy`: a class to a package, with names that still mean the same."""

from __future__ import annotations

import argparse

from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress
from modelica_ast.foundation import split_name

DESCRIPTION = """
Copy a class to a package of its library, or under another name beside itself. Names inside the copy that would mean
something else at the new place are written so that they mean the same as before.
"""
EXAMPLES = """
  modelica-patch copy MyLib/::MyLib.Arm --as Arm2              beside itself
  modelica-patch copy MyLib/::MyLib.Arm --to MyLib.Robots      to another package
"""
USAGE = "modelica-patch copy ADDRESS [--to PACKAGE] [--as NAME] [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `copy` takes."""
    parser.add_argument("address", metavar="ADDRESS", help="a class")
    parser.add_argument("--to", metavar="PACKAGE", help="the package it goes to, by its full name; else its own")
    parser.add_argument("--as", dest="name", metavar="NAME", help="the name of the copy; else its own")
    add_write_options(parser)


def run(options: argparse.Namespace) -> int:
    """Copy it, and show or write the result."""
    session = Session()
    edits(options, session)
    return finish(session, options)


def edits(options: argparse.Namespace, session: Session) -> None:
    """Make the edits."""
    from modelica_ast.refactor import copy_class  # noqa: PLC0415  (PERF: as in the other commands)

    libraries, full_name = session.own_library_of(session.address(options.address))
    package = options.to if options.to is not None else ".".join(split_name(full_name)[:-1])
    with Progress("copying", quiet=options.quiet) as progress:
        copy_class(libraries, full_name, package, options.name, progress=progress)
