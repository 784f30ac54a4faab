"""Components: add, remove, move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modelica_ast.edit.declarations import subscripts_green
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.lists import item_places, without_item
from modelica_ast.edit.modifiers import set_binding
from modelica_ast.edit.moving import move_element
from modelica_ast.edit.placing import Place, elements_of_section, named_element, put_element, take_out
from modelica_ast.edit.prefixes import with_component_words
from modelica_ast.edit.surgery import Path, at, change_prefix, next_leaf_path, replaced, with_prefix
from modelica_ast.edit.values import expression_green, identifier, names, parsed, value_green
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, Node
from modelica_ast.shape import make_node
from modelica_ast.strings import quote


def add_component(  # noqa: PLR0913  (all that a declaration can have)
    work: Working,
    class_: str,
    type_: str,
    name: str,
    modifiers: Mapping[str, Any] | None = None,
    *,
    description: str | None = None,
    prefixes: Sequence[str] = (),
    dimensions: Sequence[Any] = (),
    condition: Any = None,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
    section: str | None = None,
) -> None:
    """Declare a component, behind the last public one unless `before`, `after`, `place` or `section` say where."""
    where = Place(before, after, place, section)
    refuse_known_name(work, class_, name)
    near = near_place(work, class_, where)
    element = component_element(type_, name, modifiers, description, prefixes, dimensions, condition, near)
    put_element(work, class_, element, where)


def component_element(
    type_: str,
    name: str,
    modifiers: Mapping[str, Any] | None,
    description: str | None,
    prefixes: Sequence[str],
    dimensions: Sequence[Any],
    condition: Any,
    near: tuple[Any, ...],
) -> Node:
    """The element that declares a component, written like what is near."""
    modification = None
    for path, value in (modifiers or {}).items():
        modification = set_binding(modification, names(path), value_green(value), near)
    subscripts = subscripts_green(dimensions)
    parts: list[Green] = [" " + identifier(name)]
    parts += [part for part in (subscripts, modification) if part is not None]
    if condition is not None:
        parts.append(make_node("condition_attribute", " if", with_prefix(expression_green(condition), " ")))
    if description is not None:
        parts.append(" " + quote(description))
    declaration = make_node("component_declaration", *parts)
    clause = make_node("component_clause", parsed(type_, "type_specifier", "a type"), declaration)
    return with_component_words(make_node("element", clause, ";"), prefixes)


def near_place(work: Working, class_: str, where: Place) -> tuple[Any, ...]:
    """The element beside a place, and the body: they show how a new one is written."""
    body = work.body_path(class_)
    if where.neighbour is not None:
        beside = [named_element(work, class_, where.neighbour)]
    else:
        beside = elements_of_section(work, body, where.section)[-1:]
    return (*(at(work.root, path) for path in beside), at(work.root, body))


def refuse_known_name(work: Working, class_: str, name: str) -> None:
    """EditError if a class declares this name already."""
    scope = work.index.scope(at(work.root, work.body_path(class_)))
    written = identifier(name)
    if written in scope.components or written in scope.classes:
        raise EditError(f"'{name}' is declared in '{class_}' already")


def remove_component(work: Working, class_: str, component: str) -> None:
    """Remove one component; the others of its clause stay, and so do its uses elsewhere."""
    take_declaration(work, work.component_path(class_, component))


def take_declaration(work: Working, where: Path) -> None:
    """Remove the component that is declared at a place."""
    clause_path = where[:-1]
    clause = at(work.root, clause_path)
    places = item_places(clause)
    element = work.element_path(where)
    if len(places) == 1:
        take_out(work, element)
        return
    children, carried = without_item(clause, places.index(where[-1]))
    root = replaced(work.root, clause_path, make_node("component_clause", *children))
    if carried:
        root = change_prefix(root, next_leaf_path(root, clause_path), lambda prefix: carried + prefix)
    work.changed(root, element)


def move_component(
    work: Working,
    class_: str,
    component: str,
    *,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
    section: str | None = None,
) -> None:
    """Move a component with its comments to another place of its class; one of `a, b, c` leaves the others."""
    target = Place(before, after, place, section)
    if target.neighbour == component:
        raise EditError(f"'{component}' can't stand beside itself")
    where = work.component_path(class_, component)
    clause = at(work.root, where[:-1])
    if len(item_places(clause)) == 1:
        move_element(work, class_, work.element_path(where), target)
        return
    element = at(work.root, work.element_path(where))
    place_ = next(i for i in range(1, len(element)) if type(element[i]) is tuple)
    head = clause[1 : item_places(clause)[0]]
    own = make_node("component_clause", *head, with_prefix(at(work.root, where), " "))
    remove_component(work, class_, component)
    put_element(work, class_, replaced(element, (place_,), own), target)
