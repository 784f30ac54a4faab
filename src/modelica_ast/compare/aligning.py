"""Which items of two lists are the same thing in two versions.

First by identity: a name, the two ends of a connection. What has none is found by its content, then by what it is about
(the left side of an equation, the head of a loop), then by its place: what stands between the same neighbours has
changed. Each stage looks at every item once, so long lists take no longer than reading them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from modelica_ast.compare.things import Thing

_KeyOf = Callable[[Thing], Hashable]


def align(olds: Sequence[Thing], news: Sequence[Thing], *, by_place: bool = True) -> dict[int, int]:
    """Index of a new item -> index of the old item that it was; each old one is used once."""
    if any(thing.what == "section" for thing in (*olds, *news)):
        return _aligned_sections(olds, news)
    found = _Pairs(olds, news)
    found.nth_of_equal(lambda thing: thing.key)
    # PERF: most have the same text, and their meaning needs no look.
    found.nth_of_equal(lambda thing: (thing.shape, thing.core, thing.pre.strip()) if thing.key is None else None)
    found.nth_of_equal(lambda thing: (thing.shape, thing.digest) if thing.key is None else None)
    found.unique(lambda thing: thing.weak_key)
    if by_place:
        found.between_neighbours()
    return found.old_of


class _Pairs:
    def __init__(self, olds: Sequence[Thing], news: Sequence[Thing]) -> None:
        self._olds = olds
        self._news = news
        self.old_of: dict[int, int] = {}
        self._used: set[int] = set()

    def _pair(self, new: int, old: int) -> None:
        self.old_of[new] = old
        self._used.add(old)

    def _free(self) -> tuple[list[int], list[int]]:
        olds = [i for i in range(len(self._olds)) if i not in self._used]
        return olds, [i for i in range(len(self._news)) if i not in self.old_of]

    def nth_of_equal(self, key: _KeyOf) -> None:
        """Pair what has the same key, the first with the first, the second with the second."""
        olds, news = self._free()
        if not olds or not news:
            return
        places: dict[tuple[Hashable, int], int] = {}
        counts: Counter[Hashable] = Counter()
        for index in olds:
            value = key(self._olds[index])
            if value is not None:
                places[value, counts[value]] = index
                counts[value] += 1
        seen: Counter[Hashable] = Counter()
        for index in news:
            value = key(self._news[index])
            if value is not None:
                old = places.get((value, seen[value]))
                seen[value] += 1
                if old is not None:
                    self._pair(index, old)

    def unique(self, key: _KeyOf) -> None:
        """Pair what has the same key, if only one of each side has it."""
        olds, news = self._free()
        counts = Counter(key(self._olds[i]) for i in olds), Counter(key(self._news[i]) for i in news)
        places = {key(self._olds[i]): i for i in olds}
        for index in news:
            value = key(self._news[index])
            if value is not None and counts[0][value] == counts[1][value] == 1:
                self._pair(index, places[value])

    def between_neighbours(self) -> None:
        """Pair runs of the same length and kinds that stand between the same neighbours; names never change so."""
        at = 0
        while at < len(self._news):
            if at in self.old_of:
                at += 1
                continue
            stop = at
            while stop < len(self._news) and stop not in self.old_of:
                stop += 1
            old = self.old_of[at - 1] + 1 if at else 0
            old_stop = self.old_of[stop] if stop < len(self._news) else len(self._olds)
            run = range(old, old_stop)
            if len(run) == stop - at and all(i not in self._used for i in run):
                for new, before in zip(range(at, stop), run, strict=True):
                    if _may_have_become(self._olds[before], self._news[new]):
                        self._pair(new, before)
            at = stop


def _may_have_become(old: Thing, new: Thing) -> bool:
    return old.key is None and new.key is None and (old.what, old.kind) == (new.what, new.kind)


def _aligned_sections(olds: Sequence[Thing], news: Sequence[Thing]) -> dict[int, int]:
    """Sections of the same kind: those with items in common, then in their order."""
    found: dict[int, int] = {}
    for kind in {thing.shape for thing in olds if thing.what == "section"}:
        before = [i for i, thing in enumerate(olds) if thing.shape == kind]
        after = [i for i, thing in enumerate(news) if thing.shape == kind]
        if len(before) != len(after):
            votes = Counter(pair for pair in _votes(olds, before, news, after))
            for (old, new), _ in votes.most_common():
                if old in before and new in after:
                    found[new] = old
                    before.remove(old)
                    after.remove(new)
        found.update(zip(after, before, strict=False))
    # Floating comments stand among sections, too.
    others = (
        [i for i, thing in enumerate(olds) if thing.what != "section"],
        [i for i, thing in enumerate(news) if thing.what != "section"],
    )
    inner = align([olds[i] for i in others[0]], [news[i] for i in others[1]])
    found.update({others[1][new]: others[0][old] for new, old in inner.items()})
    return found


def _votes(olds: Sequence[Thing], before: list[int], news: Sequence[Thing], after: list[int]) -> list[tuple[int, int]]:
    owner: dict[Hashable, int] = {}
    for index in before:
        for item in _items(olds[index]):
            owner.setdefault(item, index)
    return [(owner[item], index) for index in after for item in _items(news[index]) if item in owner]


def _items(section: Thing) -> list[Hashable]:
    inside = section.slot("items")
    return [item.key or item.digest for item in inside.children] if inside is not None else []


def longest_ascending(places: list[int]) -> list[int]:
    """The longest part of a list of different numbers that ascends."""
    ends: list[int] = []
    chains: list[tuple[int, object]] = []
    for place in places:
        length = bisect_left(ends, place)
        chain = (place, chains[length - 1] if length else None)
        ends[length : length + 1] = [place]
        chains[length : length + 1] = [chain]
    found = []
    chain_: object = chains[-1] if chains else None
    while isinstance(chain_, tuple):
        found.append(chain_[0])
        chain_ = chain_[1]
    return found[::-1]
