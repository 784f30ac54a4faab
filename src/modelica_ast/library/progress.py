"""How far long work is, told file by file: one form for all of it, so that a command line needs one bar."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


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
        """So many files more are to be done."""
        self._total += count

    def done(self, path: Path) -> None:
        """A file is done."""
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total, path)
