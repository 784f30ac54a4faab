"""What the modelDescription.xml of an FMU says of its variables, the same for FMI 2.0 and 3.0."""

from __future__ import annotations

from attrs import frozen

Start = float | int | bool | str


@frozen
class DescribedVariable:
    """A variable of an FMU. What is not written has the value that the standard gives it."""

    name: str
    causality: str  # input, output, parameter, calculatedParameter, structuralParameter, local, independent
    variability: str  # constant, fixed, tunable, discrete, continuous
    type: str  # Real, Integer, Boolean, String, Enumeration, Binary or Clock
    start: tuple[Start, ...] | None  # one value for a scalar
    unit: str | None  # its own, or that of its declared type
    display_unit: str | None
    description: str
    dimensions: tuple[int | None, ...]  # empty for a scalar, as in FMI 2.0 all are; None for a size that is not known
    line: int
    column: int


@frozen
class ModelDescription:
    """A modelDescription.xml."""

    file: str  # as messages name it; that of an FMU is `Motor.fmu/modelDescription.xml`
    version: str  # as it is written: 2.0, 3.0, 3.0.1
    model_name: str
    is_flat: bool  # are names any texts, or do dots and brackets in them mean components and elements?
    kinds: tuple[str, ...]  # CoSimulation, ModelExchange, ScheduledExecution
    variables: tuple[DescribedVariable, ...]
    line: int
    column: int

    def get(self, name: str) -> DescribedVariable | None:
        """The variable of a name, or None."""
        return next((variable for variable in self.variables if variable.name == name), None)
