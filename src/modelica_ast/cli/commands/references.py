"""`modelica-patch references`: where a class or a component is used."""

from __future__ import annotations

import argparse
import sys

from modelica_ast.cli.commands.rename import WITH_HELP
from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK
from modelica_ast.cli.places import add_library_option
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import Progress, count, source_text, styled, tell, write_json
from modelica_ast.foundation import shown

DESCRIPTION = """
List every place where a class or a component is used, in all files of its library: by meaning, not by text, so an
equal name that stands for something else is not among them. Exit code 1 if there is none.
"""
EXAMPLES = """
  modelica-patch references Lib/::Lib.Parts.Body
  modelica-patch references Lib/::Lib.Arm.m --json
  modelica-patch references Lib/::Lib.Arm --with Other/     in libraries that use this one, too
"""
USAGE = "modelica-patch references ADDRESS [--with LIBRARY] [--json]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `references` takes."""
    parser.add_argument("address", metavar="ADDRESS", help="a class or a component")
    parser.add_argument("--with", dest="also", metavar="LIBRARY", action="append", default=[], help=WITH_HELP)
    add_library_option(parser)
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")
    parser.add_argument("-q", "--quiet", action="store_true", help="no count at the end")


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
