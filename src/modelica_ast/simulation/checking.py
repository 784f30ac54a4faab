"""What is asked of the settings of a run, and of its values."""

from __future__ import annotations

import math
from typing import Final

from modelica_ast.simulation.errors import DivergedError, SimulationError
from modelica_ast.simulation.result import Result

_INTERVALS: Final = 500  # of a run for which nobody has said a step, as in other tools


def checked_step(start: float, stop: float, step: float | None, tolerance: float) -> float:
    """The time between two values; SimulationError if times or tolerance make no sense."""
    if not (math.isfinite(start) and math.isfinite(stop)) or stop <= start:
        raise SimulationError(f"the stop time {stop:g} is not behind the start time {start:g}")
    if not 0 < tolerance < math.inf:
        raise SimulationError(f"the tolerance is a positive number, not {tolerance:g}")
    if step is None:
        return (stop - start) / _INTERVALS
    if not step > 0:
        raise SimulationError(f"the step is a positive number, not {step:g}")
    return min(step, stop - start)


def check_finite(result: Result) -> None:
    """A value that is no number ends a run, even if the solver did not notice."""
    first: tuple[int, str] | None = None
    for name in result.names:
        column = result[name]
        if all(map(math.isfinite, column)):
            continue
        place = next(index for index, value in enumerate(column) if not math.isfinite(value))
        if first is None or place < first[0]:
            first = place, name
    if first is not None:
        place, name = first
        time = result.times[place]
        raise DivergedError(f"{result.model}: '{name}' is {result[name][place]} at {time:g} s", time)
