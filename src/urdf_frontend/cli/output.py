"""What the commands that make Modelica of a robot have in common: their options, and how they say what they made."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from modelica_ast.cli import (
    EXIT_OK,
    Change,
    CommandError,
    count,
    exit_code,
    prepare,
    styled_diff,
    tell,
    write_json,
    write_line,
)
from modelica_ast.foundation import shown
from modelica_ast.library import install, library_around
from urdf_frontend.cli.arguments import packages_of, xacro_arguments
from urdf_frontend.cli.reports import robot_errors
from urdf_frontend.package import (
    TEMPLATES,
    BuiltPackage,
    DifferingPackageError,
    is_written,
    library_beside,
    with_library,
    write,
)
from urdf_frontend.urdf import Diagnostic, Packages, ReadResult, Severity, UrdfError, read

_LISTED: Final = 3  # at most this many files are named; more are counted


def add_writing_options(parser: argparse.ArgumentParser) -> None:
    """What is written, and what is said about it."""
    parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
    parser.add_argument("-d", "--diff", action="store_true", help="show what is in the new files")
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
    parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")


# ---------------------------------------------------------------- what comes next
# The commands that a user may want next, with the names of the call: they work as they are.


@frozen
class Next:
    """A command, and what it is for."""

    purpose: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        words = ["modelica-patch", *self.words]
        return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def after_build(built: BuiltPackage, into: Path, options: argparse.Namespace) -> list[Next]:
    """What to do with the package of a robot."""
    file, place = options.file, shown(into / built.folder)
    reading = [word for folder in options.package_dir for word in ("--package-dir", folder)]
    reading += [word for argument in options.arg for word in ("--arg", argument)]
    reading += ["--allow-outside"] if options.allow_outside else []
    templates = [] if options.templates is None else ["--templates", options.templates]
    found = [
        Next("see its joints move", ("urdf", "animate", file, *reading)),
        _simulation(built, into),
        Next(f"when {file} has changed", ("urdf", "update", file, "--package", place, *templates, *reading)),
    ]
    if not templates and not options.bundle:
        found.append(Next("for OMEdit and Dymola", ("library", "install", TEMPLATES.name)))
    return found


def after_record(built: BuiltPackage, into: Path, options: argparse.Namespace) -> list[Next]:
    """What to do with the record of a robot."""
    install = Next("for OMEdit and Dymola", ("library", "install", TEMPLATES.name))
    return [_simulation(built, into), *([install] if options.templates is None else [])]


def after_assembly(built: BuiltPackage, into: Path, options: argparse.Namespace) -> list[Next]:
    """What to do with a package that was put together from modules."""
    words = ("urdf", "update", options.file, "--package", shown(into / built.folder))
    return [_simulation(built, into), Next(f"when {options.file} has changed", words)]


def _simulation(built: BuiltPackage, into: Path) -> Next:
    library = library_around(into) if into.is_dir() else None
    library = into / built.folder if library is None else library
    address = built.model
    if library.resolve().parent != Path.cwd():  # a library in this folder is found by its name
        address = f"{shown(library)}::{address}"
    return Next("simulate it", ("simulate", address, "--plot", f"{built.name}.png"))


# ---------------------------------------------------------------- making


def make_and_show(
    options: argparse.Namespace,
    make: Callable[[ReadResult, Packages], BuiltPackage],
    what_next: Callable[[BuiltPackage, Path, argparse.Namespace], list[Next]],
) -> int:
    """Read the robot, make Modelica of it, and write that unless the user only wants to look; the exit code."""
    file, into = Path(options.file), Path(options.into)
    packages = packages_of(options, file)
    result = read(file, packages=packages, xacro_arguments=xacro_arguments(options.arg))
    try:
        built = make(result, packages)
        prepare([into / built.folder])
        is_there = is_written(built, into)
        bundle = (
            library_beside(built, into, TEMPLATES if options.templates is None else Path(options.templates))
            if getattr(options, "bundle", False)
            else None
        )
        if bundle is not None and is_there:
            if not options.dry_run:
                install([bundle], bundle.place.parent)
        elif bundle is not None:
            built = with_library(built, into, bundle)
        if not is_there and not options.dry_run:
            write(built, into)
    except UrdfError as error:
        raise robot_errors(error, "; nothing was built", file=file) from None
    except DifferingPackageError as error:
        raise _differing(error, built, into, options, what_next) from None
    following = what_next(built, into, options)
    if is_there and not options.json:
        place = shown(into / built.folder)
        is_new = bundle is not None and bundle.state == "absent" and not options.dry_run
        what = f"{shown(bundle.place)} was copied" if bundle is not None and is_new else "nothing was written"
        tell(f"{place} already exists, as it would be built; {what}", quiet=options.quiet)
        tell_next(following, options)
        return EXIT_OK
    written = not is_there and not options.dry_run
    show_result(built, into, result.diagnostics, options, written=written, following=following)
    return EXIT_OK


def _differing(
    error: DifferingPackageError,
    built: BuiltPackage,
    into: Path,
    options: argparse.Namespace,
    what_next: Callable[[BuiltPackage, Path, argparse.Namespace], list[Next]],
) -> CommandError:
    """There is another package: how to bring that up to date, if this kind can be."""
    place = shown(into / built.folder)
    updates = [str(each) for each in what_next(built, into, options) if each.words[:2] == ("urdf", "update")]
    advice = "move it away, or choose another name with --name"
    if updates:
        advice = f"bring it up to date with\n  {updates[0]}\nor {advice}"
    return CommandError(f"{place} already exists, and differs: {advice}", exit_code(error))


def tell_next(following: Sequence[Next], options: argparse.Namespace) -> None:
    """The commands that come next, below one another."""
    width = max((len(each.purpose) for each in following), default=0)
    for each in following:
        tell(f"  {each.purpose:{width}}  {each}", quiet=options.quiet)


def show_result(
    built: BuiltPackage,
    into: Path,
    diagnostics: Sequence[Diagnostic],
    options: argparse.Namespace,
    *,
    written: bool,
    following: Sequence[Next],
) -> None:
    """Say what was made, in the form that the options ask for, and what comes next."""
    if options.json:
        _write_json(built, into, written=written, following=following)
        return
    if options.diff:
        for change in _changes(built, into):
            sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
    elif options.dry_run:
        for change in _changes(built, into):
            write_line(f"{'change' if change.old is not None else 'create'} {change.shown_path}")
    for line in _summary_lines(built, into, diagnostics, options):
        tell(line, quiet=options.quiet)
    if written:
        tell_next(following, options)


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
        inside = sum(path.is_relative_to(built.folder) for path in built.files)
        files, place = count(len(built.files), "file"), shown(into / built.folder)
        return f"{files} {what}{f', {inside} of them' if inside < len(built.files) else ''} in {place}"
    names = ", ".join(change.shown_path for change in _changes(built, into))
    return f"{count(len(built.files), 'file')} {what}: {names}"


def _write_json(built: BuiltPackage, into: Path, *, written: bool, following: Sequence[Next]) -> None:
    data: dict[str, Any] = {
        **built.summary.as_json(),
        "model": built.model,
        "written": written,
        "next": [str(each) for each in following],
        "files": [{"path": change.shown_path, "status": change.status} for change in _changes(built, into)],
    }
    write_json(data)
