"""What `modelica-patch urdf animate` does with the description of a cell: all its robots and tools on one page."""

from __future__ import annotations

import argparse
from pathlib import Path

from modelica_ast.cli import CommandError, Elapsed
from urdf_frontend.cli import given_result, robot_errors, run_options
from urdf_frontend.constraints.cells.description import Cell, read_cell
from urdf_frontend.constraints.cells.recording import CellRecorder, Stage
from urdf_frontend.motion import AnimationError, Motion
from urdf_frontend.urdf import Packages, UrdfError


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
        with Elapsed(quiet=options.quiet) as elapsed:
            recording, title = recorder.simulate(run_options(options, elapsed)), stage.model
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
