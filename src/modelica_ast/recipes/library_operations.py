"""Operations on whole libraries as data: `{"op": "rename", "name": "Lib.Old", "new": "New"}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from modelica_ast.edit.errors import EditError, NotFoundError
from modelica_ast.identifiers import nearest, split_name
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.moving import add_class, copy_class, move_class, remove_class
from modelica_ast.library.references import target_of
from modelica_ast.library.renaming import rename

# Operation -> (function, keys that it must have, keys that it can have); all values are texts.
LIBRARY_OPERATIONS: Final[dict[str, tuple[Callable[..., None], tuple[str, ...], tuple[str, ...]]]] = {
    "rename": (rename, ("name", "new"), ()),
    "move_class": (move_class, ("name", "package"), ("before", "after")),
    "copy_class": (copy_class, ("name", "package"), ("new_name", "before", "after")),
    "add_class": (add_class, ("package", "name"), ("kind", "description", "before", "after")),
    "remove_class": (remove_class, ("name",), ()),
}


def check_library_operation(operation: Any) -> None:
    """EditError unless there is such an operation and it takes these keys."""
    name = operation.get("op") if isinstance(operation, Mapping) else None
    if name not in LIBRARY_OPERATIONS:
        known = ", ".join(LIBRARY_OPERATIONS)
        raise EditError(f"there is no operation {name!r} on libraries; there is {known}")
    _, required, optional = LIBRARY_OPERATIONS[name]
    for key, value in operation.items():
        if key != "op" and key not in (*required, *optional):
            raise EditError(f"'{name}' has no '{key}'{nearest(key, (*required, *optional))}")
        if not isinstance(value, str):
            raise EditError(f"'{name}': '{key}' must be a string, not {value!r}")
    for key in required:
        if key not in operation:
            raise EditError(f"'{name}': missing a required argument: '{key}'")


def ensure_in_libraries(libraries: Libraries, operation: Mapping[str, str]) -> None:
    """Carry out an operation, unless its effect is there already."""
    check_library_operation(operation)
    name = operation["op"]
    arguments = {key: value for key, value in operation.items() if key != "op"}
    if not _is_done(libraries, name, arguments):
        LIBRARY_OPERATIONS[name][0](libraries, **arguments)


def _is_done(libraries: Libraries, operation: str, arguments: Mapping[str, str]) -> bool:
    name = arguments["name"]
    if operation == "remove_class":
        return not _is_there(libraries, name)
    if operation == "add_class":
        return _is_there(libraries, f"{arguments['package']}.{name}")
    own = split_name(name)[-1]
    if operation == "copy_class":
        return _is_there(libraries, f"{arguments['package']}.{arguments.get('new_name', own)}")
    if operation == "rename":
        new = ".".join([*split_name(name)[:-1], arguments["new"]])
    else:
        new = f"{arguments['package']}.{own}"
    return new != name and not _is_there(libraries, name) and _is_there(libraries, new)


def _is_there(libraries: Libraries, name: str) -> bool:
    try:
        target_of(libraries, name)
    except NotFoundError:
        return False
    return True
