"""`modelica-patch connect`: connect equations, with lines where both ends are placed."""

from __future__ import annotations

import argparse

from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.words import pairs

DESCRIPTION = """
Add connect equations to a class. Where both components are placed in the diagram, a line is drawn between their
connectors, around other components.

Connectors that do not fit together are refused: other elements, types or dimensions, flow with something else, two
outputs. So is an end that is not there, with the nearest name. Where the components or the class that lacks it stand in
another file it is a warning. --strict refuses both, --force writes both.
"""
EXAMPLES = """
  modelica-patch connect Arm.mo::Arm motor.flange gear.flange_a
  modelica-patch connect Arm.mo::Arm a.p b.n b.p c.n -i        two connections: both or none
  modelica-patch connect Arm.mo::Arm a.p b.n --no-line         without a line in the diagram
"""
USAGE = "modelica-patch connect CLASS-ADDRESS END END [END END ...] [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `connect` takes."""
    parser.add_argument("address", metavar="CLASS-ADDRESS", help="FILE.mo::Class, or FOLDER::Name")
    parser.add_argument("ends", nargs="+", metavar="END", help="connectors, two by two")
    parser.add_argument("--no-line", action="store_true", help="draw no line")
    add_write_options(parser, names=True)


def run(options: argparse.Namespace) -> int:
    """Connect, and show or write the result."""
    session = Session()
    edits(options, session)
    return finish(session, options)


def edits(options: argparse.Namespace, session: Session) -> None:
    """Make the edits."""
    handle = session.find_class(session.address(options.address))
    session.watch(handle)
    for one, other in pairs(options.ends, "the ends of connections"):
        if (one, other) in handle.connections or (other, one) in handle.connections:
            raise CommandError(f"{one} and {other} are connected already")
        handle.connect(one, other, line=not options.no_line)
