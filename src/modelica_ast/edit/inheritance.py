"""Extends clauses and imports: what a class takes from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modelica_ast.edit.bindings import same_value
from modelica_ast.edit.errors import AmbiguousError, EditError, NotFoundError
from modelica_ast.edit.modifiers import get_in_arguments, set_in_arguments, with_child, without_argument
from modelica_ast.edit.placing import line_starts, put_beside, put_in_body, take_out
from modelica_ast.edit.surgery import Path, at, replaced, with_prefix
from modelica_ast.edit.values import identifier, names, parsed, value_green
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, Node, child_node, children_of, leaves, tokens
from modelica_ast.identifiers import nearest
from modelica_ast.shape import child, make_node
from modelica_ast.tables import KINDS

_ARGUMENTS = "class_modification"


def clauses(work: Working, class_: str, kind: str) -> list[Path]:
    """All elements of a class that hold a clause of this kind, in source order."""
    body = work.body_path(class_)
    found: list[Path] = []
    composition = at(work.root, body)
    for index in range(1, len(composition)):
        node = composition[index]
        inner = [(index,)] if KINDS[node[0]] == "element" else [(index, i) for i in range(1, len(node))]
        for path in inner:
            element = at(composition, path)
            is_element = isinstance(element, tuple) and KINDS[element[0]] == "element"
            if is_element and isinstance(element[1], tuple) and KINDS[element[1][0]] == kind:
                found.append((*body, *path))
    return found


def base_name(extends: Node) -> str:
    """The class that an extends clause names."""
    found = child(extends, "type_specifier")
    assert found is not None
    return "".join(tokens(found[1]))


def extends_path(work: Working, class_: str, base: str) -> Path:
    """The element with the extends clause of a base class, named as it is written."""
    paths = clauses(work, class_, "extends_clause")
    found = [path for path in paths if base_name(at(work.root, path)[1]) == base]
    if not found:
        known = [base_name(at(work.root, path)[1]) for path in paths]
        raise NotFoundError(f"'{class_}' does not extend '{base}'{nearest(base, known)}")
    if len(found) > 1:
        raise AmbiguousError(f"'{class_}' extends '{base}' {len(found)} times")
    return found[0]


def add_extends(work: Working, class_: str, base: str, modifiers: Mapping[str, Any] | None = None) -> None:
    """Add an extends clause: behind the last one, else before the first component."""
    type_ = parsed(base, "type_specifier", "a class")
    name = "".join(tokens(type_))
    if any(base_name(at(work.root, path)[1]) == name for path in clauses(work, class_, "extends_clause")):
        raise EditError(f"'{class_}' extends '{name}' already")
    parts: list[Green] = ["extends", with_prefix(type_, " ")]
    near = (at(work.root, work.body_path(class_)),)
    arguments = make_node("class_modification", "(", ")")
    for path, value in (modifiers or {}).items():
        arguments = set_in_arguments(arguments, names(path), value_green(value), near)
    if modifiers:
        parts.append(arguments)
    _put(work, class_, make_node("element", make_node("extends_clause", *parts), ";"), "extends_clause")


def remove_extends(work: Working, class_: str, base: str) -> None:
    """Remove the extends clause of a base class."""
    take_out(work, extends_path(work, class_, base))


def set_extends_modifier(work: Working, class_: str, base: str, path: str, value: Any) -> None:
    """Set a modifier of an extends clause."""
    where = (*extends_path(work, class_, base), 1)
    clause = at(work.root, where)
    found = child(clause, _ARGUMENTS)
    arguments = found[1] if found else make_node("class_modification", "(", ")")
    new = value_green(value)
    old = get_in_arguments(arguments, names(path))
    if old is not None and same_value(old, new):
        return
    changed = set_in_arguments(arguments, names(path), new, (at(work.root, work.body_path(class_)),))
    work.changed(replaced(work.root, where, with_child(clause, _ARGUMENTS, changed)), where)


def get_extends_modifier(work: Working, class_: str, base: str, path: str) -> Green | None:
    """The value of a modifier of an extends clause, or None."""
    found = child(at(work.root, (*extends_path(work, class_, base), 1)), _ARGUMENTS)
    return get_in_arguments(found[1], names(path)) if found else None


def imports(work: Working, class_: str) -> list[str]:
    """What a class imports, as it is written: `A.B`, `C=A.B`, `A.B.{C,D}`, `A.B.*`."""
    return [_import_text(at(work.root, path)) for path in clauses(work, class_, "import_clause")]


def remove_extends_modifier(work: Working, class_: str, base: str, path: str) -> None:
    """Remove a modifier of an extends clause."""
    where = (*extends_path(work, class_, base), 1)
    clause = at(work.root, where)
    found = child(clause, _ARGUMENTS)
    if found is None:
        raise NotFoundError(f"there is no modifier '{path}'")
    changed = without_argument(found[1], names(path))
    work.changed(replaced(work.root, where, with_child(clause, _ARGUMENTS, changed)), where)


def add_import(
    work: Working,
    class_: str,
    name: str,
    *,
    alias: str | None = None,
    members: list[str] | None = None,
    wildcard: bool = False,
) -> None:
    """Add an import: `A.B`; with an alias `C = A.B`; with members `A.B.{C, D}`; as a wildcard `A.B.*`."""
    element = _import_element(name, alias, members, wildcard=wildcard)
    if any(_is_import(at(work.root, path), element) for path in clauses(work, class_, "import_clause")):
        raise EditError(f"'{class_}' imports '{_import_text(element)}' already")
    _put(work, class_, element, "import_clause")


def remove_import(
    work: Working,
    class_: str,
    name: str,
    *,
    alias: str | None = None,
    members: list[str] | None = None,
    wildcard: bool = False,
) -> None:
    """Remove an import; its description and annotation don't matter."""
    wanted = _import_element(name, alias, members, wildcard=wildcard)
    paths = clauses(work, class_, "import_clause")
    for path in paths:
        if _is_import(at(work.root, path), wanted):
            take_out(work, path)
            return
    text = _import_text(wanted)
    raise NotFoundError(
        f"'{class_}' does not import '{text}'{nearest(text, [_import_text(at(work.root, path)) for path in paths])}"
    )


def _import_element(name: str, alias: str | None, members: list[str] | None, *, wildcard: bool) -> Node:
    if sum([alias is not None, members is not None, wildcard]) > 1:
        raise EditError("an import has an alias, members or a wildcard, not several of them")
    green = parsed(name, "name", "a name")
    dotted = [with_prefix(green, " ")] if isinstance(green, str) else [" " + leaves(green)[0], *leaves(green)[1:]]
    parts: list[Green] = ["import", *dotted]
    if alias is not None:
        parts = ["import", " " + identifier(alias), " =", with_prefix(green, " ")]
    elif wildcard:
        parts.append(".*")
    elif members is not None:
        items: list[Green] = []
        for member in members:
            items += [",", " " + identifier(member)] if items else [identifier(member)]
        parts += [".", "{", make_node("import_list", *items), "}"]
    return make_node("element", make_node("import_clause", *parts), ";")


def _is_import(element: Node, wanted: Node) -> bool:
    """Do they import the same? (`A.*` may be one token or two.)"""
    return _import_text(element) == _import_text(wanted)


def _import_text(element: Node) -> str:
    """An import without its keyword, description and annotation."""
    clause = child_node(element, 1)
    skipped = {id(found[1]) for name in ("description_string", "annotation_clause") if (found := child(clause, name))}
    return "".join("".join(tokens(part)) for part in children_of(clause, 2) if id(part) not in skipped)


def _put(work: Working, class_: str, element: Green, kind: str) -> None:
    """Behind the last clause of its kind, else before the first element."""
    like = clauses(work, class_, kind)
    if like:
        put_beside(work, like[-1], element, before=False)
        return
    body = work.body_path(class_)
    composition = at(work.root, body)
    if len(composition) > 1 and KINDS[composition[1][0]] == "element":
        put_beside(work, (*body, 1), element, before=True)
    else:
        put_in_body(work, body, 1, element, line_starts(work.root, body)[1])
