"""`modelica-patch move`: a class to another package; anything to another place."""

from __future__ import annotations

import argparse

from modelica_ast.cli.commands.rename import WITH_HELP
from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, tell
from modelica_ast.cli.words import add_place_options, point_of, where_of

DESCRIPTION = """
With --to, move a class to another package of its library: all names that lead to it and all names inside it go on
meaning the same, in the shortest form that does; files, folders, package.order, links and resources follow.
With --before, --after, --first, --last, change the order of classes or components. With --at, move a component in
the diagram, its lines with it.
"""
EXAMPLES = """
  modelica-patch move MyLib/::MyLib.Arm --to MyLib.Robots      to another package, in all files
  modelica-patch move MyLib/::MyLib.Arm --to MyLib.Robots --after Leg
                                                               to a place in it
  modelica-patch move Arm.mo::Arm.body --after world           the order of declarations
  modelica-patch move Arm.mo::Arm.body --section protected
  modelica-patch move Arm.mo::Arm.body --at 20,40              in the diagram
  modelica-patch move Arm.mo::Arm --equation 'der($x) = $_' --after 'x = 1'
                                                               an equation
"""
USAGE = "modelica-patch move ADDRESS --to PACKAGE | --before NAME | --after NAME | --first | --last | --at X,Y"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `move` takes."""
    parser.add_argument("address", metavar="ADDRESS", help="a class or a component")
    parser.add_argument("--to", metavar="PACKAGE", help="the package that a class goes to, by its full name")
    parser.add_argument("--with", dest="also", metavar="LIBRARY", action="append", default=[], help=WITH_HELP)
    parser.add_argument("--equation", metavar="TEXT", help="an equation of the class ADDRESS, beside another")
    parser.add_argument("--statement", metavar="TEXT", help="a statement of the class ADDRESS, beside another")
    parser.add_argument("--at", metavar="X,Y", help="the new middle of a component in the diagram")
    add_place_options(parser)
    add_write_options(parser)


def run(options: argparse.Namespace) -> int:
    """Move it, and show or write the result."""
    session = Session(options.also)
    edits(options, session)
    return finish(session, options)


def edits(options: argparse.Namespace, session: Session) -> None:
    """Make the edits."""
    address = session.address(options.address)
    if options.equation is not None or options.statement is not None:
        handle, beside_it = session.find_class(address), {"before": options.before, "after": options.after}
        if options.equation is not None:
            handle.move_equation(options.equation, **beside_it)
        if options.statement is not None:
            handle.move_statement(options.statement, **beside_it)
        return
    where = where_of(options)
    beside = bool(where) and not (options.to is not None and where.keys() <= {"before", "after"})
    if sum([options.to is not None, options.at is not None, beside]) != 1:
        raise CommandError("say where to: one of --to, --at, --before, --after, --first, --last, --sorted, --section")
    if options.to is not None:
        from modelica_ast.refactor import move_class  # noqa: PLC0415  (PERF: most edits are of one file)

        libraries, full_name = session.own_library_of(address)
        with Progress("moving", quiet=options.quiet) as progress:
            move_class(libraries, full_name, options.to, before=options.before, after=options.after, progress=progress)
        return
    found = session.find(address)
    if found.modifier or found.literal is not None or address.annotation is not None:
        raise CommandError(f"'{address}' is no class and no component")
    if found.component is None:
        if options.at is not None:
            raise CommandError(f"--at moves a component in the diagram, and '{address}' is a class")
        found.handle.move(**where)
        return
    component = found.handle.find_component(found.component)
    if options.at is None:
        component.move(**where)
        return
    for left in component.place(*point_of(options.at)):
        tell(f"the line from {left.one} to {left.other} stays: {left.reason}", quiet=options.quiet)
