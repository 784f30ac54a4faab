"""A random derivation made one that the language has: what `modelica_ast.checks` would refuse is put right.

Most of it is order: prefixes, arguments, sections. What depends on what stands around a node (an empty array, `break`
in an extends clause) is not drawn in the first place; see `derivations`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from modelica_ast.green import Green, Node
from modelica_ast.shape import make_node
from modelica_ast.tables import KINDS

_ELEMENT_PREFIXES: Final = ("redeclare", "final", "inner", "outer", "replaceable")
_TYPE_PREFIXES: Final = (("flow", "stream"), ("discrete", "parameter", "constant"), ("input", "output"))


def corrected(node: Node) -> Node:
    """The node, or a similar one that no check refuses. Its tokens have no blanks yet."""
    correct = CORRECTIONS.get(KINDS[node[0]])
    if correct is None:
        return node
    children = correct(list(node[1:]))
    if KINDS[node[0]] == "stored_definition":
        # One `within` instead of two is the same production, which also counts a token that is not there yet: the end.
        return (node[0], *children)
    return node if children == list(node[1:]) else make_node(KINDS[node[0]], *children)


def _kind(green: Any) -> str:
    return KINDS[green[0]] if isinstance(green, tuple) else ""


def _end_name(children: list[Green]) -> list[Green]:
    """`end` names the class that it closes."""
    return [*children[:-1], children[1] if children[0] == "extends" else children[0]]


def _element_prefixes(children: list[Green]) -> list[Green]:
    """Each prefix once, in their order; `replaceable` where there is a constraint."""
    words = {child for child in children[:-1] if isinstance(child, str)}
    rest = [child for child in children[:-1] if not isinstance(child, str)]
    if _kind(rest[-1]) == "constraining_clause":
        words.add("replaceable")
    return [*(word for word in _ELEMENT_PREFIXES if word in words), *rest, children[-1]]


def _redeclaration(children: list[Green]) -> list[Green]:
    """`replaceable` where there is a constraint."""
    if _kind(children[-1]) != "constraining_clause" or "replaceable" in children:
        return children
    return [*children[:-2], "replaceable", *children[-2:]]


def _type_prefixes(children: list[Green]) -> list[Green]:
    """One of each group, in the order of the groups."""
    return [word for group in _TYPE_PREFIXES for word in [c for c in children if c in group][:1]]


def _named_arguments_last(children: list[Green]) -> list[Green]:
    items = [child for child in children[1:-1] if child != ","]
    items.sort(key=lambda item: _kind(item) == "named_argument")
    commas: list[Green] = [part for item in items for part in (",", item)]
    return [children[0], *commas[1:], children[-1]]


def _section_order(children: list[Green]) -> list[Green]:
    """One external clause at most, then one class annotation at most, behind everything else."""
    last = ("external_clause", "class_annotation")
    found = [[child for child in children if _kind(child) == kind][:1] for kind in last]
    return [*(child for child in children if _kind(child) not in last), *found[0], *found[1]]


def _one_within(children: list[Green]) -> list[Green]:
    clauses = [child for child in children if _kind(child) == "within_clause"]
    return [*clauses[:1], *(child for child in children if _kind(child) != "within_clause")]


def _subscripted(children: list[Green]) -> list[Green]:
    """What is indexed is one expression in parentheses."""
    if _kind(children[-1]) != "array_subscripts":
        return children
    outputs: Any = children[1]
    items = [item for item in outputs[1:] if item != ","]
    return [children[0], make_node("output_expression_list", items[0] if items else "a"), *children[2:]]


CORRECTIONS: Final[dict[str, Callable[[list[Green]], list[Green]]]] = {
    "base_prefix": _type_prefixes,
    "composition": _section_order,
    "element": _element_prefixes,
    "element_redeclaration": _redeclaration,
    "function_call_args": _named_arguments_last,
    "long_class_specifier": _end_name,
    "parenthesized": _subscripted,
    "stored_definition": _one_within,
    "type_prefix": _type_prefixes,
}
