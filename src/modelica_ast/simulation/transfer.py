"""Columns of numbers that another process has written."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

from modelica_ast.simulation.result import Result


def read_columns(output: Path, answer: dict[str, Any], model: str) -> Result:
    """The times and the columns of the names that the answer lists."""
    columns: list[array[float]] = []
    with output.open("rb") as file:
        for _ in range(len(answer["names"]) + 1):
            columns.append(array("d"))
            columns[-1].fromfile(file, answer["points"])
    return Result(columns[0], dict(zip(answer["names"], columns[1:], strict=True)), model=model, ended=answer["ended"])
