"""Where a line starts that goes on with an element: by open brackets, or as the author has aligned it."""

from __future__ import annotations

from typing import Final

import attrs

from modelica_ast.formatting.slots import CLOSING, OPENING, Slot

# Nothing is indented further: 20,000 nested parentheses would be 400 MB of blanks.
DEEPEST: Final = 60  # levels
# How many levels further in than it must a line may stand because the author wants it so.
_MORE_LEVELS: Final = 2
# The description and the annotation of an element have one place.
_ENDS_OF_ELEMENTS: Final = frozenset({"STRING", "ANNOTATION"})


@attrs.frozen
class _Anchor:
    """A column that lines can be aligned with: where it was, and where it is."""

    old: int
    new: int


@attrs.define
class _List:
    """What is open: a bracket, or the element as a whole."""

    line_start: int  # the column in which the line of its bracket starts
    first: _Anchor | None = None  # its first item, if that stands behind the bracket
    value: _Anchor | None = None  # what stands behind the last `=` or `:=`
    items: int | None = None  # the column of its items that start lines
    is_column: bool = False  # does each of its items start a line?


class Alignment:
    """The columns of the lines of one element.

    All lines of one list start in the same column, which the first of them decides. It may stand below the first item
    behind the bracket or below a value; or one level in for each open bracket, and up to two more. What stands
    elsewhere goes to the nearest place that shows what it belongs to.
    """

    def __init__(self, indent: int) -> None:
        self._indent = indent
        self._line_start = 0
        self.start(None, 0)

    def start(self, old: int | None, new: int) -> None:
        """A new element or equation; `old` is the column that its line started in, if it started one."""
        self._element = None if old is None else _Anchor(old, new)
        self._open = [_List(new)]
        self._before: Slot | None = None

    def line(self, column: int) -> None:
        """A new line that starts in a column."""
        self._line_start = column

    def token(self, slot: Slot, old: int, new: int) -> None:
        """A token is about to be written."""
        around, before = self._open[-1], self._before
        if before is not None:
            if before.symbol in OPENING:
                around.first = _Anchor(old, new)
            elif before.symbol in ("EQUALS", "ASSIGN"):
                around.value = _Anchor(old, new)
            elif before.symbol == "COMMA":
                around.value = None
        if slot.symbol in CLOSING and len(self._open) > 1:
            self._open.pop()
        elif slot.symbol in OPENING:
            self._open.append(_List(self._line_start))
        self._before = slot

    def column(self, slot: Slot, old: int | None = None, *, is_comment: bool = False) -> int:
        """Where a line goes that starts with a token, or a comment above it.

        `old` is the column that the line started in, if it started there.
        """
        around = self._open[-1]
        if slot.symbol in CLOSING and not is_comment:
            return around.line_start
        if around.items is not None and self._is_before_item:
            return around.items
        return min(self._chosen(around, slot, old), DEEPEST * self._indent)

    def item_at(self, column: int) -> None:
        """The next token starts a line in a column, which the other items of its list follow."""
        if self._is_before_item:
            self._open[-1].items = column

    def start_column(self) -> None:
        """The list whose bracket was written last has an item on each line."""
        self._open[-1].is_column = True

    @property
    def is_in_column(self) -> bool:
        """Does the next token start an item of a list that has one on each line?"""
        return self._open[-1].is_column and self._is_before_item

    @property
    def _is_before_item(self) -> bool:
        before = self._before
        return before is not None and (before.symbol in OPENING or before.symbol == "COMMA")

    def _chosen(self, around: _List, slot: Slot, old: int | None) -> int:
        """The author's column, if that is one that a line may have; else that of its level."""
        levels = (slot.level + max(slot.depth + (slot.symbol in CLOSING), 1)) * self._indent
        if old is not None:
            for anchor in (around.first, around.value):
                if anchor is not None and anchor.old == old:
                    return anchor.new
            if self._element is not None and (slot.depth or slot.symbol not in _ENDS_OF_ELEMENTS):
                moved = old - self._element.old + self._element.new
                if moved in range(levels, levels + _MORE_LEVELS * self._indent + 1, self._indent):
                    return moved
        return max(levels, around.line_start + self._indent)
