"""Values of URDF as values of Modelica. A number keeps its author's text where that is a literal of Modelica."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from modelica_ast import Constructor, Real
from urdf_frontend.model import Number, Vector

# What Modelica reads as the same number. A whole number that is too long for an Integer would not be one.
_LITERAL: Final = re.compile(r"-?(?:[0-9]{1,9}|[0-9]+\.[0-9]*|[0-9]+(?:\.[0-9]*)?[eE][+-]?[0-9]+)")

Fields = Mapping[str, Any]


def real(number: Number) -> Real:
    """A number as it is written, or else in the shortest text that reads back equal."""
    return Real(number.text if _LITERAL.fullmatch(number.text) else repr(number.value))


def reals(vector: Vector) -> list[Real]:
    """The numbers of a vector."""
    return [real(number) for number in vector.numbers]


def real_of(value: float) -> Real:
    """A number that was computed."""
    return Real(repr(float(value)))


def given(fields: Mapping[str, Any | None]) -> dict[str, Any]:
    """Only the fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


def given_reals(**fields: Number | None) -> dict[str, Real]:
    """Only the numbers that the file gives."""
    return {name: real(value) for name, value in fields.items() if value is not None}


def constructor(name: str, fields: Fields, indent: int | None = None) -> Constructor | None:
    """A record with these fields; None if there are none, for then its default says the same."""
    return Constructor(name, fields, indent) if fields else None
