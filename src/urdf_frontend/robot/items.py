"""What all parts of a robot have in common: a place, and what the format does not know is kept."""

from __future__ import annotations

from typing import Final

from attrs import field, frozen

# ---------------------------------------------------------------- places
# Where something stands in a URDF file: for messages, and for writing a value back into the very same bytes.


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

# ---------------------------------------------------------------- items


@frozen(kw_only=True)
class Extension:
    """An element that URDF does not define (gazebo, ros2_control, sensor, drake:…), as the very text of the file."""

    tag: str  # as written, with its prefix
    text: str
    place: Place = field(default=NOWHERE, eq=False)


@frozen(kw_only=True)
class OtherAttribute:
    """An attribute that URDF does not define for its element."""

    name: str  # as written, with its prefix
    value: str
    place: Place = field(default=NOWHERE, eq=False)


@frozen(kw_only=True)
class Comment:
    """A comment: its text between `<!--` and `-->`, and the XPaths of what is around it and of what follows it."""

    text: str
    inside: str
    before: str | None  # None: it is the last thing inside its element
    place: Place = field(default=NOWHERE, eq=False)


@frozen(kw_only=True)
class Item:
    """Base of all parts of a robot.

    Two parts are equal if they say the same; where they stand does not count.
    """

    extensions: tuple[Extension, ...] = ()
    other_attributes: tuple[OtherAttribute, ...] = ()
    place: Place = field(default=NOWHERE, eq=False, repr=False)


# ---------------------------------------------------------------- numbers
# Numbers that keep what their author wrote, so that 0.10 stays 0.10.


@frozen
class Number:
    """A finite number: the text of the file, its value, and where the text stands.

    The span is None if no single stretch of the file is this number: it was made by a program, or its value is
    written elsewhere (alpha of a colour that has three numbers).
    """

    text: str
    value: float
    span: Span | None = field(default=None, eq=False, repr=False)

    @classmethod
    def of(cls, value: float) -> Number:
        """A number with the shortest text that reads back equal."""
        return cls(repr(float(value)), float(value))


@frozen
class Vector:
    """Numbers of one attribute: `xyz`, `rpy`, `size`, `rgba`. The place is that of the attribute's value."""

    numbers: tuple[Number, ...]
    place: Place = field(default=NOWHERE, eq=False, repr=False)

    @classmethod
    def of(cls, *values: float) -> Vector:
        """A vector with the shortest texts that read back equal."""
        return cls(tuple(Number.of(value) for value in values))

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers as floats."""
        return tuple(number.value for number in self.numbers)

    @property
    def text(self) -> str:
        """The numbers as they are written, one blank between them."""
        return " ".join(number.text for number in self.numbers)
