"""Arrays as lists of Python values: their sizes, parts of them, and the functions that make them.

An array without items has forgotten its other sizes; where these matter there is no answer, which is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

Value = Any  # bool | int | float | str | Reference | list[Value]; inside an evaluation also the fields of a record
Index = int | list[int]  # one item, or several

_MOST_ITEMS: Final = 100_000  # of an array that is built: `fill(0, 1000000000)` is not an answer to wait for
_MOST_PRODUCTS: Final = 1_000_000  # of numbers in a product of matrices
_OF_SPACE: Final = 3  # the items of a vector in space


def is_number(value: Value) -> bool:
    """Is it an Integer or a Real?"""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: Value) -> bool:
    """Is it an Integer?"""
    return isinstance(value, int) and not isinstance(value, bool)


def of_all(values: list[Value]) -> Value:
    """The array of some values; None if one of them is not known."""
    return None if any(value is None for value in values) else values


def copied(value: Value) -> Value:
    """The same value in lists of its own."""
    return [copied(item) for item in value] if isinstance(value, list) else value


# ---------------------------------------------------------------- sizes


def shape(value: Value) -> list[int]:
    """The sizes of an array."""
    found = []
    while isinstance(value, list):
        found.append(len(value))
        value = value[0] if value else None
    return found


def exact_shape(value: Value) -> list[int] | None:
    """The sizes of an array, None if it has no items or is not rectangular."""
    if not isinstance(value, list):
        return []
    inside = [exact_shape(item) for item in value]
    if not inside or inside[0] is None or any(each != inside[0] for each in inside):
        return None
    return [len(value), *inside[0]]


# ---------------------------------------------------------------- parts


def indices(index: Value, size: int) -> Index | None:
    """A subscript that is in range; None for any other."""
    items = index if isinstance(index, list) else [index]
    if not all(is_whole(item) and 1 <= item <= size for item in items):
        return None
    found: Index = index
    return found


def selected(value: Value, chosen: Sequence[Index]) -> Value:
    """`value[chosen]`."""
    if not chosen:
        return value
    index, rest = chosen[0], chosen[1:]
    if not isinstance(value, list) or indices(index, len(value)) is None:
        return None
    if isinstance(index, list):
        return of_all([selected(value[item - 1], rest) for item in index])
    return selected(value[index - 1], rest)


def replaced(value: Value, chosen: Sequence[Index], new: Value) -> Value:
    """The array after `value[chosen] := new`; None if that does not fit."""
    if not chosen:
        return new
    index, rest = chosen[0], chosen[1:]
    if not isinstance(value, list) or indices(index, len(value)) is None:
        return None
    if isinstance(index, int):
        index, new = [index], [new]
    elif not isinstance(new, list):
        new = [None] * len(index)
    if len(index) != len(new):
        return None
    found = list(value)
    for item, part in zip(index, new, strict=True):
        found[item - 1] = replaced(found[item - 1], rest, part)
    return found


# ---------------------------------------------------------------- arrays that are made


def spread(start: Value, step: Value, stop: Value) -> Value:
    """`start : step : stop`."""
    if not all(is_number(each) and math.isfinite(each) for each in (start, step, stop)) or step == 0:
        return None
    if (stop - start) / step > _MOST_ITEMS:
        return None
    count = max(0, math.floor((stop - start) / step + 1e-9) + 1)
    return [start + number * step for number in range(count)]


def filled(value: Value, sizes: Sequence[Value]) -> Value:
    """`fill(value, sizes)`."""
    if not all(is_whole(size) and size >= 0 for size in sizes):
        return None
    if math.prod(max(1, size) for size in sizes) > _MOST_ITEMS:
        return None
    for size in reversed(sizes):
        value = [value] * size
    return value


def matrix(rows: Sequence[Sequence[Value]]) -> Value:
    """`[a, b; c, d]`: arrays beside each other, then below each other."""
    joined = [_concatenated(2, [_as_matrix(item) for item in row]) for row in rows]
    return _concatenated(1, joined)


def _as_matrix(value: Value) -> Value:
    if not isinstance(value, list):
        return [[value]]
    if any(isinstance(item, list) for item in value):
        return value if len(exact_shape(value) or []) in (0, 2) else None
    return [[item] for item in value]


def _concatenated(dimension: Value, parts: Sequence[Value]) -> Value:
    """`cat(dimension, …)`. Arrays without items add nothing along the first dimension."""
    if not is_whole(dimension) or dimension < 1 or not parts or not all(isinstance(part, list) for part in parts):
        return None
    if dimension == 1:
        found = [item for part in parts for item in part]
        return found if not found or exact_shape(found) is not None or _rows_are_empty(found) else None
    if len({len(part) for part in parts}) > 1:
        return None
    return of_all([_concatenated(dimension - 1, items) for items in zip(*parts, strict=True)])


def _rows_are_empty(value: list[Value]) -> bool:
    return all(isinstance(item, list) and not item for item in value)


def _identity(size: Value) -> Value:
    return _diagonal([1] * size) if is_whole(size) and 0 <= size <= _MOST_ITEMS else None


def _diagonal(values: Value) -> Value:
    rows = filled(0, [len(values)] * 2)
    if rows is None:
        return None
    return [replaced(row, [number], value) for number, (row, value) in enumerate(zip(rows, values, strict=True), 1)]


def _linspace(first: Value, last: Value, count: Value) -> Value:
    if not (is_number(first) and is_number(last) and is_whole(count) and 2 <= count <= _MOST_ITEMS):  # noqa: PLR2004
        return None
    return [first + (last - first) * number / (count - 1) for number in range(count)]


# ---------------------------------------------------------------- arrays of numbers


def flat(values: Sequence[Value]) -> list[Value]:
    """All items of arrays in arrays."""
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
    items = flat(values)
    return choose(items) if items and all(map(is_number, items)) else None


def product(left: list[Value], right: list[Value]) -> Value:
    """The product of vectors and matrices."""
    sizes, others = exact_shape(left), exact_shape(right)
    if not sizes or not others or not all(map(is_number, flat([left, right]))) or max(len(sizes), len(others)) > 2:  # noqa: PLR2004
        return None
    if sizes[-1] != others[0] or math.prod(sizes) * others[-1] > _MOST_PRODUCTS:
        return None
    rows = [left] if len(sizes) == 1 else left
    columns = [right] if len(others) == 1 else list(zip(*right, strict=True))
    found: Value = [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in rows]
    if len(others) == 1:
        found = [row[0] for row in found]
    return found[0] if len(sizes) == 1 else found


def _transposed(value: Value) -> Value:
    sizes = exact_shape(value)
    return [list(row) for row in zip(*value, strict=True)] if sizes and len(sizes) == 2 else None  # noqa: PLR2004


def _cross(left: Value, right: Value) -> Value:
    if not all(exact_shape(each) == [_OF_SPACE] and all(map(is_number, each)) for each in (left, right)):
        return None
    (a, b, c), (x, y, z) = left, right
    return [b * z - c * y, c * x - a * z, a * y - b * x]


def _skew(vector: Value) -> Value:
    if exact_shape(vector) != [_OF_SPACE] or not all(map(is_number, vector)):
        return None
    x, y, z = vector
    return [[0, -z, y], [z, 0, -x], [-y, x, 0]]


def _outer_product(left: Value, right: Value) -> Value:
    return product([[item] for item in left], [right])


_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "min": lambda *values: _extreme(min, values),
    "max": lambda *values: _extreme(max, values),
    "sum": lambda value: _extreme(sum, [value]) if flat([value]) else 0,
    "product": lambda value: _extreme(math.prod, [value]) if flat([value]) else 1,
    "zeros": lambda *sizes: filled(0, sizes),
    "ones": lambda *sizes: filled(1, sizes),
    "fill": lambda value, *sizes: filled(value, sizes),
    "identity": _identity,
    "diagonal": _diagonal,
    "linspace": _linspace,
    "array": lambda *items: list(items) if items else None,
    "cat": lambda dimension, *parts: _concatenated(dimension, parts),
    "scalar": lambda value: items[0] if len(items := flat([value])) == 1 else None,
    "vector": lambda value: flat([value]),
    "matrix": _as_matrix,
    "transpose": _transposed,
    "cross": _cross,
    "skew": _skew,
    "outerProduct": _outer_product,
    "ndims": lambda value: None if (sizes := exact_shape(value)) is None else len(sizes),
    "noEvent": lambda value: value,
    "smooth": lambda _, value: value,
}


def call(name: str, arguments: Sequence[Value]) -> Value:
    """A predefined function of arrays; None for other functions."""
    function = _FUNCTIONS.get(name)
    return None if function is None else function(*arguments)
