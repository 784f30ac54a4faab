"""What an update did, or would do, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from modelica_ast.generate.wording import short, shown_path

if TYPE_CHECKING:
    from modelica_ast.compare import Change
    from modelica_ast.generate.conflicts import UpdateConflict
    from modelica_ast.generate.side_car import KeptPart, RememberedConflict


@frozen
class Taken:
    """A change that came from the data into one of the user's files."""

    file: str
    change: Change

    def __str__(self) -> str:
        change = self.change
        where = f"{self.file}: {shown_path(change.path)}"
        old, new = short(change.old or ""), short(change.new or "")
        if change.kind == "changed" and old and new and old != new:
            return f"{where}: {old} -> {new}"
        return f"{where}: {change.what} {change.kind}"


@frozen
class Edit:
    """Something that the user has written into what was generated."""

    file: str
    change: Change

    def __str__(self) -> str:
        change = self.change
        where = f"{self.file}: {shown_path(change.path)}: {change.what}"
        if change.old is not None and change.new is not None:
            return f"{where}: generated {short(change.old)}, yours {short(change.new)}"
        text = short(change.new or change.old or "")
        return f"{where} {change.kind}: {text}" if text else f"{where} {change.kind}"

    def as_json(self) -> dict[str, Any]:
        """The fields by their names."""
        change = self.change
        return {
            "file": self.file,
            "class": change.class_path,
            "what": change.what,
            "kind": change.kind,
            "path": list(change.path),
            "generated": change.old,
            "yours": change.new,
        }


def _no_edits() -> tuple[Edit, ...]:
    return ()


@frozen
class Report:
    """All that there is to say.

    `attention` are sentences about what only the user can put right. `kept` are sentences about what is the user's and
    was left alone although the data changed it, `left_out` about what the package does not show, `suggestions` about
    what the user may want to do. `open` are conflicts of earlier updates that nobody has decided, `edited` the
    generated files that the user has changed, moved or removed, `stayed` the parts that are gone and whose classes are
    still there.
    """

    package: str
    taken: tuple[Taken, ...]
    conflicts: tuple[UpdateConflict, ...]
    kept: tuple[str, ...]
    left_out: tuple[str, ...]
    suggestions: tuple[str, ...]
    open: tuple[RememberedConflict, ...] = ()
    edited: tuple[str, ...] = ()
    attention: tuple[str, ...] = ()
    stayed: tuple[KeptPart, ...] = ()
    side: str = "data"
    find_edits: Callable[[], tuple[Edit, ...]] = field(default=_no_edits, eq=False, repr=False)

    @property
    def undecided(self) -> tuple[UpdateConflict, ...]:
        """The conflicts that nobody has decided; the user's values stayed."""
        return tuple(conflict for conflict in self.conflicts if conflict.decided is None)

    @property
    def needs_user(self) -> bool:
        """Is there something that only the user can decide?"""
        return bool(self.undecided or self.attention)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What the user has written into generated files, found when somebody asks."""
        return self.find_edits()

    def as_json(self) -> dict[str, Any]:
        """The report in plain values."""
        return {
            "version": 1,
            "package": self.package,
            "attention": list(self.attention),
            "changes": [{"file": taken.file, **taken.change.as_json()} for taken in self.taken],
            "conflicts": [conflict.as_json() for conflict in self.conflicts],
            "open_conflicts": [self._open(conflict) for conflict in self.open],
            "edited": list(self.edited),
            "kept": list(self.kept),
            "stayed": [part.as_json() for part in self.stayed],
            "left_out": list(self.left_out),
            "suggestions": list(self.suggestions),
        }

    def _open(self, conflict: RememberedConflict) -> dict[str, Any]:
        data = conflict.as_json()
        return {**data, self.side: data.pop("data")}
