"""`modelica-patch set` and `annotate`: parameters, modifiers, what else a declaration says, and annotations."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from modelica_ast.cli.address import Address, Found, refuse_without_constraint
from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.words import assignments, dimensions_of, value_of
from modelica_ast.semantics import PREDEFINED

if TYPE_CHECKING:
    from modelica_ast.edit import ClassHandle, ComponentHandle, Given


# ---------------------------------------------------------------- set


class Set:
    """`modelica-patch set`: parameters, modifiers, and what else a declaration says."""

    DESCRIPTION = """
Set the value of a parameter, a modifier at any depth, or an annotation. A missing modifier is added. VALUE is a
Modelica expression: 2.5, {1, 2}, 2*m, true, Modelica.Constants.pi, '"text"'; ADDRESS=VALUE in one word does as well.
Every byte that is not the value stays. Setting an equal value, 1.5 for 1.50, changes nothing. What a class inherits is
set in the extends clause that brings it; for that, the library of the file, those that it uses and those that are
installed are searched.

A modifier or an annotation that does not exist is refused, with the nearest name, if its declaration would be in the
same file; if it would be elsewhere, it is a warning. --strict refuses both, --force writes both.

The options for type, description, … change the declaration of one component or class instead.
"""
    EXAMPLES = """
  modelica-patch set Arm.mo::Arm.m 2.5                         the value of the parameter m
  modelica-patch set Arm.mo::Arm.body.m 2.5 Arm.mo::Arm.l 0.3  two at once: both or none
  modelica-patch set Arm.mo::Arm.body m=2.5 r_CM='{0,0,1}'     the same, as modifiers of a component
  modelica-patch set Arm.mo::Arm.body.frame_a.r_0.start '{0,0,1}' -i
                                                               a modifier inside modifiers, and write it
  modelica-patch set Lib/::Lib.BigDrive.gear.ratio 3           of an inherited component: extends Drive(gear(ratio=3))
  modelica-patch set Lib/::Lib.Arm.name hello --string         text as a string, in a library's folder
  modelica-patch set Arm.mo::Arm@experiment.StopTime 10        an annotation
  modelica-patch set Arm.mo::Arm m 2 --extends Base            a modifier of 'extends Base'
  modelica-patch set Arm.mo::Arm --extends Base --to Parts.Base another base class
  modelica-patch set Arm.mo::Arm --equation 'der($x) = $_' --to 'der(x) = 2*v'
                                                               another equation
  modelica-patch set Types.mo::Length.unit m --string          a modifier of a short class, 'type Length = Real'
  modelica-patch set Arm.mo::Arm.k.min 0 --each --final        k(each final min=0)
  modelica-patch set Arm.mo::Arm.body --type Parts.BodyShape   another type
  modelica-patch set Arm.mo::Arm.body --add-prefix final       one more word before it
  modelica-patch set Arm.mo::Arm.body.medium --redeclare Water redeclare it
  modelica-patch set -::Arm.m 7 < Arm.mo > New.mo              from standard input to standard output

Put -- before a VALUE that starts with a minus and a letter: modelica-patch set -i -- Arm.mo::Arm.x -y
"""
    USAGE = "modelica-patch set ADDRESS VALUE [ADDRESS VALUE ...] [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `set` takes."""
        parser.add_argument("words", nargs="+", metavar="ADDRESS VALUE", help="what to set, and to what")
        parser.add_argument("--string", action="store_true", help="take values as strings, without quotes")
        parser.add_argument(
            "--extends", metavar="BASE", help="ADDRESS is a class; the names are modifiers of its 'extends BASE'"
        )
        parser.add_argument(
            "--constrainedby", action="store_true", help="set modifiers of what ADDRESS is constrained by"
        )
        for word in ("each", "final"):
            parser.add_argument(
                f"--{word}", action=argparse.BooleanOptionalAction, help=f"with or without '{word}' before the modifier"
            )
        other = parser.add_argument_group("replace something in the class ADDRESS")
        other.add_argument(
            "--to", metavar="TEXT", help="what replaces the base of --extends, --equation or --statement"
        )
        other.add_argument("--equation", metavar="TEXT", help="an equation, or a pattern of one: 'der($x) = $_'")
        other.add_argument("--statement", metavar="TEXT", help="a statement, or a pattern of one")
        declaration = parser.add_argument_group("of one component or class, instead of values")
        declaration.add_argument("--type", metavar="NAME", help="its type; of a short class, what it is equal to")
        declaration.add_argument("--redeclare", metavar="TYPE", help="redeclare what the address names to another type")
        declaration.add_argument("--description", metavar="TEXT", help="the string after it; '' removes it")
        declaration.add_argument("--prefixes", metavar="WORDS", help="all words before it: 'final parameter', or ''")
        declaration.add_argument("--add-prefix", metavar="WORD", help="add this word before it: final, replaceable, …")
        declaration.add_argument("--remove-prefix", metavar="WORD", help="remove this word before it")
        declaration.add_argument("--dimensions", metavar="LIST", help="of an array: '3', 'n,:', or '' for a scalar")
        declaration.add_argument("--condition", metavar="EXPRESSION", help="after 'if'; '' removes it")
        declaration.add_argument("--kind", metavar="KIND", help="of a class: model, block, record, …")
        declaration.add_argument(
            "--within", metavar="PACKAGE", help="what the file is within; ADDRESS is any of its classes"
        )
        add_write_options(parser, names=True)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Set it, and show or write the result."""
        session = Session()
        Set.edits(options, session)
        return finish(session, options)

    @staticmethod
    def edits(options: argparse.Namespace, session: Session) -> None:
        """Make the edits."""
        declared = [name for name in _PROPERTIES if getattr(options, name) is not None]
        words = [name for name in ("each", "final") if getattr(options, name) is not None]
        if (declared or options.to is not None) and (words or options.constrainedby):
            raise CommandError(f"--{(words or ['constrainedby'])[0]} is about values of modifiers: ADDRESS VALUE")
        if options.to is None and (options.equation is not None or options.statement is not None):
            raise CommandError("say what replaces it: --to TEXT")
        if declared:
            if len(options.words) != 1:
                raise CommandError(f"--{declared[0]} takes one ADDRESS and no VALUE")
            address = session.address(options.words[0])
            for name in declared:
                found = session.find_member(address)
                if name == "redeclare":
                    session.watch(found.handle)
                _PROPERTIES[name](found, address, getattr(options, name))
        elif options.to is not None:
            _replace(session.find_class(session.address(options.words[0])), options)
        elif options.extends is not None:
            handle = session.find_class(session.address(options.words[0]))
            session.watch(handle)
            for path, value in assignments(options.words[1:]):
                handle.set_extends_modifier(
                    options.extends,
                    path,
                    value_of(value, handle.document.tree.text, is_string=options.string),
                    each=options.each,
                    final=options.final,
                )
        else:
            for text, value in assignments(options.words):
                address = session.address(text)
                found = session.find_member(address)
                if address.annotation is not None or not _is_surely_there(found):
                    session.watch(found.handle)
                _set_value(found, address, value, options)


def _is_surely_there(found: Found) -> bool:
    """Is it a component of the class itself, or an attribute of one of a predefined type?

    PERF: then nothing has to be looked up.
    """
    if found.component is None or found.inherited is not None:
        return False
    return not found.modifier or found.modifier in PREDEFINED.get(found.declaration.type, ())


def _set_value(found: Found, address: Address, text: str, options: argparse.Namespace) -> None:
    value = value_of(text, found.handle.document.tree.text, is_string=options.string)
    if options.constrainedby:
        refuse_without_constraint(found, address)
    if address.annotation is not None and (options.each is not None or options.final is not None):
        raise CommandError(f"--each and --final are about modifiers, and '{address}' is an annotation")
    if address.annotation is not None:
        set_annotation(found, address, address.annotation, value)
    elif found.literal is not None:
        raise CommandError(f"'{address}' is a literal and has no value; --description describes it")
    elif found.is_class:
        raise CommandError(f"'{address}' is a class and has no value; a parameter of it is {address}.NAME")
    elif found.component is None:
        found.handle.set_modifier(found.modifier, value, each=options.each, final=options.final)
    elif found.inherited is not None:
        base = found.inherited.base
        found.handle.set_extends_modifier(base, found.path, value, each=options.each, final=options.final)
    elif options.constrainedby:
        component = found.declaration
        component.set_constraint_modifier(found.modifier, value, each=options.each, final=options.final)
    else:
        found.declaration.set(found.modifier, value, each=options.each, final=options.final)


def set_annotation(found: Found, address: Address, path: str, value: Given) -> None:
    """Set a value in the annotation of a class or a component."""
    if found.modifier or found.literal is not None:
        what = "modifier" if found.modifier else "literal"
        raise CommandError(f"'{address.name}' is a {what}: it has no annotation to set")
    if found.component is None:
        found.handle.set_annotation(path, value)
    else:
        found.declaration.set_annotation(path, value)


def _component(found: Found, address: Address, option: str) -> ComponentHandle:
    if found.component is None or found.modifier or address.annotation is not None:
        raise CommandError(f"--{option} is about a component, and '{address}' is not one")
    return found.declaration


def _replace(handle: ClassHandle, options: argparse.Namespace) -> None:
    """Put something else in place of a base class, an equation or a statement."""
    named = [name for name in ("extends", "equation", "statement") if getattr(options, name) is not None]
    if len(named) != 1 or len(options.words) != 1:
        raise CommandError("--to takes one class ADDRESS and what it replaces: --extends, --equation or --statement")
    if options.extends is not None:
        handle.set_extends_base(options.extends, options.to)
    elif options.equation is not None:
        handle.replace_equation(options.equation, options.to)
    else:
        handle.replace_statement(options.statement, options.to)


def _set_type(found: Found, address: Address, value: str) -> None:
    if found.is_class:
        found.handle.set_base(value)
        return
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
    elif found.literal is not None:
        found.handle.set_literal_description(found.literal, value or None)
    else:
        _component(found, address, "description").set_description(value or None)


def _set_prefixes(found: Found, address: Address, value: str) -> None:
    if found.is_class:
        found.handle.set_prefixes(value.split())
    else:
        _component(found, address, "prefixes").set_prefixes(value.split())


def _add_prefix(found: Found, address: Address, value: str) -> None:
    (found.handle if found.is_class else _component(found, address, "add-prefix")).add_prefix(value)


def _remove_prefix(found: Found, address: Address, value: str) -> None:
    (found.handle if found.is_class else _component(found, address, "remove-prefix")).remove_prefix(value)


def _set_dimensions(found: Found, address: Address, value: str) -> None:
    if found.is_class:
        found.handle.set_dimensions(dimensions_of(value))
        return
    _component(found, address, "dimensions").set_dimensions(dimensions_of(value))


def _set_condition(found: Found, address: Address, value: str) -> None:
    _component(found, address, "condition").set_condition(value or None)


def _set_kind(found: Found, address: Address, value: str) -> None:
    if not found.is_class:
        raise CommandError(f"--kind is about a class, and '{address}' is not one")
    found.handle.set_kind(value)


def _set_within(found: Found, address: Address, value: str) -> None:
    from modelica_ast.edit import Document  # noqa: PLC0415  (PERF: for the type check alone)

    del address  # any class of the file will do
    assert isinstance(found.handle.document, Document)
    found.handle.document.set_within(value)


_PROPERTIES = {
    "type": _set_type,
    "redeclare": _redeclare,
    "description": _set_description,
    "prefixes": _set_prefixes,
    "add_prefix": _add_prefix,
    "remove_prefix": _remove_prefix,
    "dimensions": _set_dimensions,
    "condition": _set_condition,
    "kind": _set_kind,
    "within": _set_within,
}


# ---------------------------------------------------------------- annotate


class Annotate:
    """`modelica-patch annotate`: annotations of classes, components and connections."""

    DESCRIPTION = """
Set or remove values in the annotation of a class, a component or a connection. PATH leads into the annotation, VALUE
is a Modelica expression. An annotation that is not there is made; the rest of it keeps every byte. One that is spelt
almost like a standard one is a warning; --strict refuses it.
"""
    EXAMPLES = """
  modelica-patch annotate Arm.mo::Arm experiment.StopTime 10
  modelica-patch annotate Arm.mo::Arm Documentation.info '<html>An arm.</html>' --string
  modelica-patch annotate Arm.mo::Arm.body Placement.transformation.extent '{{-10,-10},{10,10}}'
  modelica-patch annotate Arm.mo::Arm Line.color '{255,0,0}' --connection a.p b.n
  modelica-patch annotate Arm.mo::Arm --remove experiment
"""
    USAGE = "modelica-patch annotate ADDRESS PATH VALUE [PATH VALUE ...] [--remove PATH] [options]"

    @staticmethod
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

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Annotate, and show or write the result."""
        session = Session()
        Annotate.edits(options, session)
        return finish(session, options)

    @staticmethod
    def edits(options: argparse.Namespace, session: Session) -> None:
        """Make the edits."""
        address = session.address(options.address)
        if not options.words and not options.remove:
            raise CommandError("there is nothing to set and nothing to remove: PATH VALUE, or --remove PATH")
        connection = None if options.connection is None else (options.connection[0], options.connection[1])
        found = session.find_member(address)
        if found.modifier or found.literal is not None:
            raise CommandError(f"'{address}' is neither a class nor a component, so it has no annotation to set")
        session.watch(found.handle)
        for path, text in assignments(options.words):
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
