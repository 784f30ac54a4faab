"""Which items a merged list has, and in which order.

Ours is the order to start from. What theirs moved, and ours did not, goes where theirs has it; what theirs added goes
behind the same neighbour as in theirs, and behind what ours added there. All of it is about numbers: the same number
in two lists is the same item.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from modelica_ast.compare.aligning import longest_ascending


class Order:
    """A list to put numbers into, in constant time each."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._next: dict[int | None, int | None] = {}
        self._before: dict[int | None, int | None] = {}
        chain: list[int | None] = [None, *numbers, None]
        for one, other in pairwise(chain):
            self._next[one] = other
            self._before[other] = one

    def __contains__(self, number: int) -> bool:
        return number in self._next

    def next_of(self, number: int | None) -> int | None:
        """What follows a number; the first one for None."""
        return self._next[number]

    def before(self, number: int | None) -> int | None:
        """What stands before a number, None before the first."""
        return self._before[number]

    def take_out(self, number: int) -> None:
        """Remove a number."""
        one, other = self._before.pop(number), self._next.pop(number)
        self._next[one] = other
        self._before[other] = one

    def put_behind(self, one: int | None, number: int) -> None:
        """Put a number behind another, or first."""
        other = self._next[one]
        self._next[one], self._next[number] = number, other
        self._before[number], self._before[other] = one, number

    def numbers(self) -> list[int]:
        """All numbers in order."""
        found = []
        at = self._next[None]
        while at is not None:
            found.append(at)
            at = self._next[at]
        return found


class Arranged:
    """The order of a merge, those that both sides moved differently, and those put beside what ours put there."""

    def __init__(self, numbers: list[int], contradictory: list[int], beside_ours: set[int]) -> None:
        self.numbers = numbers
        self.contradictory = contradictory
        self.beside_ours = beside_ours


def arrange(base: Sequence[int], ours: Sequence[int], theirs: Sequence[int]) -> Arranged:
    """Bring the order and the new items of theirs into ours; what a side removed, the caller leaves out."""
    order = Order(ours)
    contradictory = _follow_moves(order, base, ours, theirs)
    in_base, in_ours = set(base), set(ours)
    beside_ours: set[int] = set()
    previous: int | None = None
    for number in theirs:
        if number not in order:
            place = previous
            while (following := order.next_of(place)) is not None and _is_new(following, in_ours, in_base):
                place = following
                beside_ours.add(number)
            order.put_behind(place, number)
        previous = number
    return Arranged(order.numbers(), contradictory, beside_ours)


def _is_new(number: int, in_ours: Collection[int], in_base: Collection[int]) -> bool:
    return number in in_ours and number not in in_base


def _follow_moves(order: Order, base: Sequence[int], ours: Sequence[int], theirs: Sequence[int]) -> list[int]:
    """Move in ours what theirs moved; what both moved to different places stays as ours has it, and is returned."""
    place = {number: index for index, number in enumerate(base)}
    common = set(place) & set(ours) & set(theirs)
    moved = []
    for side in (ours, theirs):
        shared = [place[number] for number in side if number in common]
        stay = set(longest_ascending(shared))
        moved.append({base[index] for index in shared if index not in stay})
    contradictory = []
    previous: int | None = None
    neighbours = [_previous_common(side, common) for side in (ours, theirs)]
    for number in theirs:
        if number not in common:
            if number in order:
                previous = number
            continue
        if number in moved[1] and number not in moved[0]:
            order.take_out(number)
            order.put_behind(previous, number)
        elif number in moved[1] and neighbours[0][number] != neighbours[1][number]:
            contradictory.append(number)
        previous = number
    return contradictory


def _previous_common(side: Sequence[int], common: Collection[int]) -> dict[int, int | None]:
    """Before each of the common numbers, which one stands there."""
    found: dict[int, int | None] = {}
    previous = None
    for number in side:
        if number in common:
            found[number] = previous
            previous = number
    return found
