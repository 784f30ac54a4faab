"""The proof of a merge: what the three versions say, counted, is what the result says.

A fact is a place, given by names, and what is there: the mass of a body, the text of an equation, a comment. A
version is a bag of facts. The merge of bags needs no alignment, no order and no text: a fact that one side has more or
less often than the base has, the result has as often as that side. So it proves what the merge of texts has done, by
other means. Where there is a conflict nothing is proved: there people look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from modelica_ast.compare.alignment import Moved, find_moved_classes
from modelica_ast.compare.parts import Memo
from modelica_ast.compare.things import ATOM, LIST, Normal, Thing, comments_of, path_of
from modelica_ast.compare.three_way.renames import Renamed
from modelica_ast.compare.three_way.versions import Conflict, MergeError, Version, read_version
from modelica_ast.foundation import Record
from modelica_ast.syntax import Node
from modelica_ast.tree import parse

Path = tuple[str, ...]


class Fact(Record):
    """Something that a version says."""

    class_path: Path
    item: str | None  # the element of the class by its name; '' for the class itself, None for what has no name
    place: Path
    value: Normal


class Proof:
    """The three versions, and the results that have been looked at."""

    def __init__(self, versions: Renamed, memo: Memo) -> None:
        self._versions = versions
        self._memo = memo
        self._files = [version.thing(memo) for version in (versions.base, versions.ours, versions.theirs)]
        self._read: dict[str, Version] = {version.text: version for version in (versions.ours, versions.theirs)}

    def tree_of(self, text: str) -> Node:
        """The tree of a result that was proved."""
        return self._read[text].green

    def unproved_class(self, texts: Iterable[str], conflicts: list[Conflict]) -> Path | None:
        """The class in which a result does not say what it must, () if that is the file; None if all is proved."""
        for text in dict.fromkeys(texts):
            version = self._read.get(text) or self._result(text)
            if version is None:
                return _first_class_in_doubt(self._versions, text)
            self._read[text] = version
            result = version.thing(self._memo)
            moves = [find_moved_classes(file, result) for file in self._files]
            bags = _bags([*self._files, result], [*moves, Moved()])
            found = bags.pop()
            for fact in dict.fromkeys(fact for bag in (found, *bags) for fact in bag):
                base, ours, theirs = (bag[fact] for bag in bags)
                if found[fact] != _expected(base, ours, theirs) and not _is_undecided(fact, conflicts):
                    return fact.class_path
        return None

    def _result(self, text: str) -> Version | None:
        """A result with its tree; None if it can't be read, or an annotation in it, and those of the versions can."""
        try:
            return read_version(text, "result", strict=True)
        except MergeError:
            if _is_strict(self._versions):
                return None
        try:
            return read_version(text, "result")
        except MergeError:
            return None


def _expected(base: int, ours: int, theirs: int) -> int:
    if ours in (base, theirs):
        return theirs
    return ours if theirs == base else max(ours + theirs - base, 0)


def _is_strict(versions: Renamed) -> bool:
    """Can all annotations of the versions be read? Then those of the result must be, too."""
    try:
        for version in (versions.base, versions.ours, versions.theirs):
            read_version(version.text, "version", strict=True)
    except MergeError:
        return False
    return True


def _first_class_in_doubt(versions: Renamed, text: str) -> Path:
    """A class that is not whole in a text that does not parse; () if nobody knows."""
    broken = {error.line for error in parse(text, recover=True).errors}
    lines = text.split("\n")
    known = parse(versions.ours.text).classes
    for view in known:
        if any(view.name in lines[line - 1] for line in broken if line <= len(lines)):
            return (view.name,)
    return (known[0].name,) if len(known) == 1 else ()


def _is_undecided(fact: Fact, conflicts: list[Conflict]) -> bool:
    for conflict in conflicts:
        around = tuple(conflict.class_name.split("\0")) if conflict.class_name else ()
        if conflict.what == "class" or conflict.kind in ("moved", "renamed", "unproved"):
            if fact.class_path[: len(conflict.path)] == conflict.path or fact.class_path == around[:-1]:
                return True
            if conflict.kind in ("moved", "renamed") and fact.class_path == around:
                return True
            continue
        name = conflict.path[len(around)] if len(conflict.path) > len(around) else ""
        if fact.class_path == around and fact.item in (None, name):
            return True
    return False


# ---------------------------------------------------------------- facts


def _bags(files: list[Thing], moves: list[Moved]) -> list[Counter[Fact]]:
    """The facts of each file. Classes that are elsewhere in the result have the names that they have there.

    PERF: items that have the same text in all files say the same, and are not looked into.
    """
    items = [list(_items(file, moved)) for file, moved in zip(files, moves, strict=True)]
    counts = [Counter(map(_text_of_entry, each)) for each in items]
    alike = {key for key, count in counts[0].items() if all(other[key] == count for other in counts[1:])}
    # What the result has of a side is known from there.
    known: dict[tuple[object, ...], list[Fact]] = {}
    bags: list[Counter[Fact]] = []
    for each in items:
        bags.append(Counter())
        for entry in each:
            key = _text_of_entry(entry)
            if key in alike:
                continue
            said = known.get(key)
            if said is None:
                said = known[key] = list(facts(*entry))
            bags[-1].update(said)
    return bags


_Entry = tuple[Thing, Path, str | None, Path]


def _text_of_entry(entry: _Entry) -> tuple[object, ...]:
    thing, path, _, place = entry
    # PERF: versions share the text of an item, so its hash already exists.
    return path, place, thing.core, thing.pre, thing.tail, thing.after


def _items(file: Thing, moved: Moved) -> Iterator[_Entry]:
    """The parts of a file that facts are about: (thing, class, item, place)."""
    todo: list[_Entry] = [(file, (), "", ())]
    while todo:
        thing, class_path, item, place = todo.pop()
        if thing.what == "class" and thing.shape == "class":
            new = moved.new_of.get(id(thing))
            class_path = path_of(new)[0] if new is not None else (*class_path, thing.name)
            for comment in thing.comments:
                yield _comment(thing, comment), class_path, None, ()
            item, place = "", ()
        elif thing.what == "section":
            item, place = None, (thing.shape,)
        elif thing.shape != LIST and thing.what != "file":
            yield thing, class_path, item, place
            continue
        todo += [(child, class_path, item, place) for child in thing.children]


def _comment(owner: Thing, text: str) -> Thing:
    """A comment on its own, which is a fact of its own."""
    thing = Thing("comment", None, ATOM, ())
    thing.pre = text
    thing.parent = owner
    return thing


def facts(root: Thing, path: Path, item_of_root: str | None, place_of_root: Path) -> Iterator[Fact]:
    """All facts of a part of a class."""
    todo = [(root, item_of_root, place_of_root)]
    while todo:
        thing, item, place = todo.pop()
        if thing.shape == "clause":
            yield from _comments(thing, path)
            for child, name, where in _of_clause(thing):
                todo.append((child, name, where))
                if child.shape == "component":
                    yield Fact(path, name, ("section",), place or ("section public",))
            continue
        if thing.shape != LIST:
            item, place = _place_of(thing, item, place)
        yield from _comments(thing, path)
        if thing.shape == ATOM:
            if thing.what not in ("token", "name", "layout", "section") and thing.meaning:
                yield Fact(path, item, place, thing.meaning)
            continue
        todo += [(child, item, place) for child in thing.children]


def _place_of(thing: Thing, item: str | None, place: Path) -> tuple[str | None, Path]:
    """Where the facts inside a thing are; what is known by its content is not a place for them."""
    if thing.what == "branch":
        return item, place
    if thing.key is None or thing.what == "comment":
        return None, (*place, thing.kind)
    if isinstance(thing.key, tuple) and thing.key[0] in ("extends", "import", "connect"):
        return thing.name, place
    return item, (*place, str(thing.key))


def _comments(thing: Thing, class_path: Path) -> Iterator[Fact]:
    """Comments, each for itself: whom one belongs to may change with what is beside it."""
    for text in (thing.pre, thing.tail, thing.after):
        for comment in comments_of(text):
            yield Fact(class_path, None, ("comment",), (comment,))


def _of_clause(clause: Thing) -> Iterator[tuple[Thing, str, Path]]:
    """What a clause says of each of its components, however they are grouped."""
    inside = clause.slot("components")
    assert inside is not None
    for component in inside.children:
        for slot in clause.children:
            if slot is not inside:
                yield slot, component.name, ("component",)
        yield component, component.name, ()
