"""The words before a declaration, in the order that the grammar wants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.surgery import (
    Path,
    change_prefix,
    first_leaf_path,
    leaf_at,
    next_leaf_path,
    node_of,
    prefix_of,
    with_child,
    with_prefix,
)
from modelica_ast.green import Green, Node, children_of, first_leaf
from modelica_ast.identifiers import nearest
from modelica_ast.lexer import split_leaf, token_text
from modelica_ast.shape import make_node
from modelica_ast.trivia import is_blank
from modelica_ast.views.base import View
from modelica_ast.views.components import Element

ELEMENT_WORDS: Final = ("redeclare", "final", "inner", "outer", "replaceable")
# In each group one of the words at most.
_TYPE_GROUPS: Final = (("flow", "stream"), ("discrete", "parameter", "constant"), ("input", "output"))
_ALL_WORDS: Final = frozenset(
    """redeclare final inner outer replaceable flow stream discrete parameter constant input output encapsulated
    partial""".split()
)
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
    return with_comments_of_words(node_of(element), with_prefix(make_node("element", *parts), element.leading))


def with_comments_of_words(old: Node, new: Node) -> Node:
    """A declaration with other words before it, and the comments between them that the old one has.

    A comment stays before its word. One before a word that is gone stays before what follows.
    """
    if token_text(first_leaf(old)) not in _ALL_WORDS:  # PERF: most have no words, and new ones never
        return new
    there, now = [leaf_at(old, path) for path in _head(old)], _head(new)
    pending = ""
    kept: dict[str, str] = {}
    for number, leaf in enumerate(there):
        prefix, token = split_leaf(leaf)
        text = pending + (prefix if number and not is_blank(prefix) else "")
        pending = "" if token in now.values() else text
        if text and not pending:
            kept[token] = text
    for path, token in now.items():
        if token in kept:
            is_first = path == first_leaf_path(new)
            text = kept[token] if kept[token][-1:].isspace() else kept[token] + " "
            before = prefix_of(new) + text.lstrip() if is_first else text
            new = change_prefix(new, path, lambda _, before=before: before)  # type: ignore[misc]
    return new


def _head(declaration: Node) -> dict[Path, str]:
    """The words before a declaration and the token behind them, by their paths."""
    found: dict[Path, str] = {}
    path = first_leaf_path(declaration)
    while path is not None:
        found[path] = token_text(leaf_at(declaration, path))
        if found[path] not in _ALL_WORDS:
            break
        path = next_leaf_path(declaration, path)
    return found


def checked(words: Iterable[str], known: tuple[str, ...]) -> list[str]:
    """The words, if all are known and none is there twice."""
    found = list(words)
    for word in found:
        if word not in known:
            raise EditError(f"'{word}' is no prefix here{nearest(str(word), known)}")
    if len(set(found)) < len(found):
        raise EditError(f"a prefix is given twice: {' '.join(found)}")
    return found
