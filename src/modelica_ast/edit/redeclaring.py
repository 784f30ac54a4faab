"""Redeclarations in modifier lists, `redeclare Motor2 motor(J=2)`, and `each` and `final` before modifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modelica_ast.edit.errors import EditError, NotFoundError
from modelica_ast.edit.inheritance import extends_path
from modelica_ast.edit.lists import item_places, with_item
from modelica_ast.edit.modifiers import Names, argument_name, inside, with_child
from modelica_ast.edit.surgery import Path, at, prefix_of, replaced, with_prefix
from modelica_ast.edit.values import identifier, names, parsed
from modelica_ast.edit.working import Working
from modelica_ast.green import Node, child_at, render, tokens
from modelica_ast.lexer import token_text
from modelica_ast.shape import child, make_node
from modelica_ast.tables import KINDS

Change = Callable[[Any], Any]


def redeclare(  # noqa: PLR0913  (what it redeclares, where, and how)
    work: Working,
    class_: str,
    path: str,
    type_: str,
    *,
    component: str | None = None,
    base: str | None = None,
    kind: str | None = None,
    replaceable: bool | None = None,
    constraint: str | None = None,
) -> None:
    """Redeclare what a path reaches, in a component's modifiers or those of an extends clause.

    With a `kind` it is a class, `redeclare package Medium = Water`; without, a component. Modifiers that stand there
    stay.
    """
    parts = names(path)
    if not parts:
        raise EditError("say what to redeclare: a path like 'motor' or 'pump.Medium'")
    _change(
        work,
        class_,
        component,
        base,
        parts,
        lambda old: _redeclared(old, parts[-1], type_, kind, constraint, replaceable=replaceable),
    )


def set_modifier_prefixes(
    work: Working,
    class_: str,
    path: str,
    *,
    component: str | None = None,
    base: str | None = None,
    each: bool | None = None,
    final: bool | None = None,
) -> None:
    """Put `each` and `final` before a modifier, or take them away; what is not given stays."""

    def change(old: Any) -> Any:
        if old is None:
            raise NotFoundError(f"there is no modifier '{path}'")
        return _with_words(old, each=each, final=final)

    _change(work, class_, component, base, names(path), change)


def get_redeclaration(
    work: Working, class_: str, path: str, *, component: str | None = None, base: str | None = None
) -> str | None:
    """The type that a path is redeclared to, or None."""
    arguments = _arguments(work, class_, component, base)[2]
    found = _find(arguments, names(path)) if arguments is not None else None
    if found is None or KINDS[found[0]] == "element_modification":
        return None
    declared = child(found, "_redeclared")
    assert declared is not None
    holder = declared[1] if KINDS[declared[1][0]] == "component_clause1" else declared[1][-1]
    type_ = child(holder, "type_specifier")
    return None if type_ is None else "".join(tokens(type_[1]))


def get_modifier_prefixes(
    work: Working, class_: str, path: str, *, component: str | None = None, base: str | None = None
) -> list[str]:
    """The words before a modifier: `each`, `final`, `redeclare`, `replaceable`."""
    arguments = _arguments(work, class_, component, base)[2]
    found = _find(arguments, names(path)) if arguments is not None else None
    if found is None:
        raise NotFoundError(f"there is no modifier '{path}'")
    return _words(found)


# ---------------------------------------------------------------- where the arguments are


def _arguments(work: Working, class_: str, component: str | None, base: str | None) -> tuple[Path, Any, Any]:
    """(path of the node that has them, that node, the class_modification or None)."""
    if (component is None) == (base is None):
        raise EditError("give 'component' or 'base', one of them")
    if component is not None:
        where = work.component_path(class_, component)
        declaration = at(work.root, where)
        modification = child(declaration, "modification")
        found = child(modification[1], "class_modification") if modification else None
        return where, declaration, found[1] if found else None
    assert base is not None
    where = (*extends_path(work, class_, base), 1)
    found = child(at(work.root, where), "class_modification")
    return where, at(work.root, where), found[1] if found else None


def _change(work: Working, class_: str, component: str | None, base: str | None, path: Names, change: Change) -> None:
    where, node, arguments = _arguments(work, class_, component, base)
    new = _changed(arguments if arguments is not None else make_node("class_modification", "(", ")"), path, change)
    if component is None:
        work.changed(replaced(work.root, where, with_child(node, "class_modification", new)), where)
        return
    work.changed(replaced(work.root, where, _with_arguments(node, new)), where)


def _with_arguments(declaration: Node, arguments: Node) -> Node:
    """A declaration (or modifier) with other arguments in the parentheses of its modification."""
    found = child(declaration, "modification")
    if found is None:
        return with_child(declaration, "modification", make_node("modification", arguments))
    inner = child(found[1], "class_modification")
    if inner is not None:
        return replaced(declaration, (found[0], inner[0]), arguments)  # type: ignore[no-any-return]
    return replaced(declaration, (found[0],), make_node("modification", arguments, *found[1][1:]))  # type: ignore[no-any-return]


def _find(arguments: Node, path: Names) -> Any:
    for index in item_places(arguments):
        item = arguments[index]
        found = argument_name(item)
        if not found or path[: len(found)] != found:
            continue
        if path == found:
            return item
        inner = _inner_arguments(item)
        return None if inner is None else _find(inner, path[len(found) :])
    return None


def _inner_arguments(item: Any) -> Any:
    """What stands in an argument's own parentheses, or None."""
    modification, arguments = inside(item)
    if modification is not None:
        found = child(modification, "class_modification")
        arguments = found[1] if found else None
    return arguments if arguments is not None and item_places(arguments) else None


def _changed(arguments: Node, path: Names, change: Change) -> Node:
    """The arguments with one changed or added; modifiers that are missing on the way are made."""
    for index in item_places(arguments):
        item = child_at(arguments, index)
        found = argument_name(item)
        if not found or path[: len(found)] != found:
            continue
        if path == found:
            return replaced(arguments, (index,), with_prefix(change(item), prefix_of(item)))  # type: ignore[no-any-return]
        inner = _inner_arguments(item)
        new = _changed(
            inner if inner is not None else make_node("class_modification", "(", ")"), path[len(found) :], change
        )
        return replaced(arguments, (index,), _with_inner_arguments(item, new))  # type: ignore[no-any-return]
    if len(path) == 1:
        return with_item(arguments, change(None))
    nested = _changed(make_node("class_modification", "(", ")"), path[1:], change)
    return with_item(arguments, make_node("element_modification", path[0], make_node("modification", nested)))


def _with_inner_arguments(item: Any, arguments: Node) -> Node:
    if KINDS[item[0]] == "element_modification":
        return _with_arguments(item, arguments)
    declared = child(item, "_redeclared")
    assert declared is not None
    index, node = declared
    last = len(node) - 1
    if KINDS[node[0]] == "component_clause1":
        return replaced(item, (index, last), _with_arguments(node[last], arguments))  # type: ignore[no-any-return]
    return replaced(item, (index, last), with_child(node[last], "class_modification", arguments))  # type: ignore[no-any-return]


# ---------------------------------------------------------------- new arguments


def _redeclared(
    old: Any, name: str, type_: str, kind: str | None, constraint: str | None, *, replaceable: bool | None
) -> Any:
    """The argument `redeclare …`, with the modifiers and words of what stood there."""
    words = _words(old) if old is not None else []
    is_replaceable = "replaceable" in words if replaceable is None else replaceable
    kept = [word for word in ("each", "final") if word in words]
    prefix = " ".join(["redeclare", *kept, *(["replaceable"] if is_replaceable else [])])
    written = type_text(type_)
    own = identifier(name)
    what = f"{kind} {own} = {written}" if kind is not None else f"{written} {own}"
    behind = "" if constraint is None else f" constrainedby {type_text(constraint)}"
    new: Any = parsed(f"{prefix} {what}{behind}", "_argument", "a redeclaration")
    if old is None:
        return new
    if constraint is None and (kept_constraint := child(old, "constraining_clause")) and is_replaceable:
        new = with_child(new, "constraining_clause", kept_constraint[1])
    return _with_old_modifiers(new, old, is_class=kind is not None)


def _with_old_modifiers(new: Any, old: Any, *, is_class: bool) -> Any:
    inner = _inner_arguments(old)
    if is_class:
        return new if inner is None else _with_inner_arguments(new, inner)
    source = old
    if KINDS[old[0]] != "element_modification":
        declared = child(old, "_redeclared")
        assert declared is not None
        if KINDS[declared[1][0]] != "component_clause1":
            return new if inner is None else _with_inner_arguments(new, inner)
        source = declared[1][-1]
    modification = child(source, "modification")
    if modification is None:
        return new
    declared = child(new, "_redeclared")
    assert declared is not None
    index, clause = declared
    declaration = with_child(clause[-1], "modification", modification[1])
    return replaced(new, (index, len(clause) - 1), declaration)


def type_text(type_: str) -> str:
    """A type's name as it was written, if it is one."""
    return render(parsed(type_, "type_specifier", "a type"))


def _words(item: Any) -> list[str]:
    """The words before an argument."""
    found = []
    for part in item[1:]:
        if type(part) is not str or token_text(part) not in ("redeclare", "each", "final", "replaceable"):
            break
        found.append(token_text(part))
    return found


def _with_words(item: Any, *, each: bool | None, final: bool | None) -> Any:
    words = _words(item)
    rest = item[1 + len(words) :]
    wanted = {"each": "each" in words if each is None else each, "final": "final" in words if final is None else final}
    order = ("redeclare", "each", "final", "replaceable")
    new = [word for word in order if wanted.get(word, word in words)]
    if new == words:
        return item
    parts = [*new, with_prefix(rest[0], " "), *rest[1:]] if new else [*rest]
    spaced = [part if i == 0 or i >= len(new) else " " + part for i, part in enumerate(parts)]
    return make_node(KINDS[item[0]], *spaced)
