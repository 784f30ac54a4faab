"""The semantic diff: what a reviewer wants to know of two versions of a file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modelica_ast.compare.alignment import (
    Moved,
    agree_on_clauses,
    align,
    classes_inside,
    content_without_name,
    find_moved_classes,
    find_moved_elements,
    longest_ascending,
)
from modelica_ast.compare.changes import Change, Changes, comment_text, owners, reported, section_name, shown
from modelica_ast.compare.model import file_thing, root_beside
from modelica_ast.compare.parts import Memo
from modelica_ast.compare.things import LIST, Thing, comments_of, path_of, subject
from modelica_ast.files import files_below
from modelica_ast.foundation import Record, Source, Span, read_regular
from modelica_ast.syntax import Node
from modelica_ast.tree import StoredDefinition, parse, parse_file, parse_source

Version = str | StoredDefinition


def compare(old: Version, new: Version) -> Changes:
    """What changed from one version of a file to another; ModelicaSyntaxError if a text is not Modelica.

    Blanks, the order of named arguments and of declarations, and the way numbers are written are not changes: they are
    listed as noise.
    """
    memo = Memo()
    before = _green_of(old)
    texts = [version if isinstance(version, str) else None for version in (old, new)]
    after = root_beside(texts[1], texts[0], before, memo.offsets) if texts[0] and texts[1] else None
    greens = before, after or _green_of(new)
    return compare_things(*(file_thing(green, memo, text) for green, text in zip(greens, texts, strict=True)))


def compare_things(old: Thing, new: Thing) -> Changes:
    """What changed between two files, which may then be something else."""
    return _Comparison(old, new).result()


def _green_of(version: Version) -> Node:
    tree = parse(version) if isinstance(version, str) else version
    assert isinstance(tree.green, tuple)
    return tree.green


class _Comparison:
    def __init__(self, old: Thing, new: Thing) -> None:
        self._old, self._new = old, new
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
        elif old.core == new.core:
            self._note_noise(old, new)
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
            for one, other in owners(old, new):
                self._note("changed", subject(new), old, new, one, other)

    def _note_comments(self, old: Thing, new: Thing) -> None:
        before, after = (comment_text(thing) for thing in (old, new))
        kind = "changed" if before and after else "added" if after else "removed"
        change = self._change(kind, "comment", old, new, old, new)
        spans = self._comment_span(old, new, 0), self._comment_span(new, old, 1)
        fields = {"old": before or None, "new": after or None, "old_span": spans[0], "new_span": spans[1]}
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
                before, after = section_name(old), section_name(new)
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
        """Something that was elsewhere or had another name."""
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
        for part in reported(thing, self._moved):
            old = self._moved.old_of.get(id(part))
            if old is not None:
                self._arrived(old, part)
                continue
            self._changes.append(self._change("added", subject(part), None, part, None, part))
            for inner in classes_inside(part) if self._moved.old_of else ():
                if id(inner) in self._moved.old_of:
                    self._arrived(self._moved.old_of[id(inner)], inner)

    def _removed(self, thing: Thing) -> None:
        for part in reported(thing, self._moved):
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
        before, after = (shown(thing) for thing in (old, new))
        return Change(kind, what, path, classes, before, after, self._span(old, 0), self._span(new, 1))

    def _span(self, thing: Thing | None, side: int) -> Span | None:
        if thing is None:
            return None
        source = self._sources[side]
        first = min(thing.first, thing.stop)
        return Span(source.position(first), source.position(thing.stop))

    def _comment_span(self, thing: Thing, other: Thing, side: int) -> Span | None:
        """Where the comments of a thing are that another does not have so."""
        behind = thing.start + len(thing.pre) + len(thing.core)
        after = behind + len(thing.tail) + thing.comma
        for text, start, there in (
            (thing.pre, thing.start, other.pre),
            (thing.tail, behind, other.tail),
            (thing.after, after, other.after),
        ):
            if comments_of(text) and comments_of(text) != comments_of(there):
                places = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
                return Span(*map(self._sources[side].position, places))
        return None


def _holds_much(thing: Thing) -> bool:
    return thing.shape == LIST or thing.what in ("file", "class", "section", "branch")


def _place(change: Change) -> tuple[int, int]:
    """Changes are listed in the order of the new file; what was removed, where it was."""
    span = change.new_span or change.old_span
    return (span.start.offset if span else 0, change.new_span is not None)


# ---------------------------------------------------------------- folders
# Two files or two folders of a library, compared.
#
# Classes are matched by their full names, in whatever files they are: a class that moved from `package.mo` to a
# file of its own has not changed.

_ORDER = "package.order"


class FolderChanges(Record):
    """What changed between two folders: in classes by file, and files that are not Modelica."""

    files: Mapping[str, Changes]  # by the name of the file below the folder; the new name where there are two
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    others: tuple[str, ...] = ()  # files that are not Modelica, with other bytes

    def __bool__(self) -> bool:
        return any(self.files.values()) or bool(self.added or self.removed or self.others)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes of all files."""
        return tuple(change for each in self.files.values() for change in each)

    @property
    def noise(self) -> tuple[Change, ...]:
        """The noise of all files."""
        return tuple(change for each in self.files.values() for change in each.noise)

    def as_json(self) -> dict[str, Any]:
        """The changes in plain values."""
        return {
            "version": 1,
            "files": {name: each.as_json() for name, each in self.files.items()},
            "added": list(self.added),
            "removed": list(self.removed),
            "others": list(self.others),
        }


def compare_paths(old: str | os.PathLike[str], new: str | os.PathLike[str]) -> FolderChanges:
    """What changed between two files or two folders.

    OSError if something can't be read, ModelicaSyntaxError if a file is not Modelica, ValueError for a file and a
    folder.
    """
    before, after = Path(old), Path(new)
    if before.is_dir() != after.is_dir():
        one, other = (before, after) if before.is_dir() else (after, before)
        raise ValueError(f"{one} is a folder and {other} is a file: compare two files or two folders")
    if not before.is_dir():
        return FolderChanges({after.name: compare(parse_file(before), parse_file(after))})
    return _compared_folders(_files_below(before), _files_below(after))


def _files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): read_regular(path) for path in files_below(folder)}


def _compared_folders(old: dict[str, bytes], new: dict[str, bytes]) -> FolderChanges:
    files: dict[str, Changes] = {}
    gone = {name for name in old if name not in new and name.endswith(".mo")}
    come = {name for name in new if name not in old and name.endswith(".mo")}
    twins = _same_classes({name: old[name] for name in gone}, {name: new[name] for name in come})
    pairs = {name: name for name in old if name in new and name.endswith(".mo")} | twins
    for name in sorted(new):
        before = pairs.get(name)
        if before is not None and old[before] != new[name]:
            files[name] = compare(_tree(old[before], before), _tree(new[name], name))
    paired = set(pairs.values())
    for name in sorted(set(old) & set(new)):
        if name.rpartition("/")[2] == _ORDER and old[name] != new[name]:
            files[name] = _compared_order(old[name], new[name], name)
    others = [name for name in sorted(set(old) & set(new)) if not _is_compared(name) and old[name] != new[name]]
    added = [name for name in sorted(new) if name not in old and name not in pairs]
    removed = [name for name in sorted(old) if name not in new and name not in paired]
    return FolderChanges(files, tuple(added), tuple(removed), tuple(others))


def _is_compared(name: str) -> bool:
    return name.endswith(".mo") or name.rpartition("/")[2] == _ORDER


def _tree(data: bytes, name: str) -> Any:
    return parse_source(Source.from_bytes(data, Path(name)))


def _same_classes(old: dict[str, bytes], new: dict[str, bytes]) -> dict[str, str]:
    """New file -> old file for files that moved: they hold the same class (`A/B.mo`, `A/B/package.mo`)."""
    known = {_class_of(data, name): name for name, data in old.items()}
    found = {}
    for name, data in new.items():
        before = known.get(_class_of(data, name))
        if before is not None:
            found[name] = before
    return found


def _class_of(data: bytes, name: str) -> tuple[str, ...]:
    tree = _tree(data, name)
    return (tree.within or "", *(definition.name for definition in tree.classes))


def _compared_order(old: bytes, new: bytes, name: str) -> Changes:
    """The names of a `package.order`, as lists."""
    before, after = (data.decode("utf-8", "replace").split() for data in (old, new))
    changes = [Change("added", "order", (name, entry), "", None, entry) for entry in after if entry not in before]
    changes += [Change("removed", "order", (name, entry), "", entry, None) for entry in before if entry not in after]
    kept = [[entry for entry in one if entry in other] for one, other in ((before, after), (after, before))]
    if kept[0] != kept[1]:
        changes.append(Change("reordered", "order", (name,), "", " ".join(kept[0]), " ".join(kept[1])))
    return Changes(tuple(changes))
