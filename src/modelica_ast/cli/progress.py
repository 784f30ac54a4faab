"""A bar on standard error for long work; nothing where that is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

_Item = TypeVar("_Item")

_SHOWN_AFTER: Final = 0.5  # seconds: short work shows nothing
_WIDTH: Final = 30
_EVERY: Final = 0.1  # seconds between two drawings


class Progress:
    """A bar while something runs: `with Progress("checking") as progress: … progress(done, total)`."""

    def __init__(self, label: str, *, quiet: bool = False) -> None:
        self._label = label
        self._is_on = not quiet and sys.stderr.isatty()
        self._start = self._last = time.monotonic()
        self._drawn = False

    def __call__(self, done: int, total: int, path: Path | None = None) -> None:
        """So much of the work is done; the last file was this."""
        del path  # names that flicker tell nobody anything
        now = time.monotonic()
        if not self._is_on or now - self._start < _SHOWN_AFTER or (now - self._last < _EVERY and done < total):
            return
        self._last = now
        filled = _WIDTH * done // max(total, 1)
        bar = "#" * filled + "-" * (_WIDTH - filled)
        sys.stderr.write(f"\r\x1b[K{self._label} [{bar}] {done:,}/{total:,}")
        sys.stderr.flush()
        self._drawn = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the bar away, so that a message can stand there."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._drawn = False

    def over(self, items: Sequence[_Item] | Iterable[_Item]) -> Iterator[_Item]:
        """The items one by one, counted."""
        listed = list(items)
        for number, item in enumerate(listed):
            self(number, len(listed))
            yield item
        self.clear()


class Elapsed:
    """What is under way, and the seconds that it has taken: `with Elapsed() as elapsed: elapsed("compiling", 3.2)`."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._is_on = not quiet and sys.stderr.isatty()
        self._drawn = False

    def __call__(self, label: str, seconds: float) -> None:
        """This has taken so long."""
        if self._is_on and seconds >= _SHOWN_AFTER:
            sys.stderr.write(f"\r\x1b[K{label} … {seconds:.0f} s")
            sys.stderr.flush()
            self._drawn = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
