"""Edits as data: every verb has a JSON form, and a list of them is a patch.

`{"op": "set_modifier", "class": "Arm", "component": "body", "path": "m", "value": 1.5}`

A value is a JSON number, boolean, string or list; `{"expression": "2*m"}` is parsed, `{"reference": "Init.NoInit"}` is
a name, `{"real": "1.50"}` a number that keeps its text. `patch.schema.json` has all of it as a JSON Schema.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from modelica_ast.edit.arguments import keywords
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.working import Working
from modelica_ast.identifiers import nearest

_PLACES: Final = {
    "add_class": "classes.add_class",
    "insert_class": "classes.insert_class",
    "remove_class": "classes.remove_class",
    "move_class": "classes.move_class",
    "rename_class": "renaming.rename_class",
    "set_class_kind": "classes.set_class_kind",
    "set_class_prefixes": "classes.set_class_prefixes",
    "set_class_description": "classes.set_class_description",
    "set_within": "classes.set_within",
    "add_component": "components.add_component",
    "remove_component": "components.remove_component",
    "move_component": "components.move_component",
    "rename_component": "renaming.rename_component",
    "set_component_type": "declarations.set_type",
    "set_component_description": "declarations.set_description",
    "set_component_prefixes": "declarations.set_prefixes",
    "set_component_dimensions": "declarations.set_dimensions",
    "set_component_condition": "declarations.set_condition",
    "set_component_constraint": "declarations.set_constraint",
    "set_modifier": "bindings.set_modifier",
    "remove_modifier": "bindings.remove_modifier",
    "redeclare": "redeclaring.redeclare",
    "set_modifier_prefixes": "redeclaring.set_modifier_prefixes",
    "set_annotation": "annotation.set_annotation",
    "remove_annotation": "annotation.remove_annotation",
    "add_extends": "inheritance.add_extends",
    "remove_extends": "inheritance.remove_extends",
    "set_extends_modifier": "inheritance.set_extends_modifier",
    "remove_extends_modifier": "inheritance.remove_extends_modifier",
    "add_import": "inheritance.add_import",
    "remove_import": "inheritance.remove_import",
    "add_equation": "equations.add_equation",
    "remove_equation": "equations.remove_equation",
    "move_equation": "equations.move_equation",
    "add_statement": "equations.add_statement",
    "remove_statement": "equations.remove_statement",
    "move_statement": "equations.move_statement",
    "connect": "diagram.connect",
    "disconnect": "connections.remove_connection",
    "reconnect": "connections.reconnect",
    "set_placement": "diagram.set_placement",
    "place_component": "diagram.place_component",
    "move_in_diagram": "diagram.move_in_diagram",
    "set_line": "diagram.set_line",
    "route_line": "diagram.route_line",
    "add_graphic": "drawing.add_graphic",
    "set_graphic": "drawing.set_graphic",
    "remove_graphic": "drawing.remove_graphic",
    "set_coordinate_system": "drawing.set_coordinate_system",
    "replace_text": "replacing.replace_text",
}


class _Verbs(Mapping[str, Callable[..., Any]]):
    """The verbs by name; the module of a verb is imported when it is first asked for."""

    def __getitem__(self, name: str) -> Callable[..., Any]:
        module, _, function = _PLACES[name].rpartition(".")
        verb: Callable[..., Any] = getattr(importlib.import_module(f"modelica_ast.edit.{module}"), function)
        return verb

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)


VERBS: Final = _Verbs()


def run(work: Working, operation: Mapping[str, Any]) -> None:
    """Carry out one operation; EditError if it is none, or if its verb refuses."""
    verb, arguments = checked(operation)
    verb(work, **arguments)


def checked(operation: Any) -> tuple[Callable[..., None], dict[str, Any]]:
    """The verb of an operation and its arguments; EditError unless there is such a verb and it takes these."""
    if not isinstance(operation, Mapping):
        raise EditError(f"an operation is an object with the key 'op', not {operation!r}")
    arguments = dict(operation)
    name = arguments.pop("op", None)
    verb = VERBS.get(name) if isinstance(name, str) else None
    if verb is None:
        raise EditError(f"there is no operation {name!r}{nearest(str(name), sorted(VERBS))}")
    return verb, keywords(str(name), verb, arguments)
