"""The proof of a merge: what the three versions say, counted, is what the result says.

A fact is a place, given by names, and what is there: the mass of a body, the text of an equation, a comment. A
version is a bag of facts. The merge of bags needs no alignment, no order and no text: a fact that one side has more or
less often than the base has, the result has as often as that side. So it proves what the merge of texts has done, by
other means. Where there is a conflict nothing is proved: there people look.

Long strings and comments are a fact for each line. Both sides may have added one line each that reads the same, such
as `<li>`: then the result may have it once or twice. What was merged by lines elsewhere is proved so token by token.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from modelica_ast.compare.alignment import Moved, classes_inside, find_moved_classes, lists_of, names_of
from modelica_ast.compare.parts import Memo
from modelica_ast.compare.things import ATOM, LIST, Normal, Thing, comments_of, normal_of, path_of
from modelica_ast.compare.three_way.renames import Renamed
from modelica_ast.compare.three_way.versions import Conflict, MergeError, Version, read_beside, read_version
from modelica_ast.foundation import Record
from modelica_ast.syntax import lex
from modelica_ast.tree import parse

Path = tuple[str, ...]


class Fact(Record):
    """Something that a version says."""

    class_path: Path
    item: str | None  # the element of the class by its name; '' for the class itself, None for what has no name
    place: Path
    value: Normal

    @property
    def is_line(self) -> bool:
        """Is it a line of a string, or a comment?"""
        return self.place[-1:] in (("line",), ("comment",))


class Proof:
    """The three versions, and the results that have been looked at."""

    def __init__(self, versions: Renamed, memo: Memo) -> None:
        self._versions = versions
        self._memo = memo
        self._files = [version.thing(memo) for version in (versions.base, versions.ours, versions.theirs)]
        self._read: dict[str, Version] = {version.text: version for version in (versions.ours, versions.theirs)}

    def version_of(self, text: str) -> Version:
        """A result that was proved, with its tree."""
        return self._read[text]

    def unproved_class(
        self, texts: Iterable[str], conflicts: list[Conflict], by_lines: Collection[Path] = ()
    ) -> Path | None:
        """The class in which a result does not say what it must, () if that is the file; None if all is proved.

        `by_lines` are the classes in which more was merged by lines than strings and comments.
        """
        for text in dict.fromkeys(texts):
            version = self._read.get(text) or self._result(text)
            if version is None:
                return _first_class_in_doubt(self._versions, text)
            self._read[text] = version
            result = version.thing(self._memo)
            moves = [self._moved(file, result) for file in self._files]
            bags = _bags([*self._files, result], [*moves, Moved()])
            said = dict.fromkeys(fact for bag in bags[::-1] for fact in bag)
            drawn = {
                (each.class_path, each.item) for each in said if each.place[-1:] == ("ends",) and _is_new(each, bags)
            }
            wrong = [each for each in said if not _holds(each, bags, drawn) and not _is_undecided(each, conflicts)]
            doubted = [fact for fact in wrong if not _is_below(fact.class_path, by_lines)]
            if not doubted and wrong:
                doubted = _not_held_in_pieces(wrong, bags)
            if doubted:
                return doubted[0].class_path
            if by_lines and (twice := _declared_twice([*self._files, result])) is not None:
                return twice
        return None

    def _moved(self, file: Thing, result: Thing) -> Moved:
        """The classes that have another place or name in a result. What a version has beside the old one is new."""
        found = find_moved_classes(file, result)
        classes = {id(each): each for each in classes_inside(file)} if found.new_of else {}
        paths = [{path_of(each)[0] for each in classes_inside(every)} for every in self._files] if found.new_of else []
        moved = Moved()
        for old, new in found.new_of.items():
            both = {path_of(classes[old])[0], path_of(new)[0]}
            if not any(both <= each for each in paths):
                moved.note(classes[old], new)
        return moved

    def _result(self, text: str) -> Version | None:
        """A result with its tree; None if it can't be read, or an annotation in it, and those of the versions can."""
        try:
            return read_beside(text, "result", self._versions.ours, self._memo, strict=True)
        except MergeError:
            if _is_strict(self._versions):
                return None
        try:
            return read_beside(text, "result", self._versions.ours, self._memo)
        except MergeError:
            return None


Bags = Sequence[Counter["Fact"]]  # of base, ours, theirs and the result


def _holds(fact: Fact, bags: Bags, drawn: Collection[tuple[Path, str | None]]) -> bool:
    """Has the result a fact as often as it must? Connections that both made are `drawn` as ours has them."""
    base, ours, theirs, found = (bag[fact] for bag in bags)
    if "annotation" in fact.place and (fact.class_path, fact.item) in drawn:
        return found == ours
    if not fact.is_line and ours == theirs:
        return found == ours
    return found in _range(base, ours, theirs)


def _is_new(fact: Fact, bags: Bags) -> bool:
    """Have both sides added it?"""
    return bool(not bags[0][fact] and bags[1][fact] and bags[2][fact])


def _range(base: int, ours: int, theirs: int) -> range:
    """How often a result may have something: what both sides have more often may be the same, or add up."""
    if base in (ours, theirs):
        least = most = theirs if ours == base else ours
    else:
        least = most = max(ours + theirs - base, 0)
        if (ours > base) == (theirs > base):
            least, most = sorted([most, max(ours, theirs) if ours > base else min(ours, theirs)])
    return range(least, most + 1)


def _not_held_in_pieces(wrong: Iterable[Fact], bags: Bags) -> list[Fact]:
    """Those of some facts in whose place the result has not the tokens, or lines of strings, that it must have."""
    groups: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    places = {_where(fact) for fact in wrong}
    for fact in dict.fromkeys(fact for bag in bags for fact in bag):
        if (where := _where(fact)) in places:
            groups[where].append(fact)
    doubted: list[Fact] = []
    for members in groups.values():
        pieces: list[Counter[str]] = [Counter() for _ in bags]
        for fact in members:
            for counts, bag in zip(pieces, bags, strict=True):
                for piece in (line for token in fact.value for line in _lines_of(token)):
                    counts[piece] += bag[fact]
        if any(pieces[3][piece] not in _range(*(each[piece] for each in pieces[:3])) for piece in set().union(*pieces)):
            doubted.append(members[0])
    return doubted


def _where(fact: Fact) -> tuple[object, ...]:
    return fact.class_path, fact.item, fact.place


def _is_below(path: Path, around: Collection[Path]) -> bool:
    return any(path[: len(each)] == each for each in around)


def _declared_twice(files: Sequence[Thing]) -> Path | None:
    """A class in which the last of some versions declares a name more often than each of the others does."""
    *counts, found = (Counter(_declared(file)) for file in files)
    return next((path[:-1] for path, count in found.items() if count > max(1, *(each[path] for each in counts))), None)


def _declared(file: Thing) -> Iterator[Path]:
    for each in classes_inside(file):
        path = path_of(each)[0]
        yield path
        for item in (item for inside in lists_of(each) for item in inside.children):
            if item.shape == "clause":
                yield from ((*path, name) for name in names_of(item))
            elif item.what == "connection":
                yield (*path, str(item.key))


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
        if name.startswith("connect("):
            ends = name[len("connect(") : -1].split(", ")
            name = _connection(*("".join(normal_of(leaf for leaf, _ in lex(end, lazy=False))) for end in ends))
        # What a short class has, it has itself.
        is_own = not fact.item and fact.place[:1] == (name,)
        if fact.class_path == around and (is_own or fact.item in (None, _last_name(name))):
            return True
    return False


# ---------------------------------------------------------------- facts


def _bags(files: list[Thing], moves: list[Moved]) -> list[Counter[Fact]]:
    """The facts of each file. Classes that are elsewhere in the result have the names that they have there.

    PERF: classes and items that have the same text in all files say the same, and are not looked into.
    """
    items: list[list[_Entry]] = [[] for _ in files]
    found: list[list[_Entry]] = [[(file, (), "", ())] for file in files]
    while any(found):
        for own, entries in zip(items, found, strict=True):
            own += [entry for entry in entries if not _is_opened(entry[0])]
        opened = ([entry for entry in entries if _is_opened(entry[0])] for entries in found)
        found = _without_alike(
            [
                [part for entry in each for part in _parts(entry, moved)]
                for each, moved in zip(opened, moves, strict=True)
            ]
        )
    # What the result has of a side is known from there.
    known: dict[tuple[object, ...], list[Fact]] = {}
    bags: list[Counter[Fact]] = []
    for each in _without_alike(items):
        bags.append(Counter())
        for entry in each:
            key = _text_of_entry(entry)
            said = known.get(key)
            if said is None:
                said = known[key] = list(facts(*entry))
            bags[-1].update(said)
    return bags


_Entry = tuple[Thing, Path, str | None, Path]  # thing, class, item, place


def _without_alike(items: list[list[_Entry]]) -> list[list[_Entry]]:
    """What is not in all files as often."""
    keys = [[_text_of_entry(entry) for entry in each] for each in items]
    counts = [Counter(each) for each in keys]
    alike = {key for key, count in counts[0].items() if all(other[key] == count for other in counts[1:])}
    return [
        [entry for entry, key in zip(*each, strict=True) if key not in alike] for each in zip(items, keys, strict=True)
    ]


def _text_of_entry(entry: _Entry) -> tuple[object, ...]:
    thing, path, _, place = entry
    # PERF: versions share the text of an item, so its hash already exists.
    return path, place, thing.core, thing.pre, thing.tail, thing.after


def _is_opened(thing: Thing) -> bool:
    """Are facts about its parts, each for itself?"""
    return thing.shape in (LIST, "class") or thing.what in ("file", "section")


def _parts(entry: _Entry, moved: Moved) -> Iterator[_Entry]:
    thing, class_path, item, place = entry
    if thing.shape == "class":
        for comment in thing.comments:
            yield _comment(thing, comment), class_path, None, ()
        item, place = "", ()
    elif thing.what == "section":
        item, place = None, (thing.shape,)
    for child in thing.children:
        if child.what == "class" and child.shape == "class":
            new = moved.new_of.get(id(child))
            yield child, path_of(new)[0] if new is not None else (*class_path, child.name), item, place
        else:
            yield child, class_path, item, place


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
            if thing.what in ("token", "name", "layout", "section"):
                continue
            meaning = thing.meaning
            if len(lines := _lines_of(meaning[0]) if len(meaning) == 1 else ()) > 1:
                yield from (Fact(path, item, (*place, "line"), (line,)) for line in lines)
            elif meaning:
                yield Fact(path, item, place, meaning)
            continue
        todo += [(child, item, place) for child in thing.children]


def _place_of(thing: Thing, item: str | None, place: Path) -> tuple[str | None, Path]:
    """Where the facts inside a thing are; what is known by its content is not a place for them."""
    if thing.what == "branch":
        return item, place
    if thing.key is None or thing.what == "comment":
        return None, (*place, thing.kind)
    if isinstance(thing.key, tuple) and thing.key[0] == "connect":
        return _connection(*thing.key[1:]), place
    if isinstance(thing.key, tuple) and thing.key[0] in ("extends", "import"):
        return _last_name(thing.name), place
    return item, (*place, str(thing.key))


def _connection(*ends: str) -> str:
    """How facts name a connection, which has no direction."""
    return f"connect({', '.join(sorted(ends))})"


def _last_name(item: str) -> str:
    """How facts name what extends a class, which may be called by more or less of its full name."""
    return f"extends {item.rpartition('.')[2]}" if item.startswith("extends ") and "." in item else item


def _comments(thing: Thing, class_path: Path) -> Iterator[Fact]:
    """Comments, each for itself: whom one belongs to may change with what is beside it."""
    for text in (thing.pre, thing.tail, thing.after):
        for comment in comments_of(text):
            yield from (Fact(class_path, None, ("comment",), (line,)) for line in _lines_of(comment))


def _lines_of(token: str) -> list[str]:
    """The lines of a string or comment; another token as it is."""
    return token.split("\n")


def _of_clause(clause: Thing) -> Iterator[tuple[Thing, str, Path]]:
    """What a clause says of each of its components, however they are grouped."""
    inside = clause.slot("components")
    assert inside is not None
    for component in inside.children:
        for slot in clause.children:
            if slot is not inside:
                yield slot, component.name, ("component",)
        yield component, component.name, ()
