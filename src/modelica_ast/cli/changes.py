"""What becomes of files, as people and programs are told: changed, created, removed, renamed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from modelica_ast.edit.diffs import unified_diff
from modelica_ast.record import Record
from modelica_ast.source import Source

if TYPE_CHECKING:
    from modelica_ast.files.journal import FileWrite

_SIMILAR: Final = 0.5  # share of equal lines from which a new file counts as an old one under another name


class Change(Record):
    """A file before and after: None where it is not there. A renamed one has the path that it comes from."""

    path: Path
    old: bytes | None
    new: bytes | None
    source: Path | None = None

    @property
    def status(self) -> str:
        """`changed`, `created`, `removed` or `renamed`."""
        if self.source is not None:
            return "renamed"
        return "created" if self.old is None else "removed" if self.new is None else "changed"

    @property
    def shown_path(self) -> str:
        """The path as a person would write it from here."""
        return shown(self.path)

    @property
    def diff(self) -> str:
        """The change as a unified diff, in the form that `git apply` reads; one line where the bytes are no text."""
        if any(data is not None and b"\0" in data for data in (self.old, self.new)):
            return f"binary file {self.shown_path} {self.status}\n"
        name = self.shown_path
        if self.source is None:
            return unified_diff(_text(self.old), _text(self.new), name)
        before = shown(self.source)
        head = f"diff --git a/{before} b/{name}\nrename from {before}\nrename to {name}\n"
        return head + unified_diff(_text(self.old), _text(self.new), name).replace(
            f"--- a/{name}\n", f"--- a/{before}\n", 1
        )


def shown(path: Path) -> str:
    """A path from here, or as it is where it lies elsewhere."""
    here = os.path.relpath(path)
    return str(path) if here.startswith(os.pardir) else Path(here).as_posix()


def _text(data: bytes | None) -> str | None:
    return None if data is None else Source.from_bytes(data).text


def changes_of(writes: Iterable[FileWrite]) -> list[Change]:
    """The changes that some writes make, in the order of their files; a file that only moves is one of them."""
    found = [Change(write.path, write.expected, write.new) for write in writes]
    removed = [change for change in found if change.status == "removed"]
    for new in [change for change in found if change.status == "created"]:
        old = _most_similar(new, removed)
        if old is not None:
            removed.remove(old)
            found.remove(old)
            found[found.index(new)] = Change(new.path, old.old, new.new, old.path)
    return sorted(found, key=lambda change: change.path)


def _most_similar(new: Change, removed: list[Change]) -> Change | None:
    """The removed file that a new one comes from; None if it is like none of them."""
    scores = [
        (_similarity(old.old or b"", new.new or b""), old) for old in removed if old.path.suffix == new.path.suffix
    ]
    best = max(scores, key=lambda score: score[0], default=(0.0, None))
    return best[1] if best[0] >= _SIMILAR else None


def _similarity(one: bytes, other: bytes) -> float:
    """The share of lines that two texts have in common, wherever they stand."""
    lines = [set(data.splitlines()) for data in (one, other)]
    return len(lines[0] & lines[1]) / max(len(lines[0]), len(lines[1]), 1)
