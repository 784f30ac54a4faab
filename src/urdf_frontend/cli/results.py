"""What the commands that make Modelica of a robot have in common: their options, and how they say what they made."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli.changes import Change, shown
from modelica_ast.cli.exits import EXIT_OK, EXIT_UNREADABLE, EXIT_USAGE, CommandError
from modelica_ast.cli.places import prepare
from modelica_ast.cli.terminal import complain, count, styled_diff, tell, write_json, write_line
from modelica_ast.generate import ChangedError
from urdf_frontend.building import BuildError, BuiltPackage, write
from urdf_frontend.building.writing import is_written
from urdf_frontend.cli.mesh_arguments import packages_of
from urdf_frontend.codes import Severity
from urdf_frontend.diagnostics import Diagnostic, UrdfError
from urdf_frontend.meshes import Packages
from urdf_frontend.reader import ReadResult, read

_LISTED: Final = 3  # so many files are named; more are counted


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """How the robot's file is read."""
    parser.add_argument(
        "--package-dir", action="append", default=[], metavar="DIR", help="a ROS package, or their folder"
    )
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE", help="an argument for xacro")


def add_writing_options(parser: argparse.ArgumentParser) -> None:
    """What is written, and what is said about it."""
    parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
    parser.add_argument("-d", "--diff", action="store_true", help="show what is in the new files")
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
    parser.add_argument("--json", action="store_true", help="what happened, as JSON on standard output")


def xacro_arguments(words: Sequence[str]) -> dict[str, str] | None:
    """The words NAME=VALUE of `--arg`; None if there are none."""
    pairs = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise CommandError(f"--arg takes NAME=VALUE, not '{word}'")
        pairs[name] = value
    return pairs or None


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
        return refuse_robot(error, file, quiet=options.quiet)
    except BuildError as error:
        raise build_error(error) from None
    if is_there and not options.json:
        place = shown(into / built.folder)
        tell(f"{place} is there already, as it would be built; nothing was written", quiet=options.quiet)
        return EXIT_OK
    show_result(built, into, result.diagnostics, options, written=not is_there and not options.dry_run)
    return EXIT_OK


def build_error(error: BuildError) -> CommandError:
    """What keeps a package from being built, with its exit code."""
    return CommandError(str(error), EXIT_UNREADABLE if isinstance(error, ChangedError) else EXIT_USAGE)


def refuse_robot(error: UrdfError, file: Path, *, quiet: bool) -> int:
    """List all errors of a robot; the exit code."""
    for found in error.diagnostics:
        complain(str(found))
    tell(f"{file}: {count(len(error.diagnostics), 'error')}; nothing was built", quiet=quiet)
    return EXIT_UNREADABLE


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
    lines += [f"  left out: {line}" for line in summary.left_out]
    lines += [f"  {line}" for line in summary.notes]
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
