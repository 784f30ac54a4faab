"""What can be wrong with a library, and with what is asked of it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from modelica_ast.foundation import EditError, Record


class LibraryError(EditError):
    """Something that a library refuses; nothing has changed."""


class NoLibraryError(LibraryError):
    """Nothing can be opened as a library."""

    cause = "unreadable"


class UnusableError(NoLibraryError):
    """Something that is there and is not a library."""

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


# ---------------------------------------------------------------- progress
# How far long work is, told file by file: one form for all of it, so that a command line needs one bar.


class Progress(Protocol):
    """Told of every file that is done, in the thread that asked for the work."""

    def __call__(self, done: int, total: int, path: Path, /) -> object:
        """Files done, files to do, and the file that was done last.

        The second number grows if more work is found on the way; neither ever shrinks, and the last call has two equal
        numbers.
        """


class Tally:
    """Counts the work of several passes for one callback."""

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress
        self._done = 0
        self._total = 0

    def expect(self, count: int) -> None:
        """So many more files are to be done."""
        self._total += count

    def done(self, path: Path) -> None:
        """A file is done."""
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total, path)
