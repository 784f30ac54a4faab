"""Renames first: what one side renamed is renamed in the other versions too, with all its uses.

After that a name is one name in all versions, so what the other side edits or adds arrives under the new name. The verb
that renames refuses where a name would change its meaning; then nothing is renamed beforehand, and what does not fit is
a conflict like any other.
"""

from __future__ import annotations

from typing import Any

from modelica_ast.compare.building import Memo
from modelica_ast.compare.changes import Change
from modelica_ast.compare.comparing import compare_trees
from modelica_ast.edit.document import Document
from modelica_ast.edit.errors import EditError
from modelica_ast.identifiers import split_name
from modelica_ast.merge.versions import Version, with_text
from modelica_ast.record import Record


class Renamed(Record):
    """Three versions in which renamed things have one name, and what both sides renamed differently."""

    base: Version
    ours: Version
    theirs: Version
    # The path in ours -> what it is, and the names that it has in base and in theirs.
    contradictory: dict[tuple[str, ...], tuple[str, str, str]]


def with_common_names(base: Version, ours: Version, theirs: Version, memo: Memo) -> Renamed:
    """Rename in every version what a side renamed."""
    here, there = (_renames(base, side, memo) for side in (ours, theirs))
    contradictory: dict[tuple[str, ...], tuple[str, str, str]] = {}
    for old in [*here, *(old for old in there if old not in here)]:
        new, other = here.get(old), there.get(old)
        what = (new or other or ("", ""))[0]
        if new is not None and other is not None and new[1] != other[1]:
            renamed = _renamed(what, (base, old, new[1]), (theirs, (*old[:-1], other[1]), new[1]))
            if renamed is not None:
                base, theirs = renamed
                contradictory[(*old[:-1], new[1])] = (what, old[-1], other[1])
        elif new is not None and other is not None:
            base = (_renamed(what, (base, old, new[1])) or [base])[0]
        elif new is not None:
            base, theirs = _renamed(what, (base, old, new[1]), (theirs, old, new[1])) or (base, theirs)
        elif other is not None:
            base, ours = _renamed(what, (base, old, other[1]), (ours, old, other[1])) or (base, ours)
    return Renamed(base, ours, theirs, contradictory)


def _renames(old: Version, new: Version, memo: Memo) -> dict[tuple[str, ...], tuple[str, str]]:
    """(what, new name) of all that was renamed, by its old path; the innermost first, components before classes."""
    found = [change for change in compare_trees(old.green, new.green, memo) if change.kind == "renamed"]
    found.sort(key=lambda change: (change.what == "class", -len(change.path)))
    plain = [change for change in found if _is_plain(change)]
    return {tuple(split_name(change.old or "")): (change.what, change.path[-1]) for change in plain}


def _is_plain(change: Change) -> bool:
    return change.what in ("class", "component") and change.old is not None


def _renamed(what: str, *versions: tuple[Version, tuple[str, ...], str]) -> list[Version] | None:
    """The versions with something renamed in each of them; None if one of them refuses, or has no such thing."""
    found = []
    for version, path, name in versions:
        document = Document(version.text)
        try:
            document.apply([_operation(what, path, name)])
        except EditError:
            return None
        found.append(with_text(version, document.text))
    return found


def _operation(what: str, path: tuple[str, ...], name: str) -> dict[str, Any]:
    if what == "class":
        return {"op": "rename_class", "class": ".".join(path), "name": name}
    return {"op": "rename_component", "class": ".".join(path[:-1]), "component": path[-1], "name": name}
