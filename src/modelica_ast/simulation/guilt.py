"""Which part of an unbalanced model looks guilty.

A component that is balanced in itself leaves the balance of what is around it alone. So the classes of the components
are compiled one by one, those of the user's own libraries only, and the innermost one that is not balanced is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from modelica_ast.edit.errors import NotFoundError
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.library.class_files import instance
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.libraries import Libraries
from modelica_ast.semantics.instances import Node

_SECONDS: Final = 10.0  # what finding it may take

Counts = tuple[int, int]


def guilty_parts(
    libraries: Libraries, own: frozenset[str], model: str, balance_of: Callable[[str], Counts | None]
) -> list[tuple[str, str, Counts]]:
    """(component, its class, its equations and unknowns) of parts that are not balanced, the innermost ones.

    `balance_of` compiles a class and counts; None if it is balanced or can't be compiled alone.
    """
    end = time.monotonic() + _SECONDS
    known: dict[str, Counts | None] = {}
    found: list[tuple[str, str, Counts]] = []
    try:
        todo: list[tuple[str, Node]] = [("", instance(libraries, model))]
        while todo and time.monotonic() < end:
            path, node = todo.pop()
            guilty = False
            for name, component in node.components.items():
                kind = component.type_name
                if kind is None or kind.partition(".")[0] not in own or component.is_outer:
                    continue
                if kind not in known and time.monotonic() < end:
                    has_equations = libraries.find_class(kind).kind.endswith(("model", "block"))
                    known[kind] = balance_of(kind) if has_equations else None
                counts = known.get(kind)
                if counts is not None:
                    guilty = True
                    todo.append((f"{path}.{name}" if path else name, component))
                    found.append((f"{path}.{name}" if path else name, kind, counts))
            if guilty and path:  # something inside it is the reason
                found = [each for each in found if each[0] != path]
    except (LibraryError, NotFoundError, ModelicaSyntaxError):
        return found
    return found
