"""Cells on the command line: `from-urdf` makes one, and `modelica-patch urdf animate` shows it."""

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
from urdf_frontend.cli import add_mesh_options, given_result, robot_errors, simulated
from urdf_frontend.constraints.cells.cell_model import RenameError
from urdf_frontend.constraints.cells.cell_result import CellRecorder, Stage
from urdf_frontend.constraints.cells.cell_update import CellUpdate, update_cell
from urdf_frontend.constraints.cells.description import Cell, read_cell
from urdf_frontend.constraints.cli.models import as_json, complain_about, tell_networks
from urdf_frontend.motion import AnimationError, Motion
from urdf_frontend.urdf import Packages, UrdfError

# ---------------------------------------------------------------- from-urdf


class FromUrdf:
    """`modelica-patch constraints from-urdf`: a cell of robots, holders and tools."""

    DESCRIPTION: Final = """
Make a library of a cell in which robots change tools, from a short description in YAML: robots of URDF files with
grippers, holders, tools, how joints move and when grippers close. Robots become packages as urdf build makes them. The
cell is a model with a collision object on each gripper and holder and a constrained object on each tool, all numbered.

When it is run again, it brings in what changed in the description and in the URDF files, and keeps what you wrote: in
the model of the cell and in the packages of the robots. Where you and the description changed the same, yours stays
and the exit code is 3; --prefer cell takes the other. It is 3 too where something is gone that you have written about,
and, with nothing written, where a link or joint was probably renamed. All files are written, or none.
docs/constraints.md explains the description.
"""
    EXAMPLES: Final = """
  modelica-patch constraints from-urdf cell.yaml                  make the library, or bring it up to date
  modelica-patch constraints from-urdf cell.yaml --dry-run        which files that would write
  modelica-patch constraints from-urdf cell.yaml --into models    in another folder
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("file", metavar="FILE", help="the description, a YAML file")
        parser.add_argument("--into", metavar="DIR", help="the folder for the library; without it, that of FILE")
        parser.add_argument(
            "--package-dir",
            action="append",
            default=[],
            metavar="DIR",
            help="a ROS package, or a folder of them, for meshes",
        )
        add_mesh_options(parser)
        parser.add_argument(
            "--prefer", choices=["user", "cell"], help="which side wins where both changed the same value"
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
        "written": bool(changes) and not options.dry_run,
        "folder": shown(result.folder),
        "files": [{"path": change.shown_path, "status": change.status} for change in changes],
        "conflicts": [
            {"path": list(conflict.path), "base": conflict.base, "yours": conflict.user, "cell": conflict.data}
            for conflict in result.conflicts
        ],
        "robots": {name: report.as_json() for name, report in result.robots.items()},
    }
    write_json(data)


# ---------------------------------------------------------------- animate
# What `modelica-patch urdf animate` does with the description of a cell.


def cell_page(options: argparse.Namespace) -> tuple[bytes, Motion]:
    """The page, and the motion of one of its robots."""
    for name in ("instance", "arg"):
        if getattr(options, name):
            raise CommandError(f"--{name} is for one robot: {options.file} is the description of a cell")
    cell = read_cell(options.file)
    stage = _stage(cell, options)
    try:
        recorder = CellRecorder(cell, stage, lambda urdf: _packages(options, urdf))
    except UrdfError as error:
        raise robot_errors(error, " in a robot; nothing is shown") from None
    if options.result is not None:
        recording, title = given_result(options), Path(options.result).name
    else:
        recording, title = simulated(options, recorder.simulate), stage.model
    try:
        return recorder.page(recording, title, most_frames=options.frames)
    except AnimationError as wrong:
        raise CommandError(f"{options.file}: {wrong}") from None


def _stage(cell: Cell, options: argparse.Namespace) -> Stage:
    """The library of --package, or the one beside the description, and the model in it."""
    folder = Path(options.file).parent / cell.library if options.package is None else Path(options.package)
    # With a result, --model is refused where that is read: what was simulated is what it is.
    name = cell.model if options.model is None or options.result is not None else options.model
    model = name if name.startswith(f"{cell.library}.") else f"{cell.library}.{name}"
    return Stage(folder, model, tuple(Path(place) for place in options.library))


def _packages(options: argparse.Namespace, urdf: Path) -> Packages:
    return Packages(tuple(options.package_dir), near=urdf, allow_outside=options.allow_outside)
