"""Updates for people and programs: what changes, what is in conflict, what was kept."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from modelica_ast.cli import (
    EXIT_CONFLICTS,
    EXIT_UNREADABLE,
    Change,
    CommandError,
    complain,
    count,
    exit_code,
    printable,
    styled_diff,
    tell,
    write_json,
    write_line,
)
from modelica_ast.files import is_file
from modelica_ast.foundation import shown
from modelica_ast.generate import (
    PACKAGE_FILE,
    NewerBaseError,
    NoBaseError,
    Update,
    read_user_package,
    short,
    shown_class,
    shown_path,
)
from urdf_frontend.package import FOLDER, UpdateOptions, update
from urdf_frontend.urdf import ReadResult, UrdfError

# ---------------------------------------------------------------- robot errors
# What is wrong with a robot that nothing can be made of.


def robot_errors(error: UrdfError, ending: str, *, file: object = None) -> CommandError:
    """List all errors of a robot; what ends the command says how many they are: `arm.urdf: 2 errors; ending`."""
    for found in error.diagnostics:
        complain(str(found))
    place = "" if file is None else f"{file}: "
    return CommandError(f"{place}{count(len(error.diagnostics), 'error')}{ending}", exit_code(error), error.as_json())


# ---------------------------------------------------------------- update output


def worked_out(folder: Path, urdf: ReadResult, options: UpdateOptions, *, file: str, package: str) -> Update:
    """The update; CommandError in place of errors that need advice."""
    try:
        return update(folder, urdf, options)
    except NoBaseError as error:
        raise no_base(error, file, package) from None
    except UrdfError as error:
        raise robot_errors(error, "; nothing was changed", file=file) from None


def no_base(error: NoBaseError, file: str, package: str) -> CommandError:
    """What to do about a package that has lost its base; one of a newer tool has not."""
    if isinstance(error, NewerBaseError):
        return CommandError(str(error), EXIT_UNREADABLE)
    return CommandError(
        f"{error}\n  the package is not lost: take the URDF file that it was last built from, and run\n"
        f"  modelica-patch urdf adopt OLD.urdf --package {package}\n"
        f"  then update it with {file}",
        EXIT_UNREADABLE,
    )


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


def _place(folder: Path, path: str) -> str:
    """Where a class is that stayed: its file, or the one that it was folded into."""
    return path if (folder / path).exists() else shown_class(read_user_package(folder), path)


def _with_folder(line: str, folder: Path) -> str:
    """A sentence that begins with a file of the package, as somebody outside of it names that."""
    name = line.partition(":")[0]
    return f"{shown(folder)}/{line}" if " " not in name and is_file(folder / name) else line


def tell_attention(result: Update) -> None:
    """What needs the user, before all else: conflicts, and what the URDF has taken away."""
    base = shown(result.folder)
    for line in result.report.attention:
        complain(_with_folder(line, result.folder))
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
        yours = "you removed it" if remembered.user is None else f"yours is {short(remembered.user)}"
        values = f"{yours}, the URDF has {'none' if remembered.data is None else short(remembered.data)}"
        tell(f"  open since an earlier update: {base}/{remembered.file}: {where}: {values}", quiet=quiet)
    for part in report.stayed:
        places = [_place(result.folder, path) for path in _without_inner(part.classes)]
        fate = f"is gone, and {', '.join(places)} {'stays' if len(places) == 1 else 'stay'} until --prune"
        tell(f"  stayed: the {part.what} '{part.name}' {fate}", quiet=quiet)
    for line in report.kept:
        tell(f"  kept: {_with_folder(line, result.folder)}", quiet=quiet)
    for line in report.left_out:
        tell(f"  left out: {line}", quiet=quiet)
    for line in report.suggestions:
        tell(f"  {line}", quiet=quiet)
