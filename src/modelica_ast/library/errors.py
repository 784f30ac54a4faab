"""What can be wrong with a library, and with what is asked of it."""

from __future__ import annotations

from pathlib import Path

from modelica_ast.edit.errors import EditError
from modelica_ast.record import Record


class LibraryError(EditError):
    """Something that a library refuses; nothing has changed."""


class UnusableError(LibraryError):
    """Something that is there and is no library."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem

    def __reduce__(self) -> tuple[type[UnusableError], tuple[Problem]]:
        """By its problem, not by its sentence: an error of a worker is pickled."""
        return UnusableError, (self.problem,)


class Problem(Record):
    """Something wrong with the files of a library, found on opening it."""

    path: Path
    line: int  # 0 for the file or folder as a whole
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"
