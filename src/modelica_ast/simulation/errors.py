"""What can go wrong with a simulation: one class for each cause, one clear message each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Final

from modelica_ast.foundation import Cause, ModelicaError, Record, like, suggestion


class SourcePlace(Record):
    """Where something is that a message is about. What is not known is '' or 0."""

    file: str
    line: int
    column: int
    class_name: str  # the full name of the class there
    component: str  # the component of that class, if it is one
    origin: str  # what the class was made from, if another package knows: `joint 'elbow' of arm.urdf`

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}" if self.file else ""
        what = f"{self.class_name}.{self.component}" if self.component else self.class_name
        told = f" ({self.origin})" if self.origin else ""
        return f"{where}: {what}{told}" if where else f"{what}{told}"


class SimulationError(ModelicaError):
    """A model can't be compiled or run. `places` are what the message is about, as far as the sources tell."""

    cause: ClassVar[Cause] = "failed"

    def __init__(self, message: str, places: Sequence[SourcePlace] = ()) -> None:
        super().__init__("\n".join([message, *(f"  {place}" for place in places)]))
        self.message = message
        self.places = tuple(places)


class MissingBackendError(SimulationError):
    """The program or package that compiles models is not installed."""

    cause = "refused"


class MissingLibraryError(SimulationError):
    """A library that the model uses is not on this machine."""

    cause = "unreadable"


class UnreadableFmuError(SimulationError):
    """A file is not an FMU, or a broken one."""

    cause = "unreadable"


class CompileError(SimulationError):
    """The compiler refuses the model."""


class UnbalancedModelError(CompileError):
    """There are not as many equations as unknowns."""

    def __init__(self, message: str, equations: int, unknowns: int, places: Sequence[SourcePlace] = ()) -> None:
        super().__init__(message, places)
        self.equations = equations
        self.unknowns = unknowns


class CompilerCrashError(SimulationError):
    """The compiler has died of the model. `reproducer` is a folder with all that shows it."""

    def __init__(self, message: str, reproducer: Path | None = None) -> None:
        super().__init__(message)
        self.reproducer = reproducer


class DivergedError(SimulationError):
    """The run has ended before its stop time: no finite values, steps that became too small, a failed assertion."""

    def __init__(self, message: str, time: float | None = None, places: Sequence[SourcePlace] = ()) -> None:
        super().__init__(message, places)
        self.time = time


class SimulationTimeoutError(SimulationError):
    """The compiler or the run was still at work when its time was over."""


# ---------------------------------------------------------------- suggesting
# The names that somebody may have meant.

_SHOWN: Final = 3


def near(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'a' or 'b'?` with what starts with the name, or looks like it; '' if nothing does."""
    names = list(known)
    inside = [each for each in names if each.startswith((f"{name}.", f"{name}["))]
    meant = suggestion(*(inside or like(name, names, _SHOWN))[:_SHOWN])
    return meant and f"; {meant}"
