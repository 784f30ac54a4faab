"""`modelica-patch urdf adopt`: a package that has lost its base, or never had one, gets one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from attrs import asdict

from modelica_ast.cli import EXIT_OK, Change, CommandError, count, printable, tell, write_json
from modelica_ast.foundation import shown
from urdf_frontend.cli.arguments import add_robot_arguments, package_folder, read_robot
from urdf_frontend.cli.reports import robot_errors
from urdf_frontend.package import TEMPLATES, Adoption, BuildOptions, Visualisation, adopt, read_settings
from urdf_frontend.robot import NameStyle
from urdf_frontend.urdf import Packages, UrdfError

DESCRIPTION: Final = """
Restore what the updates of a robot's package need, if it is lost or damaged: Resources/urdf/NAME.json and the URDF file
beside it. FILE is the URDF file that the package was built from last. Whatever is as a build of that file would make it
counts as generated; everything else counts as yours, and updates keep it. No Modelica file is changed. A file that
lacks links or joints of the package, or has others, is refused; the message names them.

The options are those that the package was built with. Most of them are known from what is left in Resources/urdf;
options given here take precedence.

A package that the script of DLR's URDFModelica wrote can be adopted too, and needs no options. Values that are equal to
those of the URDF file become base; the others are listed, and are yours. docs/updates.md says more.
"""
EXAMPLES: Final = """
  modelica-patch urdf adopt arm.urdf --package Robots.Arm             restore its base
  modelica-patch urdf adopt arm.urdf --package Arm --dry-run          which files count as yours
  modelica-patch urdf adopt arm.urdf --package Arm --mobile --force   it was built with other options
  modelica-patch urdf adopt arm.urdf --package Cell.Arm               URDFModelica's script has made it
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_robot_arguments(parser)
    motion = parser.add_mutually_exclusive_group()
    motion.add_argument("--stationary", action="store_true", help="it was built with --stationary")
    motion.add_argument("--mobile", action="store_true", help="it was built with --mobile")
    parser.add_argument("--names", choices=[style.value for style in NameStyle], help="how links and joints are called")
    parser.add_argument(
        "--visualisation", choices=[kind.value for kind in Visualisation], help="whose shapes show the robot"
    )
    parser.add_argument("--no-collisions", action="store_true", help="it was built without collision elements")
    parser.add_argument("--no-meshes", action="store_true", help="it was built without copies of mesh files")
    parser.add_argument("--modelica-version", default="4.0.0", metavar="VERSION", help="of the Standard Library")
    parser.add_argument(
        "--allow", action="append", default=[], metavar="CODE", help="it was built in spite of errors with this code"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace an existing base; accept a URDF file with other links or joints"
    )
    parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
    parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")


def writes(options: argparse.Namespace) -> bool:
    """Does this call write files?"""
    return not options.dry_run


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
            "written": not options.dry_run,
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
