"""`modelica-patch convert`: a library's conversion scripts, run on the files of its users."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError, reading
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.places import add_library_option, settle
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, tell
from modelica_ast.foundation import ModelicaError, shown

if TYPE_CHECKING:
    from modelica_ast.refactor import Note

DESCRIPTION = """
Bring a library of yours to a newer version of a library that it uses. The rules are those that the newer version ships
(the conversion annotation of its package.mo), or a script that you name: convertClass, convertElement,
convertModifiers, … A newer version that is installed has the scripts of older steps too. No other byte changes. What a
person has to look at is listed.
"""
EXAMPLES = """
  modelica-patch convert MyLib/ --uses Modelica            to the newest installed Modelica, step by step
  modelica-patch convert MyLib/ --uses Modelica --version 4.0.0
  modelica-patch convert MyLib/ --uses Modelica --version 4.0.0 --script ConvertModelica_from_3.2.3_to_4.0.0.mos
"""
USAGE = "modelica-patch convert LIBRARY --uses NAME [--version VERSION] [--script FILE.mos] [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `convert` takes."""
    parser.add_argument("place", metavar="LIBRARY", help="the folder or the file of your library")
    parser.add_argument("--uses", metavar="NAME", required=True, help="the library whose newer version it shall use")
    parser.add_argument("--version", metavar="VERSION", help="that version; the newest that is installed if not given")
    parser.add_argument("--script", metavar="FILE.mos", action="append", default=[], help="take the rules from here")
    add_library_option(parser)
    add_write_options(parser)


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
    migration = migration_to(options.uses, options.version, named=options.library)
    settle([migration.library])
    session = Session()
    notes: list[Note] = []
    with Progress("converting", quiet=options.quiet) as progress:
        for root in dict.fromkeys(library_around(Path(place)) or Path(place) for place in places):
            libraries = session.libraries(str(root), read_only=[migration.library])
            notes += migrate(libraries, migration, progress=progress).notes
    return _finished(session, notes, options)


def _by_script(options: argparse.Namespace) -> int:
    from modelica_ast.refactor import Rule, Rules, convert, read_script  # noqa: PLC0415  (PERF: only here)

    if options.version is None:
        raise CommandError("--script needs --version: what the library uses afterwards")
    session = Session()
    libraries = session.libraries(options.place)
    rules: list[Rule] = []
    for name in options.script:
        with reading(ModelicaError, place=name):
            rules += read_script(Path(name)).all
    with Progress("converting", quiet=options.quiet) as progress:
        report = convert(libraries, Rules(rules), options.uses, options.version, progress=progress)
    return _finished(session, report.notes, options)


def _finished(session: Session, notes: Sequence[Note], options: argparse.Namespace) -> int:
    """Tell what a person has to look at, and show or write what has changed; the exit code."""
    for note in notes:
        place = f"{shown(note.file)}:{note.line}"
        about = f"{note.class_name}: " if note.class_name else ""
        tell(f"look at this: {about}{note.text}", quiet=options.quiet, place=place)
    return finish(session, options, notes=[str(note) for note in notes])
