"""Which gaps end a line whatever its length: those that must, and those where the author broke it and may."""

from __future__ import annotations

from typing import Final

import attrs

from modelica_ast.formatting.gaps import Gap, gap_of
from modelica_ast.formatting.regions import Piece
from modelica_ast.formatting.slots import CLOSING, OPENING, Slot
from modelica_ast.spacing import Blanks, run_together

# These never start a line, unless a comment before them ends one.
_HUGS_LEFT: Final = CLOSING | {"SEMICOLON", "COMMA"}
# Nor does anything behind these: `end` and its name, `initial` and its section.
_HOLDS_NEXT: Final = frozenset({"END", "INITIAL", "WITHIN", "ANNOTATION", "DOT", "BOM"})


@attrs.frozen
class Plan:
    """What was decided about the gap before a token."""

    pieces: tuple[Piece, ...]
    gap: Gap | None  # of the last piece; None if that stays as it is
    is_broken: bool  # does its token start a line?
    text: str  # all that stands before the token, if nothing in the gap ends a line
    ends_line: bool  # does a line end somewhere in the gap?


def planned(slots: list[Slot], gaps: list[tuple[Piece, ...]]) -> list[Plan]:
    """The decisions about all gaps."""
    plans: list[Plan] = []
    carried = False  # a break before a comma, which is made behind it
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
    # What wants no blank before it and is no operator belongs to what it follows: `(` of a call, the dot of a name.
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
    """How many blanks stand between two tokens."""
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
