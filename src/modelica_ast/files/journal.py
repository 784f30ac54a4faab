"""Several files saved as one, whatever happens in between.

1. A plan names every file, its new content's place beside it, and the digests of what is there and shall be there.
2. The new contents are written beside the files.
3. The plan is renamed to the journal. This is the moment that decides: before it the save is taken back, after it the
   save is finished, by whoever comes next.
4. Each new content is renamed into its place; then the journal is removed.

Each step is on the disk before the next begins. Every file is old or new at every moment, never between.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from modelica_ast.errors import EditError
from modelica_ast.files.lock import LOCK, locked
from modelica_ast.files.saving import (
    MARK,
    new_temporary_name,
    read_if_there,
    refusal,
    refuse_foreign_changes,
    sync_folder,
    write_temporary,
)
from modelica_ast.record import Record

PLAN: Final = f"{MARK}.plan"
JOURNAL: Final = f"{MARK}.journal"


class FileWrite(Record):
    """What shall become of a file: its new bytes, or None if it goes; and what we last saw there, or None."""

    path: Path
    new: bytes | None
    expected: bytes | None


class Recovery(Record):
    """What was done about a save that had been interrupted."""

    folder: Path
    files: tuple[Path, ...]
    finished: bool

    def __str__(self) -> str:
        files = f"{len(self.files)} file{'s' * (len(self.files) != 1)}"
        names = ", ".join(os.path.relpath(path, self.folder) for path in self.files)
        if not self.files:
            return f"a save in {self.folder} was interrupted before or after its work; no file had to be touched"
        if self.finished:
            return f"a save of {files} in {self.folder} was interrupted and has been finished; new are: {names}"
        return f"a save of {files} in {self.folder} was interrupted and has been taken back; as before are: {names}"


def save_files(folder: Path, writes: Iterable[FileWrite], *, force: bool = False) -> None:
    """Write all files or none.

    EditError if another process saves in this folder or was interrupted there, or (unless `force`) if a file is not
    as it was last seen.
    """
    with locked(folder):
        if _has_plan(folder):
            raise EditError(f"a save in {folder} was interrupted; recover(folder) finishes it or takes it back")
        todo = []
        for write in writes:
            if not force:
                refuse_foreign_changes(write.path, write.expected, write.new)
            if read_if_there(write.path) != write.new:
                todo.append(write)
        if todo:
            _save(folder, todo)


def recover(folder: str | os.PathLike[str], *, force: bool = False) -> Recovery | None:
    """Finish or take back a save in a folder that was interrupted; what was done, or None if there was none.

    EditError if a file was changed after the interruption; `force` finishes the save all the same.
    """
    folder = Path(folder).resolve()
    if not (folder / LOCK).exists() and not _has_plan(folder):
        return None
    with locked(folder) as was_left:
        return _recover(folder, force=force) if was_left or _has_plan(folder) else None


def _has_plan(folder: Path) -> bool:
    return (folder / PLAN).exists() or (folder / JOURNAL).exists()


# ---------------------------------------------------------------- saving


def _save(folder: Path, writes: list[FileWrite]) -> None:
    plan = _plan(folder, writes)
    try:
        _write_plan(folder, plan)
        for name in plan["folders"]:
            (folder / name).mkdir()
        for write, entry in zip(writes, plan["files"], strict=True):
            if write.new is not None:
                write_temporary(folder / entry["temporary"], write.new, like=write.path)
        _sync(folder, plan)
        (folder / PLAN).replace(folder / JOURNAL)
    except BaseException as error:
        if not (folder / JOURNAL).exists():  # else a user's interrupt came just behind the moment that decides
            _take_back(folder, plan)
        if isinstance(error, OSError):
            raise refusal(Path(error.filename or folder), error) from None
        raise
    sync_folder(folder)
    try:
        _finish(folder, plan)
    except OSError as error:
        raise EditError(
            f"the save in {folder} stopped halfway at {error.filename}: {error.strerror}; "
            "saving again, or recover(folder), finishes it when the cause is gone"
        ) from None


def _plan(folder: Path, writes: list[FileWrite]) -> dict[str, Any]:
    """The save as data. Places are relative, so the folder may have moved when somebody finishes it."""
    files = []
    folders: set[Path] = set()
    for write in writes:
        temporary = write.path.with_name(new_temporary_name())
        files.append(
            {
                "file": os.path.relpath(write.path, folder),
                "temporary": None if write.new is None else os.path.relpath(temporary, folder),
                "old": _digest(read_if_there(write.path)),
                "new": _digest(write.new),
            }
        )
        if write.new is not None:
            folders.update(parent for parent in write.path.parents if not parent.exists())
    made = sorted(os.path.relpath(path, folder) for path in folders)  # the outer before the inner
    return {"modelica_save": 1, "folders": made, "files": files}


def _digest(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()


def _write_plan(folder: Path, plan: dict[str, Any]) -> None:
    write_temporary(folder / PLAN, json.dumps(plan, indent=1).encode(), like=folder / PLAN)
    sync_folder(folder)


def _sync(folder: Path, plan: dict[str, Any]) -> None:
    """Let the disk know of all names that a plan has made, removed or changed."""
    touched = {(folder / entry["file"]).parent for entry in plan["files"]}
    touched.update((folder / name).parent for name in plan["folders"])
    for path in sorted(touched):
        if path.exists():  # a removed file's folder may have gone with it
            sync_folder(path)


def _finish(folder: Path, plan: dict[str, Any]) -> None:
    """Put every new content into its place; what is there already stays."""
    for entry in plan["files"]:
        file = folder / entry["file"]
        if entry["new"] is None:
            file.unlink(missing_ok=True)
        elif (folder / entry["temporary"]).exists():
            (folder / entry["temporary"]).replace(file)
    _sync(folder, plan)
    (folder / JOURNAL).unlink(missing_ok=True)
    sync_folder(folder)


def _take_back(folder: Path, plan: dict[str, Any]) -> None:
    """Remove what a plan has put beside the files; these have not been touched."""
    for entry in plan["files"]:
        if entry["temporary"] is not None:
            with suppress(FileNotFoundError, NotADirectoryError):  # it was not written yet, nor its folder made
                (folder / entry["temporary"]).unlink()
    for name in reversed(plan["folders"]):
        with suppress(OSError):  # not made yet, or somebody else has put something in it
            (folder / name).rmdir()
    # Last: as long as it is there, somebody can do the rest.
    (folder / PLAN).unlink(missing_ok=True)


# ---------------------------------------------------------------- recovery


def _recover(folder: Path, *, force: bool) -> Recovery:
    journal = _read(folder / JOURNAL)
    if journal is not None:
        if not force:
            _refuse_later_changes(folder, journal)
        _finish(folder, journal)
        return Recovery(folder, _files(folder, journal), finished=True)
    try:
        plan = _read(folder / PLAN)
    except EditError:  # half written: then nothing else was
        plan = None
        (folder / PLAN).unlink()
    if plan is not None:
        _take_back(folder, plan)
    return Recovery(folder, () if plan is None else _files(folder, plan), finished=False)


def _read(path: Path) -> dict[str, Any] | None:
    data = read_if_there(path)
    if data is None:
        return None
    try:
        plan = json.loads(data)
    except ValueError:
        plan = None
    if not isinstance(plan, dict) or plan.get("modelica_save") != 1:
        raise EditError(f"{path} is not the journal of a save that this version knows; look at it and remove it")
    return plan


def _files(folder: Path, plan: dict[str, Any]) -> tuple[Path, ...]:
    return tuple(Path(os.path.normpath(folder / entry["file"])) for entry in plan["files"])


def _refuse_later_changes(folder: Path, plan: dict[str, Any]) -> None:
    """EditError unless every file is as before the save or as after it, and what is missing waits beside it."""
    for entry in plan["files"]:
        file = folder / entry["file"]
        found = _digest(read_if_there(file))
        waiting = None if entry["temporary"] is None else _digest(read_if_there(folder / entry["temporary"]))
        if found != entry["new"] and (found != entry["old"] or waiting != entry["new"]):
            raise EditError(
                f"{file} was changed after a save in {folder} was interrupted; "
                f"recover(folder, force=True) finishes that save over it, without {JOURNAL} it is forgotten"
            )
