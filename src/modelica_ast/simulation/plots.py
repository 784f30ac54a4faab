"""Draw the variables of a result over time; what has one unit shares one axis."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final

from modelica_ast.files import write_file
from modelica_ast.simulation.errors import MissingBackendError, SimulationError
from modelica_ast.simulation.result import Result

FORMATS: Final = (".png", ".svg", ".pdf")
_WIDTH: Final = 9.0  # inches
_HEIGHT: Final = 2.8  # of one axis
_IN_LEGEND: Final = 12  # more lines than that need a second column
_LINES: Final = 24  # of one axis: more can't be told apart


def plot(result: Result, names: Sequence[str] | None, path: str | PathLike[str], *, title: str | None = None) -> None:
    """Draw these variables, all of them without, to a .png, .svg or .pdf file."""
    file = Path(path)
    if file.suffix.lower() not in FORMATS:
        raise SimulationError(f"{file}: plots are written as {', '.join(FORMATS)}")
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingBackendError("matplotlib is not installed: pip install 'modelica-ast[plot]'")
    groups = _by_unit(result, result.names if names is None else names)
    if not groups:
        raise SimulationError(f"{file}: there is no variable to draw")
    _draw(result, groups, file, result.model if title is None else title)


def _by_unit(result: Result, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The names of each unit; too many for one axis are spread over several."""
    by_unit: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        by_unit.setdefault(result.units.get(name, ""), []).append(name)
    return [
        (unit, found[first : first + _LINES])
        for unit, found in by_unit.items()
        for first in range(0, len(found), _LINES)
    ]


def _draw(result: Result, groups: list[tuple[str, list[str]]], file: Path, title: str) -> None:
    # A figure of its own, without pyplot: no window system is asked, and nothing global is left behind.
    from matplotlib import rc_context  # noqa: PLC0415  (an optional package)
    from matplotlib.figure import Figure  # noqa: PLC0415

    # The same values are the same file: names in an SVG are not random, and no date is written.
    with rc_context({"svg.hashsalt": "modelica-ast"}):
        figure = Figure(figsize=(_WIDTH, _HEIGHT * len(groups) + 0.6), layout="constrained")
        axes: Any = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
        times = result.times
        for axis, (unit, names) in zip(axes, groups, strict=True):
            for name in names:
                axis.plot(times, result[name], label=name, linewidth=1.2)
            axis.set_ylabel(_label(unit, names), parse_math=False)
            axis.grid(visible=True, alpha=0.3)
            axis.margins(x=0)
            legend = axis.legend(
                loc="upper left",
                bbox_to_anchor=(1.0, 1.0),
                fontsize="small",
                frameon=False,
                ncols=1 + (len(names) > _IN_LEGEND),
            )
            for text in legend.get_texts():
                text.set_parse_math(False)  # a `$` in a name is not a formula
        axes[-1].set_xlabel("time [s]")
        figure.suptitle(title, parse_math=False)
        metadata = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
        suffix = file.suffix.lower()
        drawn = io.BytesIO()
        figure.savefig(drawn, dpi=150, format=suffix[1:], metadata=metadata[suffix])
    write_file(file, drawn.getvalue())


def _label(unit: str, names: Sequence[str]) -> str:
    """The axis of one variable has its name too, if that is short."""
    short = names[0].rpartition(".")[2] if len({name.rpartition(".")[2] for name in names}) == 1 else ""
    return f"{short} [{unit}]".strip() if unit else short or "value"
