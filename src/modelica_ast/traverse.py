"""Walk, find and print trees. All of it iterative: depth costs no stack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from modelica_ast.views.base import Token, View, child_view, leaf_class
from modelica_ast.views.modifications import Annotation

_V = TypeVar("_V", bound=View)
_DEEPEST_INDENT: Final = 60  # 20,000 nested parentheses would print 400 MB of blanks


def walk(view: View, *, tokens: bool = False, annotations: bool = True) -> Iterator[View]:
    """This view and all views inside it, in source order.

    `tokens` yields keywords and punctuation too. `annotations=False` does not look inside annotations, which
    leaves unread ones unread.
    """
    stack = [view]
    while stack:
        current = stack.pop()
        yield current
        if not annotations and isinstance(current, Annotation):
            continue
        node = current.node
        if isinstance(node, str):
            continue
        inside: list[View] = []
        for index in range(1, len(node)):
            green = node[index]
            if type(green) is tuple:
                inside.append(child_view(current, node, index))
            else:
                cls = leaf_class(node, index, green)
                if tokens or cls is not Token:
                    inside.append(cls(green, current, index))
        inside.reverse()
        stack += inside


def find_all(view: View, kind: type[_V], where: Callable[[_V], bool] = lambda _: True) -> Iterator[_V]:
    """All views of a class inside (or the view itself) for which `where` holds, in source order."""
    for found in walk(view):
        if isinstance(found, kind) and where(found):
            yield found


def find(view: View, kind: type[_V], where: Callable[[_V], bool] = lambda _: True) -> _V | None:
    """The first of `find_all`, or None."""
    return next(find_all(view, kind, where), None)


def dump(view: View, *, annotations: bool = True) -> str:
    """The tree as an indented text, for people: one line for each node, its tokens behind it."""
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
