"""Where joints leave their limits: when, how far, and for how long."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from attrs import asdict, frozen

from urdf_frontend.plots.series import Curve, JointSeries

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
