"""Where a line that is too long can be broken, and how much must fit behind each of these places.

A list goes on in the next line when its next item as a whole does not fit. All widths are known before anything is
written, so the time is linear.
"""

from __future__ import annotations

from typing import Final

from modelica_ast.formatting.breaks import Plan
from modelica_ast.formatting.slots import CLOSING, OPENING, Slot
from modelica_ast.spacing import Blanks

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
    """Is it a description behind a declaration or an equation?"""
    return (
        slot.symbol == "STRING"
        and slot.depth == 0
        and slot.kind.endswith(("_declaration", "_clause", "_specifier", "_equation", "assignment", "_statement"))
        and before.symbol not in ("EQUALS", "ASSIGN", "EXTERNAL", "IF", "WHEN", "WHILE")
    )
