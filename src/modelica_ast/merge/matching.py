"""Items of three versions of a list, matched: the same number is the same item."""

from __future__ import annotations

from modelica_ast.compare.aligning import align
from modelica_ast.compare.grouping import copy_of, lists_of
from modelica_ast.compare.moving import Moved, find_moved_elements
from modelica_ast.compare.things import LIST, Thing
from modelica_ast.merge.result import Side


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
        """Does something that was moved stand in it, or did it? Then its text alone says too little."""
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
