"""`modelica-patch merge`: two changed versions of a file, and the one that they started from."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from modelica_ast.cli.exits import EXIT_CONFLICTS, EXIT_OK, EXIT_UNREADABLE, CommandError, cannot_read, writing
from modelica_ast.cli.terminal import complain, count, styled_diff, tell, write_json
from modelica_ast.foundation import Source

DESCRIPTION = """
Merge two versions of a file that both come from a third. The result is OURS, with what THEIRS changed since
BASE: a value, an element with its comments, an equation. Blanks and the order of arguments are no changes.

What both sides changed differently is a conflict. It stands in the result between markers like git's, around
the smallest element or equation; --prefer decides instead. The exit code is then 3, and every conflict is named.
Without -i or -o you see what would change in OURS, and nothing is written.

With --git this is the merge driver of git: the result goes to OURS, conflicts are exit code 1, as git expects,
and what is not Modelica is merged as text, which is said. 'modelica-patch git-setup' tells git to use it.
"""
EXAMPLES = """
  modelica-patch merge base/Arm.mo Arm.mo theirs/Arm.mo               see what would change
  modelica-patch merge base/Arm.mo Arm.mo theirs/Arm.mo --in-place    write it to Arm.mo
  modelica-patch merge base.mo ours.mo theirs.mo -o merged.mo         write it elsewhere; - is standard output
  modelica-patch merge base.mo ours.mo theirs.mo -i --prefer ours     keep ours where both changed something
  modelica-patch merge base.mo ours.mo theirs.mo --json               conflicts and what was taken, for programs
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `merge` takes."""
    parser.add_argument("base", metavar="BASE", help="the version that both come from")
    parser.add_argument("ours", metavar="OURS", help="the version whose text is kept")
    parser.add_argument("theirs", metavar="THEIRS", help="the version whose changes are brought in")
    parser.add_argument("-i", "--in-place", action="store_true", help="write the result to OURS")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the result there; - is standard output")
    parser.add_argument("--prefer", choices=("ours", "theirs"), help="decide conflicts for one side, without markers")
    parser.add_argument(
        "-L", "--label", action="append", default=[], help="the names of OURS, BASE and THEIRS in markers (up to three)"
    )
    parser.add_argument("--json", action="store_true", help="conflicts and changes as JSON on standard output")
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
    parser.add_argument("--git", action="store_true", help="be git's merge driver")
    parser.add_argument("--path", metavar="FILE", help="with --git: the name of the file in the repository")


def run(options: argparse.Namespace) -> int:
    """Merge; the exit code."""
    from modelica_ast.compare import Labels, merge, merge_order  # noqa: PLC0415  (PERF: not for --help)

    if options.in_place and options.output:
        raise CommandError("--in-place and --output exclude each other")
    if len(options.label) > 3:  # noqa: PLR2004
        raise CommandError("there are three versions: give --label three times at most")
    names = [*options.label, *("ours", "base", "theirs")[len(options.label) :]]
    labels = Labels(names[1], names[0], names[2])
    if options.git:
        return _drive(options, labels)
    sources = [_read(name) for name in (options.base, options.ours, options.theirs)]
    texts = [source.text for source in sources]
    if Path(options.ours).name == "package.order":
        merged = merge_order(*texts)
    else:
        files = labels if options.label else Labels(options.base, options.ours, options.theirs)
        merged = merge(*texts, labels=files, prefer=options.prefer)
    _write(options, sources[1], merged)
    for conflict in merged.conflicts:
        complain(f"{options.ours}: {conflict}")
    if not options.json:
        taken, open_ = count(len(merged.taken), "change"), count(len(merged.conflicts), "conflict")
        tell(f"{taken} taken from {options.theirs}, {open_}", quiet=options.quiet)
    return EXIT_CONFLICTS if merged.conflicts else EXIT_OK


def _drive(options: argparse.Namespace, labels: Any) -> int:
    from modelica_ast.compare import drive  # noqa: PLC0415  (PERF: only for git)

    base, ours, theirs = (Path(name) for name in (options.base, options.ours, options.theirs))
    done = drive(base, ours, theirs, options.path or options.ours, labels)
    for message in done.messages:
        complain(message)
    return done.code


def _read(name: str) -> Source:
    try:
        return Source.read(name)
    except OSError as error:
        raise cannot_read(name, error) from None


def _write(options: argparse.Namespace, ours: Source, merged: Any) -> None:
    from modelica_ast.edit import unified_diff  # noqa: PLC0415  (PERF: not for --help)
    from modelica_ast.files import write_file  # noqa: PLC0415

    target = options.ours if options.in_place else options.output
    if target is not None:
        try:
            data = ours.encode(merged.text)
        except UnicodeEncodeError as error:
            letter = merged.text[error.start]
            raise CommandError(f"{options.ours} is {ours.encoding}, which has no {letter!r}", EXIT_UNREADABLE) from None
        if target == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            with writing():
                write_file(target, data)
    if options.json:
        write_json(merged.as_json())
    elif target is None:
        diff = unified_diff(ours.text, merged.text, options.ours)
        sys.stdout.writelines(styled_diff(diff, sys.stdout))
