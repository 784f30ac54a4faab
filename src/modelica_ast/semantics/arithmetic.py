"""Operators and functions of Modelica on Python values; None where there is no answer."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

Value = Any  # bool | int | float | str | Reference | list[Value]

_MOST_ITEMS: Final = 100_000  # of an array that is built: `fill(0, 1000000000)` is no answer to wait for


def is_number(value: Value) -> bool:
    """Is it an Integer or a Real?"""
    return isinstance(value, int | float) and not isinstance(value, bool)


def binary(sign: str, left: Value, right: Value) -> Value:
    """`left sign right`."""
    if sign in ("and", "or"):
        if not (isinstance(left, bool) and isinstance(right, bool)):
            return None
        return (left and right) if sign == "and" else (left or right)
    if sign in _RELATIONS:
        if isinstance(left, list) or isinstance(right, list) or _sort(left) != _sort(right):
            return None
        if sign not in ("==", "<>") and not (is_number(left) or isinstance(left, str | bool)):
            return None
        return _RELATIONS[sign](left, right)
    if isinstance(left, str) and isinstance(right, str):
        return left + right if sign == "+" else None
    return _arithmetic(sign, left, right)


def _sort(value: Value) -> type:
    return float if is_number(value) else type(value)


_RELATIONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "<>": operator.ne,
}


def _arithmetic(sign: str, left: Value, right: Value) -> Value:
    is_elementwise = sign.startswith(".")
    bare = sign.lstrip(".")
    if is_number(left) and is_number(right):
        return _of_numbers(bare, left, right)
    if isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right) or not (is_elementwise or bare in "+-"):
            return _product(left, right) if bare == "*" else None
        return _all([_arithmetic(sign, a, b) for a, b in zip(left, right, strict=True)])
    # An array and a number.
    if isinstance(left, list) and is_number(right) and (is_elementwise or bare in "*/"):
        return _all([_arithmetic(sign, item, right) for item in left])
    if isinstance(right, list) and is_number(left) and (is_elementwise or bare == "*"):
        return _all([_arithmetic(sign, left, item) for item in right])
    return None


def _product(left: list[Value], right: list[Value]) -> Value:
    """The scalar product of two vectors; matrices are left alone."""
    if len(left) != len(right) or not all(map(is_number, (*left, *right))):
        return None
    return sum(a * b for a, b in zip(left, right, strict=True))


def _of_numbers(sign: str, left: Any, right: Any) -> Value:
    try:
        match sign:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return left / right
            case "^":
                # `^` gives a Real, so nothing grows without bound.
                result = float(left) ** float(right)
                return result if isinstance(result, float) else None
            case _:
                return None
    except (ZeroDivisionError, OverflowError):
        return None


def unary(sign: str, value: Value) -> Value:
    """`-x`, `+x`, `not x`."""
    if sign == "not":
        return (not value) if isinstance(value, bool) else None
    if isinstance(value, list):
        return _all([unary(sign, item) for item in value])
    if not is_number(value):
        return None
    return -value if sign.lstrip(".") == "-" else +value


def _all(values: list[Value]) -> Value:
    return None if any(value is None for value in values) else values


def shape(value: Value) -> list[int]:
    """The sizes of an array."""
    found = []
    while isinstance(value, list):
        found.append(len(value))
        value = value[0] if value else None
    return found


def spread(start: Value, step: Value, stop: Value) -> Value:
    """`start : step : stop`."""
    if not all(map(is_number, (start, step, stop))) or step == 0 or (stop - start) / step > _MOST_ITEMS:
        return None
    count = max(0, math.floor((stop - start) / step + 1e-9) + 1)
    return [start + number * step for number in range(count)]


def _filled(value: Value, sizes: Sequence[Value]) -> Value:
    if not all(isinstance(size, int) and not isinstance(size, bool) and size >= 0 for size in sizes):
        return None
    if math.prod(max(1, size) for size in sizes) > _MOST_ITEMS:
        return None
    for size in reversed(sizes):
        value = [value] * size
    return value


def _flat(values: Sequence[Value]) -> list[Value]:
    found: list[Value] = []
    todo = list(reversed(values))
    while todo:
        value = todo.pop()
        if isinstance(value, list):
            todo += reversed(value)
        else:
            found.append(value)
    return found


def _extreme(choose: Callable[[list[Any]], Any], values: Sequence[Value]) -> Value:
    flat = _flat(values)
    return choose(flat) if flat and all(map(is_number, flat)) else None


def _linspace(first: Value, last: Value, count: Value) -> Value:
    if not (is_number(first) and is_number(last) and isinstance(count, int) and 2 <= count <= _MOST_ITEMS):  # noqa: PLR2004
        return None
    return [first + (last - first) * number / (count - 1) for number in range(count)]


def _identity(size: Value) -> Value:
    rows = _filled(0, [size, size])
    for index, row in enumerate(rows or []):
        rows[index] = [*row[:index], 1, *row[index + 1 :]]
    return rows


_OF_NUMBERS: Final[Mapping[str, Callable[..., Any]]] = {
    "abs": abs,
    "sign": lambda x: (x > 0) - (x < 0),
    "sqrt": math.sqrt,
    "integer": math.floor,
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
    "div": lambda x, y: math.trunc(x / y) if isinstance(x, int) and isinstance(y, int) else float(math.trunc(x / y)),
    "mod": lambda x, y: x - math.floor(x / y) * y,
    "rem": lambda x, y: x - math.trunc(x / y) * y,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "exp": math.exp,
    "log": math.log,
    "log10": math.log10,
}
_OF_ARRAYS: Final[Mapping[str, Callable[..., Any]]] = {
    "min": lambda *values: _extreme(min, values),
    "max": lambda *values: _extreme(max, values),
    "sum": lambda value: _extreme(sum, [value]) if _flat([value]) else 0,
    "product": lambda value: _extreme(math.prod, [value]) if _flat([value]) else 1,
    "zeros": lambda *sizes: _filled(0, sizes),
    "ones": lambda *sizes: _filled(1, sizes),
    "fill": lambda value, *sizes: _filled(value, sizes),
    "identity": _identity,
    "linspace": _linspace,
    "scalar": lambda value: flat[0] if len(flat := _flat([value])) == 1 else None,
    "vector": lambda value: _flat([value]),
    "ndims": lambda value: len(shape(value)),
}


def call(name: str, arguments: Sequence[Value]) -> Value:
    """A predefined function of known values; None for other functions."""
    function = _OF_NUMBERS.get(name)
    if function is not None:
        if not all(map(is_number, arguments)):
            return None
    else:
        function = _OF_ARRAYS.get(name)
    if function is None:
        return None
    try:
        return function(*arguments)
    except (ArithmeticError, ValueError, TypeError):  # outside of its domain, or another number of arguments
        return None
