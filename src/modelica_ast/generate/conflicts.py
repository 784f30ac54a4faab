"""What both the user and the data changed: with both values, both places, and who wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from attrs import define, evolve, field, frozen

from modelica_ast.compare import Change, Conflict, Labels, MergedFiles, MergeError, compare, merge, merge_files
from modelica_ast.generate.outcome import Taken, UnreadableError, short, shown_path
from modelica_ast.generate.packages import class_chain
from modelica_ast.generate.side_car import RememberedConflict
from modelica_ast.generate.versions import Versions

USER: Final = "user"  # the side that is not the data's; that one is called by what the data are
_DRAWINGS: Final = frozenset({"Placement", "Line", "Icon", "Diagram", "coordinateSystem"})
_PAGES: Final = frozenset({"Documentation"})

Key = tuple[str, tuple[str, ...]]  # what it is, and its path
Side = str  # USER, or what the data are called


class DataPlace(Protocol):
    """Where the data have something; it may have a `file` too, if that is another one than the data were read from."""

    @property
    def line(self) -> int:
        """From 1."""

    @property
    def xpath(self) -> str:
        """What leads to it."""


Places = Callable[[str, str], DataPlace | None]  # by the generated file, and the path of a value in its class


@frozen
class UpdateConflict:
    """One value, or one piece of a class; the texts are None where it is not there.

    `decided` says who wins. If nobody has decided, the user's stays, and the conflict is remembered. `side` is what the
    data are called in JSON, `word` in sentences.
    """

    file: str  # where the user has it
    line: int | None
    what: str
    path: tuple[str, ...]
    base: str | None
    user: str | None
    data: str | None
    data_place: DataPlace | None
    sentence: str
    decided: Side | None = None
    side: Side = "data"
    word: str = "data"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """What the data have, and where, by what they are called as a side."""
            fields = {self.side: "data", f"{self.side}_place": "data_place"}
            if name not in fields:
                raise AttributeError(f"a conflict has no '{name}'")
            return getattr(self, fields[name])

    @property
    def takes_data(self) -> bool:
        """Is the data's value taken?"""
        return self.decided not in (None, USER)

    @property
    def facts(self) -> str:
        """Where it is, and both values."""
        where = f"{self.file}:{self.line}" if self.line is not None else self.file
        if self.user is None or self.data is None:
            return f"{where}: {self.sentence}"
        file = getattr(self.data_place, "file", "")
        place = "" if self.data_place is None else f" (line {self.data_place.line}{file and f' of {file}'})"
        before = f", before it was {short(self.base)}" if self.base is not None else ""
        values = f"yours is {short(self.user)}, the {self.word} has {short(self.data)}{place}{before}"
        return f"{where}: {shown_path(self.path)}: {values}"

    def __str__(self) -> str:
        return f"{self.facts}; {f'the {self.word} wins' if self.takes_data else 'yours stays'}"

    def as_json(self) -> dict[str, Any]:
        """The fields by their names, for `json`."""
        place, side = self.data_place, self.side
        return {
            "file": self.file,
            "line": self.line,
            "what": self.what,
            "path": list(self.path),
            "base": self.base,
            "user": self.user,
            side: self.data,
            f"{side}_line": None if place is None else place.line,
            f"{side}_xpath": None if place is None else place.xpath,
            "taken": side if self.takes_data else USER,
            "decided": self.decided is not None,
        }

    @property
    def remembered(self) -> RememberedConflict:
        """What the side-car keeps of it."""
        return RememberedConflict(self.file, self.what, self.path, self.user, self.data)


def is_drawing(thing: Conflict | Change) -> bool:
    """Is it about how something is drawn? A place or a line that the user has moved is kept without a question."""
    return thing.what == "annotation" and not _DRAWINGS.isdisjoint(thing.path)


def _is_redrawn(conflict: Conflict, base: str, theirs: str) -> bool:
    """Has the user removed something of which the data change nothing but the drawing?"""
    if conflict.base is None or conflict.ours is not None or conflict.theirs is None:
        return False
    depth = len(conflict.path)
    changes = [change for change in compare(base, theirs) if change.path[:depth] == conflict.path]
    return bool(changes) and all(map(is_drawing, changes))


def is_page(conflict: Conflict) -> bool:
    """Is it about documentation? A page that the user has written is kept without a question."""
    return conflict.what == "annotation" and not _PAGES.isdisjoint(conflict.path)


def described(file: str, generated: str, conflict: Conflict, places: Places, side: Side, word: str) -> UpdateConflict:
    """A conflict of the merge with its places; `generated` is the path of the generated file, or of what holds it."""
    span = conflict.ours_span
    return UpdateConflict(
        file,
        None if span is None else span.start.line,
        conflict.what,
        conflict.path,
        conflict.base,
        conflict.ours,
        conflict.theirs,
        _place_of(generated, conflict, places),
        conflict.told("you", f"the {word}"),
        side=side,
        word=word,
    )


def value_key(file: str, path: tuple[str, ...], class_name: str) -> tuple[str, str]:
    """The generated file that has a value, and the path of the value in its class: `inertial.mass`.

    The class may be inside of the file of another one.
    """
    classes = class_name.split("\0") if class_name else list(path[:1])
    inside = path[len(classes) :]
    if inside and inside[0].startswith("extends "):
        inside = inside[1:]
    chain = (*class_chain(file), *classes[1:])
    return (file if len(classes) <= 1 else f"{'/'.join(chain)}.mo"), ".".join(inside)


def _place_of(generated: str, conflict: Conflict, places: Places) -> DataPlace | None:
    """Where the data have a value, or the nearest thing around it."""
    file, inside = value_key(generated, conflict.path, conflict.class_name)
    while inside:
        found = places(file, inside)
        if found is not None:
            return found
        inside = inside.rpartition(".")[0]
    return places(file, "name")


def with_data_values(ours: str, theirs: str, wanted: set[Key]) -> tuple[str, set[Key]]:
    """The user's text with the values of the data for some conflicts, and those for which that is not possible.

    Theirs gets the user's values there and serves as base: so the merge sees that only the data have changed them.
    """
    pieces = []
    for change in compare(theirs, ours):
        if key_of(change) in wanted and change.kind == "changed" and change.old_span and change.new_span:
            text = ours[change.new_span.start.offset : change.new_span.end.offset]
            pieces.append((change.old_span.start.offset, change.old_span.end.offset, text))
    base = theirs
    for start, end, text in sorted(pieces, reverse=True):
        base = base[:start] + text + base[end:]
    result = merge(base, ours, theirs, prefer="theirs").text if pieces else ours
    return result, {key_of(change) for change in compare(theirs, result)} & wanted


def key_of(thing: UpdateConflict | RememberedConflict | Change) -> Key:
    """What something is about; a comment has the path of what it is at."""
    return thing.what, thing.path


# ---------------------------------------------------------------- reconciliation
# All files of a package merged, with the merge of `modelica-patch merge`, and what was decided about conflicts.

_LABELS: Final = Labels("generated before", "your file", "generated now")

Decide = Callable[[UpdateConflict], Side | None]  # None: it stays open


@define
class Reconciliation:
    """Merges the versions of one package; the results are its lists."""

    versions: Versions
    places: Places
    side: Side  # what the data are called
    word: str  # in sentences
    decide: Decide
    open: Sequence[RememberedConflict]  # conflicts of earlier updates
    prefer: Side | None  # who wins those
    texts: dict[str, str | None] = field(factory=dict)  # by where the user has the file; None: it goes
    conflicts: list[UpdateConflict] = field(factory=list)
    kept: list[str] = field(factory=list)
    still_open: list[RememberedConflict] = field(factory=list)

    def run(self) -> None:
        """Merge all files; UnreadableError if one of them is not Modelica."""
        base, ours, theirs = (dict(each) for each in (self.versions.base, self.versions.ours, self.versions.theirs))
        try:
            merged = merge_files(base, ours, theirs, labels=_LABELS, prefer="ours")
        except MergeError as wrong:
            raise UnreadableError(str(wrong)) from None
        for path in dict.fromkeys([*ours, *theirs, *base]):
            self._take(path, merged, (base.get(path), ours.get(path), theirs.get(path)))

    def _take(self, path: str, merged: MergedFiles, versions: tuple[str | None, str | None, str | None]) -> None:
        base, ours, theirs = versions
        place = self.versions.place(path)
        text = merged.texts.get(path)
        found = merged.merged[path].conflicts if path in merged.merged else ()
        if ours is None or theirs is None:
            if found:
                self.kept.append(_sentence_of_file(place, self.word, is_removed_by_user=ours is None))
        elif text is not None:
            text = self._decided(path, place, text, found, (base or "", ours, theirs))
        if text != ours:
            self.texts[place] = text

    def _decided(
        self, path: str, place: str, text: str, found: tuple[Conflict, ...], versions: tuple[str, str, str]
    ) -> str:
        """The text with what was decided about its conflicts."""
        base, _, theirs = versions
        asked = []
        for conflict in found:
            if _is_redrawn(conflict, base, theirs):
                self.kept.append(f"{place}: {shown_path(conflict.path)} is only drawn elsewhere now, and stays removed")
            elif is_drawing(conflict):
                self.kept.append(f"{place}: {shown_path(conflict.path)} stays as you have drawn it")
            elif is_page(conflict):
                self.kept.append(f"{place}: {shown_path(conflict.path)} stays the page that you have written")
            else:
                asked.append(described(place, path, conflict, self.places, self.side, self.word))
        known = [each for each in self.open if each.file == place and _is_open(each, theirs, text)]
        decided = [evolve(conflict, decided=self.decide(conflict)) for conflict in asked]
        chosen = {key_of(conflict) for conflict in decided if conflict.takes_data}
        if self.prefer not in (None, USER):
            chosen |= {key_of(each) for each in known}
        left: set[Key] = set()
        if chosen:
            text, left = with_data_values(text, theirs, chosen)
        if left and decided and all(conflict.takes_data for conflict in decided):
            text, left = merge(*versions, prefer="theirs").text, set()
        self.kept += [f"{place}: {shown_path(where)} can't be taken alone" for _, where in sorted(left)]
        decided = [evolve(each, decided=None) if key_of(each) in left else each for each in decided]
        self.conflicts += decided
        self.still_open += [each for each in known if self.prefer is None or key_of(each) in left]
        self.still_open += [conflict.remembered for conflict in decided if conflict.decided is None]
        return text

    def taken(self, before: Mapping[str, str]) -> Iterator[Taken]:
        """What has changed in the user's files; `before` has their texts, by the generated files."""
        ours = {self.versions.place(path): text for path, text in before.items()}
        for place, text in self.texts.items():
            if text is not None and place in ours and place.endswith(".mo"):
                for change in (each for each in compare(ours[place], text) if each.what != "comment"):
                    yield Taken(place, change)


def _is_open(conflict: RememberedConflict, theirs: str, text: str) -> bool:
    """Do both sides still differ there, with the values that they had when the conflict was seen?"""
    depth = len(conflict.path)
    differing = [change for change in compare(theirs, text) if change.path[:depth] == conflict.path]
    same = [change for change in differing if key_of(change) == key_of(conflict)]
    # Of a whole record that both added, single values differ; of a value, it itself.
    return all((change.old, change.new) == (conflict.data, conflict.user) for change in same) and bool(differing)


def _sentence_of_file(place: str, word: str, *, is_removed_by_user: bool) -> str:
    if is_removed_by_user:
        return f"{place}: you removed it, so what the {word} changed in it is left out"
    return f"{place}: the {word} no longer needs it, and it stays, because you changed it"


def order_with(theirs: str, base: str, stays: set[str]) -> str:
    """A package.order that still has some classes, after the same names as before."""
    names = theirs.split()
    before: str | None = None
    for name in base.split():
        if name in stays and name not in names:
            names.insert(0 if before is None else names.index(before) + 1, name)
        if name in names:
            before = name
    end = "\r\n" if "\r\n" in theirs else "\n"
    return "".join(f"{name}{end}" for name in names)
