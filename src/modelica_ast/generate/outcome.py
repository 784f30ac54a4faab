"""What a user decides about an update, and what was worked out: the files that it writes, all of them or none."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from modelica_ast.edit import Workspace
from modelica_ast.generate.errors import UnreadableError, UpdateError

if TYPE_CHECKING:
    from modelica_ast.generate.conflicts import Side
    from modelica_ast.generate.reconciliation import Decide
    from modelica_ast.generate.renames import Question
    from modelica_ast.generate.report import Report


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
            raise UpdateError(f"nothing is written: {self.questions[0]} Say so, or that nothing was renamed")
        save_updates(self.folder, self.files)


def save_updates(folder: Path, files: Iterable[FileUpdate]) -> None:
    """Write files of a package, and of the library around it: all, or none."""
    wanted = list(files)
    if not wanted:
        return
    workspace = Workspace(os.path.commonpath([folder, *(file.path.parent for file in wanted)]))
    for file in wanted:
        if workspace.others.there(file.path) != file.old:
            raise UnreadableError(f"{file.path} has changed since it was read: start again")
        workspace.others.write(file.path, file.new)
    workspace.save()
