"""`modelica-patch references`, `rename`, `move`, `copy`, `convert`: classes and components, and all that names them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK, EXIT_UNREADABLE, CommandError, reading
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.places import add_library_option, settle
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, count, source_text, styled, tell, write_json
from modelica_ast.cli.words import add_place_options, pairs, point_of, where_of
from modelica_ast.foundation import ModelicaError, shown, split_name

if TYPE_CHECKING:
    from modelica_ast.refactor import Note

_A = TypeVar("_A")
_B = TypeVar("_B")


class References:
    """`modelica-patch references`: where a class or a component is used."""

    DESCRIPTION = """
List every place where a class or a component is used, in all files of its library: by meaning, not by text, so the
same name with another meaning is not listed. The exit code is 1 if there is none.
"""
    EXAMPLES = """
  modelica-patch references Lib/::Lib.Parts.Body
  modelica-patch references Lib/::Lib.Arm.m --json
  modelica-patch references Lib/::Lib.Arm --with Other/     in libraries that use this one, too
"""
    USAGE = "modelica-patch references ADDRESS [--with LIBRARY] [--json]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `references` takes."""
        parser.add_argument("address", metavar="ADDRESS", help="a class or a component")
        searched = "another library (folder or file) to look into; repeatable"
        parser.add_argument("--with", dest="also", metavar="LIBRARY", action="append", default=[], help=searched)
        add_library_option(parser)
        parser.add_argument("--json", action="store_true", help="as JSON, for programs")
        parser.add_argument("-q", "--quiet", action="store_true", help="no count at the end")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """List them; 1 if there is none."""
        from modelica_ast.library import references  # noqa: PLC0415  (PERF: only here)

        session = Session(options.also, libraries=options.library)
        libraries, full_name = session.own_library_of(session.address(options.address))
        with Progress("searching", quiet=options.quiet) as progress:
            uses = references(libraries, full_name, progress=progress)
        found = sorted(uses, key=lambda use: (str(use.file), use.line, use.column))
        if options.json:
            data = [{"file": str(u.file), "line": u.line, "column": u.column, "text": u.around} for u in found]
            write_json({"name": full_name, "references": data})
        else:
            for use in found:
                place = styled(f"{shown(use.file)}:{use.line}:{use.column}", "place", sys.stdout)
                sys.stdout.write(f"{place}: {source_text(use.around, sys.stdout)}\n")
            tell(f"{full_name} is used {count(len(found), 'time')}", quiet=options.quiet)
        return EXIT_OK if found else EXIT_FOUND


WITH_HELP = "another library (folder or file) that follows the change; repeatable"


class Rename:
    """`modelica-patch rename`: a class or a component with all its uses."""

    DESCRIPTION = """
Rename a class, a component or a literal of an enumeration with all its uses: in the file, and if the file is part of a
library, in all files of the library, with file names, package.order, modelica:// links, scripts and resources. It is
refused where a name would come to mean something else. NEW is the last part of the name only; use 'move' for another
package.
"""
    EXAMPLES = """
  modelica-patch rename MyLib/::MyLib.Arm Robot               see what would change in all files of MyLib
  modelica-patch rename MyLib/::MyLib.Arm Robot --in-place    do it
  modelica-patch rename MyLib/::MyLib.Arm Robot --with Other/ libraries that use MyLib follow too
  modelica-patch rename Arm.mo::Arm.body link1                a component
  modelica-patch rename Arm.mo::Arm.a x Arm.mo::Arm.b y       two at once: both or none
"""
    USAGE = "modelica-patch rename ADDRESS NEW [ADDRESS NEW ...] [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `rename` takes."""
        parser.add_argument("words", nargs="+", metavar="ADDRESS NEW", help="what, and its new name")
        parser.add_argument("--with", dest="also", metavar="LIBRARY", action="append", default=[], help=WITH_HELP)
        parser.add_argument(
            "--only-file", action="store_true", help="look at no other file, even if it is part of a library"
        )
        add_write_options(parser)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Rename it, and show or write the result."""
        session = Session(options.also)
        Rename.edits(options, session)
        return finish(session, options)

    @staticmethod
    def edits(options: argparse.Namespace, session: Session) -> None:
        """Make the edits."""
        for text, new in pairs(options.words, "addresses and new names"):
            address = session.address(text)
            if address.annotation is not None:
                raise CommandError("an annotation has no name of its own to change")
            library = None if options.only_file else session.library_of(address) or session.lone_library_of(address)
            if library is not None:
                from modelica_ast.refactor import rename  # noqa: PLC0415  (PERF: most edits are of one file)

                libraries, full_name = library
                if sum(len(known.files()) for known in libraries) > 1:
                    tell(f"looking at all files of {', '.join(known.name for known in libraries)}", quiet=options.quiet)
                with Progress("renaming", quiet=options.quiet) as progress:
                    rename(libraries, full_name, new, progress=progress)
                continue
            if options.also:
                raise CommandError(f"{address.place} is not in a library, so --with has nothing to follow")
            found = session.find(address)
            if found.is_class:
                found.handle.rename(new)
            elif found.literal is not None:
                found.handle.rename_literal(found.literal, new)
            elif found.component is None or found.modifier:
                raise CommandError(f"'{address}' is a modifier: its name is that of what it modifies")
            else:
                found.handle.find_component(found.component).rename(new)


class Move:
    """`modelica-patch move`: a class to another package; anything to another place."""

    DESCRIPTION = """
With --to, move a class to another package of its library: all names that lead to it and all names inside it go on
meaning the same, in the shortest form that does; files, folders, package.order, links and resources follow. With
--before, --after, --first, --last, change the order of classes or components. With --at, move a component in the
diagram, its lines with it.
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

    @staticmethod
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

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Move it, and show or write the result."""
        session = Session(options.also)
        Move.edits(options, session)
        return finish(session, options)

    @staticmethod
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
            raise CommandError(
                "say where to move it: one of --to, --at, --before, --after, --first, --last, --sorted, --section"
            )
        if options.to is not None:
            from modelica_ast.refactor import move_class  # noqa: PLC0415  (PERF: most edits are of one file)

            libraries, full_name = session.own_library_of(address)
            with Progress("moving", quiet=options.quiet) as progress:
                move_class(
                    libraries, full_name, options.to, before=options.before, after=options.after, progress=progress
                )
            return
        found = session.find(address)
        if found.modifier or found.literal is not None or address.annotation is not None:
            raise CommandError(f"'{address}' is neither a class nor a component")
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


class Copy:
    """`modelica-patch copy`: a class to a package, with names that still mean the same."""

    DESCRIPTION = """
Copy a class to a package of its library, or under another name beside itself. Names inside the copy that would mean
something else in the new place are rewritten so that they mean the same as before.
"""
    EXAMPLES = """
  modelica-patch copy MyLib/::MyLib.Arm --as Arm2              beside itself
  modelica-patch copy MyLib/::MyLib.Arm --to MyLib.Robots      to another package
"""
    USAGE = "modelica-patch copy ADDRESS [--to PACKAGE] [--as NAME] [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `copy` takes."""
        parser.add_argument("address", metavar="ADDRESS", help="a class")
        parser.add_argument("--to", metavar="PACKAGE", help="the package it goes to, by its full name; else its own")
        parser.add_argument("--as", dest="name", metavar="NAME", help="the name of the copy; else its own")
        add_write_options(parser)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Copy it, and show or write the result."""
        session = Session()
        Copy.edits(options, session)
        return finish(session, options)

    @staticmethod
    def edits(options: argparse.Namespace, session: Session) -> None:
        """Make the edits."""
        from modelica_ast.refactor import copy_class  # noqa: PLC0415  (PERF: as in the other commands)

        libraries, full_name = session.own_library_of(session.address(options.address))
        package = options.to if options.to is not None else ".".join(split_name(full_name)[:-1])
        with Progress("copying", quiet=options.quiet) as progress:
            copy_class(libraries, full_name, package, options.name, progress=progress)


class Convert:
    """`modelica-patch convert`: a library's conversion scripts, run on the files of its users."""

    DESCRIPTION = """
Bring a library of yours to a newer version of a library that it uses. The rules are those that the newer version ships
(the conversion annotation of its package.mo), or a script that you name: convertClass, convertElement,
convertModifiers, … A newer version that is installed has the scripts of older steps too. No other byte changes. What
needs a person's decision is listed. Scripts are read as tools read them: a semicolon may lack at the end of a line,
and 'clear' says nothing. What else is not a rule is left out and listed with its line, and the exit code stays 0; it is
an error only where a script that you name has no rule at all.
"""
    EXAMPLES = """
  modelica-patch convert MyLib/                            to the newest installed version of all that it uses
  modelica-patch convert MyLib/ --uses Modelica            to the newest installed Modelica, step by step
  modelica-patch convert MyLib/ --uses Modelica --version 4.0.0
  modelica-patch convert MyLib/ --uses Modelica --version 4.0.0 --script ConvertModelica_from_3.2.3_to_4.0.0.mos
"""
    USAGE = "modelica-patch convert LIBRARY [--uses NAME] [--version VERSION] [--script FILE.mos] [options]"

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `convert` takes."""
        parser.add_argument("place", metavar="LIBRARY", help="the folder or the file of your library")
        parser.add_argument(
            "--uses",
            metavar="NAME",
            help="the library to use in a newer version; all that your library's 'uses' annotation names if not given",
        )
        parser.add_argument(
            "--version", metavar="VERSION", help="that version; the newest that is installed if not given"
        )
        parser.add_argument(
            "--script", metavar="FILE.mos", action="append", default=[], help="take the rules from here"
        )
        add_library_option(parser)
        add_write_options(parser)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Convert it, and show or write the result."""
        if options.script:
            return _by_script(options)
        return convert_places([options.place], options)


def convert_places(places: Sequence[str], options: argparse.Namespace) -> int:
    """Bring files and libraries to the version of a library that the options name, all or none; the exit code."""
    from modelica_ast.library import library_around  # noqa: PLC0415  (PERF: only here)
    from modelica_ast.refactor import migrate, migration_to  # noqa: PLC0415  (PERF)

    for place in places:
        if not Path(place).exists():
            raise CommandError(f"{place}: no such file or folder", EXIT_UNREADABLE)
    session = Session()
    notes: list[Note] = []
    with Progress("converting", quiet=options.quiet) as progress:
        for root in dict.fromkeys(library_around(Path(place)) or Path(place) for place in places):
            names = [options.uses] if options.uses is not None else _used_by(root)
            if options.version is not None and len(names) > 1:
                raise CommandError(f"--version needs --uses: one of {', '.join(names)}")
            find = partial(migration_to, version=options.version, named=options.library, around=[root])
            ways = _some_of(names, find, root, notes)
            settle([way.library for way in ways])
            libraries = session.libraries(str(root), read_only=[way.library for way in ways])
            for report in _some_of(ways, partial(migrate, libraries, progress=progress), root, notes):
                notes += report.notes
    return _finished(session, list(dict.fromkeys(notes)), options)


def _some_of(several: Sequence[_A], act: Callable[[_A], _B], root: Path, notes: list[Note]) -> list[_B]:
    """What comes of each of several libraries that nobody has named; a note where nothing does, if something does."""
    from modelica_ast.library import LibraryError  # noqa: PLC0415  (PERF: only here)
    from modelica_ast.refactor import Note  # noqa: PLC0415  (PERF)

    found, wrong = [], []
    for each in several:
        try:
            found.append(act(each))
        except LibraryError as error:
            wrong.append(error)
    if wrong and not found:
        raise wrong[0]
    notes += [Note(root, 1, "", "", str(error)) for error in wrong]
    return found


def _used_by(root: Path) -> list[str]:
    """What the file of a library says that it uses."""
    from modelica_ast.library import Shelf  # noqa: PLC0415  (PERF: only here)

    names = sorted(Shelf(search=False).uses(root))
    if not names:
        raise CommandError(f"{shown(root)} does not say what it uses: name the library with --uses")
    return names


def _by_script(options: argparse.Namespace) -> int:
    from modelica_ast.refactor import Rules, convert, read_script  # noqa: PLC0415  (PERF: only here)

    if options.version is None:
        raise CommandError("--script needs --version: what the library uses afterwards")
    session = Session()
    libraries = session.libraries(options.place)
    rules = Rules(())
    for name in options.script:
        with reading(ModelicaError, place=name):
            rules += read_script(Path(name))
    uses = [options.uses] if options.uses is not None else rules.roots.intersection(_used_by(Path(options.place)))
    if len(uses) != 1:
        raise CommandError(
            f"--script needs --uses: it has rules for {', '.join(sorted(rules.roots)) or 'nothing'}, and which of them "
            f"{shown(Path(options.place))} uses is not certain"
        )
    with Progress("converting", quiet=options.quiet) as progress:
        report = convert(libraries, rules, next(iter(uses)), options.version, progress=progress)
    return _finished(session, report.notes, options)


def _finished(session: Session, notes: Sequence[Note], options: argparse.Namespace) -> int:
    """Tell what a person has to look at, and show or write what has changed; the exit code."""
    for note in notes:
        place = f"{shown(note.file)}:{note.line}"
        about = f"{note.class_name}: " if note.class_name else ""
        tell(f"look at this: {about}{note.text}", quiet=options.quiet, place=place)
    return finish(session, options, notes=[str(note) for note in notes])
