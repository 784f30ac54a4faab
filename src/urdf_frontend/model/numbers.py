"""Numbers that keep what their author wrote, so that 0.10 stays 0.10."""

from __future__ import annotations

from attrs import field, frozen

from urdf_frontend.model.places import NOWHERE, Place, Span


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
