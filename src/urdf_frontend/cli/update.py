"""`modelica-patch urdf update`, `status` and `adopt`: a package follows its URDF file, and how the two differ."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import asdict

from modelica_ast.cli import (
    EXIT_CONFLICTS,
    EXIT_FOUND,
    EXIT_OK,
    Change,
    CommandError,
    complain,
    count,
    printable,
    tell,
    write_json,
)
from modelica_ast.foundation import shown
from modelica_ast.generate import NoBaseError
from urdf_frontend.cli.arguments import add_robot_arguments, is_assembly, package_folder, read_robot
from urdf_frontend.cli.reports import (
    ask_about_renames,
    robot_errors,
    tell_attention,
    tell_report,
    worked_out,
    write_changes,
)
from urdf_frontend.package import (
    TEMPLATES,
    BuildOptions,
    UpdateOptions,
    Visualisation,
    adopt,
    read_memory,
    read_settings,
)
from urdf_frontend.robot import NameStyle
from urdf_frontend.urdf import Packages, UrdfError

if TYPE_CHECKING:
    from modelica_ast.generate import Update as GeneratedUpdate, UpdateConflict
    from urdf_frontend.package import Adoption


_ANSWERS: Final[dict[str, str | None]] = {"y": "user", "u": "urdf", "l": None}


class Update:
    """`modelica-patch urdf update`: a package follows its URDF file, and keeps what its user wrote."""

    DESCRIPTION: Final = """
Bring a robot's package up to date with its URDF file. What the URDF changed since the last build or update comes in,
down to one number; comments, blanks, tuned values, added parameters and equations, moved placements, further files:
all that you wrote stays. New links and joints come with classes, components and connections; those that are gone are
removed. Classes of them that you have changed or used stay, outside the robot, until --prune.

A link or joint that is gone and resembles a new one was probably renamed: then nothing is written until you say
--rename OLD=NEW, or --no-rename.

Where you and the URDF have changed the same value, yours stays and both are shown; the next update does not ask again
unless one of them changes. --prefer urdf takes the URDF's, in earlier conflicts too.

A package that was assembled from modules follows its assembly: name that in place of a URDF file.

The exit code is 3 if something needs your decision. All files are written, or none. docs/updates.md says more.
"""
    EXAMPLES: Final = """
  modelica-patch urdf update arm.urdf --package Robots.Arm                what changed in the URDF comes in
  modelica-patch urdf update arm.urdf --package Arm --dry-run --diff      look first
  modelica-patch urdf update arm.urdf --package Arm --prefer urdf         the URDF wins conflicts
  modelica-patch urdf update arm.urdf --package Arm --interactive         ask about each conflict
  modelica-patch urdf update arm.urdf --package Arm --rename hand=gripper a link or joint has a new name
  modelica-patch urdf update arm.urdf --package Arm --prune               remove classes that stayed
  modelica-patch urdf update arm.yaml --package Plant/arm                 a robot of modules
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_robot_arguments(parser)
        winner = parser.add_mutually_exclusive_group()
        winner.add_argument(
            "--prefer", choices=["user", "urdf"], help="which side wins where both changed the same value"
        )
        winner.add_argument("--interactive", action="store_true", help="ask about each of those, on a terminal")
        parser.add_argument(
            "--rename", action="append", default=[], metavar="OLD=NEW", help="a link or joint that has a new name"
        )
        parser.add_argument(
            "--no-rename", action="store_true", help="no link or joint was renamed, except those of --rename"
        )
        parser.add_argument(
            "--prune", action="store_true", help="remove the classes that stayed of links and joints that are gone"
        )
        parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
        parser.add_argument("-d", "--diff", action="store_true", help="show what changes as a unified diff")
        parser.add_argument("-q", "--quiet", action="store_true", help="conflicts and errors only")
        parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")

    @staticmethod
    def writes(options: argparse.Namespace) -> bool:
        """Does this call write files?"""
        return not options.dry_run

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Work it out, and write it unless the user only wants to look."""
        if options.interactive and not sys.stdin.isatty():
            raise CommandError("--interactive needs a terminal to ask on, and there is none: use --prefer")
        folder = package_folder(options.package)
        result = _assembled(folder, options) if is_assembly(options.file) else _updated(folder, options)
        if result.questions:
            return ask_about_renames(result, options)
        is_written = not options.dry_run and bool(result.files)
        if is_written:
            result.save()
        tell_attention(result)
        write_changes(result, options, written=is_written)
        tell_report(result, quiet=options.quiet)
        what = "would be written" if options.dry_run else "written"
        tell(f"{result.report.package}: {count(len(result.files), 'file')} {what}", quiet=options.quiet)
        return EXIT_CONFLICTS if result.report.needs_user else EXIT_OK


def _assembled(folder: Path, options: argparse.Namespace) -> GeneratedUpdate:
    from urdf_frontend.cli.assemble import assembled_again  # noqa: PLC0415  (PERF: most robots are of one file)

    return assembled_again(folder, options, decide=ask if getattr(options, "interactive", False) else None)


def _updated(folder: Path, options: argparse.Namespace) -> GeneratedUpdate:
    urdf, packages = read_robot(options)
    wanted = UpdateOptions(
        prefer=options.prefer,
        decide=ask if options.interactive else None,
        renames=_renames(options.rename, folder),
        no_renames=options.no_rename,
        prune=options.prune,
        templates=None if options.templates is None else Path(options.templates),
        packages=packages,
    )
    return worked_out(folder, urdf, wanted, file=options.file, package=options.package)


def ask(conflict: UpdateConflict) -> str | None:
    """Ask who wins; None if the user wants to decide later, or there is no more input."""
    sys.stderr.write(f"{conflict.facts}\n")
    while True:
        sys.stderr.write("  keep [y]ours, take the [u]rdf's, or decide [l]ater? ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        answer = line.strip().lower()[:1]
        if answer in _ANSWERS:
            return _ANSWERS[answer]
        if not line:
            return None


def _renames(words: list[str], folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in words:
        old, new = _names(word, folder)
        if found.setdefault(old, new) != new:
            raise CommandError(f"--rename: '{old}' can't be '{found[old]}' and '{new}' at once")
    return found


def _names(word: str, folder: Path) -> tuple[str, str]:
    """The old and the new name; a name may have an equals sign in it, then that of the package counts."""
    parts = word.split("=")
    pairs = [("=".join(parts[:at]), "=".join(parts[at:])) for at in range(1, len(parts))]
    pairs = [(old, new) for old, new in pairs if old and new]
    if not pairs:
        raise CommandError(f"--rename takes OLD=NEW, not '{word}'")
    return pairs[0] if len(pairs) == 1 else next((pair for pair in pairs if pair[0] in _known(folder)), pairs[0])


def _known(folder: Path) -> set[str]:
    """What the URDF file of the last time called its links and joints."""
    try:
        names = read_memory(folder).table
    except NoBaseError:
        return set()  # the update says what is wrong
    return {*names.links, *names.joints}


def _compared(folder: Path, options: argparse.Namespace) -> GeneratedUpdate:
    urdf, packages = read_robot(options)
    templates = None if options.templates is None else Path(options.templates)
    wanted = UpdateOptions(templates=templates, packages=packages)
    return worked_out(folder, urdf, wanted, file=options.file, package=options.package)


class Status:
    """`modelica-patch urdf status`: how a package and a URDF file differ."""

    DESCRIPTION: Final = """
Show how a robot's package and a URDF file differ, without writing anything: what you have edited in generated classes,
what an update would bring in, where both changed the same value, which conflicts of earlier updates are still open,
and which classes of links and joints that are gone have stayed.

A package that was assembled from modules is compared with its assembly: name that in place of a URDF file.

The exit code is 0 if the package is up to date, 1 if an update would change something, 3 if it needs a decision from
you.
"""
    EXAMPLES: Final = """
  modelica-patch urdf status arm.urdf --package Robots.Arm      what an update would do
  modelica-patch urdf status arm.urdf --package Arm --diff      as a unified diff
  modelica-patch urdf status arm.urdf --package Arm --json      for programs
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_robot_arguments(parser)
        parser.add_argument("-d", "--diff", action="store_true", help="what an update would change, as a unified diff")
        parser.add_argument("-q", "--quiet", action="store_true", help="what an update would change, and nothing else")
        parser.add_argument("--json", action="store_true", help="all of it as JSON on standard output")

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Work the update out, and show it."""
        folder = package_folder(options.package)
        result = _assembled(folder, options) if is_assembly(options.file) else _compared(folder, options)
        for question in result.questions:
            complain(f"{question} 'urdf update' asks; what follows is so if it was not")
        tell_attention(result)
        if not options.json and not options.diff and not options.quiet:
            base = shown(result.folder)
            sys.stdout.writelines(printable(f"edited by you {base}/{edit}") + "\n" for edit in result.report.edits)
        write_changes(result, options, written=False, is_status=True)
        tell_report(result, quiet=options.quiet)
        if not result.files and not result.questions:
            tell(f"{result.report.package}: up to date with {options.file}", quiet=options.quiet)
            return EXIT_OK
        return EXIT_CONFLICTS if result.report.needs_user or result.questions else EXIT_FOUND


class Adopt:
    """`modelica-patch urdf adopt`: a package that has lost its base, or never had one, gets one."""

    DESCRIPTION: Final = """
Restore what updates of a robot's package need, if it is lost or damaged: Resources/urdf/NAME.json and the URDF file
beside it. FILE is the URDF file that the package was built from last. What a build of that file would write counts as
generated; everything else counts as yours, and updates keep it. No Modelica file is changed. A file that lacks links
or joints of the package, or has others, is refused; the message names them.

The options are those that the package was built with. Most of them are known from what is left in Resources/urdf;
options given here take precedence.

A package that the script of DLR's URDFModelica wrote can be adopted too, and needs no options. Values that are equal
to those of the URDF file count as generated; the others are listed, and count as yours. docs/updates.md says more.
"""

    EXAMPLES: Final = """
  modelica-patch urdf adopt arm.urdf --package Robots.Arm             restore its base
  modelica-patch urdf adopt arm.urdf --package Arm --dry-run          which files count as yours
  modelica-patch urdf adopt arm.urdf --package Arm --mobile --force   it was built with other options
  modelica-patch urdf adopt arm.urdf --package Cell.Arm               made by URDFModelica's script
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_robot_arguments(parser)
        motion = parser.add_mutually_exclusive_group()
        motion.add_argument("--stationary", action="store_true", help="it was built with --stationary")
        motion.add_argument("--mobile", action="store_true", help="it was built with --mobile")
        parser.add_argument(
            "--names", choices=[style.value for style in NameStyle], help="how links and joints are called"
        )
        parser.add_argument(
            "--visualisation", choices=[kind.value for kind in Visualisation], help="whose shapes show the robot"
        )
        parser.add_argument("--no-collisions", action="store_true", help="it was built without collision elements")
        parser.add_argument("--no-meshes", action="store_true", help="it was built without copies of mesh files")
        parser.add_argument("--modelica-version", default="4.0.0", metavar="VERSION", help="of the Standard Library")
        parser.add_argument(
            "--allow",
            action="append",
            default=[],
            metavar="CODE",
            help="it was built in spite of errors with this code",
        )
        parser.add_argument(
            "--force",
            action="store_true",
            help="replace an existing base; accept a URDF file with other links or joints",
        )
        parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
        parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
        parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")

    @staticmethod
    def writes(options: argparse.Namespace) -> bool:
        """Does this call write files?"""
        return not options.dry_run

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Adopt it."""
        folder = package_folder(options.package)
        urdf, packages = read_robot(options)
        try:
            result = adopt(folder, urdf, _build_options(options, folder, packages), replace=options.force)
            if not options.dry_run:
                result.save()
        except UrdfError as error:
            raise robot_errors(error, "; nothing was changed", file=options.file) from None
        _write(result, options)
        return EXIT_OK


def _build_options(options: argparse.Namespace, folder: Path, packages: Packages) -> BuildOptions:
    """The options of the call, then those that the package remembers, then the usual ones."""
    names = read_settings(folder)
    known = {} if names is None else names.options
    try:
        visualisation = Visualisation(options.visualisation or known.get("visualisation", Visualisation.MSL.value))
        style = NameStyle(options.names or known.get("names", NameStyle.AS_IS.value))
    except ValueError as wrong:
        raise CommandError(f"what {shown(folder)} kept is damaged: {wrong}") from None
    stationary = options.stationary or (not options.mobile and known.get("stationary") != "false")
    return BuildOptions(
        stationary=stationary,
        modelica_version=options.modelica_version,
        visualisation=visualisation,
        collisions=not options.no_collisions and known.get("collisions") != "false",
        name_style=style,
        templates=TEMPLATES if options.templates is None else Path(options.templates),
        copy_meshes=not options.no_meshes,
        allowed=frozenset(options.allow),
        urdf=Path(options.file),
        packages=packages,
    )


def _write(result: Adoption, options: argparse.Namespace) -> None:
    changes = [Change(file.path, file.old, file.new) for file in result.files]
    if options.json:
        data: dict[str, Any] = {
            "package": result.package,
            "written": bool(changes) and not options.dry_run,
            "files": [{"path": change.shown_path, "status": change.status} for change in changes],
            "generated": list(result.equal),
            "yours": list(result.edited),
            "missing": list(result.missing),
            "origin": result.origin,
            "values": [asdict(value) for value in result.values],
            "notes": list(result.notes),
        }
        write_json(data)
        return
    base = shown(result.folder)
    edited = [f"{base}/{value}" for value in result.values] or [f"{base}/{path}" for path in result.edited]
    sys.stdout.writelines(printable(f"yours {line}") + "\n" for line in edited)
    sys.stdout.writelines(printable(f"missing {base}/{path}") + "\n" for path in result.missing)
    for line in result.notes:
        tell(f"  {line}", quiet=options.quiet)
    if result.origin is None:
        found = f"{count(len(result.equal), 'file')} as generated, {len(result.edited)} yours"
    else:
        equal, values = count(len(result.equal), "record"), count(len(result.values), "value")
        found = f"made by the script of {result.origin}; {equal} as the URDF has them, {values} yours"
    tell(f"{result.package}: {found}", quiet=options.quiet)
    what = "would be written" if options.dry_run else "written"
    tell(f"{count(len(result.files), 'file')} {what} in {shown(result.folder / 'Resources')}", quiet=options.quiet)
