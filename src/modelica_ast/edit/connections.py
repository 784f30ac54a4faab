"""Connections: found by their ends in either order, wherever they stand."""

from __future__ import annotations

from modelica_ast.edit.errors import AmbiguousError, EditError, NotFoundError
from modelica_ast.edit.placing import take_out
from modelica_ast.edit.sections import items_of, put_item
from modelica_ast.edit.surgery import Path, at, prefix_of, replaced, with_prefix
from modelica_ast.edit.values import parsed
from modelica_ast.edit.working import Working
from modelica_ast.green import Node, child_at, tokens
from modelica_ast.identifiers import nearest
from modelica_ast.shape import make_node
from modelica_ast.tables import KINDS


def connections(work: Working, class_: str) -> list[tuple[str, str, Path]]:
    """(left, right, path) of every connect equation of a class, also inside `for`, `if` and `when`."""
    found = [(at(work.root, path), path) for path in items_of(work, class_, "equation")]
    return [
        ("".join(tokens(node[3])), "".join(tokens(node[5])), path)
        for node, path in found
        if KINDS[node[0]] == "connect_equation"
    ]


def connection_path(work: Working, class_: str, one: str, other: str) -> Path:
    """The connect equation between two ends."""
    ends = {"".join(tokens(parsed(end, "component_reference", "a reference"))) for end in (one, other)}
    every = connections(work, class_)
    found = [path for left, right, path in every if {left, right} == ends]
    if len(found) > 1:
        raise AmbiguousError(f"connect({one}, {other}) stands {len(found)} times in '{class_}'")
    if not found:
        written = [f"connect({left}, {right})" for left, right, _ in every]
        raise NotFoundError(f"no connect({one}, {other}) in '{class_}'{nearest(f'connect({one}, {other})', written)}")
    return found[0]


def add_connection(work: Working, class_: str, one: str, other: str) -> None:
    """Connect two connectors: behind the last equation, in a section that is made if there is none."""
    equation = connection_node(one, other)
    texts = {"".join(tokens(child_at(equation, place))) for place in (3, 5)}
    if any({left, right} == texts for left, right, _ in connections(work, class_)):
        raise EditError(f"connect({one}, {other}) stands in '{class_}' already")
    put_item(work, class_, "equation", equation, initial=False)


def connection_node(one: str, other: str) -> Node:
    """`connect(one, other);`"""
    ends = [parsed(end, "component_reference", "a reference") for end in (one, other)]
    return make_node("connect_equation", "connect", "(", ends[0], ",", with_prefix(ends[1], " "), ")", ";")


def reconnect(work: Working, class_: str, kept: str, old: str, new: str) -> None:
    """Lead a connection elsewhere: from `kept` to `new` instead of `old`; its line and comments stay."""
    path = connection_path(work, class_, kept, old)
    node = at(work.root, path)
    wanted = "".join(tokens(parsed(old, "component_reference", "a reference")))
    place = 3 if "".join(tokens(node[3])) == wanted else 5
    end = parsed(new, "component_reference", "a reference")
    work.changed(replaced(work.root, (*path, place), with_prefix(end, prefix_of(node[place]))), path)


def remove_connection(work: Working, class_: str, one: str, other: str) -> None:
    """Remove a connect equation."""
    take_out(work, connection_path(work, class_, one, other))
