"""Updates for people and programs: what changes, what is in conflict, what was kept."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from modelica_ast.cli.changes import Change, shown
from modelica_ast.cli.exits import EXIT_UNREADABLE, EXIT_USAGE, CommandError
from modelica_ast.cli.terminal import complain, count, printable, styled_diff, tell, write_json, write_line
from urdf_frontend.building import BuildError
from urdf_frontend.diagnostics import UrdfError
from urdf_frontend.reader import ReadResult
from urdf_frontend.update import NoBaseError, UnreadableError, Update, UpdateError, UpdateOptions, update
from urdf_frontend.update.showing import shown_path


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


def write_changes(result: Update, options: argparse.Namespace, *, written: bool) -> None:
    """Files and values that change, on standard output; diffs or JSON if the user asked for them."""
    changes = [Change(file.path, file.old, file.new) for file in result.files]
    if options.json:
        files = [{"path": change.shown_path, "status": change.status} for change in changes]
        data = {**result.report.as_json(), "written": written, "files": files}
        write_json(data)
        return
    if options.diff:
        for change in changes:
            sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
        return
    edited = {taken.file for taken in result.report.taken}
    for change in changes:
        if change.path.relative_to(result.folder).as_posix() not in edited:
            write_line(f"{change.status} {change.shown_path}")
    base = shown(result.folder)
    sys.stdout.writelines(printable(f"{base}/{taken}") + "\n" for taken in result.report.taken)


def tell_report(result: Update, *, quiet: bool) -> None:
    """Conflicts, and what was kept or left out, on standard error."""
    report = result.report
    base = shown(result.folder)
    for conflict in report.conflicts:
        if conflict.decided is None:
            complain(f"conflict: {base}/{conflict}")
        else:
            tell(f"  conflict: {base}/{conflict}", quiet=quiet)
    for remembered in report.open:
        where = shown_path(remembered.path)
        values = f"yours is {remembered.user}, the URDF has {remembered.urdf}"
        tell(f"  open since an earlier update: {base}/{remembered.file}: {where}: {values}", quiet=quiet)
    for line in report.kept:
        tell(f"  kept: {line}", quiet=quiet)
    for line in report.left_out:
        tell(f"  left out: {line}", quiet=quiet)
    for line in report.suggestions:
        tell(f"  {line}", quiet=quiet)
