"""What becomes of files, as people and programs are told: changed, created, removed, renamed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from modelica_ast.edit.diffs import quoted_name, unified_diff
from modelica_ast.record import Record
from modelica_ast.source import Source

if TYPE_CHECKING:
    from modelica_ast.files.journal import FileWrite

_SIMILAR: Final = 0.5  # share of equal lines from which a new file counts as an old one under another name
_MOST_COMPARED: Final = 400  # pairs of files whose lines are compared when nothing else tells what a new file was


class Change(Record):
    """A file before and after: None where it is not there. A renamed one has the path that it comes from.

    A link that goes has nothing before and after: what it leads to stays.
    """

    path: Path
    old: bytes | None
    new: bytes | None
    source: Path | None = None
    is_link: bool = False

    @property
    def status(self) -> str:
        """`changed`, `created`, `removed` or `renamed`."""
        if self.source is not None:
            return "renamed"
        if self.is_link:
            return "removed"  # links are only ever removed, and what they lead to is not read
        return "created" if self.old is None else "removed" if self.new is None else "changed"

    @property
    def shown_path(self) -> str:
        """The path as a person would write it from here."""
        return shown(self.path)

    @property
    def diff(self) -> str:
        """The change as a unified diff, in the form that `git apply` reads; one line where there is no text."""
        if self.is_link:
            return f"link {quoted_name(self.shown_path)} {self.status}\n"
        if any(data is not None and b"\0" in data for data in (self.old, self.new)):
            return f"binary file {quoted_name(self.shown_path)} {self.status}\n"
        name = self.shown_path
        if self.source is None:
            return unified_diff(_text(self.old), _text(self.new), name)
        before = shown(self.source)
        head = f"diff --git {quoted_name(f'a/{before}')} {quoted_name(f'b/{name}')}\n"
        head += f"rename from {quoted_name(before)}\nrename to {quoted_name(name)}\n"
        return head + unified_diff(_text(self.old), _text(self.new), name).replace(
            f"--- {quoted_name(f'a/{name}')}\n", f"--- {quoted_name(f'a/{before}')}\n", 1
        )


def shown(path: Path) -> str:
    """A path from here, or as it is where it lies elsewhere."""
    here = os.path.relpath(path)
    return str(path) if here.startswith(os.pardir) else Path(here).as_posix()


def _text(data: bytes | None) -> str | None:
    return None if data is None else Source.from_bytes(data).text


def changes_of(writes: Iterable[FileWrite]) -> list[Change]:
    """The changes that some writes make, in the order of their files; a file that only moves is one of them."""
    listed = list(writes)
    found = [Change(write.path, write.expected, write.new, is_link=write.is_link) for write in listed]
    likes = {write.path: write.like for write in listed if write.like is not None}
    moved = _Moves(found).found(likes)
    gone = {old.path for old in moved.values()}
    left = [change for change in found if change.status != "removed" or change.path not in gone]
    merged = [
        Change(change.path, old.old, change.new, old.path)
        if change.status == "created" and (old := moved.get(change.path)) is not None
        else change
        for change in left
    ]
    return sorted(merged, key=lambda change: change.path)


class _Moves:
    """Which new file was which old one: what is known comes first, then what is equal, and guesses come last.

    A guess compares lines, and all with all would take minutes for a package of thousands of files. So each file is
    split once, a name that is there once on both sides settles its pair, and for the rest there is a bound.
    """

    def __init__(self, changes: list[Change]) -> None:
        self._old = {change.path: change for change in changes if change.status == "removed" and not change.is_link}
        self._new = {change.path: change for change in changes if change.status == "created"}
        self._lines: dict[Path, frozenset[bytes]] = {}
        self._moved: dict[Path, Change] = {}

    def found(self, likes: Mapping[Path, Path]) -> dict[Path, Change]:
        """By the new paths: the removed file that each was. `likes` says it of those of which it is known."""
        self._take_known(likes)
        self._take_equal(lambda path: path.name)
        self._take_equal(lambda path: path.suffix)
        self._take_same_names()
        self._take_similar()
        return self._moved

    def _take(self, new: Path, old: Path) -> None:
        self._moved[new] = self._old.pop(old)
        del self._new[new]

    def _take_known(self, likes: Mapping[Path, Path]) -> None:
        """A file that was cut into several is that which has most of its lines."""
        claims: dict[Path, list[Path]] = {}
        for new, old in likes.items():
            if new in self._new and old in self._old and new.suffix == old.suffix:
                claims.setdefault(old, []).append(new)
        for old, claiming in claims.items():
            self._take(claiming[0] if len(claiming) == 1 else max(claiming, key=lambda new: self._share(new, old)), old)

    def _take_equal(self, key: Callable[[Path], str]) -> None:
        by_key: dict[tuple[str, bytes], list[Path]] = {}
        for path, change in reversed(self._old.items()):
            if change.old:  # empty files are all equal
                by_key.setdefault((key(path), change.old), []).append(path)
        for path, change in list(self._new.items()):
            if change.new and (equal := by_key.get((key(path), change.new))):
                self._take(path, equal.pop())

    def _take_same_names(self) -> None:
        counts = [Counter(path.name for path in paths) for paths in (self._old, self._new)]
        by_name = {path.name: path for path in self._old if counts[0][path.name] == 1}
        for new in list(self._new):
            old = by_name.get(new.name) if counts[1][new.name] == 1 else None
            if old is not None and self._share(new, old) >= _SIMILAR:
                self._take(new, old)

    def _take_similar(self) -> None:
        by_suffix: dict[str, list[Path]] = {}
        for old in self._old:
            by_suffix.setdefault(old.suffix, []).append(old)
        pairs = ((new, old) for new in self._new for old in by_suffix.get(new.suffix, ()))
        shares = [(self._share(new, old), new, old) for new, old in islice(pairs, _MOST_COMPARED)]
        # Those that are most alike first; of equals, those that were listed first.
        for share, new, old in sorted(shares, key=lambda each: -each[0]):
            if share >= _SIMILAR and new in self._new and old in self._old:
                self._take(new, old)

    def _share(self, new: Path, old: Path) -> float:
        """The share of lines that two files have in common, wherever they stand."""
        mine, its = self._lines_of(new, self._new[new].new), self._lines_of(old, self._old[old].old)
        return len(mine & its) / max(len(mine), len(its), 1)

    def _lines_of(self, path: Path, data: bytes | None) -> frozenset[bytes]:
        if path not in self._lines:
            self._lines[path] = _split(data or b"")
        return self._lines[path]


def _split(data: bytes) -> frozenset[bytes]:
    return frozenset(data.splitlines())
