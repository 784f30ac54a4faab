"""Edits as data: every verb has a JSON form, and a list of them is a patch.

`{"op": "set_modifier", "class": "Arm", "component": "body", "path": "m", "value": 1.5}`

A value is a JSON number, boolean, string or list; `{"expression": "2*m"}` is parsed, `{"reference": "Init.NoInit"}` is
a name, `{"real": "1.50"}` a number that keeps its text.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from modelica_ast.edit import annotation, components, connections, equations, inheritance
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.working import Working
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.literals import Real, Reference
from modelica_ast.parse import parse_expression

VERBS: Final[dict[str, Callable[..., None]]] = {
    "add_component": components.add_component,
    "remove_component": components.remove_component,
    "set_component_type": components.set_type,
    "set_component_description": components.set_description,
    "set_modifier": components.set_modifier,
    "remove_modifier": components.remove_modifier,
    "set_annotation": annotation.set_annotation,
    "remove_annotation": annotation.remove_annotation,
    "add_extends": inheritance.add_extends,
    "remove_extends": inheritance.remove_extends,
    "set_extends_modifier": inheritance.set_extends_modifier,
    "remove_extends_modifier": inheritance.remove_extends_modifier,
    "add_import": inheritance.add_import,
    "remove_import": inheritance.remove_import,
    "add_equation": equations.add_equation,
    "remove_equation": equations.remove_equation,
    "connect": connections.add_connection,
    "disconnect": connections.remove_connection,
}


def run(work: Working, operation: Mapping[str, Any]) -> None:
    """Carry out one operation; EditError if it is none, or if its verb refuses."""
    arguments = dict(operation)
    name = arguments.pop("op", None)
    verb = VERBS.get(name) if isinstance(name, str) else None
    if verb is None:
        raise EditError(f"there is no operation {name!r}; there is {', '.join(sorted(VERBS))}")
    parameters = {key.rstrip("_"): key for key in list(inspect.signature(verb).parameters)[1:]}
    unknown = sorted(set(arguments) - set(parameters))
    if unknown:
        raise EditError(f"'{name}' has no '{unknown[0]}'; it has {', '.join(parameters)}")
    keywords = {parameters[key]: value for key, value in arguments.items()}
    if "value" in keywords:
        keywords["value"] = from_json(keywords["value"])
    if keywords.get("modifiers") is not None:
        keywords["modifiers"] = {path: from_json(value) for path, value in keywords["modifiers"].items()}
    try:
        inspect.signature(verb).bind(work, **keywords)
    except TypeError as error:
        raise EditError(f"'{name}': {error}") from None
    verb(work, **keywords)


def from_json(value: Any) -> Any:
    """A value of a patch as a value for a verb."""
    match value:
        case {"expression": str(text)} if len(value) == 1:
            try:
                return parse_expression(text)
            except ModelicaSyntaxError as error:
                raise EditError(f"'{text}' is not an expression: {error.message}") from None
        case {"reference": str(name)} if len(value) == 1:
            return Reference(name)
        case {"real": str(text)} if len(value) == 1:
            try:
                return Real(text)
            except ValueError:
                raise EditError(f"'{text}' is not a number") from None
        case dict():
            raise EditError(
                f"{value!r} is no value: a value is a JSON literal, or has one key: expression, reference or real"
            )
        case list():
            return [from_json(item) for item in value]
        case _:
            return value
