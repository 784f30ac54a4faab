"""`modelica-patch set`: parameters, modifiers, and what else a declaration says."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from modelica_ast.cli.address import Address, Found
from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.words import pairs, value_of
from modelica_ast.semantics.predefined import PREDEFINED

if TYPE_CHECKING:
    from modelica_ast.edit.handles import ComponentHandle
    from modelica_ast.edit.values import Given

DESCRIPTION = """
Set the value of a parameter, a modifier at any depth, or an annotation. A modifier that is not there yet is added.
VALUE is a Modelica expression: 2.5, {1, 2}, 2*m, true, Modelica.Constants.pi, '"text"'. Every byte that is not the
value stays. Setting what is there already, 1.5 for 1.50, changes nothing. What a class inherits is set in the extends
clause that brings it: libraries that the file is in, that it uses or that are installed are looked into for that.

A modifier or an annotation that is not there is refused with the nearest name if its declaration would stand in the
same file, and is a warning if it would stand elsewhere. --strict refuses both, --force writes both.

The options for type, description, … change the declaration of one component or class instead.
"""
EXAMPLES = """
  modelica-patch set Arm.mo::Arm.m 2.5                         the value of the parameter m
  modelica-patch set Arm.mo::Arm.body.m 2.5 Arm.mo::Arm.l 0.3  two at once: both or none
  modelica-patch set Arm.mo::Arm.body.frame_a.r_0.start '{0,0,1}' -i
                                                               a modifier inside modifiers, and write it
  modelica-patch set Lib/::Lib.BigDrive.gear.ratio 3           of an inherited component: extends Drive(gear(ratio=3))
  modelica-patch set Lib/::Lib.Arm.name hello --string         text as a string, in a library's folder
  modelica-patch set Arm.mo::Arm@experiment.StopTime 10        an annotation
  modelica-patch set Arm.mo::Arm m 2 --extends Base            a modifier of 'extends Base'
  modelica-patch set Arm.mo::Arm.body --type Parts.BodyShape   another type
  modelica-patch set Arm.mo::Arm.body.medium --redeclare Water redeclare it
  modelica-patch set -::Arm.m 7 < Arm.mo > New.mo              from standard input to standard output

A VALUE that starts with a minus and a letter stands behind --: modelica-patch set -i -- Arm.mo::Arm.x -y
"""
USAGE = "modelica-patch set ADDRESS VALUE [ADDRESS VALUE ...] [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `set` takes."""
    parser.add_argument("words", nargs="+", metavar="ADDRESS VALUE", help="what to set, and to what")
    parser.add_argument("--string", action="store_true", help="take values as strings, without quotes")
    parser.add_argument(
        "--extends", metavar="BASE", help="ADDRESS is a class; its words are modifiers of its 'extends BASE'"
    )
    declaration = parser.add_argument_group("of one component or class, instead of values")
    declaration.add_argument("--type", metavar="NAME", help="its type")
    declaration.add_argument("--redeclare", metavar="TYPE", help="redeclare what the address names to another type")
    declaration.add_argument("--description", metavar="TEXT", help="the string behind it; '' removes it")
    declaration.add_argument("--prefixes", metavar="WORDS", help="all words before it: 'final parameter', or ''")
    declaration.add_argument("--dimensions", metavar="LIST", help="of an array: '3', 'n,:', or '' for a scalar")
    declaration.add_argument("--condition", metavar="EXPRESSION", help="behind 'if'; '' removes it")
    declaration.add_argument("--kind", metavar="KIND", help="of a class: model, block, record, …")
    declaration.add_argument(
        "--within", metavar="PACKAGE", help="what the file is within; ADDRESS is any of its classes"
    )
    add_write_options(parser, names=True)


def run(options: argparse.Namespace) -> int:
    """Set it, and show or write the result."""
    session = Session()
    edits(options, session)
    return finish(session, options)


def edits(options: argparse.Namespace, session: Session) -> None:
    """Make the edits."""
    declared = [name for name in _PROPERTIES if getattr(options, name) is not None]
    if declared:
        if len(options.words) != 1:
            raise CommandError(f"--{declared[0]} takes one ADDRESS and no VALUE")
        address = session.address(options.words[0])
        for name in declared:
            found = session.find_member(address)
            if name == "redeclare":
                session.watch(found.handle)
            _PROPERTIES[name](found, address, getattr(options, name))
    elif options.extends is not None:
        handle = session.find_class(session.address(options.words[0]))
        session.watch(handle)
        for path, value in pairs(options.words[1:], "modifiers and values"):
            handle.set_extends_modifier(options.extends, path, value_of(value, is_string=options.string))
    else:
        for text, value in pairs(options.words, "addresses and values"):
            address = session.address(text)
            found = session.find_member(address)
            if address.annotation is not None or not _is_surely_there(found):
                session.watch(found.handle)
            _set_value(found, address, value, is_string=options.string)


def _is_surely_there(found: Found) -> bool:
    """Is it a component of the class itself, or an attribute of one of a predefined type?

    PERF: then nothing has to be looked up.
    """
    if found.component is None or found.inherited is not None:
        return False
    return not found.modifier or found.modifier in PREDEFINED.get(found.declaration.type, ())


def _set_value(found: Found, address: Address, text: str, *, is_string: bool) -> None:
    value = value_of(text, is_string=is_string)
    if address.annotation is not None:
        set_annotation(found, address, address.annotation, value)
    elif found.component is None:
        raise CommandError(f"'{address}' is a class and has no value; a parameter of it is {address}.NAME")
    elif found.inherited is not None:
        found.handle.set_extends_modifier(found.inherited.base, found.path, value)
    else:
        found.declaration.set(found.modifier, value)


def set_annotation(found: Found, address: Address, path: str, value: Given) -> None:
    """Set a value in the annotation of a class or a component."""
    if found.modifier:
        raise CommandError(f"'{address.name}' is a modifier: it has no annotation")
    if found.component is None:
        found.handle.set_annotation(path, value)
    else:
        found.declaration.set_annotation(path, value)


def _component(found: Found, address: Address, option: str) -> ComponentHandle:
    if found.component is None or found.modifier or address.annotation is not None:
        raise CommandError(f"--{option} is about a component, and '{address}' is none")
    return found.declaration


def _set_type(found: Found, address: Address, value: str) -> None:
    _component(found, address, "type").set_type(value)


def _redeclare(found: Found, address: Address, value: str) -> None:
    if found.inherited is not None:
        found.handle.redeclare_in_extends(found.inherited.base, found.path, value)
    elif found.component is None or not found.modifier:
        raise CommandError(f"--redeclare is about something inside a component, {address}.NAME")
    else:
        found.declaration.redeclare(found.modifier, value)


def _set_description(found: Found, address: Address, value: str) -> None:
    if found.is_class:
        found.handle.set_description(value or None)
    else:
        _component(found, address, "description").set_description(value or None)


def _set_prefixes(found: Found, address: Address, value: str) -> None:
    if found.is_class:
        found.handle.set_prefixes(value.split())
    else:
        _component(found, address, "prefixes").set_prefixes(value.split())


def _set_dimensions(found: Found, address: Address, value: str) -> None:
    _component(found, address, "dimensions").set_dimensions(dimensions_of(value))


def dimensions_of(text: str) -> list[str]:
    """`n, :` as dimensions; a comma inside brackets separates nothing."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts] if text.strip() else []


def _set_condition(found: Found, address: Address, value: str) -> None:
    _component(found, address, "condition").set_condition(value or None)


def _set_kind(found: Found, address: Address, value: str) -> None:
    if not found.is_class:
        raise CommandError(f"--kind is about a class, and '{address}' is none")
    found.handle.set_kind(value)


def _set_within(found: Found, address: Address, value: str) -> None:
    from modelica_ast.edit.document import Document  # noqa: PLC0415  (PERF: for the type check alone)

    del address  # any class of the file will do
    assert isinstance(found.handle.document, Document)
    found.handle.document.set_within(value)


_PROPERTIES = {
    "type": _set_type,
    "redeclare": _redeclare,
    "description": _set_description,
    "prefixes": _set_prefixes,
    "dimensions": _set_dimensions,
    "condition": _set_condition,
    "kind": _set_kind,
    "within": _set_within,
}
