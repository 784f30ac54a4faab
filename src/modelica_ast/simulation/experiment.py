"""What the `experiment` annotation of a class says about its run."""

from __future__ import annotations

from typing import Final

from modelica_ast.edit.handles import ClassHandle
from modelica_ast.literals import LiteralError, evaluate
from modelica_ast.record import Record

_FIELDS: Final = ("StartTime", "StopTime", "Interval", "Tolerance")


class Experiment(Record):
    """Start, stop, step and tolerance; None where nothing is said."""

    start: float | None = None
    stop: float | None = None
    step: float | None = None
    tolerance: float | None = None


def experiment_of(handle: ClassHandle) -> Experiment:
    """The annotation of the class itself: it is not inherited."""
    found: list[float | None] = []
    for field in _FIELDS:
        value = handle.get_annotation(f"experiment.{field}")
        try:
            number = None if value is None else evaluate(value)
        except LiteralError:  # an expression, which only a compiler could compute
            number = None
        is_number = isinstance(number, int | float) and not isinstance(number, bool)
        found.append(float(number) if is_number and number is not None else None)
    return Experiment(*found)
