"""Connections: found by their ends in either order, wherever they stand."""

from __future__ import annotations

from typing import Any

from modelica_ast.edit.errors import AmbiguousError, EditError, NotFoundError
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
from modelica_ast.edit.values import parsed
from modelica_ast.edit.working import Working, nearest
from modelica_ast.green import Green, tokens
from modelica_ast.shape import make_node
from modelica_ast.tables import KINDS

_EQUATIONS = frozenset(f"{kind}_equation" for kind in ("simple", "call", "connect", "if", "for", "when"))
_NESTED = frozenset(
    {
        "equation_section",
        "class_annotation",
        "if_equation",
        "elseif_equation",
        "else_equation",
        "for_equation",
        "when_equation",
        "elsewhen_equation",
    }
)


def connections(work: Working, class_: str) -> list[tuple[str, str, Path]]:
    """(left, right, path) of every connect equation of a class, also inside `for`, `if` and `when`."""
    found = [(at(work.root, path), path) for path in nested_equations(work, class_)]
    return [
        ("".join(tokens(node[3])), "".join(tokens(node[5])), path)
        for node, path in found
        if KINDS[node[0]] == "connect_equation"
    ]


def nested_equations(work: Working, class_: str) -> list[Path]:
    """Every equation of a class in source order, initial ones and those inside others too."""
    body = work.body_path(class_)
    composition = at(work.root, body)
    found: list[Path] = []
    todo: list[tuple[Any, Path]] = [(composition[i], (*body, i)) for i in range(len(composition) - 1, 0, -1)]
    while todo:
        node, path = todo.pop()
        kind = KINDS[node[0]]
        if kind in _EQUATIONS:
            found.append(path)
        if kind in _NESTED:
            todo += [(node[i], (*path, i)) for i in range(len(node) - 1, 0, -1) if isinstance(node[i], tuple)]
    return found


def connection_path(work: Working, class_: str, one: str, other: str) -> Path:
    """The connect equation between two ends."""
    ends = {"".join(tokens(parsed(end, "component_reference", "a reference"))) for end in (one, other)}
    found = [path for left, right, path in connections(work, class_) if {left, right} == ends]
    if len(found) > 1:
        raise AmbiguousError(f"connect({one}, {other}) stands {len(found)} times in '{class_}'")
    if not found:
        written = [f"connect({left}, {right})" for left, right, _ in connections(work, class_)]
        raise NotFoundError(f"no connect({one}, {other}) in '{class_}'{nearest(f'connect({one}, {other})', written)}")
    return found[0]


def add_connection(work: Working, class_: str, one: str, other: str) -> None:
    """Connect two connectors: behind the last equation, in a section that is made if there is none."""
    ends = [parsed(end, "component_reference", "a reference") for end in (one, other)]
    texts = {"".join(tokens(end)) for end in ends}
    if any({left, right} == texts for left, right, _ in connections(work, class_)):
        raise EditError(f"connect({one}, {other}) stands in '{class_}' already")
    equation = make_node("connect_equation", "connect", "(", ends[0], ",", with_prefix(ends[1], " "), ")", ";")
    add_equation(work, class_, equation)


def add_equation(work: Working, class_: str, equation: Green) -> None:
    """Put an equation behind the last one that is not initial."""
    body = work.body_path(class_)
    composition = at(work.root, body)
    sections = [
        i
        for i in range(1, len(composition))
        if KINDS[composition[i][0]] == "equation_section" and "initial" not in tokens(composition[i])[:1]
    ]
    if not sections:
        _add_section(work, body, equation)
        return
    section = composition[sections[-1]]
    last = len(section) - 1
    path = (*body, sections[-1], last)
    start = Prefix.of(prefix_of(section[last])).line_start
    if isinstance(section[last], str):  # the keyword alone
        start = start + "  " if start else ""
    work.changed(insert_after(work.root, path, equation, start), (*path[:-1], last + 1))


def _add_section(work: Working, body: Path, equation: Green) -> None:
    """A new section stands behind the last element or section, before the class annotation and `external`."""
    composition = at(work.root, body)
    end = at(work.root, (*body[:-1], body[-1] + 1))
    outer = Prefix.of(prefix_of(end)).line_start
    inner = outer + "  " if outer else " "
    section = make_node("equation_section", "equation", with_prefix(equation, inner))
    stop = len(composition)
    while stop > 1 and KINDS[composition[stop - 1][0]] in ("class_annotation", "external_clause"):
        stop -= 1
    if stop > 1:
        path = (*body, stop - 1)
        work.changed(insert_after(work.root, path, section, outer), (*body, stop))
    elif len(composition) > 1:
        work.changed(insert_before(work.root, (*body, 1), section, outer), (*body, 1))
    else:
        following = next_leaf_path(work.root, (*body, 0))
        assert following is not None  # a class has its `end`
        prefix = Prefix.of(prefix_of(at(work.root, following)))
        own = prefix.head + (outer or " ")
        root = change_prefix(work.root, following, lambda old: prefix.below if prefix.starts_line else old)
        root = replaced(root, body, make_node("composition", with_prefix(section, own)))
        work.changed(root, (*body, 1))


def remove_connection(work: Working, class_: str, one: str, other: str) -> None:
    """Remove a connect equation."""
    path = connection_path(work, class_, one, other)
    work.changed(remove(work.root, path), path[:-1])
