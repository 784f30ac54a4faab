"""All files of a package merged, with the merge of `modelica-patch merge`, and what was decided about conflicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from attrs import define, evolve, field

from modelica_ast.compare import compare
from modelica_ast.generate.conflicts import (
    USER,
    Key,
    Places,
    Side,
    UpdateConflict,
    described,
    is_drawing,
    is_page,
    key_of,
    with_data_values,
)
from modelica_ast.generate.errors import UnreadableError
from modelica_ast.generate.report import Taken
from modelica_ast.generate.side_car import RememberedConflict
from modelica_ast.generate.versions import Versions
from modelica_ast.generate.wording import shown_path
from modelica_ast.merge import Conflict, Labels, MergedFiles, MergeError, merge, merge_files

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
        theirs = versions[2]
        asked = []
        for conflict in found:
            if is_drawing(conflict):
                self.kept.append(f"{place}: {shown_path(conflict.path)} is drawn as you have drawn it")
            elif is_page(conflict):
                self.kept.append(f"{place}: {shown_path(conflict.path)} is the page that you have written")
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

    def taken(self) -> Iterator[Taken]:
        """What has changed in the user's files."""
        ours = {self.versions.place(path): text for path, text in self.versions.ours.items()}
        for place, text in self.texts.items():
            if text is not None and place in ours and place.endswith(".mo"):
                for change in compare(ours[place], text):
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
    return f"{place}: the {word} no longer needs it, and it stays, for you changed it"


def order_with(theirs: str, base: str, stays: set[str]) -> str:
    """A package.order that still has some classes, behind the same names as before."""
    names = theirs.split()
    before: str | None = None
    for name in base.split():
        if name in stays and name not in names:
            names.insert(0 if before is None else names.index(before) + 1, name)
        if name in names:
            before = name
    end = "\r\n" if "\r\n" in theirs else "\n"
    return "".join(f"{name}{end}" for name in names)
