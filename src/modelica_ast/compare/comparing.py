"""The semantic diff: what a reviewer wants to know of two versions of a file."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from modelica_ast.compare.aligning import align
from modelica_ast.compare.building import Memo
from modelica_ast.compare.changes import Change, Changes
from modelica_ast.compare.grouping import agree_on_clauses
from modelica_ast.compare.model import file_thing
from modelica_ast.compare.moving import (
    Moved,
    classes_inside,
    content_without_name,
    find_moved_classes,
    find_moved_elements,
)
from modelica_ast.compare.normal import comments_of
from modelica_ast.compare.things import LIST, Thing
from modelica_ast.green import Node
from modelica_ast.parse import parse
from modelica_ast.source import Source, Span
from modelica_ast.views.files import StoredDefinition

Version = str | StoredDefinition


def compare(old: Version, new: Version) -> Changes:
    """What changed from one version of a file to another; ModelicaSyntaxError if a text is not Modelica.

    Blanks, the order of named arguments and of declarations, and the way numbers are written are no changes: they are
    listed as noise.
    """
    return compare_trees(green_of(old), green_of(new), Memo())


def compare_trees(old: Node, new: Node, memo: Memo) -> Changes:
    """What changed between two trees; the memo is that of all versions that are looked at together."""
    return _Comparison(old, new, memo).result()


def green_of(version: Version) -> Node:
    """The tree of a text, or of a tree."""
    tree = parse(version) if isinstance(version, str) else version
    assert isinstance(tree.green, tuple)
    return tree.green


def path_of(thing: Thing) -> tuple[tuple[str, ...], str]:
    """The names that lead to a thing, and how many of them name classes, as `Change.class_name` has it."""
    names: list[str] = []
    classes: list[str] = []
    inner: Thing | None = None
    for each in (thing, *thing.around):
        is_clause_around = each.shape == "clause" and inner is not None and inner.key == "components"
        if each.name and not is_clause_around:
            names.append(each.name)
            if each.what == "class" and each.shape == "class":
                classes.append(each.name)
        inner = each
    return tuple(reversed(names)), "\0".join(reversed(classes))


def subject(thing: Thing) -> str:
    """What a change is about: everything inside an annotation is about that."""
    if thing.what != "comment" and any(each.what == "annotation" for each in thing.around):
        return "annotation"
    return thing.what


class _Comparison:
    def __init__(self, old: Node, new: Node, memo: Memo) -> None:
        self._old, self._new = file_thing(old, memo), file_thing(new, memo)
        self._sources = Source(self._old.core), Source(self._new.core)
        self._moved = Moved()
        self._changes: list[Change] = []
        self._noise: list[Change] = []
        self._todo: list[tuple[Thing, Thing]] = []

    def result(self) -> Changes:
        if self._old.core == self._new.core:
            return Changes()
        self._moved = find_moved_classes(self._old, self._new)
        self._todo = [(self._old, self._new)]
        while self._todo:
            self._pair(*self._todo.pop())
        return Changes(tuple(sorted(self._changes, key=_place)), tuple(sorted(self._noise, key=_place)))

    # ------------------------------------------------------------ one thing

    def _pair(self, old: Thing, new: Thing) -> None:
        if old.has_text_of(new):
            return
        # PERF: of what holds much else only the parts that differ are looked into.
        if not _holds_much(old) and old.digest == new.digest:
            self._note_noise(old, new)
            return
        if old.comments != new.comments:
            self._note_comments(old, new)
        if old.core == new.core:
            return
        if old.shape != new.shape or not old.is_composed:
            if old.what != "name" or not self._is_renamed(new):
                self._note_changed(old, new)
        elif old.shape == LIST:
            self._lists(old, new)
        else:
            self._records(old, new)

    def _is_renamed(self, name: Thing) -> bool:
        return any(id(each) in self._moved.old_of for each in name.around)

    def _note_changed(self, old: Thing, new: Thing) -> None:
        if (old.meaning if not old.is_composed else old.digest) != (new.meaning if not new.is_composed else new.digest):
            for one, other in _owners(old, new):
                self._note("changed", subject(new), old, new, one, other)

    def _note_comments(self, old: Thing, new: Thing) -> None:
        before, after = (_comment_text(thing) for thing in (old, new))
        kind = "changed" if before and after else "added" if after else "removed"
        change = self._change(kind, "comment", old, new, old, new)
        fields = {"old": before or None, "new": after or None}
        self._changes.append(Change(**{**change.__dict__, **fields}))

    def _note_noise(self, old: Thing, new: Thing) -> None:
        words = [sorted("".join(thing.core.split())) for thing in (old, new)]
        what = "layout" if words[0] == words[1] else "writing"
        self._noise.append(self._change("changed", what, old, new, old, new))

    # ------------------------------------------------------------ records

    def _records(self, old: Thing, new: Thing) -> None:
        if new.what == "class":
            agree_on_clauses([old, new])
            known = set(self._moved.old_of)
            find_moved_elements(old, new, self._moved)
            self._note_sections(known)
        slots = {slot.key: slot for slot in old.children}
        for slot in new.children:
            before = slots.pop(slot.key, None)
            if before is None:
                self._added(slot)
            else:
                self._todo.append((before, slot))
        for slot in slots.values():
            self._removed(slot)

    def _note_sections(self, known: set[int]) -> None:
        """Elements that have gone to another section."""
        for identity, old in self._moved.old_of.items():
            if identity not in known:
                new = self._moved.new_of[id(old)]
                before, after = _section_name(old), _section_name(new)
                if before != after:
                    change = self._change("changed", "section", old, new, old, new)
                    self._changes.append(Change(**{**change.__dict__, "old": before, "new": after}))

    # ------------------------------------------------------------ lists

    def _lists(self, old: Thing, new: Thing) -> None:
        olds = [item for item in old.children if id(item) not in self._moved.new_of]
        news = [item for item in new.children if id(item) not in self._moved.old_of]
        pairs = align(olds, news)
        used = set(pairs.values())
        gone = [item for i, item in enumerate(olds) if i not in used]
        come = [item for i, item in enumerate(news) if i not in pairs]
        if gone and come:
            self._find_renamed(gone, come)
        for item in gone:
            if id(item) not in self._moved.new_of:
                self._removed(item)
        are_new = {id(item) for item in come}
        for item in new.children:
            if id(item) in self._moved.old_of or id(item) in are_new:
                self._added(item)
        self._todo += [(olds[j], news[i]) for i, j in pairs.items()]
        for has_place in (True, False) if new.is_ordered else (None,):
            kept = [i for i in sorted(pairs) if has_place in (None, news[i].has_place)]
            self._note_order(new, [news[i] for i in kept], [pairs[i] for i in kept])

    def _find_renamed(self, gone: list[Thing], come: list[Thing]) -> None:
        """A component that differs in its name alone has been renamed."""
        before, after = ([item for item in items if item.shape == "clause"] for items in (gone, come))
        contents = [Counter(content_without_name(item) for item in items) for items in (before, after)]
        by_content = {content_without_name(item): item for item in before}
        for item in after:
            content = content_without_name(item)
            if content and contents[0][content] == contents[1][content] == 1:
                self._moved.note(by_content[content], item)
                inside = [clause.slot("components") for clause in (by_content[content], item)]
                assert inside[0] is not None
                assert inside[1] is not None
                self._moved.note(inside[0].children[0], inside[1].children[0])

    def _arrived(self, old: Thing, new: Thing) -> None:
        """Something that stood elsewhere or had another name."""
        self._todo.append((old, new))
        (before, _), (after, _) = path_of(old), path_of(new)
        if before != after and new.shape != "component":
            kind = "renamed" if before[:-1] == after[:-1] else "moved"
            change = self._change(kind, new.what, old, new, old, new)
            self._changes.append(Change(**{**change.__dict__, "old": ".".join(before), "new": ".".join(after)}))

    def _note_order(self, around: Thing, items: list[Thing], places: list[int]) -> None:
        """Items whose order has changed: the fewest that explain it."""
        stay = set(longest_ascending(places))
        moved = [item for item, place in zip(items, places, strict=True) if place not in stay]
        if moved:
            path, classes = path_of(around)
            names = ", ".join(item.name or item.core.strip() for item in moved)
            span = self._span(moved[0], 1)
            into = self._changes if around.is_ordered and all(item.has_place for item in moved) else self._noise
            into.append(Change("reordered", "order", path, classes, None, names, None, span))

    # ------------------------------------------------------------ what is there once

    def _added(self, thing: Thing) -> None:
        for part in _reported(thing, self._moved):
            old = self._moved.old_of.get(id(part))
            if old is not None:
                self._arrived(old, part)
                continue
            self._changes.append(self._change("added", subject(part), None, part, None, part))
            for inner in classes_inside(part) if self._moved.old_of else ():
                if id(inner) in self._moved.old_of:
                    self._arrived(self._moved.old_of[id(inner)], inner)

    def _removed(self, thing: Thing) -> None:
        for part in _reported(thing, self._moved):
            if id(part) not in self._moved.new_of:
                self._changes.append(self._change("removed", subject(part), part, None, part, None))

    def _note(self, kind: str, what: str, old: Thing, new: Thing, old_owner: Thing, new_owner: Thing) -> None:
        self._changes.append(self._change(kind, what, old, new, old_owner, new_owner))

    def _change(
        self, kind: str, what: str, old: Thing | None, new: Thing | None, old_owner: Thing | None, owner: Thing | None
    ) -> Change:
        """A change with the texts and places of `old` and `new`, and the path of what owns them."""
        named = owner if owner is not None else old_owner
        assert named is not None
        path, classes = path_of(named)
        before, after = (_shown(thing) for thing in (old, new))
        return Change(kind, what, path, classes, before, after, self._span(old, 0), self._span(new, 1))

    def _span(self, thing: Thing | None, side: int) -> Span | None:
        if thing is None:
            return None
        source = self._sources[side]
        first = min(thing.first, thing.stop)
        return Span(source.position(first), source.position(thing.stop))


def _holds_much(thing: Thing) -> bool:
    return thing.shape == LIST or thing.what in ("file", "class", "section", "branch")


def _place(change: Change) -> tuple[int, int]:
    """Changes are listed in the order of the new file; what was removed, where it stood."""
    span = change.new_span or change.old_span
    return (span.start.offset if span else 0, change.new_span is not None)


def _shown(thing: Thing | None) -> str | None:
    if thing is None:
        return None
    shown = thing.slot("value") if thing.key == "binding" else None
    text = (shown or thing).core.strip()
    return text or thing.pre.strip()


def _comment_text(thing: Thing) -> str:
    return "\n".join(comments_of(thing.pre) + comments_of(thing.tail) + comments_of(thing.after))


def _section_name(thing: Thing) -> str:
    section = next((each for each in thing.around if each.what == "section"), None)
    return str(section.key[0]) if section is not None and isinstance(section.key, tuple) else "public"


def _owners(old: Thing, new: Thing) -> Iterator[tuple[Thing, Thing]]:
    """Whom a change is about: what stands before `a, b` is about each of them."""
    clauses = [each.parent for each in (old, new)]
    lists = [each.slot("components") if each is not None and each.shape == "clause" else None for each in clauses]
    if lists[0] is None or lists[1] is None:
        yield old, new
        return
    before = {item.key: item for item in lists[0].children}
    shared = [(before[item.key], item) for item in lists[1].children if item.key in before]
    yield from shared or [(old, new)]


def _reported(thing: Thing, moved: Moved) -> Iterator[Thing]:
    """What is reported if a whole thing comes or goes: of containers the things in them."""
    todo = [thing]
    while todo:
        current = todo.pop()
        if id(current) in moved.old_of or id(current) in moved.new_of:
            yield current
            continue
        if not current.digest:
            continue
        inside: list[Thing] = []
        if current.what == "section" or current.shape in ("arguments", "clause"):
            inside = [item for slot in current.children if slot.shape == LIST for item in slot.children]
            if current.what == "section":
                inside = inside or [slot for slot in current.children if slot.what in ("annotation", "external")]
        if current.shape == "clause" and len(inside) == 1:
            inside = []
        if not inside:
            yield current
            continue
        todo += reversed(inside)


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
