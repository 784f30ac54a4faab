"""A text with its file: path, encoding and line numbers. Bytes that come in go out unchanged."""

from __future__ import annotations

import os
from bisect import bisect_right
from functools import cached_property, total_ordering
from typing import TYPE_CHECKING

from modelica_ast.foundation.values import Record

if TYPE_CHECKING:
    from pathlib import Path


@total_ordering
class Position(Record):
    """A place in a text: line and column count from 1, the offset from 0, all in characters."""

    line: int
    column: int
    offset: int

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.line, self.column, self.offset) < (other.line, other.column, other.offset)


class Span(Record):
    """From the first character of something to after its last."""

    start: Position
    end: Position


class Source:
    """A text and where it came from. The text keeps its BOM and its line ends.

    A piece of a text that is parsed on its own (an annotation, when it is read) names the source around it, and
    all its places are places in there.
    """

    def __init__(
        self,
        text: str,
        path: Path | None = None,
        encoding: str = "utf-8",
        around: Source | None = None,
        starts_at: int = 0,
    ) -> None:
        self.text = text
        self.path = path
        self.encoding = encoding
        self.around = around
        self.starts_at = starts_at

    def __repr__(self) -> str:
        # Not the text: it may be megabytes.
        place = f"path={self.path!r}, encoding={self.encoding!r}"
        return f"Source({place}, around={self.around!r}, starts_at={self.starts_at})"

    @classmethod
    def of_text(cls, text: str, path: str | os.PathLike[str] | None = None) -> Source:
        """A text that may have come from a file."""
        if path is None:
            return cls(text)
        from pathlib import Path  # noqa: PLC0415  (start-up time: a text without a file does without)

        return cls(text, Path(path))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Source:
        """Read a file; OSError if it can't be read."""
        from pathlib import Path  # noqa: PLC0415  (start-up time)

        from modelica_ast.foundation.regular import read_regular  # noqa: PLC0415  (start-up time)

        path = Path(path)
        return cls.from_bytes(read_regular(path), path)

    @classmethod
    def from_bytes(cls, data: bytes, path: Path | None = None) -> Source:
        """UTF-8, as the specification demands, or Latin-1 for old files: there every byte has a character."""
        try:
            return cls(data.decode("utf-8"), path, "utf-8")
        except UnicodeDecodeError:
            return cls(data.decode("latin-1"), path, "latin-1")

    def encode(self, text: str) -> bytes:
        """Text as bytes in this file's encoding; UnicodeEncodeError if a character has none there."""
        return text.encode(self.encoding)

    @property
    def name(self) -> str:
        """The path as it was given, or `<text>`."""
        return str(self.path) if self.path is not None else "<text>"

    @cached_property
    def _line_starts(self) -> list[int]:
        # `\n` ends a line, with or without `\r` before it; a lone `\r` does in old Macintosh files only.
        starts = [0]
        find = self.text.find
        mark = "\n" if "\n" in self.text else "\r"
        at = find(mark)
        while at >= 0:
            starts.append(at + 1)
            at = find(mark, at + 1)
        return starts

    def position(self, offset: int) -> Position:
        """Line and column of a character."""
        if self.around is not None:
            return self.around.position(self.starts_at + offset)
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1, offset)

    def line_text(self, line: int) -> str:
        """A line without its line end."""
        starts = self._line_starts
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r\n")
