"""Patches in files: JSON, checked as a whole before anything is done with them.

`{"modelica_patch": 1, "operations": […]}` for one document, `{"modelica_patch": 1, "files": {"A.mo": […]}}` for
several; the operations alone, as a list, are a patch too.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal, Union, get_type_hints

from modelica_ast.edit.patch import VERBS, checked, kind_of, parameters
from modelica_ast.files import write_file
from modelica_ast.foundation import EditError, read_regular
from modelica_ast.tree import no_literal_for

VERSION: Final = 1
_DEEPEST: Final = 100
Operations = list[dict[str, Any]]


def load_patch(path: str | os.PathLike[str]) -> Operations:
    """The operations of a patch for one document; EditError says what is wrong with the file, and where."""
    found = _load(path)
    if isinstance(found, dict):
        raise EditError(f"{path} has operations for several files; load_patches reads it")
    return found


def load_patches(path: str | os.PathLike[str]) -> dict[str, Operations]:
    """The operations of a patch for several documents, by their files; EditError says what is wrong, and where."""
    found = _load(path)
    if isinstance(found, list):
        raise EditError(f"{path} has operations for one document; load_patch reads it")
    return found


def save_patch(path: str | os.PathLike[str], operations: Iterable[Mapping[str, Any]]) -> None:
    """Write a patch for one document."""
    todo = [dict(operation) for operation in operations]
    _check_operations(todo, str(path))
    _save(path, {"modelica_patch": VERSION, "operations": todo})


def save_patches(path: str | os.PathLike[str], files: Mapping[str, Iterable[Mapping[str, Any]]]) -> None:
    """Write a patch for several documents."""
    todo = {name: [dict(operation) for operation in operations] for name, operations in files.items()}
    for name, operations in todo.items():
        _check_operations(operations, f"{path}: {name}")
    _save(path, {"modelica_patch": VERSION, "files": todo})


def _save(path: str | os.PathLike[str], patch: dict[str, Any]) -> None:
    try:
        # A byte order mark in a replaced text would be invisible; all else is for people to read.
        text = json.dumps(patch, indent=2, ensure_ascii=False, allow_nan=False).replace("\ufeff", "\\ufeff")
        data = (text + "\n").encode()
    except (TypeError, ValueError) as error:
        raise EditError(f"{path}: the patch has no JSON form: {error}") from None
    write_file(path, data)


def _load(path: str | os.PathLike[str]) -> Operations | dict[str, Operations]:
    data = _read(path)
    if isinstance(data, list):
        data = {"operations": data}
    if not isinstance(data, dict):
        raise EditError(f"{path}: a patch must be a list of operations or an object, not {data!r}")
    version = data.get("modelica_patch", VERSION)
    if version != VERSION or isinstance(version, bool):
        raise EditError(f"{path}: 'modelica_patch' is {version!r}; this program knows version {VERSION}")
    unknown = sorted(data.keys() - {"modelica_patch", "operations", "files"})
    if unknown:
        raise EditError(f"{path}: a patch has no key '{unknown[0]}'; the keys are modelica_patch, operations, files")
    if ("operations" in data) == ("files" in data):
        raise EditError(f"{path}: a patch has either 'operations' or 'files'")
    if "operations" in data:
        _check_operations(data["operations"], f"{path}")
        operations: Operations = data["operations"]
        return operations
    files: dict[str, Operations] = data["files"]
    if not isinstance(files, dict):
        raise EditError(f"{path}: 'files' must be an object, not {files!r}")
    for name, of_file in files.items():
        _check_operations(of_file, f"{path}: {name}")
    return files


def _check_operations(operations: Any, where: str) -> None:
    if not isinstance(operations, list):
        raise EditError(f"{where}: operations are a list, not {operations!r}")
    for number, operation in enumerate(operations, 1):
        try:
            checked(operation)
        except EditError as error:
            raise EditError(f"{where}: operation {number}: {error}") from None


def _read(path: str | os.PathLike[str]) -> Any:
    try:
        text = read_regular(path).decode("utf-8-sig")
    except OSError as error:
        raise EditError(f"{path} can't be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise EditError(f"{path} is not UTF-8: byte {error.start}") from None
    return read_json(text, str(path))


def read_json(text: str, name: str) -> Any:
    """The value that a text of JSON stands for, whoever wrote it; EditError says what is wrong with it, and where."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise EditError(f"{name}:{error.lineno}:{error.colno}: this is not JSON: {error.msg}") from None
    except EditError as error:
        raise EditError(f"{name}: {error}") from None
    except RecursionError:
        raise _too_deep(name) from None
    except ValueError:  # nothing else is left that Python does not read
        raise EditError(f"{name}: a number has too many digits to be read") from None
    _check_depth(value, name)
    return value


def _check_depth(value: Any, name: str) -> None:
    """What the reader could just about read, a message that shows it could not."""
    inside = [value]
    for _ in range(_DEEPEST):
        inside = [item for each in inside if isinstance(each, dict | list) for item in _items(each)]
        if not inside:
            return
    raise _too_deep(name)


def _items(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def _too_deep(name: str) -> EditError:
    return EditError(f"{name} is nested too deep: a patch has at most {_DEEPEST} lists and objects inside each other")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key that appears twice would hide a value."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise EditError(f"the key '{key}' appears twice in one object")
        found[key] = value
    return found


def _no_number(text: str) -> Any:
    raise EditError(f"{text} is not a number in JSON, and {no_literal_for(float(text))}")


# ---------------------------------------------------------------- schema
# The JSON Schema of a patch, made from the signatures and docstrings of the verbs.
#
# `python -m modelica_ast.edit.patch_files` writes it to `patch.schema.json` beside this file, for editors and for
# programs that write patches.

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
    "Null where the verb gives it a meaning.",
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
            _schema_object({"modelica_patch": version, "operations": operations}, ["operations"]),
            _schema_object({"modelica_patch": version, "files": files}, ["files"]),
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
    return {"description": inspect.getdoc(verb), **_schema_object(properties, required)}


def _schema_object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
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
        return {"description": inspect.getdoc(hint), **_schema_object(properties, required)}
    return {"type": _PLAIN[kind]}


def schema_text() -> str:
    """The schema as it stands in its file."""
    return json.dumps(patch_schema(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
