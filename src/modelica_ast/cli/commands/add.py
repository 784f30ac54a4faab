"""`modelica-patch add`: a component, a class, an equation, an extends, an import."""

from __future__ import annotations

import argparse
from pathlib import Path

from modelica_ast.cli.address import PACKAGE_FILE, Address
from modelica_ast.cli.commands.values import dimensions_of
from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import tell
from modelica_ast.cli.words import add_place_options, import_of, member_of, modifiers_of, point_of, where_of
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.foundation import split_name
from modelica_ast.semantics import PREDEFINED

DESCRIPTION = """
Add something new. Without another option ADDRESS is the name of a new component, TYPE its type, and NAME=VALUE are its
modifiers. It looks like its neighbours: indentation, blanks, line ends. --connect connects it and --at places it in the
diagram. Modifiers and connectors that do not exist are reported as by 'set' and 'connect'.
"""
EXAMPLES = """
  modelica-patch add Arm.mo::Arm.damper Modelica.Mechanics.Rotational.Components.Damper d=0.1 \\
      --connect flange_a=motor.flange --connect flange_b=base.flange --at 20,-30
                                                                  a connected component
  modelica-patch add Arm.mo::Arm.m Modelica.Units.SI.Mass =1.5 --prefixes parameter --description 'of the arm'
                                                                  a parameter with a value
  modelica-patch add Lib/::Lib.Parts.Gripper --kind model         a class of a library: file and package.order too
  modelica-patch add Lib/::Lib.Parts --definition 'model Brake end Brake;' --after Motor
                                                                  the same, given as Modelica
  modelica-patch add Arm.mo::Arm --equation 'der(x) = v'          an equation
  modelica-patch add Arm.mo::Arm --extends Base n=3               an extends clause
  modelica-patch add Arm.mo::Arm --import SI=Modelica.Units.SI    an import
"""
USAGE = """modelica-patch add ADDRESS TYPE [NAME=VALUE ...] [options]
       modelica-patch add ADDRESS --kind KIND | --definition TEXT | --equation TEXT | --statement TEXT
       modelica-patch add ADDRESS --extends BASE [NAME=VALUE ...] | --import NAME"""


# What goes into the class ADDRESS.
_INSIDE = ("equation", "statement", "imported", "definition", "literal", "member")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `add` takes."""
    parser.add_argument("address", metavar="ADDRESS", help="the new component or class; for the rest, the class")
    parser.add_argument("words", nargs="*", metavar="TYPE NAME=VALUE", help="type and modifiers; =VALUE is its value")
    what = parser.add_argument_group("instead of a component").add_mutually_exclusive_group()
    what.add_argument("--kind", metavar="KIND", help="a class of this kind: model, block, package, …")
    what.add_argument("--definition", metavar="TEXT", help="a class inside ADDRESS, given as Modelica")
    what.add_argument("--equation", metavar="TEXT", action="append", help="an equation (may be repeated)")
    what.add_argument("--statement", metavar="TEXT", action="append", help="a statement of the algorithm")
    what.add_argument("--extends", metavar="BASE", help="an extends clause, NAME=VALUE its modifiers")
    what.add_argument("--literal", metavar="NAME", action="append", help="a literal of the enumeration ADDRESS")
    what.add_argument("--member", metavar="NAME", help="one more name in the list of an import: A.B.c")
    what.add_argument("--import", dest="imported", metavar="NAME", help="A.B, C=A.B, A.B.* or A.B.{C,D}")
    parser.add_argument("--initial", action="store_true", help="in the initial equation or algorithm section")
    more = parser.add_argument_group("of the component or class")
    more.add_argument("--description", metavar="TEXT", help="the string after it")
    more.add_argument("--prefixes", metavar="WORDS", default="", help="words before the type: 'final parameter'")
    more.add_argument("--dimensions", metavar="LIST", default="", help="of an array: '3', 'n,:'")
    more.add_argument("--condition", metavar="EXPRESSION", help="after 'if'")
    more.add_argument(
        "--annotation", metavar="PATH=VALUE", action="append", default=[], help="in its annotation (repeatable)"
    )
    more.add_argument("--string", action="store_true", help="take values as strings, without quotes")
    more.add_argument("--connect", metavar="MINE=OTHER", action="append", default=[], help="connect it (repeatable)")
    more.add_argument("--at", metavar="X,Y", help="its middle in the diagram")
    add_place_options(parser)
    add_write_options(parser, names=True)


def run(options: argparse.Namespace) -> int:
    """Add it, and show or write the result."""
    session = Session()
    edits(options, session)
    return finish(session, options)


def edits(options: argparse.Namespace, session: Session) -> None:
    """Make the edits."""
    address = session.address(options.address)
    if address.annotation is not None:
        raise CommandError("an annotation is set, not added: modelica-patch annotate")
    if options.kind is not None:
        _add_class(options, session, address)
    elif options.extends is not None:
        handle = session.find_class(address)
        if options.words:
            session.watch(handle)
        handle.add_extends(
            options.extends, modifiers_of(options.words, handle.document.tree.text, is_string=options.string)
        )
    elif any(getattr(options, name) is not None for name in _INSIDE):
        if options.words:
            raise CommandError(f"'{options.words[0]}' is left over")
        handle = _find_around(session, address) if options.definition is not None else session.find_class(address)
        if options.definition is not None or any("connect" in text for text in options.equation or ()):
            session.watch(handle)  # PERF: others name nothing that is judged
        _add_to_class(options, handle)
    else:
        _add_component(options, session, address)


def _add_to_class(options: argparse.Namespace, handle: ClassHandle) -> None:
    beside = {"before": options.before, "after": options.after}
    for equation in options.equation or ():
        handle.add_equation(equation, initial=options.initial, **beside)
    for statement in options.statement or ():
        handle.add_statement(statement, initial=options.initial, **beside)
    last: str | None = None
    for literal in options.literal or ():  # in the order in which they are given
        where = {**beside, "place": "first" if options.first else None} if last is None else {"after": last}
        handle.add_literal(literal, description=options.description, **where)
        last = literal
    if options.member is not None:
        handle.add_import_member(*member_of(options.member), **beside)
    if options.imported is not None:
        handle.add_import(**import_of(options.imported))
    if options.definition is not None:
        handle.insert_class(options.definition, **where_of(options))


def _parent(address: Address, what: str) -> tuple[Address, str]:
    *around, name = split_name(address.name)
    if not around:
        raise CommandError(f"'{address}' names no class for the {what}: write {address.place}::Class.{name or 'name'}")
    return Address(address.place, ".".join(around), None), name


def _find_around(session: Session, address: Address) -> ClassHandle:
    """The class that another is added to; a package with a folder through its library, for that one gets a file."""
    place = Path(address.place)
    library = session.library_of(address) if place.is_dir() or _is_folder(place, address.name) else None
    handle = session.find_class(address)
    return handle if library is None else library[0].find_class(library[1])


def _is_folder(place: Path, name: str) -> bool:
    """Is it the package that a package.mo stands for, and not a class inside it?"""
    if place.name != PACKAGE_FILE or not name:
        return False
    from modelica_ast.library import name_and_version  # noqa: PLC0415  (PERF: most edits are of one file)

    return split_name(name)[-1] == name_and_version(place.resolve().parent)[0]


def _add_class(options: argparse.Namespace, session: Session, address: Address) -> None:
    if options.words:
        raise CommandError(f"'{options.words[0]}' is not expected here: a class has no type")
    library = session.library_of(address)
    *names, name = split_name(address.name if library is None else library[1])
    if library is not None and names:
        owner: ClassHandle | Document = library[0].find_class(".".join(names))
    elif library is None and not names:
        owner = session.document(address.place)
    else:
        owner = session.find_class(_parent(address, "class")[0])
    owner.add_class(name, options.kind, description=options.description, **where_of(options))


def _add_component(options: argparse.Namespace, session: Session, address: Address) -> None:
    if not options.words:
        raise CommandError(f"the type of '{address}' is missing; --kind model would add a class")
    type_, *words = options.words
    if "=" in type_:
        raise CommandError(f"'{type_}' is given where the type is expected: ADDRESS TYPE NAME=VALUE")
    around, name = _parent(address, "component")
    handle = session.find_class(around)
    own = [word for word in words if word.startswith("=")]
    known = handle.document.tree.text
    modifiers = modifiers_of((word for word in words if not word.startswith("=")), known, is_string=options.string)
    if options.connect or not PREDEFINED.get(type_, frozenset()).issuperset(modifiers):
        session.watch(handle)  # PERF: what names nothing needs no look
    component = handle.add_component(
        type_,
        name,
        modifiers,
        description=options.description,
        prefixes=options.prefixes.split(),
        dimensions=dimensions_of(options.dimensions),
        condition=options.condition,
        annotation=modifiers_of(options.annotation, known, is_string=options.string),
        **where_of(options),
    )
    for word in own:
        component.set("", modifiers_of([f"value{word}"], known, is_string=options.string)["value"])
    if options.at is not None:
        for left in component.place(*point_of(options.at)):
            tell(f"the line from {left.one} to {left.other} stays: {left.reason}", quiet=options.quiet)
    for ends in options.connect:
        mine, equals, other = ends.partition("=")
        if not equals:
            raise CommandError(f"'{ends}' is not a connection: write MINE=OTHER, flange_a=motor.flange")
        handle.connect(f"{component.name}.{mine.strip()}" if mine.strip() else component.name, other.strip())
