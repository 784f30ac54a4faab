"""Operators and functions of Modelica on Python values; None where there is no answer."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from modelica_ast.semantics import arrays
from modelica_ast.semantics.arrays import Value, is_number, of_all

_MOST_DIGITS: Final = 1000  # binary ones, of a whole number: products of products are not an answer to wait for


def binary(sign: str, left: Value, right: Value) -> Value:
    """`left sign right`."""
    if sign in ("and", "or"):
        if not (isinstance(left, bool) and isinstance(right, bool)):
            return None
        return (left and right) if sign == "and" else (left or right)
    if sign in _RELATIONS:
        if isinstance(left, list | dict) or _sort(left) != _sort(right):
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
        if bare == "*" and not is_elementwise:
            return arrays.product(left, right)
        if len(left) != len(right) or not (is_elementwise or bare in "+-"):
            return None
        return of_all([_arithmetic(sign, a, b) for a, b in zip(left, right, strict=True)])
    # An array and a number.
    if isinstance(left, list) and is_number(right) and (is_elementwise or bare in "*/"):
        return of_all([_arithmetic(sign, item, right) for item in left])
    if isinstance(right, list) and is_number(left) and (is_elementwise or bare == "*"):
        return of_all([_arithmetic(sign, left, item) for item in right])
    return None


def _of_numbers(sign: str, left: Any, right: Any) -> Value:
    try:
        match sign:
            case "+":
                result = left + right
            case "-":
                result = left - right
            case "*":
                result = left * right
            case "/":
                result = left / right
            case "^":
                # `^` gives a Real, so nothing grows without bound.
                result = float(left) ** float(right)
            case _:
                return None
    except (ZeroDivisionError, OverflowError):
        return None
    if isinstance(result, int):
        return result if result.bit_length() <= _MOST_DIGITS else None
    return result if isinstance(result, float) and math.isfinite(result) else None


def unary(sign: str, value: Value) -> Value:
    """`-x`, `+x`, `not x`."""
    if sign == "not":
        return (not value) if isinstance(value, bool) else None
    if isinstance(value, list):
        return of_all([unary(sign, item) for item in value])
    if not is_number(value):
        return None
    return -value if sign.lstrip(".") == "-" else +value


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


def call(name: str, arguments: Sequence[Value]) -> Value:
    """A predefined function of known values; None for other functions."""
    function = _OF_NUMBERS.get(name)
    try:
        return arrays.call(name, arguments) if function is None else _for_each(function, arguments)
    except (ArithmeticError, ValueError, TypeError):  # outside of its domain, or another number of arguments
        return None


def _for_each(function: Callable[..., Any], arguments: Sequence[Value]) -> Value:
    """A function of numbers; of arrays it gives an array (12.4.6)."""
    if not any(isinstance(argument, list) for argument in arguments):
        return function(*arguments) if all(map(is_number, arguments)) else None
    lengths = {len(argument) for argument in arguments if isinstance(argument, list)}
    if len(lengths) > 1:
        return None
    columns = [argument if isinstance(argument, list) else [argument] * max(lengths) for argument in arguments]
    return of_all([_for_each(function, items) for items in zip(*columns, strict=True)])
