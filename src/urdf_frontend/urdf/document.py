"""The text of a URDF file, its encoding and its lines. Bytes that come in can go out unchanged."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from attrs import frozen

from urdf_frontend.robot import Place, Span
from urdf_frontend.urdf.diagnostics import Findings, quoted

BOM: Final = "\ufeff"
LARGEST_FILE: Final = 64_000_000  # bytes; the largest real robots have less than a hundredth of it
_DECLARED: Final = re.compile(rb"""\s*+<\?xml\b[^>]{0,200}?\bencoding\s*+=\s*+["']([A-Za-z0-9._:-]{1,40})["']""")
# What people save XML in. Python knows more, and some of those are not text encodings or take long.
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


# ---------------------------------------------------------------- prolog
# What comes before the root element and after it, made harmless for lxml: BOM, blank lines, declaration, DOCTYPE, NUL.
#
# The text that lxml gets has blanks in their place, so lines and columns are the same in both.

_DECLARATION: Final = re.compile(r"<\?xml\s(?:[^?]++|\?(?!>))*+\?>")
_VERSION: Final = re.compile(r"""\bversion\s*+=\s*+["']([^"']*+)["']""")
_MISC: Final = re.compile(r"(?:\s++|<!--(?:[^-]++|-(?!->))*+-->|<\?(?:[^?]++|\?(?!>))*+\?>)*+")
# An internal subset ends at the first `]` outside of quotes and comments; entities are all that matters in it.
_SUBSET: Final = r"\[(?:[^\]\"'<]++|\"[^\"]*+\"|'[^']*+'|<!--(?:[^-]++|-(?!->))*+-->|<)*+\]"
_DOCTYPE: Final = re.compile(rf"<!DOCTYPE\b(?:[^\[>\"']++|\"[^\"]*+\"|'[^']*+')*+(?:{_SUBSET}\s*+)?+>")


def plain_xml(document: Document, findings: Findings) -> str | None:
    """The text for lxml; None if it declares entities: a few lines of those can stand for gigabytes."""
    text = _without_padding(document, findings)
    at = 0
    if text.startswith(BOM):
        at = 1
        if document.encoding == "utf-8":  # the others need it
            message = "the file starts with a byte order mark; it is skipped"
            findings.report("urdf-bom", document.place(Span(0, 1)), message)
    start = at + len(text[at:]) - len(text[at:].lstrip())
    declaration = _DECLARATION.match(text, start)
    if declaration:
        if start > at:
            message = "there are blanks before the XML declaration, which must come first; they are skipped"
            findings.report("urdf-leading-blank", document.place(Span(start, declaration.end())), message)
        version = _VERSION.search(declaration[0])
        if version is not None and version[1] not in {"1.0", "1.1"}:
            place = document.place(Span(start + version.start(1), start + version.end(1)))
            findings.report("urdf-xml-version", place, f"there is no XML version {quoted(version[1])}; 1.0 is assumed")
        start = declaration.end()
    misc = _MISC.match(text, start)
    at = misc.end() if misc else start
    if not text.startswith("<!DOCTYPE", at):
        return _blank(text[:start]) + text[start:]
    doctype = _DOCTYPE.match(text, at)
    # What can't be told apart here is refused too, so that lxml never sees a DOCTYPE.
    if doctype is None or "<!ENTITY" in doctype[0]:
        place = document.place(Span(at, at + len("<!DOCTYPE") if doctype is None else doctype.end()))
        message = "the file declares entities, and these are not expanded: a few of them can stand for gigabytes"
        if doctype is None:
            message = "the DOCTYPE has no end, or is too odd to be skipped; it may declare entities"
        findings.report("urdf-entity", place, message, "write what they stand for where they are used")
        return None
    findings.report(
        "urdf-doctype", document.place(Span(at, doctype.end())), "a DOCTYPE means nothing in URDF; it is skipped"
    )
    return _blank(text[:start]) + text[start:at] + _blank(doctype[0]) + text[doctype.end() :]


def _without_padding(document: Document, findings: Findings) -> str:
    """The text with blanks in place of the NUL characters that some programs leave behind the last element."""
    text = document.text
    end = len(text.rstrip("\0 \t\r\n"))
    first = text.find("\0", end)
    if first < 0:
        return text
    message = f"there are NUL characters after the last element, {text.count(chr(0), first)} of them; they are skipped"
    findings.report("urdf-nul", document.place(Span(first, first + 1)), message)
    return text[:end] + _blank(text[end:])


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)


# ---------------------------------------------------------------- markup
# Where the tags, attributes and comments of an XML text are.
#
# lxml says what an XML text means, but only the lines of its elements. This finds the characters. It looks only at
# texts that lxml has read without an error, so it can be simple: the n-th start tag is lxml's n-th element.

_NAME: Final = r"[^\s<>/=\"'!?]++"
_VALUE: Final = r"\"[^\"<]*+\"|'[^'<]*+'"
_MARKUP: Final = re.compile(
    rf"""<!--(?P<comment>(?:[^-]++|-(?!->))*+)-->
    |<!\[CDATA\[(?:[^\]]++|\](?!\]>))*+\]\]>
    |<\?(?:[^?]++|\?(?!>))*+\?>
    |</(?P<end>{_NAME})\s*+>
    |<(?P<start>{_NAME})(?P<attributes>(?:\s++{_NAME}\s*+=\s*+(?:{_VALUE}))*+)\s*+(?P<empty>/?)>""",
    re.VERBOSE,
)
_ATTRIBUTE: Final = re.compile(rf"\s++({_NAME})\s*+=\s*+({_VALUE})")


@frozen
class AttributeMark:
    """An attribute, and where the text between its quotes is; lxml says what that text means."""

    name: str
    span: Span


@frozen
class StartTag:
    """`<link name="base">` or `<link/>`."""

    name: str
    attributes: tuple[AttributeMark, ...]
    span: Span
    is_empty: bool


@frozen
class EndTag:
    """`</link>`."""

    span: Span


@frozen
class CommentMark:
    """`<!-- text -->`."""

    text: str
    span: Span


def markup_of(text: str, start: int = 0) -> Iterator[StartTag | EndTag | CommentMark]:
    """Tags and comments in their order; processing instructions and CDATA are passed over."""
    for match in _MARKUP.finditer(text, start):
        span = Span(match.start(), match.end())
        if match["start"] is not None:
            attributes = tuple(_attributes(text, match.start("attributes"), match.end("attributes")))
            yield StartTag(match["start"], attributes, span, bool(match["empty"]))
        elif match["end"] is not None:
            yield EndTag(span)
        elif match["comment"] is not None:
            yield CommentMark(match["comment"], span)


def _attributes(text: str, start: int, end: int) -> Iterator[AttributeMark]:
    for match in _ATTRIBUTE.finditer(text, start, end):
        yield AttributeMark(match[1], Span(match.start(2) + 1, match.end(2) - 1))
