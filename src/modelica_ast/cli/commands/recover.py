"""`modelica-patch recover`: put in order what an interrupted command has left."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from modelica_ast.cli.exits import EXIT_OK, EXIT_UNREADABLE, CommandError
from modelica_ast.cli.places import shortened
from modelica_ast.cli.terminal import complain, count, write_line
from modelica_ast.foundation import EditError, shown

DESCRIPTION = """
Clean up after a command that was killed while it wrote: a save that had been decided is finished, one that had not is
taken back, and temporary files are removed. Every command that writes does this on its own, for the files that it is
about; commands that only read see the state as it will be, and leave the rest to you.

Only files inside the folder are touched, and only what this program has put there. A journal that says anything else
is reported and left alone.
"""
# What other commands do first is what this one is asked for.
RECOVERS = True
EXAMPLES = """
  modelica-patch recover                        in this folder and all folders in it
  modelica-patch recover Lib                    in the library Lib
  modelica-patch recover Lib --take-back        let all files be as they were before the save
  modelica-patch recover Lib --force            over files that were changed since; also for a journal of another user
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `recover` takes."""
    parser.add_argument("folders", nargs="*", default=["."], metavar="FOLDER", help="without it, this folder")
    parser.add_argument("-n", "--dry-run", action="store_true", help="say which saves were interrupted, and leave them")
    parser.add_argument("--take-back", action="store_true", help="take a save back that would be finished")
    parser.add_argument(
        "--force", action="store_true", help="go on even if a file was changed since, or the journal is another user's"
    )


def run(options: argparse.Namespace) -> int:
    """Look for journals around and in the folders, and treat them."""
    from modelica_ast.files import looking  # noqa: PLC0415  (PERF: not for --help)

    with looking() if options.dry_run else nullcontext():
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    problems = 0
    treated = 0
    treat = _seen if options.dry_run else _treated
    for name in options.folders:
        place = Path(name)
        if not place.exists():
            raise CommandError(f"{name}: no such file or folder", EXIT_UNREADABLE)
        place = place.resolve()
        for folder in _folders(place if place.is_dir() else place.parent):
            try:
                treated += treat(folder, options)
            except EditError as error:
                complain(shortened(str(error)))
                problems += 1
    if not treated and not problems:
        sys.stdout.write("no save was interrupted here; there is nothing to do\n")
    return EXIT_UNREADABLE if problems else EXIT_OK


def _folders(folder: Path) -> Iterator[Path]:
    """The folders around, the outermost first, then this one and those in it; links are not followed."""
    from modelica_ast.files import folders_with_journals  # noqa: PLC0415  (PERF: not for --help)

    yield from (found for found in folders_with_journals([folder]) if found != folder)
    for around, inner, _ in os.walk(folder):
        inner[:] = sorted(name for name in inner if name not in {".git", ".hg", ".svn"})
        yield Path(around)


def _seen(folder: Path, options: argparse.Namespace) -> int:
    """How much there is to put in order in one folder, which stays as it is."""
    from modelica_ast.files import look_at  # noqa: PLC0415  (PERF: not for --help)

    del options
    told = look_at([folder])
    for sentence in told:
        write_line(shortened(sentence))
    return len(told)


def _treated(folder: Path, options: argparse.Namespace) -> int:
    """How much there was to put in order in one folder."""
    from modelica_ast.files import recover, sweep  # noqa: PLC0415  (PERF: not for --help)

    done = 0
    while True:
        recovery = recover(folder, force=options.force, take_back=options.take_back, foreign=options.force)
        if recovery is None:
            break
        write_line(shortened(str(recovery)))
        done += 1
    swept = sweep(folder)
    if swept:
        write_line(f"{shown(folder)}: {count(swept, 'temporary file')} removed")
    return done + swept
