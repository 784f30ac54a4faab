"""What an update did, or would do, for people and for programs."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from modelica_ast.compare import Change
from urdf_frontend.update.base_file import RememberedConflict
from urdf_frontend.update.conflicts import UpdateConflict
from urdf_frontend.update.showing import short, shown_path


@frozen
class Taken:
    """A change that came from the URDF file into one of the user's files."""

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
class Report:
    """All that there is to say.

    `kept` are sentences about what is the user's and was left alone although the URDF changed it, `left_out` about what
    the package does not show, `suggestions` about what the user may want to do. `open` are conflicts of earlier updates
    that nobody has decided, `edited` the generated files that the user has changed, moved or removed.
    """

    package: str
    taken: tuple[Taken, ...]
    conflicts: tuple[UpdateConflict, ...]
    kept: tuple[str, ...]
    left_out: tuple[str, ...]
    suggestions: tuple[str, ...]
    open: tuple[RememberedConflict, ...] = ()
    edited: tuple[str, ...] = ()

    @property
    def undecided(self) -> tuple[UpdateConflict, ...]:
        """The conflicts that nobody has decided; the user's values stayed."""
        return tuple(conflict for conflict in self.conflicts if conflict.decided is None)

    def as_json(self) -> dict[str, Any]:
        """The report in plain values."""
        return {
            "version": 1,
            "package": self.package,
            "changes": [{"file": taken.file, **taken.change.as_json()} for taken in self.taken],
            "conflicts": [conflict.as_json() for conflict in self.conflicts],
            "open_conflicts": [conflict.as_json() for conflict in self.open],
            "edited": list(self.edited),
            "kept": list(self.kept),
            "left_out": list(self.left_out),
            "suggestions": list(self.suggestions),
        }
