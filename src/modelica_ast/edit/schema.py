"""The JSON Schema of a patch, made from the signatures and docstrings of the verbs.

`python -m modelica_ast.edit.schema` writes it to `patch.schema.json` beside this file, for editors and for programs
that write patches.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal, Union, get_type_hints

from modelica_ast.edit.patch import VERBS, kind_of, parameters
from modelica_ast.edit.patch_files import VERSION

FILE: Final = Path(__file__).with_name("patch.schema.json")

_PLAIN: Final[dict[Any, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}
_VALUE: Final = {
    "description": "A number, boolean, string or list; an expression, a reference or a number that keeps its text. "
    "Null where the verb says what none means.",
    "anyOf": [
        {"type": ["number", "boolean", "string", "null"]},
        {"type": "array", "items": {"$ref": "#/$defs/value"}},
        *(
            {
                "type": "object",
                "properties": {key: {"type": "string"}},
                "required": [key],
                "additionalProperties": False,
            }
            for key in ("expression", "reference", "real")
        ),
    ],
}


def patch_schema() -> dict[str, Any]:
    """The schema, in draft 2020-12."""
    version = {"description": "The version of this format.", "const": VERSION}
    operations = {"$ref": "#/$defs/operations"}
    files = {"type": "object", "additionalProperties": operations}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A patch of Modelica documents",
        "oneOf": [
            operations,
            _object({"modelica_patch": version, "operations": operations}, ["operations"]),
            _object({"modelica_patch": version, "files": files}, ["files"]),
        ],
        "$defs": {
            "value": _VALUE,
            "operations": {"type": "array", "items": {"$ref": "#/$defs/operation"}},
            "operation": {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in VERBS]},
            **{name: _operation(name, verb) for name, verb in VERBS.items()},
        },
    }


def _operation(name: str, verb: Callable[..., object]) -> dict[str, Any]:
    found = parameters(verb)
    properties = {"op": {"const": name}, **{p.key: _of_hint(p.hint) for p in found}}
    required = ["op", *(p.key for p in found if p.required)]
    return {"description": inspect.getdoc(verb), **_object(properties, required)}


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _of_hint(hint: Any) -> dict[str, Any]:
    """The schema of a parameter's type."""
    kind, inner = kind_of(hint)
    if kind is Any:
        return {"$ref": "#/$defs/value"}
    if kind is Union:
        return {"anyOf": [_of_hint(one) for one in inner]}
    if kind is list:
        return {"type": "array", "items": _of_hint(inner[0])}
    if kind is Mapping:
        return {"type": "object", "additionalProperties": _of_hint(inner[0])}
    if kind is Literal:
        return {"enum": list(inner)}
    if kind is dict:
        properties = {key: _of_hint(of_key) for key, of_key in get_type_hints(hint).items()}
        required = [key for key in properties if key in hint.__required_keys__]
        return {"description": inspect.getdoc(hint), **_object(properties, required)}
    return {"type": _PLAIN[kind]}


def schema_text() -> str:
    """The schema as it stands in its file."""
    return json.dumps(patch_schema(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
