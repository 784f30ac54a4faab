"""`modelica-patch fmi migrate`: models of an older Standard Library to a newer one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from modelica_ast.cli import (
    EXIT_UNREADABLE,
    CommandError,
    Session,
    add_library_option,
    add_write_options,
    finish,
    settle,
    tell,
)
from modelica_ast.foundation import shown
from modelica_ast.library import library_around
from modelica_ast.refactor import Note
from urdf_frontend.fmi.migrate import migration_to

DESCRIPTION: Final = """
Bring models to a newer Standard Library, so that today's tools export them: the version in uses(…), renamed classes
(Electrical.Analog.Basic.EMF is RotationalEMF since 4.0.0), moved units, changed parameters. The rules are those of the
conversion scripts that the Standard Library ships, so it must be installed: in a folder of MODELICAPATH, or in
~/.openmodelica/libraries. A newer version has the scripts of older steps too.

No other byte changes. What a person has to look at is listed. 'modelica-patch convert' does this for any library.
"""
EXAMPLES: Final = """
  modelica-patch fmi migrate --msl 4.0.0 SimpleElectricalActuator.mo       see what would change
  modelica-patch fmi migrate --msl 4.0.0 *.mo -i                           change them, all or none
  modelica-patch fmi migrate MyLib/ -i                                     to the newest that is installed
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("places", nargs="+", metavar="FILE", help="a .mo file, or the folder of a library")
    parser.add_argument(
        "--msl", metavar="VERSION", help="of the Standard Library; the newest that is installed if not given"
    )
    add_library_option(parser)
    add_write_options(parser)


def run(options: argparse.Namespace) -> int:
    """Migrate all files, and show or write the result."""
    for place in options.places:
        if not Path(place).exists():
            raise CommandError(f"{place}: no such file or folder", EXIT_UNREADABLE)
    migration = migration_to(options.msl, named=options.library)
    settle([migration.library])
    session = Session()
    notes: list[Note] = []
    for root in dict.fromkeys(library_around(Path(place)) or Path(place) for place in options.places):
        report = migration.migrate(session.libraries(str(root), read_only=[migration.library]))
        notes += report.notes
    for note in notes:
        place = f"{shown(note.file)}:{note.line}"
        about = f"{note.class_name}: " if note.class_name else ""
        tell(f"look at this: {about}{note.text}", quiet=options.quiet, place=place)
    return finish(session, options, notes=[str(note) for note in notes])
