"""What every command that changes files has in common: the preview, the diff, where the result goes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from modelica_ast.cli.address import STANDARD_STREAM
from modelica_ast.cli.exits import EXIT_OK, CommandError
from modelica_ast.cli.places import Change
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import count, styled_diff, tell, write_json
from modelica_ast.edit import Document
from modelica_ast.foundation import shown


def add_write_options(parser: argparse.ArgumentParser, *, names: bool = False) -> None:
    """Add the options of a command that changes files; one that `names` things looks whether these are there."""
    group = parser.add_argument_group("writing (without these options you see the diff, and nothing is written)")
    group.add_argument("-i", "--in-place", action="store_true", help="write the files")
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write the one changed file there instead; - is standard output"
    )
    group.add_argument("-n", "--dry-run", action="store_true", help="write nothing, whatever the other options say")
    group.add_argument("-d", "--diff", action="store_true", help="show the diff when writing, too")
    more = "; write even what names something that does not exist" if names else ""
    group.add_argument(
        "--force", action="store_true", help=f"overwrite what is read-only or was changed meanwhile{more}"
    )
    if names:
        group.add_argument(
            "--strict",
            action="store_true",
            help="refuse what names something that does not exist, wherever it would be declared",
        )
    group.add_argument("-q", "--quiet", action="store_true", help="errors only")
    group.add_argument("--json", action="store_true", help="the result as JSON on standard output")


def finish(session: Session, options: argparse.Namespace, **report: Any) -> int:
    """Show or write what has changed, as the options say; the exit code. What is in `report` goes into the JSON."""
    strict = getattr(options, "strict", False)  # a command without names has nothing to be strict about
    warnings = session.judge(strict=strict, force=options.force, quiet=options.quiet)
    if warnings:
        report["warnings"] = warnings
    changes = session.changes()
    if session.standard_input is not None:
        return _finish_stream(session, changes, options)
    if options.output is not None:
        return _write_elsewhere(session, changes, options)
    writes = options.in_place and not options.dry_run
    if writes:
        session.save(force=options.force)
    if options.json:
        write_json({**report, "written": writes, "files": [_data(change) for change in changes]})
        return EXIT_OK
    if options.diff or not writes:
        write_diff(changes)
    why = "this is a dry run" if options.dry_run else "add --in-place to write"
    tell(_summary(changes, why, written=writes), quiet=options.quiet)
    return EXIT_OK


def write_diff(changes: list[Change]) -> None:
    """The diffs of all changes, on standard output."""
    for change in changes:
        sys.stdout.writelines(styled_diff(change.diff, sys.stdout))


def _summary(changes: list[Change], why: str, *, written: bool) -> str:
    if not changes:
        return "nothing to change"
    if written:
        kinds = [
            f"{count(n, 'file')} {kind}"
            for kind in ("changed", "created", "removed", "renamed")
            if (n := sum(change.status == kind for change in changes))
        ]
        return ", ".join(kinds)
    return f"{count(len(changes), 'file')} would change; nothing was written: {why}"


def _finish_stream(session: Session, changes: list[Change], options: argparse.Namespace) -> int:
    """From standard input to standard output."""
    document = session.standard_input
    assert document is not None
    if options.in_place:
        raise CommandError("standard input can't be changed in place: leave out --in-place, or name a file")
    if changes:
        raise CommandError("standard input and files can't be changed in one call")
    if options.dry_run or options.diff:
        sys.stdout.writelines(styled_diff(document.diff(), sys.stdout))
    elif options.json:
        write_json({"written": False, "text": document.text})
    else:
        _write_document(document, options)
    return EXIT_OK


def _write_elsewhere(session: Session, changes: list[Change], options: argparse.Namespace) -> int:
    if options.in_place:
        raise CommandError("--in-place and --output exclude each other")
    documents = session.opened
    if not documents:
        raise CommandError("--output takes one file: name a file, FILE.mo::Class, not a library")
    if len(changes) > 1 or len(documents) > 1:
        raise CommandError(f"--output takes one file, and this is about {max(len(changes), len(documents))}")
    if options.dry_run or options.diff:
        write_diff(changes)
    if not options.dry_run:
        _write_document(documents[0], options)
    return EXIT_OK


def _write_document(document: Document, options: argparse.Namespace) -> None:
    """A document to standard output, to another file, or to its own, which is saved as with --in-place."""
    name, path = options.output or STANDARD_STREAM, Path(options.output or STANDARD_STREAM)
    if name == STANDARD_STREAM:
        sys.stdout.flush()
        sys.stdout.buffer.write(document.encoded())
        sys.stdout.buffer.flush()
    elif path.is_dir():
        raise CommandError(f"{name} is a folder: --output takes a file")
    elif path.exists() and not path.is_file():
        from modelica_ast.files import write_file  # noqa: PLC0415  (PERF: only when writing)

        write_file(name, document.encoded())
    else:
        document.save(name, force=options.force)


def _data(change: Change) -> dict[str, Any]:
    source = {} if change.source is None else {"from": shown(change.source)}
    return {"path": change.shown_path, "status": change.status, **source, "diff": change.diff}
