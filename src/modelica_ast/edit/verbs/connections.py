"""Connections, found by their ends in either order, wherever they stand; and components that go with theirs."""

from __future__ import annotations

from collections.abc import Sequence

from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.placement import class_of
from modelica_ast.edit.removals import Comments
from modelica_ast.edit.surgery import prefix_of
from modelica_ast.edit.values import parsed
from modelica_ast.edit.verbs.equations import items_of, put_item
from modelica_ast.foundation import AmbiguousError, EditError, NotFoundError, nearest
from modelica_ast.syntax import Node, children_of, is_blank, make_node, tokens, with_prefix
from modelica_ast.tree import ClassDefinition, Component, ComponentReference, ConnectEquation, first_connection


def connections_of(owner: ClassDefinition) -> list[ConnectEquation]:
    """Every connect equation of a class, also inside `for`, `if` and `when`."""
    return [each for each in items_of(owner, "equation") if isinstance(each, ConnectEquation)]


def ends(connection: ConnectEquation) -> tuple[str, str]:
    """The two ends of a connect equation, without blanks."""
    return str(connection.left), str(connection.right)


def _end(text: str) -> str:
    return "".join(tokens(parsed(text, "component_reference", "a reference")))


def find_connection(owner: ClassDefinition, one: str, other: str) -> ConnectEquation:
    """The connect equation between two ends."""
    wanted = {_end(one), _end(other)}
    every = connections_of(owner)
    found = [each for each in every if set(ends(each)) == wanted]
    name = owner.name_in_file
    if len(found) > 1:
        raise AmbiguousError(f"connect({one}, {other}) stands {len(found)} times in '{name}'")
    if not found:
        written = [f"connect({left}, {right})" for left, right in map(ends, every)]
        raise NotFoundError(f"no connect({one}, {other}) in '{name}'{nearest(f'connect({one}, {other})', written)}")
    return found[0]


def add_connection(edit: ExactEditor, owner: ClassDefinition, one: str, other: str) -> ConnectEquation:
    """Connect two connectors: behind the last equation, in a section that is made if there is none."""
    wanted = {_end(one), _end(other)}
    if any(set(ends(each)) == wanted for each in connections_of(owner)):
        raise EditError(f"connect({one}, {other}) stands in '{owner.name_in_file}' already")
    new = put_item(edit, owner, "equation", connection_node(one, other, connection_like(owner)), initial=False)
    assert isinstance(new, ConnectEquation)
    return new


def connection_like(owner: ClassDefinition) -> list[str]:
    """The blanks between the tokens of a new connect equation: like the last of the class, or the first of the file."""
    near = [each.green for each in connections_of(owner)[-1:]]
    found = first_connection(*near, owner.root.green)
    between = [] if found is None else [prefix_of(part) for part in children_of(found, 2, 7)]
    is_on_line = bool(between) and all(is_blank(each) and "\n" not in each for each in between)
    return between if is_on_line else ["", "", "", " ", ""]


def connection_node(one: str, other: str, like: Sequence[str]) -> Node:
    """`connect(one, other);`, with blanks like those of another."""
    left, right = (parsed(end, "component_reference", "a reference") for end in (one, other))
    parts = zip(("(", left, ",", right, ")"), like, strict=True)
    return make_node("connect_equation", "connect", *(with_prefix(part, blanks) for part, blanks in parts), ";")


def reconnect(edit: ExactEditor, owner: ClassDefinition, kept: str, old: str, new: str) -> None:
    """Lead a connection elsewhere: from `kept` to `new` instead of `old`; its line and comments stay."""
    found = find_connection(owner, kept, old)
    end = found.left if str(found.left) == _end(old) else found.right
    edit.replace(end, ComponentReference.of(parsed(new, "component_reference", "a reference")))


def remove_component(
    edit: ExactEditor, component: Component, *, connections: bool = False, comments: Comments = "drop"
) -> None:
    """Remove one component; the others of its clause stay, and so do its uses elsewhere.

    With `connections` its connect equations in the class go too.
    """
    every = connections_of(class_of(component)) if connections else []
    own = [each for each in every if component.name in (each.left.parts[0], each.right.parts[0])]
    edit.remove(*sorted([component, *own], key=lambda view: view.path, reverse=True), comments=comments)


def remove_connection(
    edit: ExactEditor, owner: ClassDefinition, one: str, other: str, *, comments: Comments = "drop"
) -> None:
    """Remove the connect equation between two ends, given in either order."""
    edit.remove(find_connection(owner, one, other), comments=comments)
