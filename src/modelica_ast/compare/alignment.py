"""Which items of two lists are the same thing in two versions.

First by identity: a name, the two ends of a connection. What has none is found by its content, then by what it is about
(the left side of an equation, the head of a loop), then by its place: what is between the same neighbours has
changed. Each stage looks at every item once, so long lists take no longer than reading them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final

from modelica_ast.compare.things import LIST, Thing, path_of
from modelica_ast.syntax import Prefix, is_blank

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
        """Pair runs of the same length and kinds that are between the same neighbours; names never change so."""
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
    # Floating comments are among sections, too.
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


# ---------------------------------------------------------------- grouping
# `Real a, b;` in one version and `Real a; Real b;` in another: then each component gets a clause of its own.
#
# Components are known by their names, however they are grouped. Clauses that have components in common are one thing
# in all versions, if each version has one of them. Where they don't, they are taken apart in all versions.


def agree_on_clauses(versions: list[Thing]) -> None:
    """Let versions of a class have the same clauses for the same components, and give those the same keys."""
    clauses = [[*_clauses(version)] for version in versions]
    groups = _Groups()
    for found in clauses:
        for clause in found:
            groups.join(names_of(clause))
    for found in clauses:
        seen: dict[str, Thing] = {}
        for clause in found:
            group = groups.of(names_of(clause)[0])
            if group in seen:
                groups.to_split.add(group)
            seen[group] = clause
    for version in versions:
        for inside in lists_of(version):
            _agree(inside, groups)


class _Groups:
    """Names that are in a clause together, in any version."""

    def __init__(self) -> None:
        self._around: dict[str, str] = {}
        self.to_split: set[str] = set()

    def of(self, name: str) -> str:
        """The name that stands for the group."""
        while self._around.setdefault(name, name) != name:
            above = self._around[name]
            self._around[name] = self._around[above]
            name = above
        return name

    def join(self, names: tuple[str, ...]) -> None:
        """Let these be in one group."""
        first = self.of(names[0])
        for name in names[1:]:
            self._around[self.of(name)] = first


def names_of(clause: Thing) -> tuple[str, ...]:
    """The components of a clause."""
    return clause.declares or (clause.name,)


def lists_of(version: Thing) -> Iterator[Thing]:
    """The lists of elements of a class: before its sections, and in those."""
    if version.what != "class":
        return
    elements, sections = version.slot("elements"), version.slot("sections")
    if elements is None or sections is None:
        return
    yield elements
    for section in sections.children:
        inside = section.slot("items") if section.what == "section" else None
        if inside is not None:
            yield inside


def _clauses(version: Thing) -> Iterator[Thing]:
    for inside in lists_of(version):
        yield from (item for item in inside.children if item.shape == "clause")


def _agree(inside: Thing, groups: _Groups) -> None:
    """Take apart the clauses of a list that must be, and give keys to the others."""
    children: list[Thing] = []
    for item in inside.children:
        group = groups.of(names_of(item)[0]) if item.shape == "clause" else ""
        if group in groups.to_split:
            children += _singles(item)
            continue
        if group:
            item.key = ("component", group)
        children.append(item)
    if len(children) != len(inside.children):
        inside.put_children(children)


def _singles(clause: Thing) -> list[Thing]:
    """A clause for each component of one."""
    inside = clause.slot("components")
    if inside is None or len(inside.children) < 2:  # noqa: PLR2004
        return [clause]
    singles = [_single(clause, component, at) for at, component in enumerate(inside.children)]
    singles[-1].tail += clause.tail
    return singles


def _single(clause: Thing, component: Thing, number: int) -> Thing:
    new = Thing("component", component.key, "clause", (), name=component.name)
    line_start = Prefix.of(clause.pre).line_start or " "
    new.pre = clause.pre if number == 0 else line_start
    new.start = clause.start if number == 0 else component.start
    children = []
    for slot in clause.children:
        if slot.key != "components":
            children.append(copy_of(slot))
            continue
        own = copy_of(component)
        own.comma, own.after = False, ""
        own.pre = own.pre if own.pre and not is_blank(own.pre) else " "
        only = Thing("list", "components", slot.shape, ())
        only.kind = slot.kind
        only.put_children([own])
        children.append(only)
    new.tail = component.after
    new.put_children(children)
    return new


def copy_of(thing: Thing) -> Thing:
    """The same thing once more, to be elsewhere."""
    new = Thing(thing.what, thing.key, thing.shape, thing.greens, name=thing.name)
    for field in (
        "weak_key",
        "declares",
        "memo",
        "kind",
        "pre",
        "tail",
        "after",
        "comma",
        "is_ordered",
        "start",
        "expand",
    ):
        setattr(new, field, getattr(thing, field))
    return new


# ---------------------------------------------------------------- moving
# What is elsewhere in another version: a class in another package, or renamed, an element in another section.
#
# Such a thing is one thing with one history. `Moved` says so to those who look at one list at a time.

_SIMILAR: Final = 0.5  # of what is in two classes of one name
_LEAST: Final = 0.25  # of what is in the only classes of two versions of a file
_RENAMED: Final = 0.75  # of what is in two classes of different names at one place
_FEWEST: Final = 6  # pieces that such classes share: small classes look alike
_NAMES: Final = frozenset({"name", "end name"})


class Moved:
    """Things of two versions that are the same but are in different lists."""

    def __init__(self) -> None:
        self.old_of: dict[int, Thing] = {}  # by the identity of the new one
        self.new_of: dict[int, Thing] = {}
        self._kept: list[Thing] = []  # what is known by its identity must stay alive

    def note(self, old: Thing, new: Thing) -> None:
        """Say that the new one is the old one."""
        self.old_of[id(new)] = old
        self.new_of[id(old)] = new
        self._kept += [old, new]


# ---------------------------------------------------------------- classes


def find_moved_classes(old_file: Thing, new_file: Thing) -> Moved:
    """Classes that have another place or name: with the same name and similar content, or with the same content.

    With another name at the same place nearly the same content will do, if there is enough of it.
    """
    gone, come = _unmatched_classes(old_file, new_file)
    moved = Moved()
    if not gone or not come:
        return moved
    by_name: dict[str, list[Thing]] = defaultdict(list)
    by_content: dict[str, list[Thing]] = defaultdict(list)
    for thing in gone:
        by_name[thing.name].append(thing)
        if nameless := content_without_name(thing):
            by_content[nameless].append(thing)
    counts = Counter(content_without_name(thing) for thing in come)
    for new in come:
        candidates = [old for old in by_name[new.name] if id(old) not in moved.new_of]
        old = next((old for old in candidates if are_similar(old, new)), None)
        if old is None and counts[content_without_name(new)] == 1:
            same = [old for old in by_content[content_without_name(new)] if id(old) not in moved.new_of]
            old = same[0] if len(same) == 1 else None
        if old is not None and not _stand_in_each_other(old, new, moved):
            moved.note(old, new)
    for old, new in _renamed_in_place(
        [old for old in gone if id(old) not in moved.new_of], [new for new in come if id(new) not in moved.old_of]
    ):
        if not _stand_in_each_other(old, new, moved):
            moved.note(old, new)
    return moved


def _renamed_in_place(gone: list[Thing], come: list[Thing]) -> Iterator[tuple[Thing, Thing]]:
    """Classes whose nearest by content has gone from the same place, and is nearest to no other.

    Where there is but one class, that of a file, it is the same if a quarter of it is.
    """
    if not gone or not come:
        return
    files = [next((each for each in thing.around if each.what == "file"), None) for thing in (gone[0], come[0])]
    tops = [list(classes_of(file)) for file in files if file is not None]
    if list(map(len, tops)) == [1, 1] and tops[0][0] in gone and tops[1][0] in come:
        if are_similar(tops[0][0], tops[1][0], _LEAST):
            yield tops[0][0], tops[1][0]
        return
    with_piece: dict[tuple[object, str], list[int]] = defaultdict(list)
    counts = [Counter(_pieces(old)) for old in gone]
    for number, old in enumerate(gone):
        for piece in counts[number]:
            with_piece[path_of(old)[0][:-1], piece].append(number)
    found: dict[int, list[Thing]] = defaultdict(list)
    for new in come:
        pieces = Counter(_pieces(new))
        around = path_of(new)[0][:-1]
        shared = Counter(number for piece in pieces for number in with_piece[around, piece])
        for number, _ in shared.most_common(1):
            common = (pieces & counts[number]).total()
            if common >= max(_FEWEST, _RENAMED * max(pieces.total(), counts[number].total())):
                found[number].append(new)
    yield from ((gone[number], news[0]) for number, news in found.items() if len(news) == 1)


def _unmatched_classes(old_file: Thing, new_file: Thing) -> tuple[list[Thing], list[Thing]]:
    """Classes of each version that the other does not have at the same place, those inside them too."""
    gone: list[Thing] = []
    come: list[Thing] = []
    todo = [(old_file, new_file)]
    while todo:
        old, new = todo.pop()
        if old.core == new.core:
            continue
        before, after = list(classes_of(old)), list(classes_of(new))
        pairs = align(before, after)
        todo += [(before[j], after[i]) for i, j in pairs.items()]
        used = set(pairs.values())
        gone += [each for i, thing in enumerate(before) if i not in used for each in _with_inner(thing)]
        come += [each for i, thing in enumerate(after) if i not in pairs for each in _with_inner(thing)]
    return gone, come


def classes_of(thing: Thing) -> Iterator[Thing]:
    """The classes that are in a file, or right in a class."""
    lists = [child for child in thing.children if child.key == "classes"] if thing.what == "file" else lists_of(thing)
    for inside in lists:
        yield from (item for item in inside.children if item.what == "class")


def _with_inner(thing: Thing) -> Iterator[Thing]:
    yield thing
    yield from classes_inside(thing)


def classes_inside(thing: Thing) -> Iterator[Thing]:
    """All classes inside a class."""
    todo = [*classes_of(thing)][::-1]
    while todo:
        current = todo.pop()
        yield current
        todo += reversed(list(classes_of(current)))


def _stand_in_each_other(old: Thing, new: Thing, moved: Moved) -> bool:
    """Is it no move of its own, because what is around it has moved with it?"""
    outer_old = next((thing for thing in old.around if thing.what in ("class", "file")), None)
    outer_new = next((thing for thing in new.around if thing.what in ("class", "file")), None)
    return outer_new is not None and old.key == new.key and moved.old_of.get(id(outer_new)) is outer_old


def content_without_name(thing: Thing) -> str:
    """Equal for classes or components that differ in their names alone; '' if there is nothing but a name."""
    parts = [child for child in thing.children if child.key not in _NAMES]
    if thing.what == "class":
        has_content = any(child.children or child.what == "type" for child in parts)
        return "".join(child.digest + "." for child in parts) if has_content else ""
    inside = thing.slot("components")
    if inside is None or len(inside.children) != 1:
        return ""
    declared = inside.children[0]
    own = [child.digest for child in declared.children if child.key not in _NAMES]
    return ".".join([*(child.digest for child in parts if child is not inside), "", *own])


def are_similar(old: Thing, new: Thing, least: float = _SIMILAR) -> bool:
    """Have two classes at least so much in common, in pieces of about a line?"""
    one, other = (Counter(_pieces(thing)) for thing in (old, new))
    most = max(one.total(), other.total())
    return not most or (one & other).total() >= least * most


def _pieces(thing: Thing) -> Iterator[str]:
    """The content of a class in pieces of about a line."""
    for child in thing.children:
        if child.key in _NAMES or child.what == "token":
            continue
        if child.shape != LIST:
            yield child.digest
            continue
        for item in child.children:
            inside = item.slot("items") if item.what == "section" else None
            yield from ([each.digest for each in inside.children] if inside is not None else [item.digest])


# ---------------------------------------------------------------- elements in sections


def find_moved_elements(old: Thing, new: Thing, moved: Moved) -> None:
    """Note elements of a class that are in another section, `protected` or not."""
    before, after = _lists_by_place(old, new)
    places: dict[object, tuple[object, Thing]] = {}
    for place, inside in before.items():
        for item in inside.children:
            if item.key is not None and id(item) not in moved.new_of:
                places[item.key] = (place, item) if item.key not in places else (place, places[item.key][1])
    counts = [Counter(item.key for inside in lists.values() for item in inside.children) for lists in (before, after)]
    for place, inside in after.items():
        for item in inside.children:
            known = places.get(item.key)
            is_one = counts[0][item.key] == counts[1][item.key] == 1
            if known is not None and is_one and known[0] != place and id(item) not in moved.old_of:
                moved.note(known[1], item)


def _lists_by_place(old: Thing, new: Thing) -> tuple[dict[object, Thing], dict[object, Thing]]:
    """The lists of elements of two versions by places that can be compared."""
    sections = [version.slot("sections") for version in (old, new)]
    first = [version.slot("elements") for version in (old, new)]
    if None in sections or None in first:
        return {}, {}
    olds, news = ([*s.children] for s in sections if s is not None)
    pairs = align(olds, news)
    before: dict[object, Thing] = {"elements": first[0]}  # type: ignore[dict-item]  # neither is None
    after: dict[object, Thing] = {"elements": first[1]}  # type: ignore[dict-item]
    for lists, things, place_of in (
        (before, olds, lambda i: i),
        (after, news, lambda i: pairs.get(i, ("new", i))),
    ):
        for index, thing in enumerate(things):
            inside = thing.slot("items") if thing.what == "section" else None
            if inside is not None:
                lists[place_of(index)] = inside
    return before, after
