"""Arrays of a model as FMI 2.0 has them: each element is a variable, `u[2]`, `axes[1].k`, `R[2,3]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, Final

from attrs import frozen

from modelica_ast.library import ComponentInstance
from urdf_frontend.fmi.interface import Variable

_MOST_ELEMENTS: Final = 100_000  # of one array; the names of more are not made


@frozen
class Element:
    """A scalar of an array, or a scalar variable itself."""

    name: str
    start: Any  # None if it is not known


def sizes_of(variable: Variable) -> tuple[int | None, ...]:
    """All sizes on the way to a variable, those of the components around it first."""
    return tuple(size for part in chain_of(variable) for size in _sizes(part))


def elements_of(variable: Variable) -> list[Element] | None:
    """The scalars of a variable; None if a size is not known, or there are too many."""
    sizes = sizes_of(variable)
    known = [size for size in sizes if size is not None]
    if len(known) != len(sizes) or prod(known) > _MOST_ELEMENTS:
        return None
    chain = chain_of(variable)
    return [
        Element(_name(chain, index), _at(variable.start, index))
        for index in product(*(range(1, size + 1) for size in known))
    ]


def flat_starts(variable: Variable, count: int) -> list[Any] | None:
    """The start values of all elements, row by row; None where they are not known or of another number."""
    elements = elements_of(variable)
    if elements is None or len(elements) != count or any(element.start is None for element in elements):
        return None
    return [element.start for element in elements]


def chain_of(variable: Variable) -> list[ComponentInstance]:
    """The components on the way to a variable, the outermost first, itself last."""
    chain: list[ComponentInstance] = []
    part: object = variable.component
    while isinstance(part, ComponentInstance):
        chain.append(part)
        part = part.parent
    return chain[::-1]


def _sizes(part: ComponentInstance) -> list[int | None]:
    return [dimension.size for dimension in part.dimensions]


def _name(chain: Sequence[ComponentInstance], index: tuple[int, ...]) -> str:
    return ".".join(_parts(chain, index))


def _parts(chain: Sequence[ComponentInstance], index: tuple[int, ...]) -> Iterator[str]:
    for part in chain:
        own, index = index[: len(part.dimensions)], index[len(part.dimensions) :]
        yield f"{part.name}[{','.join(map(str, own))}]" if own else part.name


def _at(value: Any, index: tuple[int, ...]) -> Any:
    """The value at an index; a value that is no array is that of all elements, as after `each`."""
    if not isinstance(value, list):
        return value
    for number in index:
        if not isinstance(value, list) or number > len(value):
            return None
        value = value[number - 1]
    return None if isinstance(value, list) else value
