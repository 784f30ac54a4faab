"""Operations that can be carried out twice: what is already there is not done again.

Setting is so by itself. Adding is skipped if the thing is there, removing if it is gone, renaming if the old name is
gone and the new one there. What moves by a distance or counts places can't know whether it was done: such a step needs
a condition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from modelica_ast.edit import ClassHandle, Document, Keyword, find_connection, find_item, identifier, name_of
from modelica_ast.foundation import EditError, NotFoundError, nearest, split_name
from modelica_ast.library import Libraries, target_of
from modelica_ast.refactor import add_class, copy_class, move_class, remove_class, rename

# Without a condition these would do something again at each run.
NEEDS_CONDITION: Final = frozenset({"move_in_diagram", "add_graphic", "remove_graphic", "replace_text", "rewrite"})
_REMOVING: Final = ("remove_", "disconnect")

_Done = Callable[[Document, Mapping[str, Any]], bool]


def ensure(document: Document, operation: Mapping[str, Any]) -> None:
    """Carry out an operation, unless its effect already exists."""
    name = str(operation.get("op"))
    is_done = _IS_DONE.get(name)
    if is_done is not None and is_done(document, operation):
        return
    if name.startswith(_REMOVING):
        if name != "remove_class" and "class" in operation:
            document.find_class(str(operation["class"]))  # a class that is not there is an error, not an effect
        try:
            document.apply([operation])
        except NotFoundError:
            return
    else:
        document.apply([operation])


def _class(document: Document, operation: Mapping[str, Any]) -> ClassHandle:
    return document.find_class(str(operation["class"]))


def _has_class(document: Document, operation: Mapping[str, Any]) -> bool:
    name = operation.get("name")
    own = str(name) if isinstance(name, str) else name_of(str(operation.get("definition", "")))
    around = str(operation.get("class", ""))
    return document.get_class(f"{around}.{own}" if around else own) is not None


def _has_component(document: Document, operation: Mapping[str, Any]) -> bool:
    return _class(document, operation).get_component(str(operation.get("name"))) is not None


def _has_base(document: Document, operation: Mapping[str, Any]) -> bool:
    return operation.get("base") in _class(document, operation).extends


def _has_item(keyword: Keyword, key: str) -> _Done:
    def is_done(document: Document, operation: Mapping[str, Any]) -> bool:
        try:
            find_item(document.find_class(str(operation["class"])).view, keyword, str(operation.get(key)))
        except NotFoundError:
            document.find_class(str(operation["class"]))
            return False
        return True

    return is_done


def _is_connected(document: Document, operation: Mapping[str, Any]) -> bool:
    ends = (str(operation.get("one")), str(operation.get("other")))
    return _are_connected(document, operation, *ends)


def _are_connected(document: Document, operation: Mapping[str, Any], one: str, other: str) -> bool:
    try:
        find_connection(document.find_class(str(operation["class"])).view, one, other)
    except NotFoundError:
        document.find_class(str(operation["class"]))
        return False
    return True


def _is_reconnected(document: Document, operation: Mapping[str, Any]) -> bool:
    kept, old, new = (str(operation.get(key)) for key in ("kept", "old", "new"))
    return not _are_connected(document, operation, kept, old) and _are_connected(document, operation, kept, new)


def _is_component_renamed(document: Document, operation: Mapping[str, Any]) -> bool:
    handle = _class(document, operation)
    old, new = str(operation.get("component")), str(operation.get("name"))
    return handle.get_component(old) is None and handle.get_component(identifier(new)) is not None


def _is_class_renamed(document: Document, operation: Mapping[str, Any]) -> bool:
    parts = split_name(str(operation["class"]))
    new = ".".join([*parts[:-1], identifier(str(operation.get("name")))])
    return document.get_class(str(operation["class"])) is None and document.get_class(new) is not None


def _is_imported(document: Document, operation: Mapping[str, Any]) -> bool:
    """By a trial: what an import that is there would look like is the verb's business."""
    with_import = {key: operation[key] for key in operation if key != "op"}
    probe = Document(document.text)
    try:
        probe.apply([{"op": "remove_import", **with_import}])
    except NotFoundError:
        document.find_class(str(operation["class"]))
        return False
    return True


def _has_prefix(document: Document, operation: Mapping[str, Any]) -> bool:
    handle, name = _class(document, operation), operation.get("component")
    return operation.get("prefix") in (handle if name is None else handle.find_component(str(name))).prefixes


def _has_literal(document: Document, operation: Mapping[str, Any]) -> bool:
    return identifier(str(operation.get("name"))) in _class(document, operation).literals


def _is_literal_renamed(document: Document, operation: Mapping[str, Any]) -> bool:
    there = _class(document, operation).literals
    return _has_literal(document, operation) and identifier(str(operation.get("literal"))) not in there


def _is_base_changed(document: Document, operation: Mapping[str, Any]) -> bool:
    there = _class(document, operation).extends
    return operation.get("new") in there and operation.get("base") not in there


def _is_member_imported(document: Document, operation: Mapping[str, Any]) -> bool:
    clauses = _class(document, operation).view.imports
    lists = [clause for clause in clauses if clause.name == operation.get("name")]
    return any(operation.get("member") == there for clause in lists for _, there in clause.imported)


def _is_replaced(keyword: Keyword, key: str) -> _Done:
    has_old, has_new = _has_item(keyword, key), _has_item(keyword, "new")
    return lambda document, operation: has_new(document, operation) and not has_old(document, operation)


_IS_DONE: Final[dict[str, _Done]] = {
    "add_class": _has_class,
    "insert_class": _has_class,
    "rename_class": _is_class_renamed,
    "add_component": _has_component,
    "rename_component": _is_component_renamed,
    "add_extends": _has_base,
    "set_extends_base": _is_base_changed,
    "add_prefix": _has_prefix,
    "add_literal": _has_literal,
    "rename_literal": _is_literal_renamed,
    "add_import": _is_imported,
    "add_import_member": _is_member_imported,
    "add_equation": _has_item("equation", "equation"),
    "add_statement": _has_item("algorithm", "statement"),
    "replace_equation": _is_replaced("equation", "equation"),
    "replace_statement": _is_replaced("algorithm", "statement"),
    "connect": _is_connected,
    "reconnect": _is_reconnected,
}

# ---------------------------------------------------------------- library operations
# Operations on whole libraries as data: `{"op": "rename", "name": "Lib.Old", "new": "New"}`.

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
    """Carry out an operation, unless its effect already exists."""
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
    elif operation == "move_class":
        new = f"{arguments['package']}.{own}"
    else:
        raise NotImplementedError(f"nothing says how to see that '{operation}' was done")
    return new != name and not _is_there(libraries, name) and _is_there(libraries, new)


def _is_there(libraries: Libraries, name: str) -> bool:
    try:
        target_of(libraries, name)
    except NotFoundError:
        return False
    return True
