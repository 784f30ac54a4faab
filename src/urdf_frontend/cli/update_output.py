"""Updates for people and programs: what changes, what is in conflict, what was kept."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from modelica_ast.cli.changes import Change, shown
from modelica_ast.cli.exits import EXIT_CONFLICTS, EXIT_UNREADABLE, EXIT_USAGE, CommandError
from modelica_ast.cli.terminal import complain, count, printable, styled_diff, tell, write_json, write_line
from modelica_ast.generate import PACKAGE_FILE, shown_path
from urdf_frontend.building import BuildError
from urdf_frontend.building.side_car import FOLDER
from urdf_frontend.diagnostics import UrdfError
from urdf_frontend.reader import ReadResult
from urdf_frontend.update import NoBaseError, UnreadableError, Update, UpdateError, UpdateOptions, update


def worked_out(folder: Path, urdf: ReadResult, options: UpdateOptions, *, file: str, package: str) -> Update:
    """The update; CommandError in place of what it raises."""
    try:
        return update(folder, urdf, options)
    except NoBaseError as error:
        raise CommandError(f"{error}\n{how_to_adopt(file, package)}", EXIT_UNREADABLE) from None
    except UrdfError as error:
        raise urdf_errors(file, error) from None
    except (BuildError, UpdateError) as error:
        raise update_error(error) from None


def save(result: Update) -> None:
    """Write the update; CommandError if a file can't be written, or has changed meanwhile."""
    try:
        result.save()
    except UpdateError as error:
        raise update_error(error) from None


def update_error(error: Exception) -> CommandError:
    """What keeps a package from being updated, with its exit code."""
    return CommandError(str(error), EXIT_UNREADABLE if isinstance(error, UnreadableError) else EXIT_USAGE)


def how_to_adopt(file: str, package: str) -> str:
    """What to do about a package that has lost its base."""
    return (
        "  the package is not lost: take the URDF file that it was built from last, and write\n"
        f"  modelica-patch urdf adopt OLD.urdf --package {package}\n"
        f"  then update it with {file}"
    )


def urdf_errors(file: str, error: UrdfError) -> CommandError:
    """All errors of a robot that can't be built."""
    for found in error.diagnostics:
        complain(str(found))
    return CommandError(f"{file}: {count(len(error.diagnostics), 'error')}; nothing was changed", EXIT_UNREADABLE)


def write_changes(result: Update, options: argparse.Namespace, *, written: bool, is_status: bool = False) -> None:
    """Files and values that change, on standard output; diffs or JSON if the user asked for them."""
    changes = [Change(file.path, file.old, file.new) for file in result.files]
    if options.json:
        files = [{"path": change.shown_path, "status": change.status} for change in changes]
        questions = [question.as_json() for question in result.questions]
        edits = [edit.as_json() for edit in result.report.edits] if is_status else None
        data = {**result.report.as_json(), "questions": questions, "written": written, "files": files}
        write_json(data if edits is None else {**data, "edits": edits})
        return
    if options.diff:
        for change in changes:
            sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
        return
    edited = {result.folder / taken.file for taken in result.report.taken}
    for change in changes:
        if change.path not in edited and not _is_kept_fact(change, result):
            write_line(f"{change.status} {change.shown_path}")
    base = shown(result.folder)
    sys.stdout.writelines(printable(f"{base}/{taken}") + "\n" for taken in result.report.taken)


def _is_kept_fact(change: Change, result: Update) -> bool:
    """Is it the side-car, or something beside it, where there is something else to say?"""
    return change.path.is_relative_to(result.folder / FOLDER) and len(result.files) > 1


def ask_about_renames(result: Update, options: argparse.Namespace) -> int:
    """Say which links and joints were probably renamed, and the commands that settle it; nothing is written."""
    if options.json:
        write_changes(result, options, written=False)
    for question in result.questions:
        complain(str(question))
    command = ["modelica-patch", "urdf", "update", options.file, "--package", options.package]
    known = [word for pair in options.rename for word in ("--rename", pair)]
    pairs = dict.fromkeys(f"{each.old}={each.new}" for each in result.questions)  # both kinds may be called so
    asked = [word for pair in pairs for word in ("--rename", pair)]
    for words, what in ((asked, "it was"), (["--no-rename"], "it was not")):
        line = shlex.join([*command, *known, *words, *_further(options)])
        sys.stderr.write(f"  {what}:\n    {printable(line)}\n")
    sys.stderr.write("nothing was written\n")
    return EXIT_CONFLICTS


def _further(options: argparse.Namespace) -> list[str]:
    """The other words of the call that decide what is written."""
    words = [word for folder in options.package_dir for word in ("--package-dir", folder)]
    words += [word for pair in options.arg for word in ("--arg", pair)]
    for name in ("prefer", "templates"):
        value = getattr(options, name, None)
        words += [] if value is None else [f"--{name}", value]
    flags = ("interactive", "prune", "allow_outside")
    return words + [f"--{flag.replace('_', '-')}" for flag in flags if getattr(options, flag, False)]


def _without_inner(paths: tuple[str, ...]) -> list[str]:
    """Files, and packages as a whole."""
    packages = [path.removesuffix(PACKAGE_FILE) for path in paths if path.endswith(f"/{PACKAGE_FILE}")]
    outer = [each for each in packages if not any(each != other and each.startswith(other) for other in packages)]
    others = [path for path in paths if not path.startswith(tuple(packages))]
    return [*(each.rstrip("/") for each in outer), *others]


def tell_attention(result: Update) -> None:
    """What needs the user, before all else: conflicts, and what the URDF has taken away."""
    base = shown(result.folder)
    for line in result.report.attention:
        complain(line)
    for conflict in result.report.undecided:
        complain(f"conflict: {base}/{conflict}")


def tell_report(result: Update, *, quiet: bool) -> None:
    """Conflicts that were decided, and what was kept or left out, on standard error."""
    report = result.report
    base = shown(result.folder)
    for conflict in report.conflicts:
        if conflict.decided is not None:
            tell(f"  conflict: {base}/{conflict}", quiet=quiet)
    for remembered in report.open:
        where = shown_path(remembered.path)
        values = f"yours is {remembered.user}, the URDF has {remembered.data}"
        tell(f"  open since an earlier update: {base}/{remembered.file}: {where}: {values}", quiet=quiet)
    for part in report.stayed:
        listed = ", ".join(_without_inner(part.classes))
        tell(f"  stayed: the {part.what} '{part.name}' is gone, and {listed} stays until --prune", quiet=quiet)
    for line in report.kept:
        tell(f"  kept: {line}", quiet=quiet)
    for line in report.left_out:
        tell(f"  left out: {line}", quiet=quiet)
    for line in report.suggestions:
        tell(f"  {line}", quiet=quiet)
