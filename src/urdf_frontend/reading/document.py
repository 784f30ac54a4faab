"""The text of a URDF file, its encoding and its lines. Bytes that come in can go out unchanged."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from typing import Final

from urdf_frontend.diagnostics import Findings, quoted
from urdf_frontend.model.places import Place, Span

BOM: Final = "\ufeff"
LARGEST_FILE: Final = 64_000_000  # bytes; the largest real robots have less than a hundredth of it
_DECLARED: Final = re.compile(rb"""\s*+<\?xml\b[^>]{0,200}?\bencoding\s*+=\s*+["']([A-Za-z0-9._:-]{1,40})["']""")
# What people save XML in. Python knows more, and some of those are no text encodings or take long.
_ENCODINGS: Final = {"utf-8", "ascii", "iso8859-1", "iso8859-2", "iso8859-15", "cp1250", "cp1251", "cp1252", "gb18030"}


class Document:
    """A text and where it came from. The text keeps its BOM and its line ends."""

    def __init__(self, text: str, path: Path | None = None, encoding: str = "utf-8") -> None:
        self.text = text
        self.path = path
        self.encoding = encoding

    def __repr__(self) -> str:
        # Not the text: it may be megabytes.
        return f"Document(path={self.path!r}, encoding={self.encoding!r})"

    @property
    def name(self) -> str:
        """The path as it was given, or `<text>`."""
        return str(self.path) if self.path is not None else "<text>"

    def encode(self, text: str | None = None) -> bytes:
        """This text, or one that was made from it, in the encoding of the file."""
        return (self.text if text is None else text).encode(self.encoding)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", self.text))]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Of a character, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def offset_of_line(self, line: int) -> int:
        """Of the first character of a line."""
        return self._line_starts[min(line, len(self._line_starts)) - 1]

    def place(self, span: Span, xpath: str = "") -> Place:
        """The place of a stretch of the text."""
        line, column = self.line_and_column(span.start)
        return Place(line, column, xpath, span)


def document_of_bytes(data: bytes, path: Path | None, findings: Findings) -> Document:
    """Decode a file: by its BOM, by what its declaration says, as UTF-8, and else as Latin-1, which takes any byte."""
    top = Place(1, 1, "", Span(0, 0))
    for bom, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(bom):
            return _decoded(data, path, encoding, findings)
    declared = _DECLARED.match(data.removeprefix(codecs.BOM_UTF8))
    if declared is None:
        return _decoded(data, path, "utf-8", findings)
    name = declared[1].decode("ascii")
    try:
        encoding = codecs.lookup(name).name
    except LookupError:
        encoding = ""
    if encoding not in _ENCODINGS:
        findings.report("urdf-encoding", top, f"the encoding {quoted(name)} is not known; the file is read as UTF-8")
        encoding = "utf-8"
    return _decoded(data, path, encoding, findings)


def _decoded(data: bytes, path: Path | None, encoding: str, findings: Findings) -> Document:
    try:
        return Document(data.decode(encoding), path, encoding)
    except UnicodeDecodeError as wrong:
        before = data[: wrong.start].decode(encoding, errors="replace")
        document = Document(data.decode("latin-1"), path, "latin-1")
        line, column = Document(before).line_and_column(len(before))
        place = Place(line, column, "", Span(wrong.start, wrong.start))
        message = f"there is a byte that is not {encoding.upper()}; the file is read as Latin-1"
        findings.report("urdf-encoding", place, message, "save the file as UTF-8")
        return document
