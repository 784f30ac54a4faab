"""The words before a declaration, in the order that the grammar wants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.surgery import node_of, prefix_of, with_child, with_prefix
from modelica_ast.green import Green, Node, children_of
from modelica_ast.identifiers import nearest
from modelica_ast.shape import make_node
from modelica_ast.views.base import View
from modelica_ast.views.components import Element

ELEMENT_WORDS: Final = ("redeclare", "final", "inner", "outer", "replaceable")
# In each group one of the words at most.
_TYPE_GROUPS: Final = (("flow", "stream"), ("discrete", "parameter", "constant"), ("input", "output"))
TYPE_WORDS: Final = tuple(word for group in _TYPE_GROUPS for word in group)


def with_component_words(element: Element, words: Iterable[str]) -> Node:
    """The element of a component clause with other prefixes; the first word takes the place of what was first."""
    wanted = checked(words, (*ELEMENT_WORDS, *TYPE_WORDS))
    for group in _TYPE_GROUPS:
        both = [word for word in group if word in wanted]
        if len(both) > 1:
            raise EditError(f"'{both[0]}' and '{both[1]}' exclude each other")
    clause = element.component_clause
    assert clause is not None
    bare = with_child(node_of(clause), "type_prefix", None)
    # A comment between the words and the type stays before the type.
    had_words = bool(element.prefixes) or clause.prefix is not None
    bare = with_prefix(bare, (prefix_of(bare) if had_words else "") or " ")
    inner = [" " + word for word in TYPE_WORDS if word in wanted]
    if inner:
        bare = make_node("component_clause", make_node("type_prefix", *inner), *children_of(bare, 1))
    return with_element_words(element, clause, bare, wanted)


def with_element_words(element: Element, declared: View, new: Node, words: Iterable[str]) -> Node:
    """An element with other prefixes before what it declares, and that as it is given."""
    outer = [" " + word for word in ELEMENT_WORDS if word in words]
    parts: list[Green] = [*outer, new, *children_of(node_of(element), declared.index + 1)]
    return with_prefix(make_node("element", *parts), element.leading)


def checked(words: Iterable[str], known: tuple[str, ...]) -> list[str]:
    """The words, if all are known and none is there twice."""
    found = list(words)
    for word in found:
        if word not in known:
            raise EditError(f"'{word}' is no prefix here{nearest(str(word), known)}")
    if len(set(found)) < len(found):
        raise EditError(f"a prefix is given twice: {' '.join(found)}")
    return found
