"""`modelica-patch disconnect`: connect equations removed."""

from __future__ import annotations

import argparse

from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.words import pairs

DESCRIPTION = """
Remove connect equations from a class, also those inside 'for' and 'if'. The order of the two ends does not matter.
"""
EXAMPLES = """
  modelica-patch disconnect Arm.mo::Arm motor.flange gear.flange_a
  modelica-patch disconnect Arm.mo::Arm a.p b.n b.p c.n -i     two connections: both or none
"""
USAGE = "modelica-patch disconnect CLASS-ADDRESS END END [END END ...] [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `disconnect` takes."""
    parser.add_argument("address", metavar="CLASS-ADDRESS", help="FILE.mo::Class, or FOLDER::Name")
    parser.add_argument("ends", nargs="+", metavar="END", help="connectors, two by two")
    parser.add_argument("--keep-comments", action="store_true", help="leave their comments where they are")
    add_write_options(parser)


def run(options: argparse.Namespace) -> int:
    """Disconnect, and show or write the result."""
    session = Session()
    edits(options, session)
    return finish(session, options)


def edits(options: argparse.Namespace, session: Session) -> None:
    """Make the edits."""
    handle = session.find_class(session.address(options.address))
    for one, other in pairs(options.ends, "the ends of connections"):
        handle.disconnect(one, other, comments="keep" if options.keep_comments else "drop")
