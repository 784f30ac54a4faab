"""`modelica-patch annotate`: annotations of classes, components and connections."""

from __future__ import annotations

import argparse

from modelica_ast.cli.commands.set import set_annotation
from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.words import pairs, value_of

DESCRIPTION = """
Set or remove values in the annotation of a class, a component or a connection. PATH leads into the annotation,
VALUE is a Modelica expression. An annotation that is not there is made; the rest of it keeps every byte. One that is
spelt almost like a standard one is a warning; --strict refuses it.
"""
EXAMPLES = """
  modelica-patch annotate Arm.mo::Arm experiment.StopTime 10
  modelica-patch annotate Arm.mo::Arm Documentation.info '<html>An arm.</html>' --string
  modelica-patch annotate Arm.mo::Arm.body Placement.transformation.extent '{{-10,-10},{10,10}}'
  modelica-patch annotate Arm.mo::Arm Line.color '{255,0,0}' --connection a.p b.n
  modelica-patch annotate Arm.mo::Arm --remove experiment
"""
USAGE = "modelica-patch annotate ADDRESS PATH VALUE [PATH VALUE ...] [--remove PATH] [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `annotate` takes."""
    parser.add_argument("address", metavar="ADDRESS", help="a class or a component")
    parser.add_argument("words", nargs="*", metavar="PATH VALUE", help="what to set, and to what")
    parser.add_argument("--remove", metavar="PATH", action="append", default=[], help="remove this (repeatable)")
    parser.add_argument("--string", action="store_true", help="take values as strings, without quotes")
    parser.add_argument(
        "--connection", nargs=2, metavar=("END", "END"), help="the annotation of this connection of the class"
    )
    add_write_options(parser, names=True)


def run(options: argparse.Namespace) -> int:
    """Annotate, and show or write the result."""
    session = Session()
    edits(options, session)
    return finish(session, options)


def edits(options: argparse.Namespace, session: Session) -> None:
    """Make the edits."""
    address = session.address(options.address)
    if not options.words and not options.remove:
        raise CommandError("there is nothing to set and nothing to remove: PATH VALUE, or --remove PATH")
    connection = None if options.connection is None else (options.connection[0], options.connection[1])
    found = session.find_member(address)
    if found.modifier or found.literal is not None:
        raise CommandError(f"'{address}' is no class and no component: it has no annotation that could be set")
    session.watch(found.handle)
    for path, text in pairs(options.words, "annotations and values"):
        value = value_of(text, "", is_string=options.string)
        if connection is not None:
            session.find_class(address).set_annotation(path, value, connection=connection)
        else:
            set_annotation(found, address, path, value)
    for path in options.remove:
        if connection is not None or found.is_class:
            found.handle.remove_annotation(path, connection=connection)
        else:
            found.declaration.remove_annotation(path)
