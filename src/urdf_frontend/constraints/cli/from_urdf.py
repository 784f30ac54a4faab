"""`modelica-patch constraints from-urdf`: a cell of robots, holders and tools."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli import (
    EXIT_CONFLICTS,
    EXIT_OK,
    Change,
    CommandError,
    cannot_read,
    complain,
    count,
    prepare,
    styled_diff,
    tell,
    write_json,
    write_line,
)
from modelica_ast.foundation import shown
from urdf_frontend.cli import add_mesh_options, robot_errors
from urdf_frontend.constraints.cells.cell_model import RenameError
from urdf_frontend.constraints.cells.description import read_cell
from urdf_frontend.constraints.cells.update import CellUpdate, update_cell
from urdf_frontend.constraints.cli.output import as_json, complain_about, tell_networks
from urdf_frontend.urdf import UrdfError

DESCRIPTION: Final = """
Make a library of a cell in which robots change tools, from a short description in YAML: robots of URDF files with
grippers, holders, tools, how joints move and when grippers close. Robots become packages as urdf build makes them.
The cell is a model with a collision object on each gripper and holder and a constrained object on each tool, all
numbered.

Called again, it brings in what changed in the description and in the URDF files, and keeps what you wrote: in the model
of the cell and in the packages of the robots. Where you and the description changed the same, yours stays and the exit
code is 3; --prefer cell takes the other. It is 3 too where something is gone that you have written about, and, with
nothing written, where a link or joint was probably renamed. All files are written, or none. docs/constraints.md
explains the description.
"""
EXAMPLES: Final = """
  modelica-patch constraints from-urdf cell.yaml                  make the library, or bring it up to date
  modelica-patch constraints from-urdf cell.yaml --dry-run        which files that would write
  modelica-patch constraints from-urdf cell.yaml --into models    in another folder
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("file", metavar="FILE", help="the description, a YAML file")
    parser.add_argument("--into", metavar="DIR", help="the folder for the library; without it, that of FILE")
    parser.add_argument(
        "--package-dir", action="append", default=[], metavar="DIR", help="a ROS package, or their folder, for meshes"
    )
    add_mesh_options(parser)
    parser.add_argument("--prefer", choices=["user", "cell"], help="who wins where both changed the same")
    parser.add_argument("-n", "--dry-run", action="store_true", help="write nothing")
    parser.add_argument("-d", "--diff", action="store_true", help="show what changes as a unified diff")
    parser.add_argument("-q", "--quiet", action="store_true", help="conflicts and errors only")
    parser.add_argument("--json", action="store_true", help="what happened, as JSON on standard output")


def writes(options: argparse.Namespace) -> bool:
    """Does this call write files?"""
    return not options.dry_run


def run(options: argparse.Namespace) -> int:
    """Make it; the exit code."""
    result = _worked_out(options)
    changes = [Change(file.path, file.old, file.new) for file in result.files]
    _tell_attention(result)
    if options.json:
        _write_json(result, changes, options)
    elif options.diff:
        for change in changes:
            sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
    elif options.dry_run:
        for change in changes:
            what = "create" if change.old is None else "remove" if change.new is None else "change"
            write_line(f"{what} {change.shown_path}")
    complain_about(result.report.findings, quiet=options.quiet)
    for note in result.notes:
        tell(f"  {note}", quiet=options.quiet)
    if not options.json:
        tell_networks(result.report.networks, quiet=options.quiet)
        what = "would be written" if options.dry_run else "written"
        tell(f"{result.report.model}: {count(len(changes), 'file')} {what}", quiet=options.quiet)
    return EXIT_CONFLICTS if result.needs_user else EXIT_OK


def _worked_out(options: argparse.Namespace) -> CellUpdate:
    try:
        cell = read_cell(options.file)
        into = Path(options.file).parent if options.into is None else Path(options.into)
        prepare([into / cell.library])
        result = update_cell(
            cell,
            into,
            prefer=options.prefer,
            ros_packages=options.package_dir,
            allow_outside=options.allow_outside,
        )
        if not options.dry_run:
            result.save()
    except UrdfError as error:
        raise robot_errors(error, " in a robot; nothing was made") from None
    except RenameError as error:
        raise CommandError(str(error), EXIT_CONFLICTS, {"questions": error.as_json()}) from None
    except OSError as error:
        raise cannot_read(error.filename or options.file, error) from None
    return result


def _tell_attention(result: CellUpdate) -> None:
    """Say what needs the user: what the description or a robot has taken away, and what both changed."""
    for line in result.attention:
        complain(line)
    for conflict in result.conflicts:
        stays = "the description's was taken" if conflict.takes_data else "yours stays"
        complain(
            f"{result.report.model}: {'.'.join(conflict.path)}: you have '{conflict.user or 'nothing'}', "
            f"the description '{conflict.data or 'nothing'}'; {stays}"
        )
    for report in result.robots.values():
        for value in report.conflicts:
            complain(str(value.facts))


def _write_json(result: CellUpdate, changes: list[Change], options: argparse.Namespace) -> None:
    data: dict[str, Any] = {
        **result.report.as_json(),
        "findings": as_json(result.report.findings),
        "notes": [*result.attention, *result.notes],
        "written": not options.dry_run,
        "folder": shown(result.folder),
        "files": [{"path": change.shown_path, "status": change.status} for change in changes],
        "conflicts": [
            {"path": list(conflict.path), "base": conflict.base, "yours": conflict.user, "cell": conflict.data}
            for conflict in result.conflicts
        ],
        "robots": {name: report.as_json() for name, report in result.robots.items()},
    }
    write_json(data)
