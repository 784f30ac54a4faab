"""Components: add, remove, and change what belongs to one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.lists import item_places, without_item
from modelica_ast.edit.modifiers import child, get_value, set_binding, with_child, without_value
from modelica_ast.edit.surgery import (
    Path,
    at,
    change_prefix,
    insert_after,
    insert_before,
    next_leaf_path,
    prefix_of,
    remove,
    replaced,
    with_prefix,
)
from modelica_ast.edit.trivia import Prefix
from modelica_ast.edit.values import identifier, names, parsed, value_green
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, equal
from modelica_ast.literals import LiteralError, evaluate
from modelica_ast.parse import view_of_fragment
from modelica_ast.shape import make_node
from modelica_ast.strings import quote
from modelica_ast.tables import KINDS


def get_modifier(work: Working, class_: str, component: str, path: str = "") -> Green | None:
    """The value of a modifier (or, with an empty path, of the component itself), or None."""
    declaration = at(work.root, work.component_path(class_, component))
    found = child(declaration, "modification")
    return get_value(found[1], names(path)) if found else None


def set_modifier(work: Working, class_: str, component: str, path: str, value: Any) -> None:
    """Set a modifier, or with an empty path the value of the component."""
    where = work.component_path(class_, component)
    declaration = at(work.root, where)
    new = value_green(value)
    found = child(declaration, "modification")
    old = get_value(found[1], names(path)) if found else None
    if old is not None and same_value(old, new):
        return
    element = at(work.root, work.element_path(where))
    body = at(work.root, work.body_path(class_))
    modification = set_binding(found[1] if found else None, names(path), new, (element, body))
    work.changed(replaced(work.root, where, with_child(declaration, "modification", modification)), where)


def same_value(old: Green, new: Green) -> bool:
    """`1.0e-3` and 0.001 are the same value: the author's text stays."""
    if equal(with_prefix(old, ""), new):
        return True
    try:
        values = [evaluate(view_of_fragment(green, "expression")) for green in (old, new)]
    except LiteralError:
        return False
    # 1 and 1.0 differ in Modelica: an Integer and a Real.
    return values[0] == values[1] and isinstance(values[0], float) == isinstance(values[1], float)


def remove_modifier(work: Working, class_: str, component: str, path: str) -> None:
    """Remove a modifier; parentheses that become empty go too."""
    where = work.component_path(class_, component)
    declaration = at(work.root, where)
    found = child(declaration, "modification")
    modification = without_value(found[1] if found else None, names(path))
    work.changed(replaced(work.root, where, with_child(declaration, "modification", modification)), where)


def set_description(work: Working, class_: str, component: str, text: str | None) -> None:
    """Set or (None) remove the description of a component."""
    where = work.component_path(class_, component)
    declaration = at(work.root, where)
    old = child(declaration, "description_string")
    new = None if text is None else (prefix_of(old[1]) if old else " ") + quote(text)
    work.changed(replaced(work.root, where, with_child(declaration, "description_string", new)), where)


def set_type(work: Working, class_: str, component: str, type_: str) -> None:
    """Give a component another type; refused where it shares its clause with others."""
    where = work.component_path(class_, component)
    clause = at(work.root, where[:-1])
    if len(item_places(clause)) > 1:
        raise EditError(f"'{component}' shares its declaration with others; their type would change too")
    found = child(clause, "type_specifier")
    assert found is not None
    new = with_prefix(parsed(type_, "type_specifier", "a type"), prefix_of(found[1]))
    work.changed(replaced(work.root, (*where[:-1], found[0]), new), where)


def add_component(
    work: Working,
    class_: str,
    type_: str,
    name: str,
    modifiers: Mapping[str, Any] | None = None,
    *,
    description: str | None = None,
    before: str | None = None,
    after: str | None = None,
) -> None:
    """Declare a component, behind the last one unless `before` or `after` says where."""
    body = work.body_path(class_)
    scope = work.index.scope(at(work.root, body))
    if name in scope.components or name in scope.classes:
        raise EditError(f"'{name}' is declared in '{class_}' already")
    neighbour = _neighbour(work, class_, body, before, after)
    near = (at(work.root, neighbour) if neighbour else None, at(work.root, body))
    modification = None
    for path, value in (modifiers or {}).items():
        modification = set_binding(modification, names(path), value_green(value), near)
    parts: list[Green] = [" " + identifier(name)]
    if modification is not None:
        parts.append(modification)
    if description is not None:
        parts.append(" " + quote(description))
    declaration = make_node("component_declaration", *parts)
    clause = make_node("component_clause", parsed(type_, "type_specifier", "a type"), declaration)
    put_element(work, body, make_node("element", clause, ";"), neighbour, before=before is not None)


def _neighbour(work: Working, class_: str, body: Path, before: str | None, after: str | None) -> Path | None:
    """The element that a new one stands beside; None in a class without elements."""
    if before is not None and after is not None:
        raise EditError("give 'before' or 'after', not both")
    name = before if before is not None else after
    return last_element(work, body) if name is None else work.element_path(work.component_path(class_, name))


def put_element(work: Working, body: Path, element: Green, neighbour: Path | None, *, before: bool) -> None:
    """Put an element before or behind another, or into an empty class."""
    if neighbour is None:
        work.changed(_first_element(work, body, element), (*body, 1))
    elif before:
        work.changed(insert_before(work.root, neighbour, element, _line_start(work, neighbour)), neighbour)
    else:
        root = insert_after(work.root, neighbour, element, _line_start(work, neighbour))
        work.changed(root, (*neighbour[:-1], neighbour[-1] + 1))


def _line_start(work: Working, element: Path) -> str:
    return Prefix.of(prefix_of(at(work.root, element))).line_start


def last_element(work: Working, body: Path) -> Path | None:
    """The last of the first, public elements; None if there are none."""
    composition = at(work.root, body)
    found = [i for i in range(1, len(composition)) if KINDS[composition[i][0]] == "element"]
    return (*body, found[-1]) if found else None


def _first_element(work: Working, body: Path, element: Green) -> Any:
    """Put the first element into a class: below its name, two blanks deeper than its `end`."""
    following = next_leaf_path(work.root, (*body, 0))
    assert following is not None  # a class has its `end`
    prefix = Prefix.of(prefix_of(at(work.root, following)))
    end = at(work.root, (*body[:-1], body[-1] + 1))
    start = Prefix.of(prefix_of(end)).line_start
    own = prefix.head + start + "  " if prefix.starts_line and start else " "
    root = change_prefix(work.root, following, lambda old: prefix.below if prefix.starts_line and start else old or " ")
    return replaced(root, body, make_node("composition", with_prefix(element, own), *at(root, body)[1:]))


def remove_component(work: Working, class_: str, component: str) -> None:
    """Remove one component; the others of its clause stay, and so do its uses elsewhere."""
    where = work.component_path(class_, component)
    clause_path = where[:-1]
    clause = at(work.root, clause_path)
    places = item_places(clause)
    element = work.element_path(where)
    if len(places) == 1:
        work.changed(remove(work.root, element), element[:-1])
        return
    children, carried = without_item(clause, places.index(where[-1]))
    root = replaced(work.root, clause_path, make_node("component_clause", *children))
    if carried:
        root = change_prefix(root, next_leaf_path(root, clause_path), lambda prefix: carried + prefix)
    work.changed(root, element)
