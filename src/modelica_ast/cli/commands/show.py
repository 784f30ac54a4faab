"""`modelica-patch get` and `show`: the value of something, and what is in a file, a class, a library."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modelica_ast.cli.address import STANDARD_STREAM, Address, Found
from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK, EXIT_UNREADABLE, CommandError, cannot_read
from modelica_ast.cli.outlines import class_data, headline, outline
from modelica_ast.cli.places import add_library_option
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import complain, count, printable, printable_error, source_text, styled, tell, write_json
from modelica_ast.files import is_file
from modelica_ast.foundation import ModelicaError, ModelicaSyntaxError, NotFoundError, Source, nearest, split_name
from modelica_ast.tree import ClassDefinition, StoredDefinition, parse_file, parse_source

if TYPE_CHECKING:
    from modelica_ast.library import FileEntry, Libraries


class Get:
    """`modelica-patch get`: the value of something, as it is written."""

    DESCRIPTION = """
Print values: of a parameter, of a modifier at any depth, of an annotation. Each value is printed on a line of its own,
as it is written in the file. What is not set there has the value that its class or a base class gives it; a note says
which. The exit code is 1 if something has no value.
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

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `get` takes."""
        parser.add_argument("addresses", nargs="+", metavar="ADDRESS", help="see 'modelica-patch help addresses'")
        parser.add_argument(
            "--extends",
            metavar="BASE",
            help="the first ADDRESS is a class, the others are modifiers of its 'extends BASE'",
        )
        parser.add_argument(
            "--json", action="store_true", help="an object of addresses and values; null where there is none"
        )
        add_library_option(parser)

    @staticmethod
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


class Show:
    """`modelica-patch show`: what is in a file, a class, a library?"""

    DESCRIPTION = """
Show the contents: classes, what they extend and import, components with types and values, connections. A library's
folder is shown as a tree of its classes, with the problems of its files. --parameters lists the parameters of a class
with values and units, inherited ones too; types are looked up in the installed libraries. A component is shown with
the parameters of its type, their values, and where these come from: a modifier here or elsewhere, or a default.
"""

    EXAMPLES = """
  modelica-patch show Arm.mo                        the outline of a file
  modelica-patch show Arm.mo::Robot.Link1           one class of it
  modelica-patch show Lib/                          the classes of a library
  modelica-patch show Lib/::Lib.Arm                 one class of a library
  modelica-patch show Modelica.Blocks.Continuous    a class of an installed library
  modelica-patch show Arm.mo::Robot --parameters    its parameters, with units
  modelica-patch show Arm.mo::Robot.body            a component: the parameters of its type, and who sets them
  modelica-patch show --json Arm.mo                 for programs
  cat Arm.mo | modelica-patch show -
"""

    USAGE = "modelica-patch show ADDRESS [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `show` takes."""
        parser.add_argument("target", metavar="ADDRESS", help="a .mo file, a library's folder or -, or a class in it")
        parser.add_argument("--parameters", action="store_true", help="a table of the parameters of one class")
        parser.add_argument("--depth", type=int, metavar="N", help="show classes inside classes only to this depth")
        add_library_option(parser)
        parser.add_argument("--json", action="store_true", help="as JSON, for programs")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Show the target; the exit code."""
        session = Session(libraries=options.library)
        address = session.address(options.target)
        if address.annotation is not None:
            raise CommandError(f"'{address}' is an annotation: 'modelica-patch get {address}' shows it")
        if options.parameters:
            return _show_parameters(session, address, as_json=options.json)
        try:
            if address.place != STANDARD_STREAM and Path(address.place).is_dir():
                return _show_library(address.place, address.name, options)
            return _show_file(address.place, address.name, options)
        except (CommandError, NotFoundError):
            found = _component_at(session, address)
            if found is None:
                raise
        return _show_component(session, found, as_json=options.json)


# ---------------------------------------------------------------- components


def _component_at(session: Session, address: Address) -> Found | None:
    """A component by its address; None if there is none."""
    if not address.name or address.place == STANDARD_STREAM:
        return None
    try:
        found = session.find_member(address)
    except ModelicaError:
        return None
    if found.literal is not None:
        raise CommandError(f"'{address}' is a literal: 'modelica-patch show' of its enumeration lists it")
    if found.component is None and found.modifier:
        raise CommandError(f"'{address}' is a modifier: 'modelica-patch get {address}' shows it")
    return None if found.is_class else found


def _show_component(session: Session, found: Found, *, as_json: bool) -> int:
    from modelica_ast.cli.outlines import part_data, part_of  # noqa: PLC0415  (PERF: an outline does without)

    part = part_of(session, found)
    if as_json:
        write_json(part_data(part))
        return EXIT_OK
    instance = part.instance
    words = [*instance.member.prefixes, instance.type_name or instance.type_text]
    name = styled(printable(part.path), "name", sys.stdout)
    value = f" = {part.value.text}" if part.value is not None else ""
    description = f'  "{instance.description}"' if instance.description else ""
    sys.stdout.write(f"{printable(' '.join(words))} {name}{printable(value + description)}\n")
    sys.stdout.write(printable(f"  declared in {part.declared}") + "\n")
    if part.value is not None:
        sys.stdout.write(printable(f"  {part.value}, {part.value.place}") + "\n")
    if instance.type_name is None:
        tell(
            f"its type '{instance.type_text}' is not found: name the library that it is in with --library DIR",
            quiet=False,
        )
    if part.parameters:
        rows = [(p.name, p.value or "", p.unit or "", str(o or ""), p.description) for p, o in part.parameters]
        _write_table([("name", "value", "unit", "from", "description"), *rows], widest=70)
    return EXIT_OK


# ---------------------------------------------------------------- files


def _show_file(place: str, name: str, options: argparse.Namespace) -> int:
    tree = _read(place)
    classes = tree.classes if not name else [find_class(tree, name, place)]
    if options.json:
        write_json({"within": tree.within, "classes": [class_data(found) for found in classes]})
    else:
        for found in classes:
            sys.stdout.writelines(line + "\n" for line in outline(found, depth=options.depth))
        if not classes and not tree.errors:
            tell(f"{place}: there is no class in it", quiet=False)
    for broken in tree.errors:
        tell(printable_error(broken), quiet=False)
    return EXIT_UNREADABLE if tree.errors else EXIT_OK


def _read(place: str) -> StoredDefinition:
    """A file as a tree; of a broken one, what can be read."""
    if place == STANDARD_STREAM:
        return parse_source(Source.from_bytes(sys.stdin.buffer.read(), Path("<standard input>")), recover=True)
    try:
        return parse_file(Path(place), recover=True)
    except OSError as error:
        raise cannot_read(place, error) from None


def find_class(tree: StoredDefinition, name: str, place: str) -> ClassDefinition:
    """The class of a dotted name, with or without `within` before it; CommandError names the nearest."""
    if tree.within and name.startswith(tree.within + "."):
        name = name[len(tree.within) + 1 :]
    around, scope = "the file", tree.classes
    owner: ClassDefinition | None = None
    found: ClassDefinition | None = None
    for part in split_name(name):
        found = next((c for c in scope if c.name in {part, f"'{part}'"}), None)
        if found is None:
            is_component = owner is not None and owner.get_component(part) is not None
            hint = ": it is a component" if is_component else nearest(part, [c.name for c in scope])
            raise CommandError(f"{place}: no class '{part}' in {around}{hint}")
        owner, around, scope = found, f"'{found.name}'", found.classes
    assert found is not None  # a name has one part at least
    return found


# ---------------------------------------------------------------- libraries


def _show_library(place: str, name: str, options: argparse.Namespace) -> int:
    from modelica_ast.library import Libraries, libraries_in  # noqa: PLC0415  (PERF: for folders only)

    if not is_file(Path(place) / "package.mo"):
        names = sorted({found.name for found in libraries_in(Path(place))})
        inside = f"; there is {', '.join(names)} in it: write {place}::{names[0]}" if names else "; name a file"
        raise CommandError(f"{place} is not a library: there is no package.mo in it{inside}", EXIT_UNREADABLE)
    libraries = Libraries([place])
    if name:
        try:
            _, entry, rest = libraries.entry_of(name)
        except NotFoundError as error:
            raise CommandError(str(error)) from None
        if rest:
            libraries.find_class(name)  # which knows the classes in other files, and names the nearest
        if rest or not entry.children:
            return _show_file(str(entry.path), ".".join([entry.name, *rest]), options)
        start = entry
    else:
        start = next(iter(libraries)).root
    if options.json:
        write_json(_tree_data(libraries, start))
    else:
        _write_tree(libraries, start, options.depth)
    for problem in libraries.problems:
        tell(printable(str(problem)), quiet=False)
    return EXIT_OK


def _entries(start: FileEntry) -> list[tuple[int, FileEntry]]:
    """All files below one, in the order of package.order, with their depth."""
    found, todo = [], [(0, start)]
    while todo:
        level, entry = todo.pop()
        found.append((level, entry))
        todo += [(level + 1, child) for child in reversed(entry.in_order())]
    return found


def _write_tree(libraries: Libraries, start: FileEntry, depth: int | None) -> None:
    shown = [(level, entry) for level, entry in _entries(start) if depth is None or level <= depth]
    for level, entry in shown:
        indent = "  " * level
        tree = _parsed(libraries, entry)
        if tree is None:
            sys.stdout.write(f"{indent}{styled(entry.name, 'error', sys.stdout)}  (can't be read)\n")
            continue
        for definition in tree.classes[:1]:
            sys.stdout.write(f"{indent}{headline(definition)}\n")
            if depth is None or level < depth:
                sys.stdout.writelines(f"{indent}  {headline(inner)}\n" for inner in definition.classes)
    tell(count(len(shown), "file"), quiet=False)


def _parsed(libraries: Libraries, entry: FileEntry) -> StoredDefinition | None:
    try:
        return libraries.document(entry).tree
    except (ModelicaSyntaxError, OSError) as error:
        tell(printable_error(error) if isinstance(error, ModelicaSyntaxError) else printable(str(error)), quiet=False)
        return None


def _tree_data(libraries: Libraries, start: FileEntry) -> dict[str, Any]:
    parsed = [(entry, _parsed(libraries, entry)) for _, entry in _entries(start)]
    classes = [
        {"file": str(entry.path), **class_data(definition)}
        for entry, tree in parsed
        if tree is not None
        for definition in tree.classes[:1]
    ]
    problems = [{"file": str(p.path), "line": p.line, "message": p.message} for p in libraries.problems]
    return {"library": start.full_name, "classes": classes, "problems": problems}


# ---------------------------------------------------------------- parameters


def _show_parameters(session: Session, address: Address, *, as_json: bool) -> int:
    from modelica_ast.cli.outlines import parameters_of  # noqa: PLC0415  (PERF: the library is for this alone)

    if address.place == STANDARD_STREAM:
        raise CommandError("--parameters needs a file or a library")
    if not address.name:
        raise CommandError(f"--parameters is about one class: {address.place}::NAME")
    try:
        name, found = parameters_of(session, str(address))
    except OSError as error:
        raise cannot_read(address.place, error) from None
    if as_json:
        write_json({"class": name, "parameters": [dict(vars(parameter)) for parameter in found]})
        return EXIT_OK
    rows = [(p.name, p.value or "", p.unit or "", p.type, p.description) for p in found]
    _write_table([("name", "value", "unit", "type", "description"), *rows])
    return EXIT_OK


def _write_table(rows: list[tuple[str, ...]], *, widest: int = 40) -> None:
    """Columns of text; the first row is the heading."""
    widths = [min(max(map(len, column)), widest) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        sys.stdout.write((printable(line) if number else styled(line, "header", sys.stdout)) + "\n")
