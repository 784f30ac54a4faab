"""What a compiler says of a model, and what it is asked for a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modelica_ast.record import Record


class Description(Record):
    """A compiled model as seen from outside."""

    equations: int
    unknowns: int
    states: int
    is_balanced: bool
    parameters: Mapping[str, Any]  # those with a value, by name
    names: Sequence[str] | None  # of all parameters; None if the compiler does not tell
    settable: frozenset[str]  # parameters that a run can set without compiling again
    variables: Sequence[str]
    units: Mapping[str, str]
    state_names: Sequence[str]
    inputs: Sequence[str] = ()  # of the model itself, not of what is inside
    outputs: Sequence[str] = ()


class Settings(Record):
    """How a model is run."""

    start: float
    stop: float
    step: float
    tolerance: float
    solver: str
    parameters: Mapping[str, float]
    variables: Sequence[str] | None  # those that are kept, all without
