"""The input `closed` of collision objects of mode Control: does it get a signal?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from modelica_ast import walk
from modelica_ast.views import ComponentReference, EquationSection, NumberLiteral
from urdf_frontend.constraints.classes import CONTROL
from urdf_frontend.constraints.element_values import index_text, spread
from urdf_frontend.constraints.objects import ConstraintObject, ancestors


def open_inputs(item: ConstraintObject) -> list[str]:
    """The elements of a collision object whose input has no source, as people call them."""
    if not item.is_sized:
        return []
    sizes = item.known_sizes
    closed = item.component.components.get("closed")
    modes = _modes(item)
    if closed is None or closed.binding is not None or CONTROL not in modes:
        return []
    written = list(_written(item))
    if any(indices is None for indices in written):  # by a name without indices, or in a loop
        return []
    named = [f"{index_text(number, sizes)}" for number in range(math.prod(sizes))]
    done = {f"[{','.join(map(str, indices))}]" if indices else "" for indices in written if indices is not None}
    return [
        f"{item.path}{index}" for index, mode in zip(named, modes, strict=True) if mode == CONTROL and index not in done
    ]


def _modes(item: ConstraintObject) -> list[str]:
    """The mode of each element; '' if it can't be decided."""
    value: Any = item.component.components["mode"].value
    found = None if value is None else spread(value, item.known_sizes)
    return [""] * math.prod(item.known_sizes) if found is None else [str(each) for each in found]


def _written(item: ConstraintObject) -> Iterator[tuple[int, ...] | None]:
    """The indices with which equations name the input, in the classes around it; None if they mean all or some."""
    way = ancestors(item.component)
    names = (*(component.name for component in way), "closed")
    for depth in range(len(way)):
        around = way[depth].parent
        has_more_around = any(component.dimensions for component in way[:depth])
        for reference in _references(around, names[depth:]):
            indices = _indices(reference)
            is_whole = indices is not None and not indices and bool(item.sizes)
            yield None if indices is None or is_whole or has_more_around else indices


def _references(around: Any, names: tuple[str, ...]) -> Iterator[ComponentReference]:
    environment = around.environment
    for part in environment.ancestry() if environment is not None else ():
        for section in getattr(part.definition, "sections", []):
            if isinstance(section, EquationSection):
                for view in walk(section, annotations=False):
                    if isinstance(view, ComponentReference) and tuple(view.parts) == names:
                        yield view


def _indices(reference: ComponentReference) -> tuple[int, ...] | None:
    found: list[int] = []
    for subscripts in reference.subscripts:
        for subscript in subscripts.items if subscripts is not None else []:
            if not isinstance(subscript, NumberLiteral):
                return None
            found.append(int(subscript.text))
    return tuple(found)
