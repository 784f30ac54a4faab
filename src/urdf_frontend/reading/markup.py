"""Where the tags, attributes and comments of an XML text stand.

lxml says what an XML text means, but only the lines of its elements. This finds the characters. It looks only at
texts that lxml has read without an error, so it can be simple: the n-th start tag is lxml's n-th element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from urdf_frontend.model.places import Span

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
    """An attribute, and where the text between its quotes stands; lxml says what that text means."""

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
