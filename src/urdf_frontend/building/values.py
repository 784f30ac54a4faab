"""Values of URDF as values of Modelica. A number keeps its author's text where that is a literal of Modelica."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from modelica_ast import Constructor, Real, Reference
from urdf_frontend.model import Item, JointType, Number, Vector
from urdf_frontend.model.fields import Field, values_of

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


def enumeration(library: str, field: Field, value: str | JointType) -> Reference:
    """A type of joints or shapes, in a library that calls it as URDF does where Modelica lets it."""
    word = "fixedJoint" if value is JointType.FIXED else value.value if isinstance(value, JointType) else value
    assert field.record, "enumerations are fields of records"
    return Reference(f"{library}.Types.{field.record[0].upper()}{field.record[1:]}.{word}")


def given_reals(item: Item) -> dict[str, Real]:
    """The numbers that an element gives, by their names in its record."""
    return {field.record: real(value) for field, value in values_of(item) if field.record and isinstance(value, Number)}


def constructor(name: str, fields: Fields, indent: int | None = None) -> Constructor | None:
    """A record with these fields; None if there are none, for then its default says the same."""
    return Constructor(name, fields, indent) if fields else None
