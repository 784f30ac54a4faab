"""What stands elsewhere in another version: a class in another package, or renamed, an element in another section.

Such a thing is one thing with one history. `Moved` says so to those who look at one list at a time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from modelica_ast.compare.aligning import align
from modelica_ast.compare.grouping import lists_of
from modelica_ast.compare.things import LIST, Thing

_SIMILAR: Final = 0.5  # of what is in two classes of one name
_NAMES: Final = frozenset({"name", "end name"})


class Moved:
    """Things of two versions that are the same but stand in different lists."""

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
    """Classes that have another place or name: with the same name and similar content, or with the same content."""
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
        old = next((old for old in candidates if _are_similar(old, new)), None)
        if old is None and counts[content_without_name(new)] == 1:
            same = [old for old in by_content[content_without_name(new)] if id(old) not in moved.new_of]
            old = same[0] if len(same) == 1 else None
        if old is not None and not _stand_in_each_other(old, new, moved):
            moved.note(old, new)
    return moved


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
    """The classes that stand in a file, or right in a class."""
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


def _are_similar(old: Thing, new: Thing) -> bool:
    one, other = (Counter(_pieces(thing)) for thing in (old, new))
    most = max(one.total(), other.total())
    return not most or (one & other).total() >= _SIMILAR * most


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
    """Note elements of a class that stand in another section, `protected` or not."""
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
