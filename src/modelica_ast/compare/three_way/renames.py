"""Renames first: what one side renamed is renamed in the other versions too, with all its uses.

After that a name is one name in all versions, so what the other side edits or adds arrives under the new name. The verb
that renames refuses where a name would change its meaning; then nothing is renamed beforehand, and what does not fit is
a conflict like any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import Any

from modelica_ast.compare.alignment import classes_inside, classes_of, find_moved_classes, lists_of, names_of
from modelica_ast.compare.changes import Change
from modelica_ast.compare.comparison import compare_things
from modelica_ast.compare.parts import Memo
from modelica_ast.compare.things import Thing, path_of
from modelica_ast.compare.three_way.matches import Elsewhere
from modelica_ast.compare.three_way.versions import Version, with_text
from modelica_ast.edit import Document, Opened, Path, at, class_name, occurrences
from modelica_ast.foundation import EditError, Record, split_name
from modelica_ast.semantics import LOCAL, Environment, Member, lookup_in_root, within_parts
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
            renamed = _renamed(what, memo, (base, old, new[1]), (theirs, (*old[:-1], other[1]), new[1]))
            if renamed is not None:
                base, theirs = renamed
                contradictory[(*old[:-1], new[1])] = (what, old[-1], other[1])
        elif new is not None and other is not None:
            base = (_renamed(what, memo, (base, old, new[1])) or [base])[0]
        elif new is not None:
            base, theirs = _renamed(what, memo, (base, old, new[1]), (theirs, old, new[1])) or (base, theirs)
        elif other is not None:
            base, ours = _renamed(what, memo, (base, old, other[1]), (ours, old, other[1])) or (base, ours)
    return Renamed(base, ours, theirs, contradictory)


def _renames(old: Version, new: Version, memo: Memo) -> dict[tuple[str, ...], tuple[str, str]]:
    """(what, new name) of all that was renamed, by its old path; the innermost first, components before classes."""
    found = [change for change in compare_things(old.thing(memo), new.thing(memo)) if change.kind == "renamed"]
    found.sort(key=lambda change: (change.what == "class", -len(change.path)))
    plain = [change for change in found if _is_plain(change)]
    return {tuple(split_name(change.old or "")): (change.what, change.path[-1]) for change in plain}


def _is_plain(change: Change) -> bool:
    return change.what in ("class", "component") and change.old is not None


def _renamed(what: str, memo: Memo, *versions: tuple[Version, tuple[str, ...], str]) -> list[Version] | None:
    """The versions with something renamed in each of them; None if one of them refuses, or has no such thing."""
    found = []
    for version, path, name in versions:
        document = Document(version.text)
        try:
            document.apply([_operation(what, path, name)])
        except EditError:
            return None
        found.append(with_text(version, document.text, memo))
    return found


def _operation(what: str, path: tuple[str, ...], name: str) -> dict[str, Any]:
    if what == "class":
        return {"op": "rename_class", "class": ".".join(path), "name": name}
    return {"op": "rename_component", "class": ".".join(path[:-1]), "component": path[-1], "name": name}


# ---------------------------------------------------------------- missing
# Names that one side removed and the other uses: `arm.length`, `Arm arm(length=2)`, `length` by itself.
#
# Which declaration a name leads to is found by lookup, in the version that uses it. What the lookup does not find in
# the file is nobody's loss here: no side has removed it. Nor is what a side inherits now, or may do so from a class of
# another file that it extends since.

Names = tuple[str, ...]
Missed = dict[Names, frozenset[str]]  # by the class that has the names in its text


def names_missed(base: Thing, side: Thing, side_root: Node, other: Node) -> Missed:
    """The names in the other version that lead to what a side removed since base."""
    gone = set(_gone(base, side, side_root))
    if not gone:
        return {}
    opened = Opened(other, frozenset(path[-1] for path in gone), None)
    found = occurrences(lookup_in_root(other), opened.root, None, opened.places)
    missed: dict[Names, set[str]] = defaultdict(set)
    for path, target in found.items():
        if target is not None and target != LOCAL and _names_along(opened.root, target.path) in gone:
            name = token_text(at(opened.root, path))  # type: ignore[arg-type]  # names are leaves
            missed[_names_along(opened.root, path, classes=True)].add(name)
    return {path: frozenset(names) for path, names in missed.items()}


def _gone(base: Thing, side: Thing, side_root: Node) -> Iterator[Names]:
    """The paths of components and classes that a side has not there any more, in the base's names."""
    moved = find_moved_classes(base, side).new_of
    lookup = lookup_in_root(side_root)
    within = within_parts(side_root)
    todo: list[tuple[Names, Thing, Thing | None]] = [((), base, side)]
    while todo:
        path, old, new = todo.pop()
        if new is not None and old.core == new.core:
            continue
        classes = {each.name: each for each in classes_of(new)} if new is not None else {}
        declared = {*classes, *_components(new)} if new is not None else set()
        removed = [
            name for name in (*_components(old), *(each.name for each in classes_of(old))) if name not in declared
        ]
        if removed and new is not None and new.what == "class":
            found = lookup.resolve(None, [*within, *path_of(new)[0]], is_global=True)[-1]
            class_ = found.environment if isinstance(found, Member) else found
            if isinstance(class_, Environment):
                may_inherit = not class_.is_complete and bool(_bases(new) - _bases(old))
                removed = [] if may_inherit else [name for name in removed if class_.member(name) is None]
        yield from ((*path, name) for name in removed)
        todo += [((*path, each.name), each, moved.get(id(each), classes.get(each.name))) for each in classes_of(old)]


def _components(version: Thing) -> Iterator[str]:
    for inside in lists_of(version):
        for item in inside.children:
            if item.shape == "clause":
                yield from names_of(item)


def _bases(version: Thing) -> set[Hashable]:
    return {item.key for inside in lists_of(version) for item in inside.children if item.what == "extends"}


def _names_along(root: Node, path: Path, *, classes: bool = False) -> Names:
    """The names of the classes around a place of a tree, and of what is there."""
    names: list[str] = []
    node: Any = root
    for index in path:
        node = node[index]
        kind = KINDS[node[0]] if isinstance(node, tuple) else ""
        if kind == "class_definition":
            names.append(class_name(node))
        elif kind == "component_declaration" and not classes:
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
