"""`modelica-patch format`: the layout of files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from modelica_ast.cli.address import STANDARD_STREAM, refuse_old_spelling
from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK, CommandError
from modelica_ast.cli.files import FILES_HELP, Part, some_modelica_parts
from modelica_ast.cli.output import add_write_options, finish, write_diff
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, count, printable, styled_diff, tell, write_json
from modelica_ast.format import Options, format_class, format_document

DESCRIPTION = """
Lay out Modelica files as the Standard Library does: indentation, blanks, one element per line, long lists wrapped.
Only the blanks between tokens change; of a comment only its indentation. Formatting twice changes nothing more. Your
line breaks inside expressions, matrices and annotations are kept.

What is between '// formatting: off' and '// formatting: on' is left alone.
"""
EXAMPLES = """
  modelica-patch format Arm.mo                        show what would change
  modelica-patch format Arm.mo Lib/ -i                write it, for a file and all files of a folder
  modelica-patch format Lib/ --check                  list what is not formatted, and exit with 1
  modelica-patch format Lib/ --check --diff           and show how it would be
  modelica-patch format Arm.mo::Arm.Joint -i          one class only; all else stays as it is
  modelica-patch format --width 80 - < Arm.mo         from standard input to standard output
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `format` takes."""
    parser.add_argument("names", nargs="+", metavar="FILE", help=FILES_HELP)
    parser.add_argument(
        "--check", action="store_true", help="only list the files that are not formatted, with exit code 1"
    )
    parser.add_argument("--class", dest="old_class", help=argparse.SUPPRESS)
    parser.add_argument("--width", type=int, default=Options().width, help="of lines (%(default)s)")
    parser.add_argument("--indent", type=int, default=Options().indent, help="blanks for each level (%(default)s)")
    add_write_options(parser)


def run(options: argparse.Namespace) -> int:
    """Format the files, and show or write the result."""
    layout = {"width": options.width, "indent": options.indent}
    Options(**layout)  # what is wrong with them is said before anything is read
    if options.check and (options.in_place or options.output is not None):
        raise CommandError("--check writes nothing: omit --in-place and --output")
    if options.old_class is not None:
        first = options.names[0]
        refuse_old_spelling(f"{first} --class {options.old_class}", first, options.old_class)
    session = Session()
    parts = _parts(options.names, session)
    with Progress("formatting", quiet=options.quiet) as progress:
        for part in progress.over(parts):
            document = session.document(str(part.path))
            if part.class_:
                format_class(document, part.class_, **layout)
            else:
                format_document(document, **layout)
    files = len({part.path for part in parts})
    return _checked(session, options, files) if options.check else finish(session, options)


def _parts(names: list[str], session: Session) -> list[Part]:
    if STANDARD_STREAM not in names:
        return some_modelica_parts(names, session, for_writing=True)
    if len(names) > 1:
        raise CommandError("standard input and files can't be formatted together: name either - or files")
    return [Part(Path(STANDARD_STREAM))]


def _checked(session: Session, options: argparse.Namespace, files: int) -> int:
    """List the files that are not formatted; the exit code."""
    changes = session.changes()
    wrong = [change.shown_path for change in changes]
    if session.standard_input is not None and session.standard_input.is_changed:
        wrong.append("<standard input>")
    if options.json:
        write_json({"files": files, "not_formatted": wrong})
    elif options.diff:
        write_diff(changes)
        if session.standard_input is not None:
            sys.stdout.writelines(styled_diff(session.standard_input.diff(), sys.stdout))
    else:
        sys.stdout.writelines(printable(name) + "\n" for name in wrong)
    if not options.json:
        tell(f"{len(wrong)} of {count(files, 'file')} not formatted", quiet=options.quiet)
    return EXIT_FOUND if wrong else EXIT_OK
