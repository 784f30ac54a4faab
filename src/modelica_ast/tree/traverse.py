"""Walk, find and print trees. All of it iterative: depth costs no stack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar, cast

from modelica_ast.syntax import Node, kind_of
from modelica_ast.tree.base import LEAF_PLACES, NODE_CLASSES, Token, View, child_view
from modelica_ast.tree.modifications import Annotation

_V = TypeVar("_V", bound=View)
_DEEPEST_INDENT: Final = 60  # 20,000 nested parentheses would print 400 MB of blanks


def walk(view: View, *, tokens: bool = False, annotations: bool = True) -> Iterator[View]:
    """This view and all views inside it, in source order.

    `tokens` yields keywords and punctuation too. `annotations=False` does not look inside annotations, which
    leaves unread ones unread.
    """
    stack = [view]
    push = stack.append
    while stack:
        current = stack.pop()
        yield current
        node = current.green
        if isinstance(current, Annotation):
            if not annotations:
                continue
            node = current.node
        if isinstance(node, str):
            continue
        # PERF: `child_view`, written out: this loop sees every node and leaf of a tree.
        leaves = LEAF_PLACES[node[0]]
        front, back, classes, size = leaves.front, leaves.back, leaves.classes, len(node)
        for index in range(size - 1, 0, -1):
            green = node[index]
            if type(green) is tuple:
                push(NODE_CLASSES[green[0]](green, current, index))
                continue
            at_place = classes[index if index <= front else index - size if size - index <= back else 0]
            cls = Token if at_place is None else at_place[kind_of(green)]  # type: ignore[arg-type]  # what is not a node is a leaf
            if tokens or cls is not Token:
                push(cls(green, current, index))  # type: ignore[arg-type]  # the same


def find_all(view: View, kind: type[_V], where: Callable[[_V], bool] = lambda _: True) -> Iterator[_V]:
    """All views of a class inside (or the view itself) for which `where` holds, in source order."""
    for found in walk(view):
        if isinstance(found, kind) and where(found):
            yield found


def find(view: View, kind: type[_V], where: Callable[[_V], bool] = lambda _: True) -> _V | None:
    """The first of `find_all`, or None."""
    return next(find_all(view, kind, where), None)


def view_at(top: View, path: Iterable[int]) -> View:
    """The view that some indices lead to from another one. PERF: those who look at green nodes need few views."""
    for index in path:
        top = child_view(top, cast("Node", top.node), index)
    return top


def dump(view: View, *, annotations: bool = True) -> str:
    """The tree as an indented text, for people: one line for each node, its tokens after it."""
    lines = []
    stack: list[tuple[View, int]] = [(view, 0)]
    while stack:
        current, depth = stack.pop()
        indent = "  " * min(depth, _DEEPEST_INDENT)
        if isinstance(current, Token):
            lines.append(f"{indent}{current.text!r}")
            continue
        closed = isinstance(current, Annotation) and not annotations
        children = [] if closed else current.children
        if not children:
            lines.append(f"{indent}{type(current).__name__} {_shorten(current.text)}")
            continue
        lines.append(f"{indent}{type(current).__name__}")
        stack += [(child, depth + 1) for child in reversed(children)]
    return "\n".join(lines)


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 70 else line[:67] + "...")  # noqa: PLR2004
