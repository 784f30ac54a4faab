"""`modelica-patch add`, `remove`, `connect` and `disconnect`: what a class has, put in and taken out."""

from __future__ import annotations

import argparse
from pathlib import Path

from modelica_ast.cli.address import PACKAGE_FILE, Address, Found, Inherited, refuse_without_constraint
from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, count, tell
from modelica_ast.cli.words import (
    add_place_options,
    dimensions_of,
    import_of,
    member_of,
    modifiers_of,
    pairs,
    point_of,
    where_of,
)
from modelica_ast.edit import ClassHandle, Comments, ComponentHandle, Document, connections_of, uses_of
from modelica_ast.foundation import NotFoundError, split_name
from modelica_ast.syntax import Green, Node, child_at, symbol


class Add:
    """`modelica-patch add`: a component, a class, an equation, an extends, an import."""

    DESCRIPTION = """
Add something new. Without another option ADDRESS is the name of a new component, TYPE its type, and NAME=VALUE are its
modifiers. It looks like its neighbours: indentation, blanks, line ends. --connect connects it and --at places it in
the diagram. Modifiers and connectors that do not exist are reported as by 'set' and 'connect'.
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

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `add` takes."""
        parser.add_argument("address", metavar="ADDRESS", help="the new component or class; for the rest, the class")
        parser.add_argument(
            "words", nargs="*", metavar="TYPE NAME=VALUE", help="type and modifiers; =VALUE is its value"
        )
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
        more.add_argument(
            "--connect", metavar="MINE=OTHER", action="append", default=[], help="connect it (repeatable)"
        )
        more.add_argument("--at", metavar="X,Y", help="its middle in the diagram")
        add_place_options(parser)
        add_write_options(parser, names=True)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Add it, and show or write the result."""
        session = Session()
        Add.edits(options, session)
        return finish(session, options)

    @staticmethod
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


# What goes into the class ADDRESS.
_INSIDE = ("equation", "statement", "imported", "definition", "literal", "member")


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
    from modelica_ast.semantics import PREDEFINED  # noqa: PLC0415  (PERF: only a component has a type)

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


class Remove:
    """`modelica-patch remove`: what an address names, with the comments that belong to it."""

    DESCRIPTION = """
Remove a class, a component, a modifier or an annotation, with the comments that belong to it. Of 'a, b, c' only the
one that you name goes; parentheses that become empty go too. A class that is still in use is not removed: you see its
users. The uses of a component stay, and a message says how many there are; --connections takes its connect equations
along. A modifier of something that the class inherits is taken off the extends clause.
"""

    EXAMPLES = """
  modelica-patch remove Arm.mo::Arm.damper --connections     a component with its connections
  modelica-patch remove Arm.mo::Arm.body.m                   a modifier
  modelica-patch remove Arm.mo::Arm.body@Placement           an annotation
  modelica-patch remove Lib/::Lib.Old -i                     a class of a library, its file and its package.order line
  modelica-patch remove Arm.mo::Arm --equation 'der(x) = v'  an equation, whatever its blanks and comments
  modelica-patch remove Arm.mo::Arm --equation 'der($x) = $_' an equation that looks like this
  modelica-patch remove Arm.mo::Arm --extends Base           an extends clause
  modelica-patch remove Lamps.mo::Color.red                  a literal of an enumeration
  modelica-patch remove Arm.mo::Arm --member Modelica.Math.sin
                                                             one name of 'import Modelica.Math.{sin, cos}'
"""

    USAGE = "modelica-patch remove ADDRESS [ADDRESS ...] [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `remove` takes."""
        parser.add_argument("addresses", nargs="+", metavar="ADDRESS", help="see 'modelica-patch help addresses'")
        parser.add_argument("--keep-comments", action="store_true", help="leave the comments where they are")
        parser.add_argument("--constrainedby", action="store_true", help="modifiers of what ADDRESS is constrained by")
        parser.add_argument("--connections", action="store_true", help="with a component, its connect equations")
        what = parser.add_argument_group("out of the class ADDRESS, instead of itself")
        what.add_argument("--equation", metavar="TEXT", action="append", default=[], help="an equation (repeatable)")
        what.add_argument("--statement", metavar="TEXT", action="append", default=[], help="a statement (repeatable)")
        what.add_argument(
            "--extends", metavar="BASE", action="append", default=[], help="an extends clause (repeatable)"
        )
        what.add_argument("--import", dest="imported", metavar="NAME", action="append", default=[], help="an import")
        what.add_argument("--member", metavar="NAME", action="append", default=[], help="one of an import list: A.B.c")
        what.add_argument("--modifier", metavar="PATH", help="with --extends: this modifier of it, not the clause")
        add_write_options(parser)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Remove it, and show or write the result."""
        session = Session()
        Remove.edits(options, session)
        return finish(session, options)

    @staticmethod
    def edits(options: argparse.Namespace, session: Session) -> None:
        """Make the edits."""
        inside = any((options.equation, options.statement, options.extends, options.imported, options.member))
        for text in options.addresses:
            address = session.address(text)
            if inside:
                _remove_from_class(options, session, address)
            elif not _remove_from_library(session, address, options):
                _remove(session, address, options)


_Place = tuple[Path | None, tuple[int, ...]]  # a file, and a path in its tree


def _comments(options: argparse.Namespace) -> Comments:
    return "keep" if options.keep_comments else "drop"


def _remove_from_class(options: argparse.Namespace, session: Session, address: Address) -> None:
    handle, comments = session.find_class(address), _comments(options)
    for equation in options.equation:
        handle.remove_equation(equation, comments=comments)
    for statement in options.statement:
        handle.remove_statement(statement, comments=comments)
    for base in options.extends:
        if options.modifier is not None:
            handle.remove_extends_modifier(base, options.modifier, comments=comments)
        else:
            handle.remove_extends(base, comments=comments)
    for name in options.imported:
        handle.remove_import(**import_of(name), comments=comments)
    for name in options.member:
        handle.remove_import_member(*member_of(name), comments=comments)


def _remove_from_library(session: Session, address: Address, options: argparse.Namespace) -> bool:
    """Remove a class that other files may use; False if it is something else, or in no library."""
    if address.annotation is not None or not session.is_class_of_library(address):
        return False
    library = session.library_of(address)
    assert library is not None
    from modelica_ast.refactor import remove_class  # noqa: PLC0415  (PERF: most edits are of one file)

    libraries, full_name = library
    with Progress("looking for its uses", quiet=options.quiet) as progress:
        remove_class(libraries, full_name, comments=_comments(options), progress=progress)
    return True


def _remove(session: Session, address: Address, options: argparse.Namespace) -> None:
    found, comments = session.find_member(address), _comments(options)
    if options.constrainedby:
        refuse_without_constraint(found, address)
    if address.annotation is not None:
        if found.modifier or found.literal is not None:
            what = "modifier" if found.modifier else "literal"
            raise CommandError(f"'{address.name}' is a {what}: it has no annotation to remove")
        owner = found.handle if found.component is None else found.declaration
        owner.remove_annotation(address.annotation, comments=comments)
    elif found.literal is not None:
        found.handle.remove_literal(found.literal, comments=comments)
    elif found.is_class:
        found.handle.remove(comments=comments)
    elif found.component is None:
        found.handle.remove_modifier(found.modifier, comments=comments)
    elif found.inherited is not None:
        _remove_inherited(found, found.inherited, comments)
    elif found.modifier and options.constrainedby:
        found.declaration.remove_constraint_modifier(found.modifier, comments=comments)
    elif found.modifier:
        found.declaration.remove_modifier(found.modifier, comments=comments)
    else:
        component = found.declaration
        uses = _uses(session, address, component, quiet=options.quiet)
        own = {(component.document.work.file, each.path) for each in connections_of(found.handle.view)}
        component.remove(connections=options.connections, comments=comments)
        left = {use for use in uses if use is not None and not (options.connections and use in own)}
        others = uses.count(None)
        if left or others:
            kinds = [(len(left), "connection"), (others, "other use" if left else "use")]
            told = " and ".join(count(number, kind) for number, kind in kinds if number)
            hint = "; --connections takes the connections along" if left & own else ""
            verb = "names" if len(left) + others == 1 else "name"
            tell(f"{told} still {verb} '{component.name}'{hint}", quiet=options.quiet)


def _remove_inherited(found: Found, inherited: Inherited, comments: Comments) -> None:
    """Take a modifier off the extends clause; what the base class has can't be removed here."""
    try:
        found.handle.remove_extends_modifier(inherited.base, found.path, comments=comments)
    except NotFoundError:
        raise CommandError(
            f"'{found.component}' is declared in {inherited.declared}, and 'extends {inherited.base}' in "
            f"'{found.handle.name}' does not modify '{found.path}': there is nothing to remove here"
        ) from None


def _uses(session: Session, address: Address, component: ComponentHandle, *, quiet: bool) -> list[_Place | None]:
    """For each use of a component, in its file or in all files of its library, the connection around it, or None."""
    library = session.library_of(address)
    if library is None:
        root, places = uses_of(component.document.tree, component.view)
        file = component.document.work.file
        return [_connection_around(file, root, place) for place in places]
    from modelica_ast.library import references  # noqa: PLC0415  (PERF: most edits are of one file)

    libraries, full_name = library
    with Progress("looking for its uses", quiet=quiet) as progress:
        found = references(libraries, full_name, progress=progress)
    return [_connection_around(use.file, libraries.document_at(use.file).work.root, use.path) for use in found]


def _connection_around(file: Path | None, root: Node, place: tuple[int, ...]) -> _Place | None:
    node: Green = root
    for depth, index in enumerate(place):
        if isinstance(node, str):  # an annotation that is not read
            break
        if symbol(node) == "connect_equation":
            return file, place[:depth]
        node = child_at(node, index)
    return None


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
