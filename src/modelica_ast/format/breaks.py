"""Which gaps end a line whatever its length: those that must, and those where the author broke it and may."""

from __future__ import annotations

from typing import Final

import attrs

from modelica_ast.format.slots import CLOSING, OPENING, Gap, Piece, Slot, gap_of
from modelica_ast.syntax import Blanks, run_together

# These never start a line, unless a comment before them ends one.
_HUGS_LEFT: Final = CLOSING | {"SEMICOLON", "COMMA"}
# Nor does anything after these: `end` and its name, `initial` and its section.
_HOLDS_NEXT: Final = frozenset({"END", "INITIAL", "WITHIN", "ANNOTATION", "DOT", "BOM"})


@attrs.frozen
class Plan:
    """What was decided about the gap before a token."""

    pieces: tuple[Piece, ...]
    gap: Gap | None  # of the last piece; None if that stays as it is
    is_broken: bool  # does its token start a line?
    text: str  # all that comes before the token, if nothing in the gap ends a line
    ends_line: bool  # does a line end somewhere in the gap?


def planned(slots: list[Slot], gaps: list[tuple[Piece, ...]]) -> list[Plan]:
    """The decisions about all gaps."""
    plans: list[Plan] = []
    carried = False  # a break before a comma, which is made after it
    for index, (slot, pieces) in enumerate(zip(slots, gaps, strict=True)):
        before = slots[index - 1] if index else None
        last = pieces[-1]
        if not last.is_formatted:
            ends_line = any("\n" in piece.text for piece in pieces)
            plans.append(Plan(pieces, None, is_broken="\n" in last.text, text=last.text, ends_line=ends_line))
            carried = False
            continue
        gap = gap_of(last.text)
        is_switched = len(pieces) > 1
        is_broken = _is_broken(before, slot, gap, is_switched=is_switched)
        if carried and not gap.comments and _may_break(before, slot):
            is_broken = True
        carried = slot.symbol == "COMMA" and gap.line_ends > 0 and not is_broken
        following = slots[index + 1] if index + 1 < len(slots) else None
        text = _flat(before, slot, following, gap)
        ends_line = is_broken or is_switched or "\n" in text or (bool(gap.comments) and gap.has_line_end)
        plans.append(Plan(pieces, gap, is_broken, text, ends_line))
    return plans


def _is_broken(before: Slot | None, slot: Slot, gap: Gap, *, is_switched: bool) -> bool:
    """Does the token start a line?"""
    if gap.comments:
        if gap.comments[-1].is_line or gap.line_ends:
            return True
        return slot.starts_line and before is not None and not gap.has_line_end
    if is_switched:  # the comment that switches takes the rest of its line
        return True
    if before is None or before.symbol == "BOM":
        return False
    return slot.starts_line or (gap.line_ends > 0 and _may_break(before, slot))


def _may_break(before: Slot | None, slot: Slot) -> bool:
    """Is a break by the author kept?"""
    if before is None or slot.symbol in _HUGS_LEFT or before.symbol in _HOLDS_NEXT:
        return False
    if before.kind == "unary" and before.after is Blanks.NONE:
        return False
    # What wants no blank before it and is not an operator belongs to what it follows: `(` of a call, the dot of a name.
    return slot.before is not Blanks.NONE or slot.kind in ("binary", "range")


def _flat(before: Slot | None, slot: Slot, following: Slot | None, gap: Gap) -> str:
    """The gap on one line."""
    if before is None:
        return " " if gap.comments else ""
    if not gap.comments:
        return " " * _blanks(before, slot, following, gap)
    text = ""
    for comment in gap.comments:
        touches = not text and not comment.blanks and before.symbol in OPENING
        text += comment.text if touches else " " + comment.text
    return text if slot.symbol in _HUGS_LEFT else text + " "


def _blanks(before: Slot, slot: Slot, following: Slot | None, gap: Gap) -> int:
    """How many blanks there are between two tokens."""
    if before.symbol == "ANNOTATION":
        return 1
    wishes = (before.after, slot.before)
    if Blanks.NONE in wishes:
        return int(run_together(before.token, slot.token))
    if slot.before is Blanks.BOTH_OR_NONE:
        return int(_has_blank(slot) or (following is not None and _has_blank(following)))
    if before.after is Blanks.BOTH_OR_NONE:
        return int(_has_blank(before) or _has_blank(slot))
    if before.after is Blanks.KEPT and not gap.line_ends:
        return 1 if gap.blanks.strip(" ") else len(gap.blanks)
    return 1


def _has_blank(slot: Slot) -> bool:
    """Is there something before a token on its line? A line end says nothing: it may come from wrapping."""
    return bool(slot.prefix) and not gap_of(slot.prefix).has_line_end


# ---------------------------------------------------------------- wrapping
# Where a line that is too long can be broken, and how much must fit after each of these places.
#
# A list goes on in the next line when its next item as a whole does not fit. All widths are known before anything is
# written, so the time is linear.

_LISTS: Final = frozenset(
    {
        "array",
        "class_modification",
        "enumeration_class_specifier",
        "external_function_call",
        "function_call_args",
        "function_partial_application",
    }
)
_OPERATORS: Final = frozenset({"PLUS", "MINUS", "DOT_PLUS", "DOT_MINUS", "AND", "OR"})
_ENDS_ITEM: Final = CLOSING | {"COMMA", "SEMICOLON"}


class Widths:
    """How wide things are on one line."""

    def __init__(self, slots: list[Slot], plans: list[Plan]) -> None:
        self._slots = slots
        self._plans = plans
        self._starts, self._line_ends = self._measure()
        self._last = self._last_tokens()

    def needed(self, index: int) -> int | None:
        """How much must fit if the line is not broken before a token; None where it can't be broken."""
        last = self._last.get(index)
        if last is None:
            return None
        end = self._starts[last] + len(self._slots[last].token)
        return min(end, self._line_ends[index]) - self._starts[index]

    def is_column(self, index: int) -> bool:
        """Is a token the first of a list that has an item on each line if it does not fit on one?

        Annotations and lists of graphics are such lists: what is in them is long.
        """
        slots = self._slots
        before = slots[index - 1]
        if before.symbol == "LPAR":
            return slots[index - 2].symbol == "ANNOTATION"
        return before.symbol == "LBRACE" and before.kind == "array" and slots[index].kind == "function_call"

    def _measure(self) -> tuple[list[int], list[int]]:
        """Where each token starts on an endless line, and where the line that it is on ends."""
        starts = []
        at = 0
        for slot, plan in zip(self._slots, self._plans, strict=True):
            at += len(plan.text)
            starts.append(at)
            at += len(slot.token)
        ends = [0] * len(starts)
        end = at
        for index in range(len(starts) - 1, -1, -1):
            token = self._slots[index].token
            if "\n" in token:
                end = starts[index] + token.index("\n")
            elif index + 1 == len(starts) or self._plans[index + 1].ends_line:
                end = starts[index] + len(token)
            ends[index] = end
        return starts, ends

    def _last_tokens(self) -> dict[int, int]:
        """For each token before which a line can be broken: the last one that must fit on the line otherwise."""
        slots = self._slots
        behind = self._ends_of_runs()
        found: dict[int, int] = {}
        open_at: list[int] = []  # where brackets were opened
        parts: list[list[int | None]] = [[None] * 3]  # where the item, the branch, the term inside started
        for index, slot in enumerate(slots):
            if slot.starts_line:
                parts[-1] = [None] * 3
            rank = _rank(slot)
            if rank is not None:
                ends = slot.symbol in _ENDS_ITEM
                for place in range(rank, 3):
                    start = parts[-1][place]
                    if start is not None:
                        found[start] = self._end_of_part(start, behind[index] if ends else index - 1)
                    parts[-1][place] = None
                if not ends:
                    parts[-1][rank] = index
                elif slot.symbol == "COMMA" and slot.kind != "array_subscripts":
                    parts[-1][0] = index + 1
            if slot.symbol in OPENING:
                open_at.append(index)
                parts.append([index + 1 if slot.kind in _LISTS else None, None, None])
            elif slot.symbol in CLOSING and open_at:
                opened = open_at.pop()
                parts.pop()
                if self.is_column(opened + 1):
                    found[opened + 1] = behind[index]
                if slots[opened - 1].symbol == "ANNOTATION" and not slots[opened - 1].depth:
                    found[opened - 1] = behind[index]
            elif _is_description(slots[index - 1], slot):
                found[index] = behind[index + 1] if slots[index + 1].symbol in _ENDS_ITEM else index
        return {index: last for index, last in found.items() if self._can_break(index)}

    def _end_of_part(self, start: int, last: int) -> int:
        """Of `graphics={…}` only the bracket must fit: its items can have lines of their own."""
        opened = start + 2
        is_list = opened < last and self._slots[opened].symbol == "LBRACE" and self.is_column(opened + 1)
        return opened if is_list else last

    def _ends_of_runs(self) -> list[int]:
        """For each closing bracket or separator the last one of those that follow it directly."""
        slots = self._slots
        ends = list(range(len(slots)))
        for index in range(len(slots) - 2, -1, -1):
            if slots[index].symbol in CLOSING and slots[index + 1].symbol in _ENDS_ITEM:
                ends[index] = ends[index + 1]
        return ends

    def _can_break(self, index: int) -> bool:
        slot, plan = self._slots[index], self._plans[index]
        is_plain = plan.gap is not None and not plan.gap.comments and len(plan.pieces) == 1
        return is_plain and not plan.is_broken and slot.symbol not in _ENDS_ITEM


def _rank(slot: Slot) -> int | None:
    """What a token ends: an item of a list (0), a branch of an `if` inside (1), a term inside (2); or None."""
    if slot.symbol in _ENDS_ITEM:
        return 0
    if slot.kind in ("if_expression", "elseif_expression") and slot.symbol in ("ELSEIF", "ELSE"):
        return 1
    is_sum = slot.kind == "binary" and slot.symbol in _OPERATORS and slot.before is not Blanks.BOTH_OR_NONE
    return 2 if is_sum else None


def _is_description(before: Slot, slot: Slot) -> bool:
    """Is it a description after a declaration or an equation?"""
    return (
        slot.symbol == "STRING"
        and slot.depth == 0
        and slot.kind.endswith(("_declaration", "_clause", "_specifier", "_equation", "assignment", "_statement"))
        and before.symbol not in ("EQUALS", "ASSIGN", "EXTERNAL", "IF", "WHEN", "WHILE")
    )


# ---------------------------------------------------------------- alignment
# Where a line starts that goes on with an element: by open brackets, or as the author has aligned it.

# Nothing is indented further: 20,000 nested parentheses would be 400 MB of blanks.
DEEPEST: Final = 60  # levels
# How many levels further in than it must a line may be because the author wants it so.
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
    first: _Anchor | None = None  # its first item, if that comes after the bracket
    value: _Anchor | None = None  # what follows the last `=` or `:=`
    items: int | None = None  # the column of its items that start lines
    is_column: bool = False  # does each of its items start a line?


class Alignment:
    """The columns of the lines of one element.

    All lines of one list start in the same column, which the first of them decides. It may be below the first item
    after the bracket or below a value; or one level in for each open bracket, and up to two more. What is
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
