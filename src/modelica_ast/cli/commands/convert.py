"""`modelica-patch convert`: a library's conversion scripts, run on the files of its users."""

from __future__ import annotations

import argparse
from pathlib import Path

from modelica_ast.cli.exits import CommandError, reading
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.places import add_library_option, settle
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, tell
from modelica_ast.foundation import ModelicaError, shown

DESCRIPTION = """
Bring a library of yours to a newer version of a library that it uses. The rules are those that the newer version ships
(the conversion annotation of its package.mo), or a script that you name: convertClass, convertElement,
convertModifiers, … No other byte changes. What a person has to look at is listed.
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
    from modelica_ast.library import find_library  # noqa: PLC0415  (PERF: only here)
    from modelica_ast.refactor import Rule, Rules, convert, read_script, upgrade  # noqa: PLC0415  (PERF)

    session = Session()
    if options.script:
        if options.version is None:
            raise CommandError("--script needs --version: what the library uses afterwards")
        libraries = session.libraries(options.place)
        rules: list[Rule] = []
        for name in options.script:
            with reading(ModelicaError, place=name):
                rules += read_script(Path(name)).all
        with Progress("converting", quiet=options.quiet) as progress:
            report = convert(libraries, Rules(rules), options.uses, options.version, progress=progress)
    else:
        newer = find_library(options.uses, options.version, named=options.library)
        settle([newer])
        libraries = session.libraries(options.place, read_only=[newer])
        with Progress("converting", quiet=options.quiet) as progress:
            report = upgrade(libraries, options.uses, progress=progress)
    for note in report.notes:
        place = f"{shown(note.file)}:{note.line}"
        about = f"{note.class_name}: " if note.class_name else ""
        tell(f"look at this: {about}{note.text}", quiet=options.quiet, place=place)
    return finish(session, options, notes=[str(note) for note in report.notes])
