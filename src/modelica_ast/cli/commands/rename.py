"""`modelica-patch rename`: a class or a component with all its uses."""

from __future__ import annotations

import argparse

from modelica_ast.cli.exits import CommandError
from modelica_ast.cli.output import add_write_options, finish
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, tell
from modelica_ast.cli.words import pairs

DESCRIPTION = """
Rename a class, a component or a literal of an enumeration with all its uses: in the file, and if the file is part of a
library, in all files of the library, with file names, package.order, modelica:// links, scripts and resources. It is
refused where a name would come to mean something else. NEW is the last part of the name only; 'move' leads to another
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `rename` takes."""
    parser.add_argument("words", nargs="+", metavar="ADDRESS NEW", help="what, and its new name")
    parser.add_argument("--with", dest="also", metavar="LIBRARY", action="append", default=[], help=WITH_HELP)
    parser.add_argument(
        "--only-file", action="store_true", help="look at no other file, though it is part of a library"
    )
    add_write_options(parser)


WITH_HELP = "another library (folder or file) that follows the change; may be repeated"


def run(options: argparse.Namespace) -> int:
    """Rename it, and show or write the result."""
    session = Session(options.also)
    edits(options, session)
    return finish(session, options)


def edits(options: argparse.Namespace, session: Session) -> None:
    """Make the edits."""
    for text, new in pairs(options.words, "addresses and new names"):
        address = session.address(text)
        if address.annotation is not None:
            raise CommandError("an annotation has no name of its own that could change")
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
            raise CommandError(f"{address.place} is in no library that --with could go along with")
        found = session.find(address)
        if found.is_class:
            found.handle.rename(new)
        elif found.literal is not None:
            found.handle.rename_literal(found.literal, new)
        elif found.component is None or found.modifier:
            raise CommandError(f"'{address}' is a modifier: its name is that of what it modifies")
        else:
            found.handle.find_component(found.component).rename(new)
