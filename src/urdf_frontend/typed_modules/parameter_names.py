"""The parameters of a component that a simulation can be given: numbers and truth values, its own and its records'."""

from __future__ import annotations

from typing import Final

from modelica_ast import find_all
from modelica_ast.library import ComponentInstance
from modelica_ast.views import ComponentReference
from urdf_frontend.typed_modules.blueprint import Parameter

_TYPES: Final = {"Real": "float", "Integer": "int", "Boolean": "bool"}
_UNITS: Final = "Modelica.Units."
# What a link looks like is no matter of simulation, and no two links have the same of it.
_LOOKS: Final = ("visual", "collision")


def parameters_of(component: ComponentInstance) -> tuple[Parameter, ...]:
    """All of them, in the order of the declarations; those of records by their paths, if the model reads them."""
    found: list[Parameter] = []
    start = len(component.path) + 1
    read: frozenset[str] | None = None
    todo = list(reversed(component.components.values()))
    while todo:
        current = todo.pop()
        path = current.path[start:]
        # PERF: what is declared tells. A prefix that a type brings would need the types of all that is no parameter.
        prefixes = current.member.prefixes
        is_parameter = "parameter" in prefixes or (current.parent is not component and "constant" not in prefixes)
        if not is_parameter or current.is_final or current.is_protected or current.is_outer:
            continue
        type_ = _type_of(current)
        if type_ is not None and len(current.dimensions) <= 1:
            if current.parent is not component:
                read = _read_paths(component) if read is None else read
                if not _is_read(path, read):
                    continue
            found.append(Parameter(path, type_, bool(current.dimensions)))
        elif type_ is None and current.end_type is None and not current.dimensions:
            todo += [each for each in reversed(current.components.values()) if not each.name.startswith(_LOOKS)]
    return tuple(found)


def _type_of(component: ComponentInstance) -> str | None:
    """The type of its values in Python; None if it has none (a record, a text, an enumeration)."""
    if component.end_type is not None:
        return _TYPES.get(component.end_type)
    # Without the Standard Library its units are not found; all of them are numbers.
    return "float" if component.type_text.lstrip(".").startswith(_UNITS) else None


def _read_paths(component: ComponentInstance) -> frozenset[str]:
    """All that the component's class refers to, and those that it inherits from."""
    parts = () if component.environment is None else component.environment.ancestry()
    definitions = [part.definition for part in parts if part.definition is not None]
    references = (found for definition in definitions for found in find_all(definition, ComponentReference))
    return frozenset(".".join(found.parts) for found in references)


def _is_read(path: str, read: frozenset[str]) -> bool:
    """Is it referred to, or something that it is inside of?"""
    parts = path.split(".")
    return any(".".join(parts[:length]) in read for length in range(1, len(parts) + 1))
