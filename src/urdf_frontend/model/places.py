"""Where something stands in a URDF file: for messages, and for writing a value back into the very same bytes."""

from __future__ import annotations

from typing import Final

from attrs import frozen


@frozen(order=True)
class Span:
    """From the first character to behind the last, as offsets in the text of the file."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The characters themselves."""
        return text[self.start : self.end]


@frozen
class Place:
    """Line and column count from 1. Namespaces do not count in the XPath: it has the names as they are written."""

    line: int
    column: int
    xpath: str
    span: Span


NOWHERE: Final = Place(0, 0, "", Span(0, 0))  # the place of what was made by a program
