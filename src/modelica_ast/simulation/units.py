"""The units of variables, by the declarations in the sources."""

from __future__ import annotations

from collections.abc import Iterable

from modelica_ast.edit.errors import NotFoundError
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.library.class_files import instance
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.libraries import Libraries


def units_of(libraries: Libraries, model: str, names: Iterable[str]) -> dict[str, str]:
    """Name -> unit of the variables of a model whose declarations have one."""
    found: dict[str, str] = {}
    try:
        root = instance(libraries, model)
        for name in names:
            component = root.get(".".join(part.partition("[")[0] for part in name.split(".")))
            unit = component.attribute("unit") if component is not None else None
            if isinstance(unit, str) and unit:
                found[name] = unit
    except (LibraryError, NotFoundError, ModelicaSyntaxError):
        return found  # a class that a compiler takes and our lookup does not: labels without units
    return found
