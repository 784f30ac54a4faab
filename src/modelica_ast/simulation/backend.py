"""What a compiler must do for a simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from modelica_ast.simulation.description import Description, Settings
from modelica_ast.simulation.result import Result
from modelica_ast.simulation.task import Task


class Backend(Protocol):
    """A compiler. What `compile` gives first is its own idea of the model, for `run`."""

    notes: list[str]

    @property
    def default_solver(self) -> str:
        """The solver, if nobody says which."""

    @property
    def stiff_solver(self) -> str:
        """The solver for stiff models."""

    @property
    def folder(self) -> Path:
        """A folder that lasts as long as this backend."""

    def compile(self, task: Task) -> tuple[Any, Description]:
        """Compile a model."""

    def run(self, model: Any, settings: Settings) -> Result:
        """Run a model that was compiled."""

    def close(self) -> None:
        """End what is running and forget all files."""
