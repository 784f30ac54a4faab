"""The JSON Schema of a recipe, made from the verbs and the keys that the reader knows.

`python -m modelica_ast.recipes.schema` writes it to `recipe.schema.json` beside this file, for editors.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, Final

from modelica_ast.edit import VERBS, patch_schema
from modelica_ast.patterns import CAPTURE_KINDS, KIND_NAMES
from modelica_ast.recipes.operations import LIBRARY_OPERATIONS
from modelica_ast.recipes.recipe import ACTIONS, TYPES
from modelica_ast.recipes.targets import CLASS_KEYS

FILE: Final = Path(__file__).with_name("recipe.schema.json")
_TEXT: Final = {"type": "string"}
_PARAMETER: Final = {"type": "string", "pattern": r"\$\{[A-Za-z_][A-Za-z_0-9]*\}"}


def recipe_schema() -> dict[str, Any]:
    """The schema, in draft 2020-12."""
    patch = patch_schema()["$defs"]
    operations = {name: _with_parameters(patch[name]) for name in VERBS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A recipe for Modelica files",
        **_object(
            {
                "name": _TEXT,
                "description": _TEXT,
                "parameters": {"type": "object", "additionalProperties": _ref("parameter")},
                "requires": _ref("conditions"),
                "refuses": _ref("conditions"),
                "steps": {"type": "array", "minItems": 1, "items": _ref("step")},
            },
            ["name", "steps"],
        ),
        "$defs": {
            "parameter": _object(
                {"type": {"enum": list(TYPES)}, "default": {}, "description": _TEXT, "required": {"type": "boolean"}},
                [],
            ),
            "conditions": {
                "anyOf": [_ref("condition"), {"type": "array", "items": _ref("condition")}],
            },
            "condition": {
                "oneOf": [
                    *(_object({key: _TEXT}, [key]) for key in ("class", "component", "pattern")),
                    _object({"uses": {"type": "object", "additionalProperties": _TEXT}}, ["uses"]),
                ]
            },
            "step": _step(),
            "rewriting": _rewrite(),  # `rewrite` is an operation, too
            "value": patch["value"],
            "operation": {"oneOf": [_ref(name) for name in VERBS]},
            "library_operation": {"oneOf": [_library_operation(name) for name in LIBRARY_OPERATIONS]},
            **operations,
        },
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _one_or_more(name: str) -> dict[str, Any]:
    return {"anyOf": [_ref(name), {"type": "array", "minItems": 1, "items": _ref(name)}]}


def _step() -> dict[str, Any]:
    classes = {"anyOf": [_TEXT, {**_object(dict.fromkeys(CLASS_KEYS, _TEXT), []), "minProperties": 1}]}
    step = _object(
        {
            "name": _TEXT,
            "files": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
            "classes": classes,
            "when": _ref("conditions"),
            "unless": _ref("conditions"),
            "allow_empty": {"type": "boolean"},
            "do": _one_or_more("operation"),
            "rewrite": _ref("rewriting"),
            "library": _one_or_more("library_operation"),
        },
        [],
    )
    return {**step, "oneOf": [{"required": [action]} for action in ACTIONS]}


def _rewrite() -> dict[str, Any]:
    constraint = _object({"regex": _TEXT, "not_regex": _TEXT, "type": _TEXT, "kind": {"enum": list(CAPTURE_KINDS)}}, [])
    return _object(
        {
            "pattern": _TEXT,
            "to": _TEXT,
            "kind": {"enum": list(KIND_NAMES)},
            "where": {"type": "object", "additionalProperties": constraint},
            "annotations": {"type": "boolean"},
        },
        ["pattern", "to"],
    )


def _library_operation(name: str) -> dict[str, Any]:
    _, required, optional = LIBRARY_OPERATIONS[name]
    properties = {"op": {"const": name}, **dict.fromkeys((*required, *optional), _TEXT)}
    return _object(properties, ["op", *required])


def _with_parameters(operation: dict[str, Any]) -> dict[str, Any]:
    """An operation of a patch: its class may come from the selector, and any value from a parameter."""
    changed = copy.deepcopy(operation)
    changed["required"] = [key for key in changed["required"] if key != "class"]
    changed["properties"] = {
        key: value if key == "op" else {"anyOf": [value, _PARAMETER]} for key, value in changed["properties"].items()
    }
    return changed


def schema_text() -> str:
    """The schema as it stands in its file."""
    return json.dumps(recipe_schema(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
