"""What can be wrong with a library, and with what is asked of it."""

from __future__ import annotations

from pathlib import Path

from modelica_ast.edit.errors import EditError
from modelica_ast.record import Record


class LibraryError(EditError):
    """Something that a library refuses; nothing has changed."""


class Problem(Record):
    """Something wrong with the files of a library, found on opening it."""

    path: Path
    line: int  # 0 for the file or folder as a whole
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"
