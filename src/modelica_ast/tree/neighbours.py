"""What new text looks like: like its neighbours, and where there is none, like the Standard Library."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Final

from modelica_ast.foundation import ModelicaSyntaxError, Source
from modelica_ast.syntax import (
    KINDS,
    NUMBER,
    Green,
    Node,
    children_of,
    first_leaf,
    is_blank,
    iter_leaves,
    kind_of,
    open_annotation,
    production,
    render,
    split_leaf,
    token_text,
)
from modelica_ast.tree.construction import relaid

_EQUALS: Final = NUMBER["EQUALS"]
_COMMA: Final = NUMBER["COMMA"]
# Whose `=` shows how a modifier, or the value of a component, is written: many write `k(start=1) = 2`.
_MODIFIERS: Final = frozenset({"element_modification", "named_argument"})
_BINDINGS: Final = frozenset({"component_declaration", "component_declaration1"})
_ARRAYS: Final = frozenset({"array"})
_OPENING: Final = ("{", "(", "[")
_CLOSING: Final = ("}", ")", "]")


def modifier_style(*near: Green | None) -> tuple[str, str]:
    """Blanks before and after the `=` of a modifier, as the first one in the nearest of these subtrees has them."""
    return _equals_style(_MODIFIERS, near)


def binding_style(*near: Green | None) -> tuple[str, str]:
    """The same for the value of a component."""
    return _equals_style(_BINDINGS, near)


def styled(value: Green, *near: Green | None) -> Green:
    """A value that nobody has written yet, with the blanks of its neighbours: around `=`, and in arrays."""
    text = render(value)
    if isinstance(value, str) or ("{" not in text and "=" not in text):
        return value
    before, behind = modifier_style(*near)
    comma = next(_shown(_ARRAYS, near), ("", ""))[1]
    brackets, last = [""], ""

    def of_leaf(leaf: str) -> str:
        nonlocal last
        prefix, sign = split_leaf(leaf)
        is_item = last == "," and brackets[-1] == "{"
        own = before if sign == "=" else behind if last == "=" else comma if is_item else ""
        if sign in _OPENING:
            brackets.append(sign)
        elif sign in _CLOSING:
            brackets.pop()
        last = sign
        return (prefix or own) + sign

    return relaid(value, of_leaf)


_LOOKED_AT: Final = 300  # nodes
_ELEMENTS: Final = [number for number, kind in enumerate(KINDS) if kind == "element"]
_PLAIN: Final = frozenset(each for each in _ELEMENTS if "class_definition" not in production(each).symbols)
_AROUND_EQUATIONS: Final = frozenset(
    """stored_definition stored_class class_definition long_class_specifier composition element public_section
    protected_section equation_section for_equation if_equation elseif_equation else_equation when_equation
    elsewhen_equation""".split()
)


def examples(*near: Green | None) -> tuple[Green, ...]:
    """The few nodes in these subtrees that show all that there is to see; they take the subtrees' place.

    Whoever writes many new elements looks through the neighbours once. The first of each kind are in their order, for
    one can have the other inside.
    """
    found: list[Green] = []
    open_kinds = [_MODIFIERS, _BINDINGS, _ARRAYS]
    for node in _nodes(near):
        kind = next((owners for owners in open_kinds if KINDS[node[0]] in owners), None)
        if kind is not None and _blanks_of(node) is not None:
            found.append(node)
            open_kinds.remove(kind)
            if not open_kinds:
                break
    return tuple(found)


def first_connection(*near: Green) -> Node | None:
    """The first connect equation in these trees, the nearest first.

    PERF: a file of thousands of classes shows in the first of them how its author writes.
    """
    todo: list[Green] = [*reversed(near)]
    for _ in range(_LOOKED_AT):
        if not todo:
            break
        node = todo.pop()
        if isinstance(node, tuple):
            kind = KINDS[node[0]]
            if kind == "connect_equation":
                return node
            if kind in _AROUND_EQUATIONS:
                # PERF: most elements are components. What declares one comes before its semicolon.
                todo += [part for part in reversed(children_of(node)) if type(part) is tuple and part[0] not in _PLAIN]
    return None


def near_annotations(*near: Green) -> tuple[Green, ...]:
    """Annotations of the nearest of these trees that has any: the first that has a value, and the first with a list."""
    for green in near:
        found: dict[str, str] = {}
        for leaf in iter_leaves(green):
            text = token_text(leaf) if "annotation" in leaf else ""
            for sign in "={" if text.startswith(("annotation(", "annotation (")) else "":
                if sign in text:
                    found.setdefault(sign, text)
            if len(found) == 2:  # noqa: PLR2004
                break
        if found:
            opened = [_opened(text) for text in dict.fromkeys(found.values())]
            return tuple(each for each in opened if each is not None)
    return ()


def _opened(annotation: str) -> Node | None:
    """An unread annotation; None for one that does not parse, which is somebody else's trouble."""
    try:
        return open_annotation(annotation, lambda: (Source(annotation), 0))
    except ModelicaSyntaxError:
        return None


def annotation_opening(*near: Green) -> str:
    """The parenthesis of an annotation, with a blank before it unless the first in the nearest of these has none."""
    for leaf in chain.from_iterable(map(iter_leaves, near)):
        text = token_text(leaf) if "annotation" in leaf else ""
        if text.startswith(("annotation(", "annotation (")):
            return text[len("annotation") : text.index("(") + 1]
    return " ("


def _equals_style(owners: frozenset[str], near: tuple[Green | None, ...]) -> tuple[str, str]:
    return next(_shown(owners, near), ("", ""))


def _shown(owners: frozenset[str], near: tuple[Green | None, ...]) -> Iterator[tuple[str, str]]:
    """The blanks around the signs of nodes of a kind."""
    found = (_blanks_of(node) for node in _nodes(near) if KINDS[node[0]] in owners)
    return (blanks for blanks in found if blanks is not None)


def _nodes(near: tuple[Green | None, ...]) -> Iterator[Node]:
    """Every node, in source order, those of the nearest subtree first."""
    todo = [node for node in reversed(near) if type(node) is tuple]
    while todo:
        node = todo.pop()
        yield node
        todo += [part for part in node[:0:-1] if type(part) is tuple]  # PERF: leaves are most of it


def _blanks_of(owner: Node) -> tuple[str, str] | None:
    """The blanks around the `=` that is in a node, or in the modification that it has; of an array, the comma."""
    sign = _COMMA if KINDS[owner[0]] in _ARRAYS else _EQUALS
    for holder in (owner, *(c for c in owner[1:] if isinstance(c, tuple) and KINDS[c[0]] == "modification")):
        for part, following in pairwise(children_of(holder)):
            if isinstance(part, str) and kind_of(part) == sign:
                blanks = split_leaf(first_leaf(following))[0]
                if sign == _EQUALS or "\n" not in blanks:  # a list with a line for each item shows nothing
                    return _blanks_only(split_leaf(part)[0]), _blanks_only(blanks)
    return None


def _blanks_only(prefix: str) -> str:
    """A neighbour's blanks, not its comments and not its line ends."""
    return prefix if is_blank(prefix) and "\n" not in prefix else " "
