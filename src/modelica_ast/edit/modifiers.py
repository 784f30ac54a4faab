"""Modifiers by path, to any depth: `body.frame_a.r_0.start`.

A path goes through nested modifiers, `inertial(mass=1)`, and through record constructors,
`inertial = Inertial(mass=1)`, alike. It is refused where it would have to guess: positional arguments, `if`
expressions, references.
"""

from __future__ import annotations

from typing import Any

from modelica_ast.edit.errors import EditError, NotFoundError
from modelica_ast.edit.lists import item_places, remove_bracketed, with_item
from modelica_ast.edit.style import binding_style, modifier_style
from modelica_ast.edit.surgery import prefix_of, replaced, with_prefix
from modelica_ast.green import Green, Node, child_at, child_leaf, child_node, children_of, render, symbol, tokens
from modelica_ast.lexer import kind_of, token_text
from modelica_ast.shape import child, find_production, make_node, place_of
from modelica_ast.tables import KINDS, NUMBER

Names = tuple[str, ...]

# The attributes of the predefined types (section 4.9 of the specification).
_ATTRIBUTES = frozenset("quantity unit displayUnit min max start fixed nominal unbounded stateSelect".split())


def with_child(node: Node, name: str, new: Green | None) -> Node:
    """The node with an optional child set, replaced or (None) left out; its place is where the grammar has it."""
    found = child(node, name)
    kind = KINDS[node[0]]
    if found is not None:
        index = found[0]
        return make_node(
            kind, *children_of(node, 1, index), *([] if new is None else [new]), *children_of(node, index + 1)
        )
    if new is None:
        return node
    symbols = [symbol(c) for c in node[1:]]
    for index in range(len(symbols) + 1):
        number = find_production(kind, (*symbols[:index], symbol(new), *symbols[index:]))
        if number is not None and place_of(number, name, 0) is not None:
            children = [*children_of(node, 1, index + 1), new, *children_of(node, index + 1)]
            return (number, *children)
    raise EditError(f"a {kind.replace('_', ' ')} has no place for '{render(new).strip()}'")


# ---------------------------------------------------------------- reading


def get_value(modification: Any, path: Names) -> Green | None:
    """The value that a path reaches from a modification, or None."""
    if modification is None:
        return None
    value = child(modification, "_modification_expression")
    if not path:
        return value[1] if value else None
    arguments = child(modification, "class_modification")
    found = get_in_arguments(arguments[1], path) if arguments else None
    if found is None and value is not None:
        constructor = _constructor_arguments(value[1])
        if constructor is not None:
            return _get_in_call(constructor, path)
    return found


def get_in_arguments(arguments: Node, path: Names) -> Green | None:
    """The value that a path reaches from the arguments in parentheses."""
    for index in item_places(arguments):
        item = arguments[index]
        rest = _rest_of(item, path)
        if rest is None:
            continue
        modification, inner = inside(item)
        if inner is not None:  # a redeclared class: its arguments
            return get_in_arguments(inner, rest) if rest else None
        return get_value(modification, rest)
    return None


def _get_in_call(arguments: Node, path: Names) -> Green | None:
    for index in item_places(arguments):
        item = arguments[index]
        if (
            isinstance(item, tuple)
            and KINDS[item[0]] == "named_argument"
            and token_text(child_leaf(item, 1)) == path[0]
        ):
            if len(path) == 1:
                return child_at(item, 3)
            constructor = _constructor_arguments(child_at(item, 3))
            return _get_in_call(constructor, path[1:]) if constructor is not None else None
    return None


def _constructor_arguments(value: Any) -> Node | None:
    """The arguments of `Record(a=1)`; None for anything else."""
    if isinstance(value, tuple) and KINDS[value[0]] == "function_call" and KINDS[value[2][0]] == "function_call_args":
        return value[2]  # type: ignore[no-any-return]
    return None


def _rest_of(item: Any, path: Names) -> Names | None:
    """What is left of a path behind an argument's name; None if it is another argument."""
    names = argument_name(item)
    return path[len(names) :] if names and path[: len(names)] == names else None


def argument_name(item: Any) -> Names:
    """The name of an argument, in its parts: of the modifier, or of what is redeclared."""
    kind = KINDS[item[0]]
    if kind == "element_modification":
        name = child(item, "name")
        assert name is not None
        return tuple(text for text in tokens(name[1]) if text != ".")
    if kind in ("element_redeclaration", "element_replaceable"):
        declared = _declared(item)
        if KINDS[declared[0]] == "component_clause1":
            return (token_text(declared[-1][1]),)
        specifier = declared[-1]
        return (token_text(specifier[1]),)
    return ()


def _declared(item: Any) -> Any:
    found = child(item, "_redeclared")
    assert found is not None
    return found[1]


def inside(item: Any) -> tuple[Any, Any]:
    """(modification, arguments of a redeclared class): what a path goes on through; one of them is None."""
    if KINDS[item[0]] == "element_modification":
        found = child(item, "modification")
        return (found[1] if found else None), None
    declared = _declared(item)
    if KINDS[declared[0]] == "component_clause1":
        found = child(declared[-1], "modification")
        return (found[1] if found else None), None
    found = child(declared[-1], "class_modification")
    return None, (found[1] if found else make_node("class_modification", "(", ")"))


# ---------------------------------------------------------------- setting


def set_binding(modification: Any, path: Names, value: Green, near: tuple[Any, ...]) -> Node:
    """The modification of a component with a value set at a path; an empty path is the component's own value."""
    return set_value(modification, path, value, near, binding_style(*near))


def set_value(modification: Any, path: Names, value: Green, near: tuple[Any, ...], style: tuple[str, str]) -> Node:
    """The modification with a value set at a path; what is missing on the way is made.

    `style` is how a new `=` of this modification itself is written, `near` shows it for those inside.
    """
    if not path:
        before, behind = style
        if modification is None:
            return make_node("modification", before + "=", with_prefix(value, behind))
        old = child(modification, "_modification_expression")
        if old is not None:
            return replaced(modification, (old[0],), with_prefix(value, prefix_of(old[1])))  # type: ignore[no-any-return]
        return make_node("modification", *modification[1:], before + "=", with_prefix(value, behind))
    if modification is None:
        arguments = set_in_arguments(make_node("class_modification", "(", ")"), path, value, near)
        return make_node("modification", arguments)
    found = child(modification, "class_modification")
    old = child(modification, "_modification_expression")
    if old is not None and _goes_through(old[1], path) and (found is None or not _has(found[1], path)):
        return replaced(modification, (old[0],), _set_in_value(old[1], path, value, near))  # type: ignore[no-any-return]
    if found is None:
        arguments = set_in_arguments(make_node("class_modification", "(", ")"), path, value, near)
        return make_node("modification", arguments, *modification[1:])
    return replaced(modification, (found[0],), set_in_arguments(found[1], path, value, near))  # type: ignore[no-any-return]


def _goes_through(value: Any, path: Names) -> bool:
    """Does a path lead into the value of a component, and not to a modifier beside it?

    `k = 2` has a value of a simple type, and so has everything with a `start` or a `unit`.
    """
    if len(path) == 1 and path[0] in _ATTRIBUTES:
        return False
    return symbol(value) in ("IDENT", "component_reference", "function_call", "if_expression", "call_member")


def _has(arguments: Node, path: Names) -> bool:
    return any(_rest_of(arguments[i], path) is not None for i in item_places(arguments))


def _set_in_value(value: Any, path: Names, new: Green, near: tuple[Any, ...]) -> Node:
    """Reach into a record constructor."""
    constructor = _constructor_arguments(value)
    if constructor is None:
        raise EditError(
            f"'{'.'.join(path)}' can't be reached: the value is '{render(value).strip()}', not a constructor with names"
        )
    before, behind = modifier_style(constructor, *near)
    for index in item_places(constructor):
        item = constructor[index]
        if not (isinstance(item, tuple) and KINDS[item[0]] == "named_argument"):
            raise EditError(f"'{path[0]}' can't be reached: '{render(value).strip()}' has positional arguments")
        if token_text(child_leaf(item, 1)) == path[0]:
            old = child_at(item, 3)
            changed = with_prefix(new, prefix_of(old)) if len(path) == 1 else _set_in_value(old, path[1:], new, near)
            return replaced(value, (2, index, 3), changed)  # type: ignore[no-any-return]
    if len(path) > 1:
        raise EditError(f"'{path[0]}' is not an argument of '{render(value).strip()}'")
    item = make_node("named_argument", _new_name(path), before + "=", with_prefix(new, behind))
    return replaced(value, (2,), with_item(constructor, item))  # type: ignore[no-any-return]


def set_in_arguments(arguments: Node, path: Names, value: Green, near: tuple[Any, ...]) -> Node:
    """The arguments with a value set at a path."""
    near = (arguments, *near)
    style = modifier_style(*near)
    for index in item_places(arguments):
        item = arguments[index]
        rest = _rest_of(item, path)
        if rest is not None:
            return replaced(arguments, (index,), _set_in_item(item, rest, value, near, style))  # type: ignore[no-any-return]
    new = make_node("element_modification", _new_name(path), set_value(None, path[1:], value, near, style))
    return with_item(arguments, new)


def _new_name(path: Names) -> str:
    """The first part of a path, as the name of a new argument."""
    name = path[0]
    if kind_of(name) == NUMBER["IDENT"]:
        return name
    why = "a keyword of Modelica" if name.isalpha() else "no identifier"
    raise EditError(f"a modifier can't be called '{name}', which is {why}: put it in single quotes if it is a name")


def _set_in_item(item: Any, rest: Names, value: Green, near: tuple[Any, ...], style: tuple[str, str]) -> Node:
    modification, inner = inside(item)
    if KINDS[item[0]] == "element_modification":
        return with_child(item, "modification", set_value(modification, rest, value, near, style))
    found = child(item, "_redeclared")
    assert found is not None
    index, declared = found
    if inner is None:
        declaration = with_child(
            declared[-1], "modification", set_value(modification, rest, value, near, binding_style(*near))
        )
        return replaced(item, (index, len(declared) - 1), declaration)  # type: ignore[no-any-return]
    if not rest:
        raise EditError(f"'{'.'.join(argument_name(item))}' is a class; a class has no value")
    specifier = with_child(declared[-1], "class_modification", set_in_arguments(inner, rest, value, near))
    return replaced(item, (index, len(declared) - 1), specifier)  # type: ignore[no-any-return]


# ---------------------------------------------------------------- removing


def without_value(modification: Any, path: Names) -> Node | None:
    """The modification without what a path reaches; None if nothing is left of it. EditError if nothing is there."""
    missing = NotFoundError(f"there is no modifier '{'.'.join(path)}'")
    if modification is None:
        raise missing
    old = child(modification, "_modification_expression")
    found = child(modification, "class_modification")
    if not path:
        if old is None:
            raise EditError("there is no value")
        return make_node("modification", found[1]) if found else None
    if found is not None and _has(found[1], path):
        arguments = without_argument(found[1], path)
        if arguments is not None:
            return replaced(modification, (found[0],), arguments)  # type: ignore[no-any-return]
        rest = [c for c in modification[1:] if c is not found[1]]
        return make_node("modification", *rest) if rest else None
    constructor = _constructor_arguments(old[1]) if old else None
    if old is None or constructor is None:
        raise missing
    return replaced(modification, (old[0], 2), _without_named(constructor, path, missing))  # type: ignore[no-any-return]


def _without_named(arguments: Node, path: Names, missing: EditError) -> Node:
    for number, index in enumerate(item_places(arguments)):
        item = arguments[index]
        if (
            isinstance(item, tuple)
            and KINDS[item[0]] == "named_argument"
            and token_text(child_leaf(item, 1)) == path[0]
        ):
            if len(path) == 1:
                return remove_bracketed(arguments, number)
            inner = _constructor_arguments(child_at(item, 3))
            if inner is None:
                raise missing
            return replaced(arguments, (index, 3, 2), _without_named(inner, path[1:], missing))  # type: ignore[no-any-return]
    raise missing


def without_argument(arguments: Node, path: Names) -> Node | None:
    """The arguments without what a path reaches; None instead of an empty `()`."""
    for number, index in enumerate(item_places(arguments)):
        item = child_node(arguments, index)
        rest = _rest_of(item, path)
        if rest is None:
            continue
        changed = None if not rest and KINDS[item[0]] != "element_modification" else _without_in_item(item, rest)
        if changed is not None:
            return replaced(arguments, (index,), changed)  # type: ignore[no-any-return]
        if len(item_places(arguments)) == 1:
            return None
        return remove_bracketed(arguments, number)
    raise NotFoundError(f"there is no modifier '{'.'.join(path)}'")


def _without_in_item(item: Any, rest: Names) -> Node | None:
    """The argument without what the rest of a path reaches; None if the argument goes as well."""
    modification, inner = inside(item)
    if KINDS[item[0]] == "element_modification":
        has_value = modification is not None and child(modification, "_modification_expression") is not None
        if not rest and not has_value:  # `Placement(…)`: what it has inside is all that there is of it
            return None
        changed = without_value(modification, rest)
        return None if changed is None else with_child(item, "modification", changed)
    found = child(item, "_redeclared")
    assert found is not None
    index, declared = found
    if inner is None:
        declaration = with_child(declared[-1], "modification", without_value(modification, rest))
        return replaced(item, (index, len(declared) - 1), declaration)  # type: ignore[no-any-return]
    specifier = with_child(declared[-1], "class_modification", without_argument(inner, rest))
    return replaced(item, (index, len(declared) - 1), specifier)  # type: ignore[no-any-return]
