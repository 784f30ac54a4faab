"""`modelica-patch urdf split`: a robot cut into modules."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from modelica_ast.cli import EXIT_OK, changes_of, count, styled_diff, tell, write_json
from modelica_ast.edit import Workspace
from urdf_frontend.cli.arguments import add_reading_options, xacro_arguments
from urdf_frontend.cli.reports import robot_errors
from urdf_frontend.modules import ModuleError, SplitRobot, split
from urdf_frontend.urdf import Packages, UrdfError, read

DESCRIPTION: Final = """
Cut a robot into modules at joints, and write an assembly file that makes the same robot of them again (see `urdf
assemble`). A fixed joint becomes the output connector itself. A joint that moves goes to the module after the cut,
which then begins with an empty link `input_connector`.

Comments and what URDF does not know go where the links and joints that they belong to go; what belongs to the whole
robot goes to the first module. An SRDF file is cut likewise; what is between modules stays together in a file of its
own. A cut between a joint and the one that it mimics is refused.
"""
EXAMPLES: Final = """
  modelica-patch urdf split arm.urdf --at elbow -o modules                two modules and assembly.yaml
  modelica-patch urdf split arm.urdf --at elbow --at wrist -o modules     three of them
  modelica-patch urdf assemble modules/assembly.yaml                      the same robot again
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
    parser.add_argument(
        "--at", action="append", required=True, metavar="JOINT", help="a joint to cut at; can be repeated"
    )
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder for the modules")
    parser.add_argument("--srdf", metavar="FILE", help="its SRDF file; without, the one beside FILE, if there is one")
    add_reading_options(parser)
    parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
    parser.add_argument("-d", "--diff", action="store_true", help="show what is in the files")
    parser.add_argument("--force", action="store_true", help="replace existing files")
    parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
    parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")


def writes(options: argparse.Namespace) -> bool:
    """Does this call write files?"""
    return not options.dry_run


def run(options: argparse.Namespace) -> int:
    """Cut it, and write the modules unless the user only wants to look."""
    file = Path(options.file)
    result = read(file, packages=Packages(options.package_dir, near=file), xacro_arguments=xacro_arguments(options.arg))
    try:
        made = split(result, options.at, into=options.output, srdf=options.srdf)
        workspace = _workspace(made, Path(options.output), force=options.force)
    except UrdfError as error:
        raise robot_errors(error, "; nothing was cut", file=file) from None
    changes = changes_of(workspace.others.writes())
    if changes and not options.dry_run:
        workspace.save()
    if options.json:
        files = [{"path": change.shown_path, "status": change.status} for change in changes]
        data = {"modules": list(made.modules), "written": bool(changes) and not options.dry_run, "files": files}
        write_json(data)
    elif options.diff:
        for change in changes:
            sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
    what = "would be written" if options.dry_run else "written"
    names = ", ".join(change.shown_path for change in changes)
    tell(f"{count(len(made.modules), 'module')}: {', '.join(made.modules)}", quiet=options.quiet)
    tell(f"{count(len(changes), 'file')} {what}{f': {names}' if names else ''}", quiet=options.quiet)
    return EXIT_OK


def _workspace(made: SplitRobot, folder: Path, *, force: bool) -> Workspace:
    """The files, not saved yet; ModuleError for a file that is there and would be lost."""
    existing = folder.resolve()
    while not existing.is_dir():
        if existing.exists():
            raise ModuleError(f"{existing} is a file, and modules go to a folder")
        existing = existing.parent
    workspace = Workspace(existing)
    for name, data in made.files.items():
        path = folder.resolve() / name
        old = workspace.others.read(path)
        if old is not None and old != data and not force:
            raise ModuleError(f"{folder / name} already exists and differs; --force replaces it")
        workspace.others.write(path, data)
    return workspace
