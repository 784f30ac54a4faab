"""`modelica-patch remove`: what an address names, with the comments that belong to it."""

from __future__ import annotations

import argparse
from pathlib import Path

from modelica_ast.cli.address import Address, Found, Inherited, refuse_without_constraint
from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, count, tell
from modelica_ast.cli.words import import_of, member_of
from modelica_ast.edit import Comments, ComponentHandle, connections_of, uses_of
from modelica_ast.foundation import NotFoundError
from modelica_ast.syntax import Green, Node, child_at, symbol

DESCRIPTION = """
Remove a class, a component, a modifier or an annotation, with the comments that belong to it. Of 'a, b, c' only the one
that you name goes; parentheses that become empty go too. A class that is still in use is not removed: you see its
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
_Place = tuple[Path | None, tuple[int, ...]]  # a file, and a path in its tree
USAGE = "modelica-patch remove ADDRESS [ADDRESS ...] [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `remove` takes."""
    parser.add_argument("addresses", nargs="+", metavar="ADDRESS", help="see 'modelica-patch help addresses'")
    parser.add_argument("--keep-comments", action="store_true", help="leave the comments where they are")
    parser.add_argument("--constrainedby", action="store_true", help="modifiers of what they are constrained by")
    parser.add_argument("--connections", action="store_true", help="with a component, its connect equations")
    what = parser.add_argument_group("out of the class ADDRESS, instead of itself")
    what.add_argument("--equation", metavar="TEXT", action="append", default=[], help="an equation (repeatable)")
    what.add_argument("--statement", metavar="TEXT", action="append", default=[], help="a statement (repeatable)")
    what.add_argument("--extends", metavar="BASE", action="append", default=[], help="an extends clause (repeatable)")
    what.add_argument("--import", dest="imported", metavar="NAME", action="append", default=[], help="an import")
    what.add_argument("--member", metavar="NAME", action="append", default=[], help="one of an import list: A.B.c")
    what.add_argument("--modifier", metavar="PATH", help="with --extends: this modifier of it, not the clause")
    add_write_options(parser)


def run(options: argparse.Namespace) -> int:
    """Remove it, and show or write the result."""
    session = Session()
    edits(options, session)
    return finish(session, options)


def edits(options: argparse.Namespace, session: Session) -> None:
    """Make the edits."""
    inside = any((options.equation, options.statement, options.extends, options.imported, options.member))
    for text in options.addresses:
        address = session.address(text)
        if inside:
            _remove_from_class(options, session, address)
        elif not _remove_from_library(session, address, options):
            _remove(session, address, options)


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
