"""`modelica-patch urdf build`: a Modelica package of a robot."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli.changes import Change, shown
from modelica_ast.cli.exits import EXIT_OK, EXIT_UNREADABLE, EXIT_USAGE, CommandError
from modelica_ast.cli.terminal import complain, count, styled_diff, tell
from urdf_frontend.building import BuildError, BuildOptions, BuiltPackage, Visualisation, build, write
from urdf_frontend.building.options import TEMPLATES
from urdf_frontend.codes import Severity
from urdf_frontend.diagnostics import UrdfError
from urdf_frontend.meshes import Packages
from urdf_frontend.names import NameStyle
from urdf_frontend.reader import read
from urdf_frontend.update import with_base

DESCRIPTION: Final = """
Make a Modelica package of a robot that is described in URDF: a model and a record of values for each link and joint,
the robot with all of them connected, a run model and a test model. Every class is a copy of a template, with what its
link or joint needs, and can be changed by itself. Meshes are copied into the package.

If --into is a package, it gets the robot as another class; otherwise the robot is a library of its own in that folder.
A robot with errors is not built, and all its errors are listed. All files are written, or none.
"""
EXAMPLES: Final = """
  modelica-patch urdf build arm.urdf                          the library arm in this folder
  modelica-patch urdf build arm.urdf --into Robots --name Arm the class Robots.Arm of a library that is there
  modelica-patch urdf build rover.urdf --mobile               it moves about: its root link is free
  modelica-patch urdf build arm.urdf --dry-run                which files it would make, and what it leaves out
  modelica-patch urdf build arm.urdf --dry-run --diff         and what would be in them
  modelica-patch urdf build arm.urdf --templates MyRobots     from templates of your own
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
    parser.add_argument("--into", default=".", metavar="DIR", help="a package, or the folder for a new library")
    parser.add_argument("--name", help="what the package is called; without it, as the robot")
    motion = parser.add_mutually_exclusive_group()
    motion.add_argument("--stationary", action="store_true", help="its root link stands in the world (as without it)")
    motion.add_argument("--mobile", action="store_true", help="its root link moves freely")
    parser.add_argument(
        "--names",
        choices=[style.value for style in NameStyle],
        default=NameStyle.AS_IS.value,
        help="how links and joints are called: as they are where that is possible, quoted, or as URDFModelica does",
    )
    parser.add_argument(
        "--visualisation",
        choices=[kind.value for kind in Visualisation],
        default=Visualisation.MSL.value,
        help="whose shapes show the robot",
    )
    parser.add_argument("--no-collisions", action="store_true", help="leave out collision elements")
    parser.add_argument("--no-meshes", action="store_true", help="copy no mesh files")
    parser.add_argument("--templates", metavar="DIR", help="a library of templates of your own")
    parser.add_argument("--modelica-version", default="4.0.0", metavar="VERSION", help="of the Standard Library")
    parser.add_argument(
        "--package-dir", action="append", default=[], metavar="DIR", help="a ROS package, or their folder"
    )
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE", help="an argument for xacro")
    parser.add_argument(
        "--allow", action="append", default=[], metavar="CODE", help="build in spite of errors with this code"
    )
    parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
    parser.add_argument("-d", "--diff", action="store_true", help="show what is in the new files")
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
    parser.add_argument("--json", action="store_true", help="what happened, as JSON on standard output")


def run(options: argparse.Namespace) -> int:
    """Build it, and write it unless the user only wants to look."""
    file, into = Path(options.file), Path(options.into)
    packages = Packages(options.package_dir, near=file)
    result = read(file, packages=packages, xacro_arguments=_xacro_arguments(options.arg))
    try:
        wanted = _build_options(options, file, into, packages)
        built = with_base(build(result.usable_robot(allowed=options.allow), wanted), result, wanted)
        if not options.dry_run:
            write(built, into)
    except UrdfError as error:
        for found in error.diagnostics:
            complain(str(found))
        tell(f"{file}: {count(len(error.diagnostics), 'error')}; nothing was built", quiet=options.quiet)
        return EXIT_UNREADABLE
    except BuildError as error:
        raise CommandError(str(error), EXIT_USAGE) from None
    warnings = sum(found.severity is Severity.WARNING for found in result.diagnostics)
    if options.json:
        _write_json(built, into, written=not options.dry_run)
        return EXIT_OK
    if options.diff:
        for change in _changes(built, into):
            sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
    elif options.dry_run:
        for change in _changes(built, into):
            sys.stdout.write(f"{'change' if change.old is not None else 'create'} {change.shown_path}\n")
    _tell_summary(built, into, warnings, options)
    return EXIT_OK


def _build_options(options: argparse.Namespace, file: Path, into: Path, packages: Packages) -> BuildOptions:
    return BuildOptions(
        name=options.name,
        into=into,
        stationary=not options.mobile,
        modelica_version=options.modelica_version,
        visualisation=Visualisation(options.visualisation),
        collisions=not options.no_collisions,
        name_style=NameStyle(options.names),
        templates=TEMPLATES if options.templates is None else Path(options.templates),
        copy_meshes=not options.no_meshes,
        allowed=frozenset(options.allow),
        urdf=file,
        packages=packages,
    )


def _xacro_arguments(words: list[str]) -> dict[str, str] | None:
    pairs = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise CommandError(f"--arg takes NAME=VALUE, not '{word}'")
        pairs[name] = value
    return pairs or None


def _changes(built: BuiltPackage, into: Path) -> list[Change]:
    return [Change(into / path, built.changed.get(path), data) for path, data in sorted(built.files.items())]


def _tell_summary(built: BuiltPackage, into: Path, warnings: int, options: argparse.Namespace) -> None:
    summary = built.summary
    parts = [
        f"{count(summary.links, 'link')}, {count(summary.joints, 'joint')}",
        f"{summary.driven} of them with flanges" if summary.joints else "",
        f"{summary.followers} follow others" if summary.followers else "",
    ]
    tell(f"{summary.package}: {', '.join(filter(None, parts))}", quiet=options.quiet)
    for line in summary.left_out:
        tell(f"  left out: {line}", quiet=options.quiet)
    for line in summary.notes:
        tell(f"  {line}", quiet=options.quiet)
    if warnings:
        shown_name = shown(Path(options.file))
        tell(f"  {count(warnings, 'warning')}: see modelica-patch urdf check {shown_name}", quiet=options.quiet)
    what = "would be written" if options.dry_run else "written"
    tell(f"{count(len(built.files), 'file')} {what} in {shown(into / built.folder)}", quiet=options.quiet)


def _write_json(built: BuiltPackage, into: Path, *, written: bool) -> None:
    data: dict[str, Any] = {
        **built.summary.as_json(),
        "written": written,
        "files": [{"path": change.shown_path, "status": change.status} for change in _changes(built, into)],
    }
    json.dump(data, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
