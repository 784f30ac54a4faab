"""Items of three versions of a list, matched: the same number is the same item."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from modelica_ast.compare.alignment import (
    Moved,
    align,
    copy_of,
    find_moved_elements,
    lists_of,
    longest_ascending,
)
from modelica_ast.compare.things import LIST, Thing
from modelica_ast.compare.three_way.versions import Shift, Side
from modelica_ast.foundation import Record
from modelica_ast.syntax import lex, token_text


class Triple:
    """A thing in three versions, as far as each has it."""

    __slots__ = ("base", "came_to", "ours", "theirs")

    def __init__(self, base: Thing | None, ours: Thing | None, theirs: Thing | None) -> None:
        self.base = base
        self.ours = ours
        self.theirs = theirs
        self.came_to: Side | None = None  # the side that has moved it to where it is looked at

    @property
    def any(self) -> Thing:
        """One of them: ours if there is one."""
        found = self.ours or self.theirs or self.base
        assert found is not None
        return found

    @property
    def is_left_alone_by_ours(self) -> bool:
        """Does ours have the text of the base?"""
        return self.base is not None and self.ours is not None and self.ours.has_text_of(self.base)


class Numbered:
    """The items of three versions by numbers, and the numbers in the order of each version."""

    def __init__(self, base: list[Thing], ours: list[Thing], theirs: list[Thing]) -> None:
        self.triples: list[Triple] = [Triple(item, None, None) for item in base]
        self.base = list(range(len(base)))
        self.ours = self._numbers(base, ours, "ours")
        new_in_ours = [i for i, number in enumerate(self.ours) if number >= len(base)]
        self.theirs = self._numbers(base, theirs, "theirs", {i: self.ours[i] for i in new_in_ours}, ours)

    def _numbers(
        self,
        base: list[Thing],
        items: list[Thing],
        side: str,
        new_in_ours: dict[int, int] | None = None,
        ours: list[Thing] | None = None,
    ) -> list[int]:
        old_of = align(base, items)
        known = new_in_ours or {}
        rest = [i for i in range(len(items)) if i not in old_of]
        places = list(known)
        both = align([ours[i] for i in places], [items[i] for i in rest], by_place=False) if ours and known else {}
        twins = {rest[new]: known[places[old]] for new, old in both.items()}
        numbers = []
        for index, item in enumerate(items):
            number = old_of.get(index, twins.get(index))
            if number is None:
                number = len(self.triples)
                self.triples.append(Triple(None, None, None))
            setattr(self.triples[number], side, item)
            numbers.append(number)
        return numbers


class Elsewhere:
    """Things that a side has moved to another list, with what they are in the other versions."""

    def __init__(self) -> None:
        self.of_ours: dict[int, Triple] = {}  # by the identity of ours
        self.of_theirs: dict[int, Triple] = {}
        self.left_out: set[int] = set()  # things of any version that are looked at elsewhere
        self.contradictory: list[Triple] = []  # moved by both, to different places
        self._kept: list[Thing] = []
        self._around: set[int] = set()

    def is_around(self, triple: Triple) -> bool:
        """Is something that was moved in it, or was it? Then its text alone says too little."""
        return any(id(thing) in self._around for thing in (triple.base, triple.ours, triple.theirs))

    def note(self, base: Thing, ours: Thing | None, theirs: Thing | None, *, moved_by: tuple[bool, bool]) -> None:
        """Say that a side, or both, have moved something."""
        triple = Triple(base, ours, theirs)
        things = [thing for thing in (base, ours, theirs) if thing is not None]
        self._kept += things
        self._around.update(id(each) for thing in things for each in thing.around)
        self.left_out.add(id(base))
        for thing, is_moved, known in ((ours, moved_by[0], self.of_ours), (theirs, moved_by[1], self.of_theirs)):
            if is_moved:
                known[id(thing)] = triple
            elif thing is not None:
                self.left_out.add(id(thing))
        if all(moved_by) and ours is not None and theirs is not None and _place_of(ours) != _place_of(theirs):
            self.contradictory.append(triple)

    def rest_of(self, around: Thing | None) -> list[Thing]:
        """The items of a list that are looked at there."""
        children = around.children if around is not None else []
        return [item for item in children if id(item) not in self.left_out]

    def join(self, numbered: Numbered) -> None:
        """Give what has come from elsewhere its other versions."""
        for triple in numbered.triples:
            known = self.of_ours.get(id(triple.ours)) or self.of_theirs.get(id(triple.theirs))
            if known is not None:
                triple.came_to = "ours" if triple.ours is not None else "theirs"
                triple.base, triple.ours, triple.theirs = known.base, known.ours, known.theirs

    def side_of(self, triple: Triple) -> Side | None:
        """The side that has something here which both have moved, to different places; else None."""
        if any(each.base is triple.base for each in self.contradictory):
            return triple.came_to
        return None

    def note_sections(self, base: Thing, ours: Thing, theirs: Thing) -> None:
        """Elements of a class that a side has moved to another section."""
        moves = Moved(), Moved()
        find_moved_elements(base, ours, moves[0])
        find_moved_elements(base, theirs, moves[1])
        by_ours, by_theirs = (move.new_of for move in moves)
        if not by_ours and not by_theirs:
            return
        items = [{item.key: item for item in _elements(version)} for version in (base, ours, theirs)]
        for item in _elements(base):
            here, there = by_ours.get(id(item)), by_theirs.get(id(item))
            if here is None and there is None:
                continue
            one, other = here or items[1].get(item.key), there or items[2].get(item.key)
            self.note(item, one, other, moved_by=(here is not None, there is not None))


def _elements(version: Thing) -> list[Thing]:
    return [item for inside in lists_of(version) for item in inside.children if item.key is not None]


def _place_of(thing: Thing) -> list[object]:
    """The identities of all that is around something."""
    return [each.key for each in thing.around] + [thing.key]


def emptied(thing: Thing) -> Thing:
    """A record like this one, with nothing in its lists."""
    new = copy_of(thing)
    children = []
    for child in thing.children:
        own = copy_of(child)
        if child.shape == LIST:
            own.greens, own.expand = (), None
            own.put_children([])
        children.append(own)
    new.put_children(children)
    return new


# ---------------------------------------------------------------- ordering
# Which items a merged list has, and in which order.
#
# Ours is the order to start from. What theirs moved, and ours did not, goes where theirs has it; what theirs added
# goes after the same neighbour as in theirs, and after what ours added there. All of it is about numbers: the same
# number in two lists is the same item.


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
        """What comes before a number, None before the first."""
        return self._before[number]

    def take_out(self, number: int) -> None:
        """Remove a number."""
        one, other = self._before.pop(number), self._next.pop(number)
        self._next[one] = other
        self._before[other] = one

    def put_behind(self, one: int | None, number: int) -> None:
        """Put a number after another, or first."""
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
    """Before each of the common numbers, which one is there."""
    found: dict[int, int | None] = {}
    previous = None
    for number in side:
        if number in common:
            found[number] = previous
            previous = number
    return found


# ---------------------------------------------------------------- scopes
# Imports that one side removed and the other still uses: a text merge would leave the names dangling.


class Scope(Record):
    """Names that were imported around a place, and that a side does not import there any more."""

    gone_from_ours: frozenset[str] = frozenset()
    gone_from_theirs: frozenset[str] = frozenset()
    shift: Shift = Shift()  # from the lines of theirs to those of ours, inside what has moved

    def inside(self, base: Thing | None, ours: Thing, theirs: Thing) -> Scope:
        """The scope of a class that is in this one."""
        if base is None:
            return self
        before, here, there = (frozenset(_imported_in(version)) for version in (base, ours, theirs))
        return Scope(
            (self.gone_from_ours - here) | (before - here),
            (self.gone_from_theirs - there) | (before - there),
            self.shift,
        )

    def shifted_by(self, shift: Shift) -> Scope:
        """The same names where lines start otherwise."""
        return Scope(self.gone_from_ours, self.gone_from_theirs, shift)


def _imported_in(version: Thing) -> Iterator[str]:
    """The names that a class imports, by themselves; `import A;` brings what is found without it."""
    for item in (item for inside in lists_of(version) for item in inside.children if item.what == "import"):
        body = item.slot("body")
        if body is not None and re.search("[.=]", body.core):
            yield item.name.removeprefix("import ").rpartition(".")[2]


def uses_more(new: str, old: str, names: Collection[str], missed: Collection[str]) -> bool:
    """Does a text use one of some names more often than another does, the first of them only by themselves?"""
    if not any(name in new for name in names) and not any(name in new for name in missed):
        return False
    before = _uses(old, names, missed)
    return any(count > before[name] for name, count in _uses(new, names, missed).items())


def _uses(text: str, names: Collection[str], missed: Collection[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    before = ""
    for leaf, _ in lex(text, lazy=False):
        token = token_text(leaf)
        if token in missed or (token in names and before != "."):
            found[token] += 1
        before = token
    return found
