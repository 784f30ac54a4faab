"""What a user decides about an update, and what was worked out: the files that it writes, all of them or none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from modelica_ast.foundation import ModelicaError

if TYPE_CHECKING:
    from modelica_ast.compare import Change
    from modelica_ast.generate.conflicts import Decide, Side, UpdateConflict
    from modelica_ast.generate.side_car import KeptPart, RememberedConflict
    from modelica_ast.generate.usage import Question


# ---------------------------------------------------------------- wording
# Pieces of Modelica as they are in a line of a report.

_LONGEST: Final = 60


def short(text: str) -> str:
    """A text on one line, and not too long."""
    line = " ".join(text.split())
    return f"{line[:_LONGEST]}…" if len(line) > _LONGEST else line


def shown_path(path: tuple[str, ...]) -> str:
    """A path of the merge as a person would write it: `upperParams.inertial.mass`, without the base class."""
    inside = [name for name in path[:-1] if not name.startswith("extends ")]
    return ".".join([*inside, *path[-1:]])


# ---------------------------------------------------------------- report
# What an update did, or would do, for people and for programs.


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


# ---------------------------------------------------------------- errors
# What keeps a package from being generated, or updated.


class UpdateError(ModelicaError):
    """One or two sentences: what is wrong, and what to do. Nothing was written."""


class UnreadableError(UpdateError):
    """A file of the package can't be read, is not Modelica, or is not as it was when it was read."""

    cause = "unreadable"


class NoBaseError(UpdateError):
    """It is not known what was generated last time: the side-car of the package is lost or damaged."""


class NewerBaseError(NoBaseError):
    """The side-car is of a newer version of the tool: nothing is lost, and nothing may be written in its place."""

    cause = "unreadable"


class BuildError(ModelicaError):
    """Wrong options, a template that lacks something, a place that is taken: one sentence, and nothing was written."""


class ChangedError(BuildError):
    """Somebody has changed a file of the library meanwhile."""

    cause = "unreadable"


# ---------------------------------------------------------------- outcome


@frozen(kw_only=True)
class Decisions:
    """What a user can decide.

    `prefer` says who wins where both changed a value, unless `decide` is asked for each. With `prune`, what stayed of
    parts that are gone goes now.
    """

    prefer: Side | None = None
    decide: Decide | None = None
    prune: bool = False


@frozen
class FileUpdate:
    """What becomes of a file: None is one that is not there."""

    path: Path
    old: bytes | None = field(repr=False)
    new: bytes | None = field(repr=False)


@frozen
class Update:
    """An update that was worked out and not written yet. With `questions`, it is not known what is to be written."""

    folder: Path
    files: tuple[FileUpdate, ...]
    report: Report
    questions: tuple[Question, ...] = ()

    def save(self) -> None:
        """Write all files, or none; UnreadableError if one has changed since it was read."""
        if self.questions:
            raise UpdateError(f"nothing is written: {self.questions[0]} Say so, or say that nothing was renamed")
        save_updates(self.folder, self.files)


def save_updates(folder: Path, files: Iterable[FileUpdate]) -> None:
    """Write files of a package, and of the library around it: all, or none."""
    wanted = list(files)
    if not wanted:
        return
    from modelica_ast.edit import Workspace  # noqa: PLC0415  (PERF: often nothing is written)

    workspace = Workspace(os.path.commonpath([folder, *(file.path.parent for file in wanted)]))
    for file in wanted:
        if workspace.others.there(file.path) != file.old:
            raise UnreadableError(f"{file.path} has changed since it was read: start again")
        workspace.others.write(file.path, file.new)
    workspace.save()
