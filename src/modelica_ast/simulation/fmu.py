"""Models that are FMUs, run with FMPy."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.foundation import open_regular
from modelica_ast.simulation.child import Child, DeadError, Progress
from modelica_ast.simulation.errors import (
    CompilerCrashError,
    DivergedError,
    MissingBackendError,
    SimulationError,
    UnreadableFmuError,
    near,
)
from modelica_ast.simulation.result import Result, read_columns
from modelica_ast.simulation.task import Experiment, check_finite, checked_step

_WORKER: Final = Path(__file__).with_name("fmu_worker.py")


class FmuModel:
    """An FMU, as a model that can be run like one that was compiled."""

    def __init__(self, path: Path, *, timeout: float | None = None, progress: Progress | None = None) -> None:
        if importlib.util.find_spec("fmpy") is None:
            raise MissingBackendError("FMPy is not installed: pip install 'modelica-ast[fmi]'")
        os.close(open_regular(path))  # a file that can't be read is said to be so
        self._path = path
        self._timeout = timeout
        self._progress = progress
        told = self._ask({"what": "describe", "file": str(path)}, "reading")
        if "error" in told:
            raise UnreadableFmuError(f"{path}: it is not a readable FMU: {told['message']}")
        self._told = told
        self.experiment = Experiment(*told["experiment"])

    @property
    def name(self) -> str:
        """The name of the model."""
        return str(self._told["name"])

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters with their values."""
        found: dict[str, Any] = self._told["parameters"]
        return found

    @property
    def variables(self) -> Sequence[str]:
        """The variables that a run computes."""
        found: list[str] = self._told["variables"]
        return found

    @property
    def state_names(self) -> list[str]:
        """The states, if the FMU tells them."""
        return list(self._told["states"])

    def run(
        self,
        stop: float = 1.0,
        start: float = 0.0,
        step: float | None = None,
        parameters: Mapping[str, Any] | None = None,
        tolerance: float = 1e-8,
        variables: Sequence[str] | None = None,
        solver: str | None = None,
    ) -> Result:
        """Run it. `parameters` are start values of whatever has one."""
        values = dict(parameters or {})
        self._check_names(values, self._told["names"], "start value")
        self._check_names(variables or (), self._told["variables"], "variable")
        with tempfile.TemporaryDirectory(prefix="modelica-fmu-") as folder:
            output = Path(folder, "result.bin")
            request = {
                "what": "run",
                "file": str(self._path),
                "start": start,
                "stop": stop,
                "step": checked_step(start, stop, step, tolerance),
                "tolerance": tolerance,
                "solver": solver or "CVode",
                "parameters": {name: _sent(value) for name, value in values.items()},
                "variables": list(self._told["variables"] if variables is None else variables),
                "output": str(output),
            }
            # FMPy unpacks the FMU where its process has its temporary files. They must go with ours if it is killed.
            answer = self._ask(request, "simulating", {"TMPDIR": folder})
            if "error" in answer:
                raise DivergedError(f"{self.name}: {answer['message']}")
            result = read_columns(output, answer, self.name)
        result.units.update({name: unit for name, unit in self._told["units"].items() if name in result})
        check_finite(result)
        return result

    def _check_names(self, names: Sequence[str] | Mapping[str, Any], known: Sequence[str], what: str) -> None:
        for name in names:
            if name not in known:
                raise SimulationError(f"{self._path} has no {what} '{name}'{near(name, known)}")

    def _ask(
        self, request: Mapping[str, Any], doing: str, environment: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        child = Child(_WORKER, environment)
        try:
            child.start(self._timeout)
            if "error" in child.greeting:
                raise MissingBackendError(f"FMPy can't be imported: {child.greeting['message']}")
            answer = child.ask(request, f"{doing} {self._path}", self._timeout, self._progress)
        except DeadError as error:
            raise CompilerCrashError(f"{self._path}: the FMU has crashed: {error}") from None
        finally:
            child.close()
        return answer


def _sent(value: Any) -> Any:
    """A value as FMPy takes it."""
    if isinstance(value, list | tuple):
        return [_sent(each) for each in value]
    return value if isinstance(value, bool | int | float | str) else str(value)
