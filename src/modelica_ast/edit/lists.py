"""Items with commas between them: arguments, declarations of one clause, enumeration literals.

A list is laid out again where it changes, and nowhere else. What is between two items that were neighbours before
stays as it is. The comments of an item go where it goes: those before it, those between it and its comma, and the one
at the end of its line. What a blank line sets off stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from modelica_ast.edit.surgery import prefix_of
from modelica_ast.foundation import Record
from modelica_ast.syntax import (
    NUMBER,
    Green,
    Node,
    Owned,
    Prefix,
    child_at,
    children_of,
    comments_in,
    ends_line,
    kind_of,
    make_node,
    symbol,
    with_prefix,
)

_BRACKETS = frozenset({NUMBER["LPAR"], NUMBER["LBRACE"], NUMBER["RPAR"], NUMBER["RBRACE"]})


def _is(green: Green, terminals: frozenset[int]) -> bool:
    return isinstance(green, str) and kind_of(green) in terminals


def item_places(node: Node, separator: str = "COMMA", *, near: int | None = None) -> list[int]:
    """The indices of the items between the commas (and inside the brackets, if the node has them).

    Another separator is that of the rows of a matrix. `near` is an item, for lists that have one only.
    """
    commas = [i for i, part in enumerate(children_of(node), 1) if _is(part, frozenset({NUMBER[separator]}))]
    if commas:
        return [commas[0] - 1, *(i + 1 for i in commas)]
    if near is not None:
        return [near]
    inside = [i for i, part in enumerate(children_of(node), 1) if not _is(part, _BRACKETS)]
    # Without a comma there is one item at most: after the opening bracket, or at the end of a clause.
    return inside[-1:]


class Item(Record):
    """A new item of a list, with the comments that it brings."""

    green: Green
    owned: Owned = Owned()


class Items:
    """The items of a list and what is between them; `closing` is the prefix of the token after the last one."""

    def __init__(self, node: Node, places: Sequence[int], closing: str, separator: str = ",") -> None:
        self._greens = [child_at(node, place) for place in places]
        self._gaps = [prefix_of(green) for green in self._greens]
        self._commas = [prefix_of(child_at(node, place + 1)) for place in places[:-1]]
        self._closing = closing
        self._separator = separator

    def starts_line(self, number: int) -> bool:
        """Does an item, or its comma, start a line?"""
        return bool(self._starts[number])

    def owned(self, number: int) -> Owned:
        """The comments of an item."""
        own = Owned.of(self._gaps[number], "")
        if number < len(self._commas):
            behind = [*comments_in(self._commas[number]), *comments_in(_head(self._gaps[number + 1]))]
        else:
            closing = Prefix.of(self._closing)
            behind = comments_in(closing.head)
        return Owned(own.above, own.before, " ".join(behind))

    def arranged(self, entries: Sequence[int | Item]) -> tuple[list[Green], str]:
        """The items in a new order, some gone, some new, with their commas; and the prefix of what closes them.

        Where that is a comment to the end of a line, a line end has to follow.
        """
        children: list[Green] = []
        previous: int | Item | None = None
        for place, entry in enumerate(entries):
            if previous is None:
                prefix = self._first(entry)
            else:
                comma, prefix = self._between(previous, entry, place, is_permuted=len(entries) == len(self._greens))
                children.append(comma + self._separator)
            children.append(with_prefix(entry.green if isinstance(entry, Item) else self._greens[entry], prefix))
            previous = entry
        return children, self._closed(previous)

    # ------------------------------------------------------------ how it is laid out

    @cached_property
    def _starts(self) -> list[str]:
        """How the line of each item starts, or that of its comma; '' for one in the middle of a line."""
        gaps = [Prefix.of(gap).line_start for gap in self._gaps]
        return [gaps[0], *(Prefix.of(c).line_start or gap for c, gap in zip(self._commas, gaps[1:], strict=True))]

    @cached_property
    def _has_leading_commas(self) -> bool:
        return any(Prefix.of(comma).starts_line for comma in self._commas)

    @cached_property
    def _start(self) -> str:
        """How the line of a new item starts; '' where most items share their lines."""
        later = self._starts[1:] or self._starts
        on_lines = [start for start in later if start]
        return on_lines[-1] if 2 * len(on_lines) >= len(later) and on_lines else ""

    @cached_property
    def line_start(self) -> str:
        """How a line starts that a comment forces."""
        on_lines = [start for start in self._starts if start]
        return on_lines[-1] if on_lines else (Prefix.of(self._closing).line_start or "\n") + "  "

    @cached_property
    def _blank(self) -> str:
        """What follows a comma in the middle of a line."""
        inline = [gap for gap, start in zip(self._gaps[1:], self._starts[1:], strict=True) if not start]
        return inline[-1][: len(inline[-1]) - len(inline[-1].lstrip())] if inline else " "

    # ------------------------------------------------------------ what is between

    def _owned(self, entry: int | Item) -> Owned:
        return entry.owned if isinstance(entry, Item) else self.owned(entry)

    def _first(self, entry: int | Item) -> str:
        old = self._gaps[0]
        if entry == 0:
            return old
        own, gap = self._owned(entry), Prefix.of(old)
        if gap.starts_line:
            return gap.head + gap.kept + own.prefix(gap.line_start)
        if ends_line(" ".join(own.above)):
            return own.prefix(self.line_start)
        return old[: len(old) - len(old.lstrip())] + own.prefix("")

    def _between(self, one: int | Item, other: int | Item, place: int, *, is_permuted: bool) -> tuple[str, str]:
        """The prefixes of the comma between two items and of the second."""
        if isinstance(one, int) and other == one + 1:
            return self._commas[one], self._gaps[one + 1]
        start = self._start_of(one, other, place, is_permuted=is_permuted)
        behind, own = self._owned(one).behind, self._owned(other)
        kept = Prefix.of(self._gaps[other]).kept if isinstance(other, int) and other else ""
        tail = f" {behind}" if behind else ""
        if self._has_leading_commas and (start or ends_line(behind)):
            return tail + (start or self.line_start), self._blank + own.prefix("")
        if not start and (ends_line(behind) or ends_line(" ".join(own.above))):
            start = self.line_start
        if start:  # a comment to the end of the line comes after the comma
            return ("", tail + kept + own.prefix(start)) if ends_line(behind) else (tail, kept + own.prefix(start))
        return tail, self._blank + own.prefix("")

    def _start_of(self, one: int | Item, other: int | Item, place: int, *, is_permuted: bool) -> str:
        if isinstance(other, Item):
            return self._start
        if is_permuted:
            return self._starts[place]
        if other == 0:
            return self._starts[0] or self._start
        gone = range(one + 1, other) if isinstance(one, int) else ()
        return self._starts[other] or next((self._starts[each] for each in gone if self._starts[each]), "")

    def _closed(self, last: int | Item | None) -> str:
        """The prefix of the token after the last item."""
        closing = Prefix.of(self._closing)
        if last == len(self._greens) - 1:
            return self._closing
        behind = "" if last is None else self._owned(last).behind
        tail = f" {behind}" if behind else ""
        if closing.starts_line:
            return tail + closing.below
        return tail or ("" if comments_in(self._closing) else self._closing)


def _head(prefix: str) -> str:
    """What belongs to the line before; nothing if there is no line end."""
    found = Prefix.of(prefix)
    return found.head if found.starts_line else ""


def with_item(node: Node, item: Green, place: int | None = None) -> Node:
    """A node in brackets with one more item before the item number `place`, or at the end; laid out like the others."""
    places = item_places(node)
    if not places:
        return make_node(symbol(node), *children_of(node, 1, -1), with_prefix(item, ""), child_at(node, -1))
    entries: list[int | Item] = list(range(len(places)))
    entries.insert(len(places) if place is None else place, Item(item))
    return _rearranged(node, places, entries)


def remove_bracketed(node: Node, place: int) -> Node:
    """A node in brackets without an item."""
    places = item_places(node)
    return _rearranged(node, places, [each for each in range(len(places)) if each != place])


def _rearranged(node: Node, places: Sequence[int], entries: Sequence[int | Item]) -> Node:
    behind = list(children_of(node, places[-1] + 1))
    items = Items(node, places, prefix_of(behind[0]))
    children, closing = items.arranged(entries)
    if ends_line(closing) and not Prefix.of(closing).starts_line:
        closing += items.line_start  # a comment to the end of the line must not swallow the bracket
    behind[0] = with_prefix(behind[0], closing)
    return make_node(symbol(node), *children_of(node, 1, places[0]), *children, *behind)
