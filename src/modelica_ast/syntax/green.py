"""The compact tree below the views: immutable tuples and strings, nothing else.

A node is (production number, child, ...); a leaf is the blanks and comments before a token and the token,
as one string. A subtree is its text: no offsets, no parents. Equal trees have equal text and the reverse.
Nothing here recurses: 20,000 nested parentheses are a tree like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, overload

from modelica_ast.syntax.lalr import Green, Leaf, Node
from modelica_ast.syntax.lexer import kind_of, token_text, trivia_length
from modelica_ast.syntax.tables import KINDS, SYMBOLS

# The types are the parse loop's, which builds the tree; everybody else takes them from here.
__all__ = [
    "TOKEN_TEXTS",
    "Green",
    "Leaf",
    "Node",
    "Offsets",
    "child_at",
    "child_leaf",
    "child_node",
    "children_of",
    "equal",
    "first_leaf",
    "iter_leaves",
    "leaves",
    "render",
    "symbol",
    "tokens",
    "width",
    "with_prefix",
]

_NO_LEAF: Final = ""
_REMEMBERED_LENGTH: Final = 60
_REMEMBERED_LEAVES: Final = 1 << 19


class _TokenTexts(dict[Leaf, str]):
    """leaf -> its token without the blanks and comments before it, remembered for short leaves."""

    __slots__ = ()

    def __missing__(self, leaf: Leaf) -> str:
        text = leaf[trivia_length(leaf) :]
        if len(leaf) < _REMEMBERED_LENGTH:
            if len(self) > _REMEMBERED_LEAVES:
                self.clear()
            self[leaf] = text
        return text


# PERF: `lexer.token_text` for those who ask about leaves of whole files again and again: 40 ns, not 500. A memo of
# pure facts, shared by all threads; at worst a fact is found twice.
TOKEN_TEXTS: Final = _TokenTexts()


def child_at(node: Node, index: int) -> Green:
    """The child at an index of the node's tuple, where 1 is the first child and -1 the last."""
    return node[index]  # type: ignore[return-value]  # only index 0 is not a child


def child_node(node: Node, index: int) -> Node:
    """The child at an index where the grammar has nothing but nodes."""
    found = node[index]
    assert isinstance(found, tuple)
    return found


def child_leaf(node: Node, index: int) -> Leaf:
    """The child at an index where the grammar has nothing but tokens."""
    found = node[index]
    assert isinstance(found, str)
    return found


def children_of(node: Node, start: int = 1, stop: int | None = None) -> tuple[Green, ...]:
    """The children from an index of the node's tuple on, or up to another; `start` is never 0."""
    return node[start:stop]  # type: ignore[return-value]  # without index 0 all are children


def iter_leaves(green: Green) -> Iterator[Leaf]:
    """All leaves in source order."""
    if isinstance(green, str):
        yield green
        return
    stack: list[Iterator[Any]] = [iter(green[1:])]
    while stack:
        for child in stack[-1]:
            if type(child) is str:
                yield child
            else:
                stack.append(iter(child[1:]))
                break
        else:
            stack.pop()


def leaves(green: Green) -> list[Leaf]:
    """All leaves in source order, as a list."""
    if isinstance(green, str):
        return [green]
    found: list[Leaf] = []
    put = found.append
    iterator = iter(green)
    next(iterator)  # the production number
    stack: list[Iterator[Any]] = [iterator]
    while stack:
        for child in stack[-1]:
            if type(child) is str:
                put(child)
            else:
                # PERF: skipping the number beats slicing a copy of every node.
                iterator = iter(child)
                next(iterator)
                stack.append(iterator)
                break
        else:
            stack.pop()
    return found


def render(green: Green) -> str:
    """The text, exactly."""
    return "".join(leaves(green))


def tokens(green: Green) -> list[str]:
    """The text of every token, without blanks and comments."""
    if type(green) is str:
        text = TOKEN_TEXTS[green]
        return [text] if text else []
    return [text for text in map(TOKEN_TEXTS.__getitem__, leaves(green)) if text]


def width(green: Green) -> int:
    """The length of the text."""
    return sum(map(len, leaves(green)))


def first_leaf(green: Green) -> Leaf:
    """The first leaf, or the empty string for a node without any (an empty composition)."""
    if isinstance(green, str):
        return green
    return next(iter_leaves(green), _NO_LEAF)


@overload
def with_prefix(green: Leaf, prefix: str) -> Leaf: ...
@overload
def with_prefix(green: Node, prefix: str) -> Node: ...
@overload
def with_prefix(green: Green, prefix: str) -> Green: ...
def with_prefix(green: Green, prefix: str) -> Green:
    """The same with other blanks and comments before its first token."""
    if isinstance(green, str):
        return prefix + token_text(green)
    # The first token is after the nodes that have none: an empty composition.
    todo: list[tuple[Node, int]] = [(green, 1)]
    while True:
        node, index = todo[-1]
        if index == len(node):
            todo.pop()
            if not todo:
                return green  # there is no token in it
            todo[-1] = (todo[-1][0], todo[-1][1] + 1)
            continue
        part = child_at(node, index)
        if isinstance(part, str):
            break
        todo.append((part, 1))
    spine, path = [each for each, _ in todo], [place for _, place in todo]
    new: Green = prefix + token_text(part)
    if new == part:
        return green
    for around, index in zip(reversed(spine), reversed(path), strict=True):
        children = [*children_of(around, 1, index), new, *children_of(around, index + 1)]
        new = (around[0], *children)
    return new


def symbol(green: Green) -> str:
    """The grammar's name for it: a node's kind or a leaf's terminal."""
    if isinstance(green, str):
        return SYMBOLS[kind_of(green)]
    return KINDS[green[0]]


def equal(one: Green, other: Green) -> bool:
    """Do two trees have the same shape and text? (`==` on deep tuples overflows the C stack.)"""
    stack: list[tuple[Any, Any]] = [(one, other)]
    while stack:
        a, b = stack.pop()
        if a is b:
            continue
        if type(a) is tuple and type(b) is tuple:
            if len(a) != len(b) or a[0] != b[0]:
                return False
            # PERF: after an edit nearly all children are the same objects.
            stack += [pair for pair in zip(a, b, strict=True) if pair[0] is not pair[1]]
        elif a != b:
            return False
    return True


class Offsets:
    """How much text comes before each child of a node; computed once for each node that is asked about."""

    def __init__(self) -> None:
        # Keyed by identity, and the node is kept: a tuple as a key would be hashed with all that is in it.
        self._starts: dict[int, tuple[Node, list[int]]] = {}
        self._widths: dict[int, int] = {}
        self._measured: list[Node] = []

    def before(self, node: Green, index: int) -> int:
        """The length of the text of all children before `index`."""
        assert type(node) is tuple
        known = self._starts.get(id(node))
        if known is None:
            starts = [0, 0]
            for child in node[1:]:
                starts.append(starts[-1] + self.width(child))
            known = self._starts[id(node)] = (node, starts)
        return known[1][index]

    def width(self, green: Green) -> int:
        """The length of the text."""
        if isinstance(green, str):
            return len(green)
        known = self._widths.get(id(green))
        if known is not None:
            return known
        widths = self._widths
        todo: list[Node] = [green]
        found: list[Node] = []
        while todo:
            node = todo.pop()
            found.append(node)
            todo += [child for child in node if type(child) is tuple and id(child) not in widths]
        self._measured += found
        for node in reversed(found):  # children first
            total = 0
            for child in node:
                if type(child) is str:
                    total += len(child)
                elif type(child) is tuple:
                    total += widths[id(child)]
            widths[id(node)] = total
        return widths[id(green)]
