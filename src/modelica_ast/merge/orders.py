"""`package.order` merged as what it is, a list of names."""

from __future__ import annotations

from modelica_ast.merge.layout import line_end_of
from modelica_ast.merge.ordering import arrange
from modelica_ast.merge.result import Conflict, Merged


def merge_order(base: str, ours: str, theirs: str) -> Merged:
    """The names of ours, with those that theirs added and without those that either side removed.

    There are no conflicts: where both sides moved a name, it stays where ours has it.
    """
    if theirs in (ours, base):
        return Merged(ours)
    if ours == base:
        return Merged(theirs)
    numbers: dict[str, int] = {}
    before, here, there = (
        [numbers.setdefault(name, len(numbers)) for name in dict.fromkeys(text.split("\n")) if name.strip()]
        for text in (text.replace("\r\n", "\n") for text in (base, ours, theirs))
    )
    removed = {number for number in before if number not in here or number not in there}
    names = list(numbers)
    kept = [names[number] for number in arrange(before, here, there).numbers if number not in removed]
    end = line_end_of(ours)
    text = end.join(kept)
    conflicts: tuple[Conflict, ...] = ()
    return Merged(text + end if kept and ours.endswith("\n") else text, conflicts)
