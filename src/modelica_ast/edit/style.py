"""What new text looks like: like its neighbours, and where there is none, like the Standard Library."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from modelica_ast.edit.surgery import prefix_of
from modelica_ast.green import Green, Node, children_of
from modelica_ast.lexer import kind_of, split_leaf
from modelica_ast.tables import KINDS, NUMBER
from modelica_ast.trivia import is_blank

_EQUALS: Final = NUMBER["EQUALS"]
# Whose `=` shows how a modifier, or the value of a component, is written: many write `k(start=1) = 2`.
_MODIFIERS: Final = frozenset({"element_modification", "named_argument"})
_BINDINGS: Final = frozenset({"component_declaration", "component_declaration1"})


def modifier_style(*near: Green | None) -> tuple[str, str]:
    """Blanks before and behind the `=` of a modifier, as the first one in the nearest of these subtrees has them."""
    return _equals_style(_MODIFIERS, near)


def binding_style(*near: Green | None) -> tuple[str, str]:
    """The same for the value of a component."""
    return _equals_style(_BINDINGS, near)


def examples(*near: Green | None) -> tuple[Green, ...]:
    """The one or two nodes in these subtrees that show all that there is to see; they take the subtrees' place.

    Who writes many new elements looks through the neighbours once. The first modifier and the first value stand in
    their order, for one can have the other inside.
    """
    found: list[Green] = []
    open_kinds = [_MODIFIERS, _BINDINGS]
    todo: list[Green | None] = [*reversed(near)]
    while todo and open_kinds:
        node = todo.pop()
        if not isinstance(node, tuple):
            continue
        kind = next((owners for owners in open_kinds if KINDS[node[0]] in owners), None)
        if kind is not None and _equals_of(node) is not None:
            found.append(node)
            open_kinds.remove(kind)
        todo += reversed(children_of(node))
    return tuple(found)


def _equals_style(owners: frozenset[str], near: tuple[Green | None, ...]) -> tuple[str, str]:
    for green in near:
        todo: list[Green | None] = [green]
        while todo:
            node = todo.pop()
            if not isinstance(node, tuple):
                continue
            if KINDS[node[0]] in owners:
                found = _equals_of(node)
                if found is not None:
                    return found
            todo += reversed(children_of(node))
    return "", ""


def _equals_of(owner: Node) -> tuple[str, str] | None:
    """The blanks around the `=` that stands in a node, or in the modification that it has."""
    for holder in (owner, *(c for c in owner[1:] if isinstance(c, tuple) and KINDS[c[0]] == "modification")):
        parts = children_of(holder)
        for part, following in pairwise(parts):
            if isinstance(part, str) and kind_of(part) == _EQUALS:
                return _blanks_only(split_leaf(part)[0]), _blanks_only(prefix_of(following))
    return None


def _blanks_only(prefix: str) -> str:
    """A neighbour's blanks, not its comments and not its line ends."""
    return prefix if is_blank(prefix) and "\n" not in prefix else " "
