"""`modelica-patch diff`: what changed, by meaning."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from modelica_ast.cli.exits import EXIT_FOUND, EXIT_OK, CommandError, write_result
from modelica_ast.cli.terminal import complain, printable, source_text, styled, write_json, write_line

DESCRIPTION = """
Say what changed between two files or two folders of a library: classes, components, values by their path,
connections, equations, annotations, comments. Blanks, line ends, the order of arguments and declarations and
the way a number is written are noise; --noise lists it apart. A class that moved or got another name is one
change. The exit code is 1 if something changed.

Each line starts with what happened: + added, - removed, ~ changed, > moved or renamed, % in another order.
"""
EXAMPLES = """
  modelica-patch diff old/Arm.mo Arm.mo                  what changed, grouped by class
  modelica-patch diff old/MyLib/ MyLib/                  the same for all files of a library
  modelica-patch diff old.mo new.mo --noise              and what only looks different
  modelica-patch diff old.mo new.mo --json               for programs, with places in both files
  modelica-patch diff old.mo new.mo --html changes.html  a page to read and to send
"""
_STYLES = {"heading": "name", "moved": "changed", "renamed": "changed", "reordered": "changed"}
_GIT_ARGUMENTS = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `diff` takes."""
    parser.add_argument("paths", nargs="*", metavar="OLD NEW", help="two .mo files, or two folders")
    parser.add_argument("--noise", action="store_true", help="list what looks different and is not")
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")
    parser.add_argument("--html", metavar="FILE", help="write a page there; - is standard output")
    parser.add_argument("-q", "--quiet", action="store_true", help="the exit code only")
    parser.add_argument("--git", action="store_true", help="be git's external diff command")


def run(options: argparse.Namespace) -> int:
    """Compare; 1 if something changed."""
    from modelica_ast.compare import compare_paths  # noqa: PLC0415  (PERF: not for --help)

    if options.git:
        return _run_for_git(options.paths)
    if len(options.paths) != 2:  # noqa: PLR2004
        raise CommandError("name two files or two folders: modelica-patch diff OLD NEW")
    try:
        found = compare_paths(*options.paths)
    except ValueError as error:
        if isinstance(error, UnicodeError):
            raise
        raise CommandError(str(error)) from None
    if options.json:
        write_json(found.as_json())
    elif options.html:
        _write_page(options, found)
    elif not options.quiet:
        _print(found, noise=options.noise)
    return EXIT_FOUND if found else EXIT_OK


def _print(found: Any, *, noise: bool) -> None:
    from modelica_ast.compare import lines_of  # noqa: PLC0415  (PERF: not for --help)

    several = len(found.files) > 1 or found.added or found.removed or found.others
    for name, changes in found.files.items():
        if several and (changes or (noise and changes.noise)):
            sys.stdout.write(f"{styled(name, 'header', sys.stdout)}\n")
        for heading, listed in (("", changes), ("noise:\n", changes.noise if noise else ())):
            if heading and listed:
                sys.stdout.write(heading)
            for line in lines_of(listed):
                sys.stdout.write("".join(_in_colour(piece) for piece in line) + "\n")
    for words, names in (("only in new", found.added), ("only in old", found.removed), ("differs", found.others)):
        for name in names:
            write_line(f"{words}: {name}")


def _in_colour(piece: Any) -> str:
    style = _STYLES.get(piece.style, piece.style)
    return printable(str(piece.text)) if style == "plain" else styled(piece.text, style, sys.stdout)


def _write_page(options: argparse.Namespace, found: Any) -> None:
    from modelica_ast.compare import html_page  # noqa: PLC0415  (PERF: only for a page)

    title = f"{Path(options.paths[0]).name} → {Path(options.paths[1]).name}"
    page = html_page(found.changes, title=title, noise=found.noise if options.noise else ())
    if options.html == "-":
        sys.stdout.write(page)
        return
    write_result(options.html, page.encode())


def _run_for_git(arguments: list[str]) -> int:
    """What git gives: path, old file, its name and mode, new file, its name and mode; it takes no exit code but 0."""
    from modelica_ast.compare import compare  # noqa: PLC0415  (PERF: not for --help)
    from modelica_ast.edit import unified_diff  # noqa: PLC0415
    from modelica_ast.foundation import ModelicaSyntaxError, Source  # noqa: PLC0415
    from modelica_ast.tree import parse_source  # noqa: PLC0415

    if len(arguments) < _GIT_ARGUMENTS:
        raise CommandError("with --git come the seven arguments that git gives to an external diff")
    name, old, new = arguments[0], arguments[1], arguments[4]
    sources = [Source("") if path == "/dev/null" else Source.read(path) for path in (old, new)]
    sys.stdout.write(f"{styled(f'diff {name}', 'header', sys.stdout)}\n")
    try:
        changes = compare(*(parse_source(source) for source in sources))
    except ModelicaSyntaxError as error:
        complain(f"{name}: {error.headline.partition(': ')[2]}; shown as text")
        sys.stdout.write(source_text(unified_diff(sources[0].text, sources[1].text, name), sys.stdout))
        return EXIT_OK
    from modelica_ast.compare import FolderChanges  # noqa: PLC0415

    _print(FolderChanges({name: changes}), noise=False)
    if not changes:
        sys.stdout.write("  no change of meaning\n")
    return EXIT_OK
