"""Values of the elements of arrays: spread over all elements, and put together again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def shape_of(value: Any) -> tuple[int, ...] | None:
    """The sizes of nested lists; None if they are ragged."""
    found: list[int] = []
    level = [value]
    while level and all(isinstance(item, list) for item in level):
        sizes = {len(item) for item in level}
        if len(sizes) != 1:
            return None
        found.append(sizes.pop())
        level = [inner for item in level for inner in item]
    return None if any(isinstance(item, list) for item in level) else tuple(found)


def spread(value: Any, sizes: Sequence[int]) -> list[Any] | None:
    """The value of each element of an array, the last index first to change; None if it does not fit.

    What is given for the last dimensions only, as in a class that is used in an array, is the same for all the others.
    """
    shape = shape_of(value)
    if shape is None or tuple(sizes[len(sizes) - len(shape) :]) != shape or len(shape) > len(sizes):
        return None
    flat = [value]
    for _ in shape:
        flat = [inner for item in flat for inner in item]
    return flat * math.prod(sizes[: len(sizes) - len(shape)])


def gathered(values: Sequence[Any], sizes: Sequence[int]) -> Any:
    """The nested lists of these sizes; without sizes the one value."""
    level = list(values)
    for size in reversed(sizes):
        level = [level[start : start + size] for start in range(0, len(level), size)]
    return level[0]


def index_text(number: int, sizes: Sequence[int]) -> str:
    """How the element of a number, from 0, is written behind its array: `[2,1]`; '' for a scalar."""
    found: list[int] = []
    for size in reversed(sizes):
        number, index = divmod(number, size)
        found.append(index + 1)
    return f"[{','.join(map(str, reversed(found)))}]" if found else ""


def shown(value: Any) -> str:
    """Nested lists of numbers as Modelica writes them."""
    return str(value).translate(str.maketrans("[]", "{}")).replace(" ", "")
