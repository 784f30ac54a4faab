"""The words before a declaration, in the order that the grammar wants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.modifiers import with_child
from modelica_ast.edit.surgery import prefix_of, with_prefix
from modelica_ast.green import Green, Node, child_node, children_of, tokens
from modelica_ast.identifiers import nearest
from modelica_ast.lexer import token_text
from modelica_ast.shape import child, make_node

ELEMENT_WORDS: Final = ("redeclare", "final", "inner", "outer", "replaceable")
# In each group one of the words at most.
_TYPE_GROUPS: Final = (("flow", "stream"), ("discrete", "parameter", "constant"), ("input", "output"))
TYPE_WORDS: Final = tuple(word for group in _TYPE_GROUPS for word in group)


def component_words(element: Node) -> list[str]:
    """The prefixes of a component clause's element: `final parameter`."""
    words = [token_text(part) for part in children_of(element, 1, -1) if type(part) is str]
    clause = next(part for part in element[1:] if type(part) is tuple)
    found = child(clause, "type_prefix")
    return words + (tokens(found[1]) if found else [])


def with_component_words(element: Node, words: Iterable[str]) -> Node:
    """The element of a component clause with other prefixes; the first word takes the place of what was first."""
    wanted = checked(words, (*ELEMENT_WORDS, *TYPE_WORDS))
    for group in _TYPE_GROUPS:
        both = [word for word in group if word in wanted]
        if len(both) > 1:
            raise EditError(f"'{both[0]}' and '{both[1]}' exclude each other")
    place = next(i for i in range(1, len(element)) if type(element[i]) is tuple)
    clause = child_node(element, place)
    prefix = prefix_of(element)
    words = [word for word in (*ELEMENT_WORDS, *TYPE_WORDS) if word in wanted]
    old = component_words(element)
    # A comment between the words and the type stays before the type.
    found = child(clause, "type_prefix")
    bare = with_child(clause, "type_prefix", None) if found is not None else clause
    before_type = prefix_of(bare) if old else " "
    bare = with_prefix(bare, before_type or " ")
    leaves = [" " + word for word in words]
    inner = [leaf for leaf in leaves if leaf.strip() in TYPE_WORDS]
    if inner:
        bare = make_node("component_clause", make_node("type_prefix", *inner), *bare[1:])
    outer = [leaf for leaf in leaves if leaf.strip() in ELEMENT_WORDS]
    return with_prefix(make_node("element", *outer, bare, *children_of(element, place + 1)), prefix)


def with_element_words(element: Node, words: Iterable[str]) -> Node:
    """The element of a class with other prefixes before the class itself."""
    wanted = checked(words, ELEMENT_WORDS)
    prefix = prefix_of(element)
    old = next(part for part in element[1:] if type(part) is tuple)
    ordered = [word for word in ELEMENT_WORDS if word in wanted]
    behind = children_of(element, element.index(old) + 1)
    parts: list[Green] = [*(" " + word for word in ordered), with_prefix(old, " ") if ordered else old, *behind]
    return with_prefix(make_node("element", *parts), prefix)


def checked(words: Iterable[str], known: tuple[str, ...]) -> list[str]:
    """The words, if all are known and none is there twice."""
    found: list[Any] = list(words)
    for word in found:
        if word not in known:
            raise EditError(f"'{word}' is no prefix here{nearest(str(word), known)}")
    if len(set(found)) < len(found):
        raise EditError(f"a prefix is given twice: {' '.join(found)}")
    return found
