"""Patches in files: JSON, checked as a whole before anything is done with them.

`{"modelica_patch": 1, "operations": […]}` for one document, `{"modelica_patch": 1, "files": {"A.mo": […]}}` for
several; the operations alone, as a list, are a patch too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, Final

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.patch import checked
from modelica_ast.files import read_regular
from modelica_ast.files.saving import write_file
from modelica_ast.literals import no_literal_for

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
        raise EditError(f"{path}: a patch is a list of operations or an object, not {data!r}")
    version = data.get("modelica_patch", VERSION)
    if version != VERSION or isinstance(version, bool):
        raise EditError(f"{path}: 'modelica_patch' is {version!r}; this program knows version {VERSION}")
    unknown = sorted(data.keys() - {"modelica_patch", "operations", "files"})
    if unknown:
        raise EditError(f"{path}: a patch has no '{unknown[0]}'; it has modelica_patch, operations, files")
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
        raise EditError(f"{name}: a number has more digits than can be read") from None
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
    """An object; a key that stands twice would hide a value."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise EditError(f"the key '{key}' stands twice in one object")
        found[key] = value
    return found


def _no_number(text: str) -> Any:
    raise EditError(f"{text} is not a number in JSON, and {no_literal_for(float(text))}")
