"""What belongs to the declaration of one component: type, prefixes, dimensions, condition, description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.lists import item_places
from modelica_ast.edit.modifiers import set_in_arguments, with_child, without_argument
from modelica_ast.edit.prefixes import component_words, with_component_words
from modelica_ast.edit.surgery import Path, at, prefix_of, remade, replaced, with_prefix
from modelica_ast.edit.values import expression_green, names, parsed, value_green
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, Node, child_at, child_node, render, tokens
from modelica_ast.lexer import BLANK_CHARACTERS, split_leaf
from modelica_ast.shape import child, make_node
from modelica_ast.strings import quote
from modelica_ast.trivia import Prefix, is_blank

# ---------------------------------------------------------------- type and description


def set_type(work: Working, class_: str, component: str, type_: str) -> None:
    """Give a component another type; one of `a, b, c` gets a declaration of its own."""
    new = parsed(type_, "type_specifier", "a type")
    where = work.component_path(class_, component)
    found = child(at(work.root, where[:-1]), "type_specifier")
    assert found is not None
    if tokens(found[1]) == tokens(new):
        return
    where = _alone(work, class_, component)
    found = child(at(work.root, where[:-1]), "type_specifier")
    assert found is not None
    work.changed(replaced(work.root, (*where[:-1], found[0]), with_prefix(new, prefix_of(found[1]))), where)


def set_description(work: Working, class_: str, component: str, text: str | None) -> None:
    """Set or (None) remove the description of a component."""
    where = work.component_path(class_, component)
    declaration = at(work.root, where)
    old = child(declaration, "description_string")
    new = None if text is None else (prefix_of(old[1]) if old else " ") + quote(text)
    work.changed(replaced(work.root, where, with_child(declaration, "description_string", new)), where)


# ---------------------------------------------------------------- prefixes


def get_prefixes(work: Working, class_: str, component: str) -> list[str]:
    """The words before a component's type: `final`, `parameter`, `input`, `inner`, …"""
    return component_words(at(work.root, work.element_path(work.component_path(class_, component))))


def set_prefixes(work: Working, class_: str, component: str, prefixes: Sequence[str]) -> None:
    """Set all words before a component's type; one of `a, b, c` gets a declaration of its own."""
    element = at(work.root, work.element_path(work.component_path(class_, component)))
    wanted = component_words(with_component_words(element, prefixes))
    if component_words(element) == wanted:
        return
    where = work.element_path(_alone(work, class_, component))
    work.changed(replaced(work.root, where, with_component_words(at(work.root, where), wanted)), where)


# ---------------------------------------------------------------- dimensions and condition


def get_dimensions(work: Working, class_: str, component: str) -> list[Green]:
    """The array dimensions of a component, those of its type (`Real[3] x[2]`) last, as in the specification."""
    where = work.component_path(class_, component)
    found: list[Green] = []
    for node in (at(work.root, where), at(work.root, where[:-1])):
        subscripts = child(node, "array_subscripts")
        if subscripts is not None:
            found += [subscripts[1][i] for i in range(2, len(subscripts[1]) - 1, 2)]
    return [with_prefix(green, "") for green in found]


def set_dimensions(work: Working, class_: str, component: str, dimensions: Sequence[Any]) -> None:
    """Set the array dimensions of a component: numbers, `":"`, or expressions; none makes it a scalar."""
    subscripts = subscripts_green(dimensions)
    where = work.component_path(class_, component)
    declaration, clause = at(work.root, where), at(work.root, where[:-1])
    if subscripts is not None and [tokens(d) for d in get_dimensions(work, class_, component)] == [
        tokens(child_at(subscripts, i)) for i in range(2, len(subscripts) - 1, 2)
    ]:
        return
    if child(clause, "array_subscripts") is None:
        changed = with_child(declaration, "array_subscripts", subscripts)
        work.changed(replaced(work.root, where, changed), where)
        return
    where = _alone(work, class_, component)
    in_type = child(at(work.root, where), "array_subscripts") is None and subscripts is not None
    clause = with_child(at(work.root, where[:-1]), "array_subscripts", subscripts if in_type else None)
    last = item_places(clause)[0]
    own = with_child(child_node(clause, last), "array_subscripts", None if in_type else subscripts)
    work.changed(replaced(work.root, where[:-1], replaced(clause, (last,), own)), where[:-1])


def subscripts_green(dimensions: Sequence[Any]) -> Node | None:
    """`[3, n, :]`; None for no dimension."""
    if isinstance(dimensions, str) or not isinstance(dimensions, Sequence):
        raise EditError('dimensions are a list: [3], [2, ":"]')
    parts = [":" if d == ":" else render(expression_green(d)) for d in dimensions]
    if not parts:
        return None
    found: Any = parsed(f"[{', '.join(parts)}]", "array_subscripts", "a list of dimensions")
    node: Node = found
    return node


def get_condition(work: Working, class_: str, component: str) -> Green | None:
    """The condition behind `if` in a component's declaration, or None."""
    found = child(at(work.root, work.component_path(class_, component)), "condition_attribute")
    return with_prefix(found[1][2], "") if found else None


def set_condition(work: Working, class_: str, component: str, condition: Any) -> None:
    """Set or (None) remove a component's condition, an expression: `use_support`."""
    where = work.component_path(class_, component)
    declaration = at(work.root, where)
    old = child(declaration, "condition_attribute")
    if condition is None:
        new = None
    elif old is None:
        new = make_node("condition_attribute", " if", with_prefix(expression_green(condition), " "))
    else:
        new = replaced(old[1], (2,), with_prefix(expression_green(condition), prefix_of(old[1][2])))
    if old is not None and new is not None and tokens(old[1]) == tokens(new):
        return
    work.changed(replaced(work.root, where, with_child(declaration, "condition_attribute", new)), where)


# ---------------------------------------------------------------- constraint of what is replaceable


def get_constraint(work: Working, class_: str, component: str) -> str | None:
    """The type that a component is `constrainedby`, or None."""
    found = child(at(work.root, work.element_path(work.component_path(class_, component))), "constraining_clause")
    type_ = child(found[1], "type_specifier") if found is not None else None
    return None if type_ is None else "".join(tokens(type_[1]))


def set_constraint(
    work: Working, class_: str, component: str, type_: str | None, modifiers: Mapping[str, Any] | None = None
) -> None:
    """Set or (None) remove `constrainedby` of a replaceable component; modifiers that stand there stay."""
    where = work.element_path(_alone(work, class_, component))
    element = at(work.root, where)
    old = child(element, "constraining_clause")
    if type_ is None:
        new = None
    elif old is None:
        new = make_node(
            "constraining_clause", " constrainedby", with_prefix(parsed(type_, "type_specifier", "a type"), " ")
        )
    else:
        specifier = child(old[1], "type_specifier")
        assert specifier is not None
        wanted = with_prefix(parsed(type_, "type_specifier", "a type"), prefix_of(specifier[1]))
        new = replaced(old[1], (specifier[0],), wanted)
    for path, value in (modifiers or {}).items():
        if new is None:
            raise EditError("a constraint that goes has no modifiers")
        new = _with_modifier(new, path, value)
    if "replaceable" not in component_words(element) and new is not None:
        raise EditError(f"'{component}' is not replaceable: only what is can be constrained")
    if new is None and old is not None:
        element = _with_comment_of(element, old[1])
    work.changed(replaced(work.root, where, with_child(element, "constraining_clause", new)), where)


def _with_comment_of(element: Node, clause: Node) -> Node:
    """Description and annotation behind a constraint are the component's: they stay when the constraint goes."""
    place = next(i for i in range(1, len(element)) if type(element[i]) is tuple)
    clause_before = child_node(element, place)
    last = len(clause_before) - 1
    declaration = child_node(clause_before, last)
    for name in ("description_string", "annotation_clause"):
        found = child(clause, name)
        if found is not None and child(declaration, name) is None:
            declaration = with_child(declaration, name, found[1])
    return replaced(element, (place, last), declaration)  # type: ignore[no-any-return]


def _with_modifier(clause: Node, path: str, value: Any) -> Node:
    """The clause with a modifier set, or (None) without it."""
    found = child(clause, "class_modification")
    arguments = found[1] if found else make_node("class_modification", "(", ")")
    if value is None:
        return with_child(clause, "class_modification", without_argument(arguments, names(path)))
    return with_child(clause, "class_modification", set_in_arguments(arguments, names(path), value_green(value), ()))


# ---------------------------------------------------------------- one out of `a, b, c`


def _alone(work: Working, class_: str, component: str) -> Path:
    """The component's declaration, after it got a clause of its own if it shared one."""
    where = work.component_path(class_, component)
    clause = at(work.root, where[:-1])
    if len(item_places(clause)) == 1:
        return where
    split_declaration(work, work.element_path(where), item_places(clause).index(where[-1]))
    return work.component_path(class_, component)


def split_declaration(work: Working, where: Path, number: int) -> None:
    """One element becomes up to three: what is before the component, the component, what is behind it."""
    element = at(work.root, where)
    place = next(i for i in range(1, len(element)) if type(element[i]) is tuple)
    clause = element[place]
    places = item_places(clause)
    head = list(clause[1 : places[0]])
    start = Prefix.of(prefix_of(element)).line_start
    groups = [g for g in (places[:number], places[number : number + 1], places[number + 1 :]) if g]
    new: list[Green] = []
    for group in groups:
        items = list(clause[group[0] : group[-1] + 1])
        is_last = group is groups[-1]
        semicolon = element[-1] if is_last else split_leaf(clause[group[-1] + 1])[0] + ";"
        before = Prefix.of(prefix_of(items[0]))
        first = [*head, with_prefix(items[0], " ") if group is not groups[0] else items[0], *items[1:]]
        own = make_node("component_clause", *first)
        whole = make_node("element", *element[1:place], own, *element[place + 1 : -1], semicolon)
        new.append(whole if group is groups[0] else with_prefix(whole, _own_line(before, start)))
    parent = at(work.root, where[:-1])
    children = [*parent[1 : where[-1]], *new, *parent[where[-1] + 1 :]]
    work.changed(replaced(work.root, where[:-1], remade(parent, children)), where[:-1])


def _own_line(before: Prefix, start: str) -> str:
    """The prefix of an item of a list, when it gets a line of its own."""
    if before.starts_line:
        start = start or before.line_start
        above = [start + line.strip(BLANK_CHARACTERS) if not is_blank(line) else line for line in before.lines[:-1]]
        return before.head + "".join(above) + start
    return (start or " ") if is_blank(before.head) else (start or " ") + before.head.strip() + " "
