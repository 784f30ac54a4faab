"""Plots of a robot's joints over time, with the limits of its URDF file."""

from __future__ import annotations

import enum
import io
import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import asdict, frozen

from modelica_ast.files import write_file
from urdf_frontend.motion.motions import AnimationError
from urdf_frontend.motion.recordings import RobotRecording, frame_poses
from urdf_frontend.robot import Joint, JointType, Kinematics, Number, short_name, shown_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# ---------------------------------------------------------------- series
# The joints of a robot over time: positions, speeds, torques and forces, with the limits of the URDF file.


_PLANE: Final = ("x", "y", "angle")
_SPACE: Final = ("x", "y", "z", "roll", "pitch", "yaw")
_ANGULAR_SPEEDS: Final = ("x", "y", "z", "about x", "about y", "about z")


class Quantity(enum.Enum):
    """What of a joint is plotted."""

    POSITION = "position"
    SPEED = "speed"
    EFFORT = "effort"


@frozen
class Curve:
    """One line of a plot."""

    label: str
    values: Sequence[float]
    has_limits: bool = True  # friction has none


@frozen
class JointSeries:
    """The curves of one joint, one quantity and one unit, and the limits that hold for them."""

    joint: str
    quantity: Quantity
    unit: str
    curves: tuple[Curve, ...]
    lower: float | None = None
    upper: float | None = None


def joint_series(recording: RobotRecording) -> tuple[JointSeries, ...]:
    """All that a result says of the joints that move, joint after joint, in the order of the tree."""
    joints = Kinematics.of(recording.robot).joint_order()
    return tuple(series for joint in joints for series in _series_of(recording, joint))


def _series_of(recording: RobotRecording, joint: Joint) -> Iterator[JointSeries]:
    if joint.type.is_single:
        yield from _single(recording, joint)
    elif joint.type is JointType.PLANAR:
        yield from _several(joint, Quantity.POSITION, recording.positions(joint), _PLANE, 2)
        yield from _several(joint, Quantity.SPEED, recording.speeds(joint), _PLANE, 2)
    elif joint.type is JointType.FLOATING:
        yield from _several(joint, Quantity.POSITION, _free_positions(recording, joint), _SPACE, 3)
        yield from _several(joint, Quantity.SPEED, recording.speeds(joint), _ANGULAR_SPEEDS, 3)


def _single(recording: RobotRecording, joint: Joint) -> Iterator[JointSeries]:
    limit = joint.effective_limit
    turns = joint.type.is_rotational
    positions, speeds = recording.positions(joint), recording.speeds(joint)
    if positions is not None:
        lower, upper = joint.bounds or (None, None)
        curves = (Curve("position", positions[0]),)
        yield JointSeries(joint.name, Quantity.POSITION, "rad" if turns else "m", curves, lower, upper)
    if speeds is not None:
        most = None if limit is None else _value(limit.velocity)
        curves = (Curve("speed", speeds[0]),)
        yield JointSeries(joint.name, Quantity.SPEED, "rad/s" if turns else "m/s", curves, _negative(most), most)
    drive, friction = recording.drive(joint), recording.friction(joint)
    efforts = [] if drive is None else [Curve("drive", drive)]
    efforts += [] if friction is None else [Curve("friction", friction, has_limits=False)]
    if efforts:
        most = None if limit is None else _value(limit.effort)
        unit = "N.m" if turns else "N"
        yield JointSeries(joint.name, Quantity.EFFORT, unit, tuple(efforts), _negative(most), most)


def _several(
    joint: Joint, quantity: Quantity, columns: Sequence[Sequence[float]] | None, labels: Sequence[str], straight: int
) -> Iterator[JointSeries]:
    """Curves of a joint with several degrees of freedom: first the distances, then the angles."""
    if columns is None:
        return
    curves = [Curve(label, column) for label, column in zip(labels, columns, strict=True)]
    per_second = "/s" if quantity is Quantity.SPEED else ""
    yield JointSeries(joint.name, quantity, f"m{per_second}", tuple(curves[:straight]))
    yield JointSeries(joint.name, quantity, f"rad{per_second}", tuple(curves[straight:]))


def _free_positions(recording: RobotRecording, joint: Joint) -> list[list[float]] | None:
    columns = recording.free_motion(joint)
    if columns is None:
        return None
    rows = [(*pose.translation, *pose.angles) for pose in frame_poses(columns, range(len(recording.times)))]
    return [list(column) for column in zip(*rows, strict=True)]


def _value(number: Number | None) -> float | None:
    return None if number is None else number.value


def _negative(number: float | None) -> float | None:
    return None if number is None else -number


# ---------------------------------------------------------------- limits
# Where joints leave their limits: when, how far, and for how long.

_ROOM: Final = 1e-6  # a joint that a drive holds at its limit is within it


@frozen
class Violation:
    """One stretch of time in which a joint is beyond one of its limits."""

    joint: str
    quantity: str
    unit: str
    limit: float
    start: float  # seconds
    end: float
    worst: float
    worst_time: float

    def as_json(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)

    def __str__(self) -> str:
        side = "above" if self.worst > self.limit else "below"
        stretch = f"from {self.start:.4g} s to {self.end:.4g} s"
        return (
            f"joint {self.joint}: {self.quantity} {side} {self.limit:.6g} {self.unit} {stretch},"
            f" {self.worst:.6g} {self.unit} at {self.worst_time:.4g} s"
        )


def find_violations(times: Sequence[float], series: Iterable[JointSeries]) -> tuple[Violation, ...]:
    """All stretches in which a curve is beyond a limit, in the order of time."""
    found = [
        violation
        for each in series
        for curve in each.curves
        if curve.has_limits
        for violation in (
            *_beyond(times, each, curve, each.upper, 1.0),
            *_beyond(times, each, curve, each.lower, -1.0),
        )
    ]
    return tuple(sorted(found, key=lambda violation: violation.start))


def _beyond(
    times: Sequence[float], series: JointSeries, curve: Curve, limit: float | None, sign: float
) -> Iterator[Violation]:
    """The stretches on one side. They begin and end where the line between two values crosses the limit."""
    if limit is None or math.isinf(limit):
        return
    room = _ROOM * max(1.0, abs(limit))
    excess = [sign * (value - limit) for value in curve.values]
    row = 0
    while row < len(excess):
        if not excess[row] > room:
            row += 1
            continue
        first = row
        while row + 1 < len(excess) and excess[row + 1] > room:
            row += 1
        worst = max(range(first, row + 1), key=excess.__getitem__)
        start = times[first] if first == 0 else _crossing(times, excess, first - 1)
        end = times[row] if row + 1 == len(excess) else _crossing(times, excess, row)
        yield Violation(
            joint=series.joint,
            quantity=series.quantity.value,
            unit=series.unit,
            limit=limit,
            start=start,
            end=end,
            worst=curve.values[worst],
            worst_time=times[worst],
        )
        row += 1


def _crossing(times: Sequence[float], excess: Sequence[float], row: int) -> float:
    """When the limit is crossed between a row and the next one."""
    before, after = excess[row], excess[row + 1]
    if not (math.isfinite(before) and math.isfinite(after)) or before == after:
        return times[row + 1]
    share = min(max(before / (before - after), 0.0), 1.0)
    return times[row] + share * (times[row + 1] - times[row])


# ---------------------------------------------------------------- figures
# The plots themselves: a row for each joint, a column for each quantity.


FORMATS: Final = (".png", ".svg", ".pdf")
_COLOURS: Final = ("#1b6ca8", "#d2691e", "#0e8a6a", "#7a4fa3")
_ALARM: Final = "#c22f2f"
_GREY: Final = "#667380"
# Inches.
_WIDTH: Final = 4.2  # of a column, with what is left of its plots
_LEFT: Final = 0.8
_ROW: Final = 1.4  # of a joint, with the gap above it
_GAP: Final = 0.32
_ABOVE: Final = 0.95
_BELOW: Final = 0.7
_LINE: Final = 0.19  # of text
_ON_A_PAGE: Final = 7  # joints on a page of a PDF file
_LISTED: Final = 12  # violations below the plots; the command lists all
_FAR: Final = 1.5  # limits farther from the curve than this many times its height are not drawn
_HEADINGS: Final = {
    Quantity.POSITION: "Angle or position",
    Quantity.SPEED: "Speed",
    Quantity.EFFORT: "Torque or force",
}
_SETTINGS: Final[dict[Any, Any]] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#9aa5b1",
    "xtick.color": _GREY,
    "ytick.color": _GREY,
    "text.parse_math": False,  # a dollar in a name is a dollar
    "axes.formatter.useoffset": False,
    "svg.hashsalt": "urdf",  # the same plot is the same file
}


class MissingPlotsError(AnimationError):
    """The package that draws plots is not installed."""


@frozen
class Row:
    """What is in one row: at most one series for each quantity. A joint may have several rows."""

    joint: str
    cells: Mapping[Quantity, JointSeries]


def check_plots(path: Path) -> None:
    """Raise if plots can't be drawn or the file is of no format that they have: good to know before a simulation."""
    if path.suffix.lower() not in FORMATS:
        raise AnimationError(f"{path}: plots are PNG, SVG or PDF: name the file *.png, *.svg or *.pdf")
    try:
        import matplotlib.figure  # noqa: F401, PLC0415  (an extra that few need)
    except ImportError:
        raise MissingPlotsError("plots need matplotlib: pip install 'modelica-ast[plot]'") from None


def draw_plots(
    path: Path, times: Sequence[float], series: Sequence[JointSeries], violations: Sequence[Violation], title: str
) -> None:
    """Write the plots of all series to a file; its name says whether it is PNG, SVG or PDF, which has pages."""
    check_plots(path)
    rows = list(plot_rows(series))
    if not rows:
        raise AnimationError("there is nothing to plot: the result has no values of joints")
    import matplotlib as mpl  # noqa: PLC0415  (an extra that few need)
    from matplotlib.backends.backend_pdf import PdfPages  # noqa: PLC0415

    suffix = path.suffix.lower()
    drawn = io.BytesIO()
    with mpl.rc_context(_SETTINGS), warnings.catch_warnings():
        # A name may have letters that no font has; they are drawn as boxes.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        if suffix == ".pdf":
            with PdfPages(drawn, metadata={"CreationDate": None, "Title": shown_name(title)}) as pages:
                for start in range(0, len(rows), _ON_A_PAGE):
                    page = rows[start : start + _ON_A_PAGE]
                    is_last = start + _ON_A_PAGE >= len(rows)
                    pages.savefig(_figure(page, times, violations, title, lists=is_last))
        else:
            figure = _figure(rows, times, violations, title, lists=True)
            metadata = {"Date": None} if suffix == ".svg" else None
            figure.savefig(drawn, dpi=110, format=suffix[1:], metadata=metadata)
    write_file(path, drawn.getvalue())


def plot_rows(series: Iterable[JointSeries]) -> Iterator[Row]:
    """Series side by side: those of one joint whose units belong together, `rad` with `rad/s` and `N.m`."""
    rows: dict[tuple[str, bool], dict[Quantity, JointSeries]] = {}
    for each in series:
        is_straight = each.unit in {"m", "m/s", "N"}
        rows.setdefault((each.joint, is_straight), {})[each.quantity] = each
    return (Row(joint, cells) for (joint, _), cells in rows.items())


def _figure(
    rows: Sequence[Row], times: Sequence[float], violations: Sequence[Violation], title: str, *, lists: bool
) -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415  (an extra that few need)

    columns = [quantity for quantity in Quantity if any(quantity in row.cells for row in rows)]
    listed = _listed(violations) if lists else []
    below = _BELOW + _LINE * len(listed)
    width, height = _WIDTH * len(columns), _ABOVE + _ROW * len(rows) - _GAP + below
    figure = Figure(figsize=(width, height))
    grid = figure.subplots(len(rows), len(columns), squeeze=False)
    # PERF: all sizes are known, so no layout has to be searched for, which would take longer than the drawing.
    figure.subplots_adjust(
        left=_LEFT / width,
        right=1 - 0.15 / width,
        bottom=below / height,
        top=1 - _ABOVE / height,
        wspace=_LEFT / (_WIDTH - _LEFT),
        hspace=_GAP / (_ROW - _GAP),
    )
    figure.text(0.15 / width, 1 - 0.15 / height, shown_name(title), fontsize=13, fontweight="bold", va="top")
    for column, quantity in enumerate(columns):
        _draw_column(list(grid[:, column]), rows, quantity, times)
        place = grid[0, column].get_position()
        heading = _HEADINGS[quantity]
        figure.text(place.x0, 1 - (_ABOVE - 0.28) / height, heading, fontsize=10, fontweight="bold", color=_GREY)
    for number, line in enumerate(reversed(listed)):
        colour = _ALARM if violations else _GREY
        figure.text(0.15 / width, (0.15 + _LINE * number) / height, line, fontsize=8.5, color=colour)
    return figure


def _draw_column(column: Sequence[Axes], rows: Sequence[Row], quantity: Quantity, times: Sequence[float]) -> None:
    last = None
    for row, axes in zip(rows, column, strict=True):
        cell = row.cells.get(quantity)
        if cell is None:
            axes.set_axis_off()
            continue
        _draw_cell(axes, times, cell)
        axes.set_title(short_name(row.joint), loc="left", y=1.0, fontsize=9, pad=3, color="#1d2733")
        axes.tick_params(labelbottom=False)
        last = axes
    if last is not None:
        last.tick_params(labelbottom=True)
        last.set_xlabel("time [s]")


def _listed(violations: Sequence[Violation]) -> list[str]:
    if not violations:
        return ["No joint leaves its limits."]
    lines = [shown_name(str(each)) for each in violations[:_LISTED]]
    more = len(violations) - _LISTED
    return [*lines, f"… and {more} more"] if more > 0 else lines


def _draw_cell(axes: Axes, times: Sequence[float], series: JointSeries) -> None:
    for curve, colour in zip(series.curves, _COLOURS, strict=False):
        axes.plot(times, curve.values, color=colour, linewidth=1.4, label=curve.label)
        if curve.has_limits:
            axes.plot(times, _outside(curve, series), color=_ALARM, linewidth=2.6)
    axes.set_ylabel(f"[{series.unit}]", color=_GREY)
    axes.grid(visible=True, color="#e6eaee", linewidth=0.7)
    axes.margins(x=0.01)
    axes.tick_params(labelsize=8)
    _draw_limits(axes, series)
    if len(series.curves) > 1:
        axes.legend(
            loc="lower right",
            bbox_to_anchor=(1, 0.98),
            fontsize=7.5,
            frameon=False,
            ncols=3,
            handlelength=1.2,
            borderpad=0.1,
            borderaxespad=0,
        )


def _outside(curve: Curve, series: JointSeries) -> list[float]:
    """The curve where it is beyond a limit, and gaps elsewhere."""
    low = -math.inf if series.lower is None else series.lower
    high = math.inf if series.upper is None else series.upper
    return [math.nan if low <= value <= high else value for value in curve.values]


def _draw_limits(axes: Axes, series: JointSeries) -> None:
    """Shade what is beyond the limits, where they are near enough to be seen together with the curve."""
    finite = [value for curve in series.curves for value in curve.values if math.isfinite(value)]
    if not finite:
        return
    low, high = min(finite), max(finite)
    span = max(high - low, 1e-3 * max(abs(low), abs(high)), 1e-6)
    near = [
        limit
        for limit in (series.lower, series.upper)
        if limit is not None and low - _FAR * span <= limit <= high + _FAR * span
    ]
    bottom, top = min([low, *near]) - 0.12 * span, max([high, *near]) + 0.12 * span
    axes.set_ylim(bottom, top)
    for limit in near:
        axes.axhline(limit, color=_ALARM, linewidth=0.9, linestyle=(0, (4, 3)))
        beyond = (limit, top) if limit == series.upper else (bottom, limit)
        axes.axhspan(*beyond, color=_ALARM, alpha=0.09, linewidth=0)
