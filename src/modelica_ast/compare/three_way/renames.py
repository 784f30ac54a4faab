"""Renames first: what one side renamed is renamed in the other versions too, with all its uses.

After that a name is one name in all versions, so what the other side edits or adds arrives under the new name. The verb
that renames refuses where a name would change its meaning; then nothing is renamed beforehand, and what does not fit is
a conflict like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from modelica_ast.compare.alignment import classes_inside, classes_of, find_moved_classes, lists_of, names_of
from modelica_ast.compare.changes import Change
from modelica_ast.compare.comparison import compare_trees
from modelica_ast.compare.parts import Memo
from modelica_ast.compare.things import Thing, path_of
from modelica_ast.compare.three_way.matches import Elsewhere
from modelica_ast.compare.three_way.versions import Version, with_text
from modelica_ast.edit import Document, Opened, Path, class_name, occurrences
from modelica_ast.foundation import EditError, Record, split_name
from modelica_ast.semantics import LOCAL, lookup_in_root
from modelica_ast.syntax import KINDS, Node, token_text


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


# ---------------------------------------------------------------- members
# Members that one side removed and the other uses from outside: `arm.length`, `Arm arm(length=2)`.
#
# Which declaration a name after a dot leads to is found by lookup, in the version that uses it. What the lookup does
# not find in the file is nobody's loss here: no side has removed it.

Names = tuple[str, ...]


def members_missed(base: Thing, side: Thing, other: Node) -> frozenset[str]:
    """The names of what a side removed since base, as far as the other version has a name that leads there."""
    gone = set(_gone(base, side))
    if not gone:
        return frozenset()
    opened = Opened(other, frozenset(path[-1] for path in gone), None)
    found = occurrences(lookup_in_root(other), opened.root, None, opened.places)
    targets = {target.path for target in found.values() if target is not None and target != LOCAL}
    used = {_names_along(opened.root, path) for path in targets}
    return frozenset(path[-1] for path in used & gone)


def _gone(base: Thing, side: Thing) -> Iterator[Names]:
    """The paths of components and classes that a side does not declare there any more, in the base's names."""
    moved = find_moved_classes(base, side).new_of
    todo: list[tuple[Names, Thing, Thing | None]] = [((), base, side)]
    while todo:
        path, old, new = todo.pop()
        if new is not None and old.core == new.core:
            continue
        classes = {each.name: each for each in classes_of(new)} if new is not None else {}
        components = set(_components(new)) if new is not None else set()
        yield from ((*path, name) for name in _components(old) if name not in components)
        for each in classes_of(old):
            same = classes.get(each.name)
            if same is None:
                yield (*path, each.name)
            todo.append(((*path, each.name), each, moved.get(id(each), same)))


def _components(version: Thing) -> Iterator[str]:
    for inside in lists_of(version):
        for item in inside.children:
            if item.shape == "clause":
                yield from names_of(item)


def _names_along(root: Node, path: Path) -> Names:
    """The names of the classes around a place of a tree, and of what is there."""
    names: list[str] = []
    node: Any = root
    for index in path:
        node = node[index]
        kind = KINDS[node[0]] if isinstance(node, tuple) else ""
        if kind == "class_definition":
            names.append(class_name(node))
        elif kind == "component_declaration":
            names.append(token_text(node[1]))
    return tuple(names)


# ---------------------------------------------------------------- moving
# Classes that a side has moved to another package of the file.


def note_moved_classes(base: Thing, ours: Thing, theirs: Thing) -> Elsewhere:
    """What was moved, with what it is in the other versions."""
    elsewhere = Elsewhere()
    here, there = (find_moved_classes(base, side).new_of for side in (ours, theirs))
    if not here and not there:
        return elsewhere
    paths = [{path_of(thing)[0]: thing for thing in classes_inside(side)} for side in (ours, theirs)]
    for thing in classes_inside(base):
        moved = here.get(id(thing)), there.get(id(thing))
        if moved == (None, None):
            continue
        path = path_of(thing)[0]
        one, other = moved[0] or paths[0].get(path), moved[1] or paths[1].get(path)
        elsewhere.note(thing, one, other, moved_by=(moved[0] is not None, moved[1] is not None))
    return elsewhere
