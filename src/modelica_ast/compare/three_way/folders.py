"""Whole libraries merged: files that a side added or removed, `package.order`, and every file that both have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modelica_ast.compare.changes import Changes
from modelica_ast.compare.three_way.matches import arrange
from modelica_ast.compare.three_way.merge import merge
from modelica_ast.compare.three_way.versions import Conflict, Labels, Merged, Side, line_end_of
from modelica_ast.foundation import Record

# ---------------------------------------------------------------- orders
# `package.order` merged as what it is, a list of names.


def merge_order(base: str, ours: str, theirs: str) -> Merged:
    """The names of ours, with those that theirs added and without those that either side removed.

    There are no conflicts: where both sides moved a name, it stays where ours has it.
    """
    if theirs in (ours, base):
        return Merged(ours)
    if ours == base:
        return Merged(theirs)
    numbers: dict[str, int] = {}
    before, here, there = (
        [numbers.setdefault(name, len(numbers)) for name in dict.fromkeys(text.split("\n")) if name.strip()]
        for text in (text.replace("\r\n", "\n") for text in (base, ours, theirs))
    )
    removed = {number for number in before if number not in here or number not in there}
    names = list(numbers)
    kept = [names[number] for number in arrange(before, here, there).numbers if number not in removed]
    end = line_end_of(ours)
    text = end.join(kept)
    conflicts: tuple[Conflict, ...] = ()
    return Merged(text + end if kept and ours.endswith("\n") else text, conflicts)


# ---------------------------------------------------------------- files

_LABELS = Labels()


class MergedFiles(Record):
    """The texts of the merged files by their names, and the result of each that was merged."""

    texts: Mapping[str, str]
    merged: Mapping[str, Merged]

    @property
    def conflicts(self) -> list[tuple[str, Conflict]]:
        """(file, conflict) of all files."""
        return [(name, conflict) for name, each in self.merged.items() for conflict in each.conflicts]

    @property
    def taken(self) -> dict[str, Changes]:
        """What was taken from theirs, by file."""
        return {name: each.taken for name, each in self.merged.items() if each.taken}

    def as_json(self) -> dict[str, Any]:
        """The results in plain values."""
        return {"version": 1, "files": {name: each.as_json() for name, each in self.merged.items()}}


def merge_files(
    base: Mapping[str, str],
    ours: Mapping[str, str],
    theirs: Mapping[str, str],
    *,
    labels: Labels = _LABELS,
    prefer: Side | None = None,
) -> MergedFiles:
    """Merge folders, given as texts by their names (`Parts/Body.mo`); MergeError names the file that is not Modelica.

    A file that one side removed and the other changed is a conflict; unless a side is preferred, it stays.
    """
    texts: dict[str, str] = {}
    results: dict[str, Merged] = {}
    for name in dict.fromkeys([*ours, *theirs, *base]):
        result = _merged_file(name, (base.get(name), ours.get(name), theirs.get(name)), labels, prefer)
        if result is None:
            continue
        text, found = result
        if found is not None:
            results[name] = found
        if text is not None:
            texts[name] = text
    return MergedFiles(texts, results)


def _merged_file(
    name: str, versions: tuple[str | None, str | None, str | None], labels: Labels, prefer: Side | None
) -> tuple[str | None, Merged | None] | None:
    """(text or None if the file goes, the result of a merge if there was one)."""
    base, ours, theirs = versions
    if theirs in (ours, base):
        return ours, None
    if ours == base:
        return theirs, None
    if ours is None or theirs is None:
        kept = {"ours": ours, "theirs": theirs, None: ours if ours is not None else theirs}[prefer]
        conflict = Conflict("removed", "file", (name,), "", base, ours, theirs)
        return kept, Merged(kept or "", (conflict,))
    if name.rpartition("/")[2] == "package.order":
        found = merge_order(base or "", ours, theirs)
    elif name.endswith(".mo"):
        own = Labels(*(f"{label}:{name}" for label in (labels.base, labels.ours, labels.theirs)))
        found = merge(base or "", ours, theirs, labels=own, prefer=prefer)
    else:
        kept_text = theirs if prefer == "theirs" else ours
        found = Merged(kept_text, (Conflict("changed", "file", (name,), "", base, ours, theirs),))
    return found.text, found
