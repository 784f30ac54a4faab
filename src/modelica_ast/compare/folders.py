"""Two files or two folders of a library, compared.

Classes are matched by their full names, in whatever files they stand: a class that moved from `package.mo` to a file of
its own has not changed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modelica_ast.compare.changes import Change, Changes
from modelica_ast.compare.comparing import compare
from modelica_ast.files import read_regular
from modelica_ast.parse import parse_file, parse_source
from modelica_ast.record import Record
from modelica_ast.source import Source

_ORDER = "package.order"


class FolderChanges(Record):
    """What changed between two folders: in classes by file, and files that are no Modelica."""

    files: Mapping[str, Changes]  # by the name of the file below the folder; the new name where there are two
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    others: tuple[str, ...] = ()  # files that are no Modelica, with other bytes

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
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not any(part.startswith(".") for part in name.parts):
            found[name.as_posix()] = read_regular(path)
    return found


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
