"""`modelica-patch connect` and `disconnect`: connect equations added, with their lines, and removed."""

from __future__ import annotations

import argparse

from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.words import pairs


class Connect:
    """`modelica-patch connect`: connect equations, with lines where both ends are placed."""

    DESCRIPTION = """
Add connect equations to a class. Where both components are placed in the diagram, a line is drawn between their
connectors, around other components.

Connectors that do not fit together are refused: other elements, types or dimensions, flow with something else, two
outputs. So is an end that does not exist; the message has the nearest name. It is a warning where the components, or
the class that lacks the end, are in another file. --strict refuses both, --force writes both.
"""
    EXAMPLES = """
  modelica-patch connect Arm.mo::Arm motor.flange gear.flange_a
  modelica-patch connect Arm.mo::Arm a.p b.n b.p c.n -i        two connections: both or none
  modelica-patch connect Arm.mo::Arm a.p b.n --no-line         without a line in the diagram
"""
    USAGE = "modelica-patch connect CLASS-ADDRESS END END [END END ...] [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `connect` takes."""
        parser.add_argument("address", metavar="CLASS-ADDRESS", help="FILE.mo::Class, or FOLDER::Name")
        parser.add_argument("ends", nargs="+", metavar="END", help="connectors, in pairs")
        parser.add_argument("--no-line", action="store_true", help="draw no line")
        add_write_options(parser, names=True)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Connect, and show or write the result."""
        session = Session()
        Connect.edits(options, session)
        return finish(session, options)

    @staticmethod
    def edits(options: argparse.Namespace, session: Session) -> None:
        """Make the edits."""
        handle = session.find_class(session.address(options.address))
        session.watch(handle)
        for one, other in pairs(options.ends, "the ends of connections"):
            if (one, other) in handle.connections or (other, one) in handle.connections:
                raise CommandError(f"{one} and {other} are already connected")
            handle.connect(one, other, line=not options.no_line)


class Disconnect:
    """`modelica-patch disconnect`: connect equations removed."""

    DESCRIPTION = """
Remove connect equations from a class, also those inside 'for' and 'if'. The order of the two ends does not matter.
"""
    EXAMPLES = """
  modelica-patch disconnect Arm.mo::Arm motor.flange gear.flange_a
  modelica-patch disconnect Arm.mo::Arm a.p b.n b.p c.n -i     two connections: both or none
"""
    USAGE = "modelica-patch disconnect CLASS-ADDRESS END END [END END ...] [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `disconnect` takes."""
        parser.add_argument("address", metavar="CLASS-ADDRESS", help="FILE.mo::Class, or FOLDER::Name")
        parser.add_argument("ends", nargs="+", metavar="END", help="connectors, in pairs")
        parser.add_argument("--keep-comments", action="store_true", help="leave their comments where they are")
        add_write_options(parser)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Disconnect, and show or write the result."""
        session = Session()
        Disconnect.edits(options, session)
        return finish(session, options)

    @staticmethod
    def edits(options: argparse.Namespace, session: Session) -> None:
        """Make the edits."""
        handle = session.find_class(session.address(options.address))
        for one, other in pairs(options.ends, "the ends of connections"):
            handle.disconnect(one, other, comments="keep" if options.keep_comments else "drop")
