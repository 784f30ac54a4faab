"""`modelica-patch diff`, `merge` and `git-setup`: versions of files compared and merged by meaning, also for git."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from modelica_ast.cli.exits import (
    EXIT_CONFLICTS,
    EXIT_FOUND,
    EXIT_OK,
    EXIT_UNREADABLE,
    CommandError,
    cannot_read,
    write_result,
    writing,
)
from modelica_ast.cli.terminal import (
    complain,
    count,
    printable,
    source_text,
    styled,
    styled_diff,
    tell,
    write_json,
    write_line,
)
from modelica_ast.foundation import Source

# ---------------------------------------------------------------- diff

_STYLES = {"heading": "name", "moved": "changed", "renamed": "changed", "reordered": "changed"}
_GIT_ARGUMENTS = 7


class Diff:
    """`modelica-patch diff`: what changed, by meaning."""

    DESCRIPTION = """
Say what changed between two files or two folders of a library: classes, components, values by their path, connections,
equations, annotations, comments. Blanks, line ends, the order of arguments and declarations and the way a number is
written are noise; --noise lists it apart. A class that moved or got another name is one change. The exit code is 1 if
something changed.

Each line starts with what happened: + added, - removed, ~ changed, > moved or renamed, % in another order.
"""
    EXAMPLES = """
  modelica-patch diff old/Arm.mo Arm.mo                  what changed, grouped by class
  modelica-patch diff old/MyLib/ MyLib/                  the same for all files of a library
  modelica-patch diff old.mo new.mo --noise              and what only looks different
  modelica-patch diff old.mo new.mo --json               for programs, with places in both files
  modelica-patch diff old.mo new.mo --html changes.html  a page to read and to send
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `diff` takes."""
        parser.add_argument("paths", nargs="*", metavar="OLD NEW", help="two .mo files, or two folders")
        parser.add_argument("--noise", action="store_true", help="list what looks different and is not")
        parser.add_argument("--json", action="store_true", help="as JSON, for programs")
        parser.add_argument("--html", metavar="FILE", help="write a page there; - is standard output")
        parser.add_argument("-q", "--quiet", action="store_true", help="the exit code only")
        parser.add_argument("--git", action="store_true", help="act as git's external diff command")

    @staticmethod
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


# ---------------------------------------------------------------- merge


class Merge:
    """`modelica-patch merge`: two changed versions of a file, and the one that they started from."""

    DESCRIPTION = """
Merge two versions of a file that both come from a third. The result is OURS, with what THEIRS changed since BASE: a
value, an element with its comments, an equation. Blanks and the order of arguments are not changes.

What both sides changed differently is a conflict. The result has it between markers like git's, around the smallest
element or equation, or around lines of a long string; --prefer decides instead. The exit code is then 3, and every
conflict is named. Without -i or -o you see what would change in OURS, and nothing is written.

With --git this is the merge driver of git: the result goes to OURS, conflicts are exit code 1, as git expects, and
what is not Modelica is merged as text, with a message. 'modelica-patch git-setup' tells git to use it.
"""
    EXAMPLES = """
  modelica-patch merge base/Arm.mo Arm.mo theirs/Arm.mo               see what would change
  modelica-patch merge base/Arm.mo Arm.mo theirs/Arm.mo --in-place    write it to Arm.mo
  modelica-patch merge base.mo ours.mo theirs.mo -o merged.mo         write it elsewhere; - is standard output
  modelica-patch merge base.mo ours.mo theirs.mo -i --prefer ours     keep ours where both changed something
  modelica-patch merge base.mo ours.mo theirs.mo --json               conflicts and what was taken, for programs
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `merge` takes."""
        parser.add_argument("base", metavar="BASE", help="the version that both come from")
        parser.add_argument("ours", metavar="OURS", help="the version whose text is kept")
        parser.add_argument("theirs", metavar="THEIRS", help="the version whose changes are brought in")
        parser.add_argument("-i", "--in-place", action="store_true", help="write the result to OURS")
        parser.add_argument("-o", "--output", metavar="FILE", help="write the result there; - is standard output")
        parser.add_argument(
            "--prefer", choices=("ours", "theirs"), help="decide conflicts for one side, without markers"
        )
        parser.add_argument(
            "-L",
            "--label",
            action="append",
            default=[],
            help="the names of OURS, BASE and THEIRS in markers (up to three)",
        )
        parser.add_argument("--json", action="store_true", help="conflicts and changes as JSON on standard output")
        parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
        parser.add_argument("--git", action="store_true", help="act as git's merge driver")
        parser.add_argument("--path", metavar="FILE", help="with --git: the name of the file in the repository")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Merge; the exit code."""
        from modelica_ast.compare import Labels, merge, merge_order  # noqa: PLC0415  (PERF: not for --help)

        if options.in_place and options.output:
            raise CommandError("--in-place and --output exclude each other")
        if len(options.label) > 3:  # noqa: PLR2004
            raise CommandError("there are only three versions: give --label at most three times")
        if options.git:
            return _drive(options)
        names = [*options.label, *("ours", "base", "theirs")[len(options.label) :]]
        labels = Labels(names[1], names[0], names[2])
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


def _drive(options: argparse.Namespace) -> int:
    from modelica_ast.compare import drive, labels_from_git  # noqa: PLC0415  (PERF: only for git)

    labels = labels_from_git(options.label, os.environ)
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


# ---------------------------------------------------------------- git


class GitSetup:
    """`modelica-patch git-setup`: let git merge and compare Modelica by meaning."""

    DESCRIPTION = """
Let git use 'modelica-patch merge' for .mo files and package.order, and 'modelica-patch diff' for 'git diff'. It sets a
merge driver and a diff command in the configuration of the repository (or with --global, of the user) and names them
in .gitattributes, which you commit. Run again, it changes nothing; --remove takes it back.

'git diff --no-ext-diff' shows the lines, 'git merge -s …' and all other commands of git stay as they are.
"""
    EXAMPLES = """
  modelica-patch git-setup                for the repository around this folder
  modelica-patch git-setup --dry-run      only say what it would do
  modelica-patch git-setup --no-diff      merge by meaning, leave 'git diff' alone
  modelica-patch git-setup --global       for all your repositories
  modelica-patch git-setup --remove       take it back
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `git-setup` takes."""
        parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="a folder of the repository")
        parser.add_argument("--global", dest="is_global", action="store_true", help="for all repositories of the user")
        parser.add_argument("--no-diff", action="store_true", help="leave 'git diff' as it is")
        parser.add_argument("--remove", action="store_true", help="take back what this command did")
        parser.add_argument("-n", "--dry-run", action="store_true", help="change nothing, say what would be done")
        parser.add_argument("-q", "--quiet", action="store_true", help="errors only")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Set git up, or take that back."""
        from modelica_ast.compare import Scope, install, uninstall  # noqa: PLC0415  (PERF: not for --help)

        scope: Scope = "global" if options.is_global else "local"
        if options.remove:
            steps = uninstall(scope, options.folder, dry_run=options.dry_run)
        else:
            steps = install(scope, options.folder, diff=not options.no_diff, dry_run=options.dry_run)
        if not options.quiet:
            sys.stdout.writelines(f"{step}\n" for step in steps)
        if not steps:
            tell("nothing to do", quiet=options.quiet)
        elif options.dry_run:
            tell("nothing was changed", quiet=options.quiet)
        return EXIT_OK
