"""A text with its file: path, encoding and line numbers. Bytes that come in go out unchanged."""

from __future__ import annotations

import os
from bisect import bisect_right
from functools import cached_property
from pathlib import Path

import attrs


@attrs.frozen(order=True)
class Position:
    """A place in a text: line and column count from 1, the offset from 0, all in characters."""

    line: int
    column: int
    offset: int


@attrs.frozen
class Span:
    """From the first character of something to behind its last."""

    start: Position
    end: Position


@attrs.define(slots=False, eq=False)
class Source:
    """A text and where it came from. The text keeps its BOM and its line ends.

    A piece of a text that is parsed by itself (an annotation, when it is read) names the source around it, and
    all its places are places in there.
    """

    text: str = attrs.field(repr=False)
    path: Path | None = None
    encoding: str = "utf-8"
    around: Source | None = None
    starts_at: int = 0

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Source:
        """Read a file; OSError if it can't be read."""
        path = Path(path)
        return cls.from_bytes(path.read_bytes(), path)

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
