"""`modelica-patch get`: the value of something, as it is written."""

from __future__ import annotations

import argparse
import sys

from modelica_ast.cli.address import Address, Found
from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK, CommandError
from modelica_ast.cli.places import add_library_option
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import complain, printable, source_text, tell, write_json

DESCRIPTION = """
Print values: of a parameter, of a modifier at any depth, of an annotation. A value comes as it is written in the file,
a line each. What is not set there has the value that its class or a base class gives it; a note says which. The exit
code is 1 if something has no value.
"""
EXAMPLES = """
  modelica-patch get Arm.mo::Arm.m                               2.5
  modelica-patch get Arm.mo::Arm.body.frame_a.r_0.start          {0, 0, 1}
  modelica-patch get Arm.mo::Arm.body@Placement.transformation.extent
  modelica-patch get Arm.mo::Arm@experiment.StopTime Arm.mo::Arm.m
  modelica-patch get Arm.mo::Arm n --extends Base                a modifier of 'extends Base'
  modelica-patch get --json Lib/::Lib.Arm.m Lib/::Lib.Arm.body.m
  modelica-patch get Modelica.Constants.g_n                      of an installed library
"""
USAGE = "modelica-patch get ADDRESS [ADDRESS ...] [--json]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `get` takes."""
    parser.add_argument("addresses", nargs="+", metavar="ADDRESS", help="see 'modelica-patch help addresses'")
    parser.add_argument(
        "--extends", metavar="BASE", help="the first ADDRESS is a class, the others are modifiers of its 'extends BASE'"
    )
    parser.add_argument(
        "--json", action="store_true", help="an object of addresses and values; null where there is none"
    )
    add_library_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print the values; 1 if one is missing."""
    session = Session(libraries=options.library)
    found: dict[str, str | None] = {}
    if options.extends is not None:
        handle = session.find_class(session.address(options.addresses[0]))
        for path in options.addresses[1:]:
            value = handle.get_extends_modifier(options.extends, path)
            found[path] = None if value is None else value.text
    else:
        for text in options.addresses:
            address = session.address(text)
            found[text] = _value(session, session.find_member(address), address)
    if options.json:
        write_json(found)
    else:
        for text, shown in found.items():
            if shown is None:
                complain(printable(f"{text} has no value"))
            else:
                sys.stdout.write(f"{source_text(shown, sys.stdout)}\n")
    return EXIT_FOUND if None in found.values() else EXIT_OK


def _value(session: Session, found: Found, address: Address) -> str | None:
    if address.annotation is not None:
        if found.modifier:
            raise CommandError(f"'{address.name}' is a modifier: it has no annotation")
        if found.inherited is not None:
            raise CommandError(
                f"'{found.component}' is declared in {found.inherited.declared}: its annotation is there"
            )
        owner = found.handle if found.component is None else found.declaration
        value = owner.get_annotation(address.annotation)
    elif found.literal is not None:
        raise CommandError(f"'{address}' is a literal and has no value")
    elif found.is_class:
        raise CommandError(f"'{address}' is a class and has no value; 'modelica-patch show {address}' shows it")
    elif found.component is None:
        value = found.handle.get_modifier(found.modifier)
        return None if value is None else value.text
    elif found.inherited is not None:
        value = found.handle.get_extends_modifier(found.inherited.base, found.path)
    else:
        value = found.declaration.get(found.modifier)
    if value is None and address.annotation is None and (found.modifier or found.inherited is not None):
        return _value_elsewhere(session, found, address)
    return None if value is None else value.text


def _value_elsewhere(session: Session, found: Found, address: Address) -> str | None:
    """The value that the class of a component gives, or a base class; a note says where that is."""
    from modelica_ast.cli.lookup import value_at  # noqa: PLC0415  (PERF: what is written here needs no look-up)

    origin = value_at(found, session.surroundings(found.handle))
    if origin is None:
        return None
    tell(f"note: {address} is not set there: {origin.sentence}", quiet=False)
    return origin.text
