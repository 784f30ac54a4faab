"""Which ID each object gets: those that are valid and unique stay, the others get what is free."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen


@frozen
class Wish:
    """What an element has now, None if nothing; `is_fixed` if that can't change, `weight` is how much speaks for it."""

    current: int | None
    is_fixed: bool = False
    weight: int = 1


def numbers_for(wishes: Sequence[Wish], *, renumber: bool = False) -> list[int | None]:
    """An ID from 1 on for each element, in their order; None for one that can't be changed and has no valid one.

    What can't be changed goes first. Of those that have the same ID the one with the most weight keeps it, the first of
    equals. With `renumber` nothing is
    kept that can be changed, so that the IDs follow the order of the elements.
    """
    highest = len(wishes)
    found: list[int | None] = [None] * highest
    taken: set[int] = set()
    by_weight = sorted(enumerate(wishes), key=lambda item: -item[1].weight)
    for stays in (True, False):
        for place, wish in by_weight:
            number = wish.current
            is_due = wish.is_fixed is stays and (stays or not renumber)
            if is_due and number is not None and 1 <= number <= highest and number not in taken:
                found[place] = number
                taken.add(number)
    free = iter([number for number in range(1, highest + 1) if number not in taken])
    for place, wish in enumerate(wishes):
        if found[place] is None and not wish.is_fixed:
            found[place] = next(free)
    return found
