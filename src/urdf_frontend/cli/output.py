"""What the commands that make Modelica of a robot have in common: their options, and how they say what they made."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli import EXIT_OK, Change, count, prepare, styled_diff, tell, write_json, write_line
from modelica_ast.foundation import shown
from urdf_frontend.cli.arguments import packages_of, xacro_arguments
from urdf_frontend.cli.reports import robot_errors
from urdf_frontend.package import BuiltPackage, is_written, write
from urdf_frontend.urdf import Diagnostic, Packages, ReadResult, Severity, UrdfError, read

_LISTED: Final = 3  # at most this many files are named; more are counted


def add_writing_options(parser: argparse.ArgumentParser) -> None:
    """What is written, and what is said about it."""
    parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
    parser.add_argument("-d", "--diff", action="store_true", help="show what is in the new files")
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
    parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")


def make_and_show(options: argparse.Namespace, make: Callable[[ReadResult, Packages], BuiltPackage]) -> int:
    """Read the robot, make Modelica of it, and write that unless the user only wants to look; the exit code."""
    file, into = Path(options.file), Path(options.into)
    packages = packages_of(options, file)
    result = read(file, packages=packages, xacro_arguments=xacro_arguments(options.arg))
    try:
        built = make(result, packages)
        prepare([into / built.folder])
        is_there = is_written(built, into)
        if not is_there and not options.dry_run:
            write(built, into)
    except UrdfError as error:
        raise robot_errors(error, "; nothing was built", file=file) from None
    if is_there and not options.json:
        place = shown(into / built.folder)
        tell(f"{place} already exists, as it would be built; nothing was written", quiet=options.quiet)
        return EXIT_OK
    show_result(built, into, result.diagnostics, options, written=not is_there and not options.dry_run)
    return EXIT_OK


def show_result(
    built: BuiltPackage,
    into: Path,
    diagnostics: Sequence[Diagnostic],
    options: argparse.Namespace,
    *,
    written: bool,
) -> None:
    """Say what was made, in the form that the options ask for."""
    if options.json:
        _write_json(built, into, written=written)
        return
    if options.diff:
        for change in _changes(built, into):
            sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
    elif options.dry_run:
        for change in _changes(built, into):
            write_line(f"{'change' if change.old is not None else 'create'} {change.shown_path}")
    for line in _summary_lines(built, into, diagnostics, options):
        tell(line, quiet=options.quiet)


def _changes(built: BuiltPackage, into: Path) -> list[Change]:
    return [Change(into / path, built.changed.get(path), data) for path, data in sorted(built.files.items())]


def _summary_lines(
    built: BuiltPackage, into: Path, diagnostics: Sequence[Diagnostic], options: argparse.Namespace
) -> list[str]:
    summary = built.summary
    parts = [
        f"{count(summary.links, 'link')}, {count(summary.joints, 'joint')}",
        f"{summary.driven} of them with flanges" if summary.joints else "",
        f"{summary.followers} follow others" if summary.followers else "",
    ]
    lines = [f"{summary.package}: {', '.join(filter(None, parts))}"]
    lines += [f"  {line}" for line in summary.notes]
    lines += [f"  left out: {line}" for line in summary.left_out]
    warnings = sum(found.severity is Severity.WARNING for found in diagnostics)
    if warnings:
        lines.append(f"  {count(warnings, 'warning')}: see modelica-patch urdf check {shown(Path(options.file))}")
    lines.append(_written_line(built, into, "would be written" if options.dry_run else "written"))
    return lines


def _written_line(built: BuiltPackage, into: Path, what: str) -> str:
    if len(built.files) > _LISTED:
        return f"{count(len(built.files), 'file')} {what} in {shown(into / built.folder)}"
    names = ", ".join(change.shown_path for change in _changes(built, into))
    return f"{count(len(built.files), 'file')} {what}: {names}"


def _write_json(built: BuiltPackage, into: Path, *, written: bool) -> None:
    data: dict[str, Any] = {
        **built.summary.as_json(),
        "written": written,
        "files": [{"path": change.shown_path, "status": change.status} for change in _changes(built, into)],
    }
    write_json(data)
