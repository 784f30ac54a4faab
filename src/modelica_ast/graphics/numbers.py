"""Coordinates: numbers that are added without rounding, and written as short as the Standard Library writes them."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any, Final

from modelica_ast.graphics.errors import GraphicsError
from modelica_ast.literals import Real

Number = int | float

_DIGITS: Final = 9  # behind the point; what is smaller is the noise of a tool, 5.55112e-16
_ROUNDED_BELOW: Final = 10**15  # larger numbers have no such digits
_FAR_APART: Final = 2  # ends that have a whole number between them that is neither of them


def as_number(value: Any) -> Number:
    """The value itself; GraphicsError if it is no finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise GraphicsError(f"{value!r} is not a number")
    return value


def number_text(value: Number) -> str:
    """`10` for 10 and 10.0, `0.25`; a number that was read is written as it stood."""
    if isinstance(value, Real):
        return value.text
    return str(int(value)) if value == int(value) else repr(value)


def add(number: Number, change: Number) -> Number:
    """The sum, exactly: 0.1 + 0.2 is 0.3. A number written `10.0` keeps its digits if it moves by a whole number."""
    if change == 0:
        return number
    total = _decimal(number) + _decimal(change)
    if isinstance(number, Real) and "." in number.text and "e" not in number.text.lower() and change == int(change):
        return Real(f"{total:f}")
    return _shortest(total)


def _shortest(number: Decimal) -> Number:
    if abs(number) < _ROUNDED_BELOW:
        number = round(number, _DIGITS)
    return int(number) if number == int(number) else Real(f"{number:f}".rstrip("0"))


def negative(number: Number) -> Number:
    """The same with the other sign."""
    return add(0, -number) if isinstance(number, Real) else -number


def difference(one: Number, other: Number) -> Number:
    """`one - other`, exactly."""
    return add(one, negative(other))


def middle(one: Number, other: Number) -> Number:
    """Half way between two numbers, exactly."""
    return _shortest((_decimal(one) + _decimal(other)) / 2)


def whole_middle(one: Number, other: Number) -> Number:
    """Half way between two numbers, or the whole number next to it if that still lies between them."""
    exact = (_decimal(one) + _decimal(other)) / 2
    return int(exact.to_integral_value()) if abs(one - other) >= _FAR_APART else middle(one, other)


def _decimal(number: Number) -> Decimal:
    return Decimal(number_text(number))
