"""Several files saved as one, whatever happens in between.

1. A plan names every file, where its new and its old content wait beside it, and the digests of both.
2. The old contents are linked and the new ones written beside the files.
3. The plan is renamed to the journal. This is the moment that decides: before it the save is taken back, after it the
   save is finished, by whoever saves next.
4. Each new content is renamed into its place, folders that have become empty go, then the old contents, then the
   journal.

Each step is on the disk before the next begins. Every file is old or new at every moment, never between.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from modelica_ast.files.interrupted import (
    JOURNAL,
    PLAN,
    Entry,
    Interrupted,
    StrangeNameError,
    as_data,
    digest_of,
    folders_with_journals,
    interrupted_in,
    place_inside,
    state_of,
)
from modelica_ast.files.lock import home_of, locked
from modelica_ast.files.save import (
    MARK,
    OURS,
    copy_permissions,
    new_name,
    read_if_there,
    refusal,
    refuse_foreign_changes,
    remove_orphans,
    replace_file,
    sync_folder,
    target_of,
    write_temporary,
)
from modelica_ast.foundation import FilesError, Record, RecoveryWarning

_LISTED: Final = 10  # names in a message


class FileWrite(Record):
    """What should become of a file: its new bytes, or None if it goes; and what we last saw there, or None.

    A new file takes its permissions from `like`, the file that it was. A link that goes goes itself.
    """

    path: Path
    new: bytes | None
    expected: bytes | None
    like: Path | None = None
    is_link: bool = False


class Recovery(Record):
    """What was done about a save that had been interrupted: finished, taken back, or forgotten where neither can be."""

    folder: Path
    files: tuple[Path, ...]
    finished: bool
    forgotten: bool = False

    def __str__(self) -> str:
        files = f"{len(self.files)} file{'s' * (len(self.files) != 1)}"
        names = ", ".join(os.path.relpath(path, self.folder) for path in self.files[:_LISTED])
        if len(self.files) > _LISTED:
            names += f" and {len(self.files) - _LISTED} more"
        if self.forgotten:
            return f"a save of {files} in {self.folder} was interrupted and has been forgotten; they are left: {names}"
        if not self.files:
            return f"a save in {self.folder} was interrupted before or after its work; no file needed to be changed"
        if self.finished:
            return f"a save of {files} in {self.folder} was interrupted and has been finished; new are: {names}"
        return f"a save of {files} in {self.folder} was interrupted and has been taken back; as before are: {names}"


# ---------------------------------------------------------------- saving


def save_file(
    path: Path, data: bytes, expected: Iterable[bytes | None] | None, *, force: bool = False
) -> list[Recovery]:
    """Replace one file as `save_files` does several; `expected` is what may be there now, None for anything."""
    with locked([path]):
        recovered = recover_around([path])
        if expected is not None and not force:
            refuse_foreign_changes(path, *expected, data)
        remove_orphans(path.parent)
        replace_file(path, data)
    return recovered


def save_files(
    writes: Iterable[FileWrite],
    *,
    folder: Path | None = None,
    roots: Iterable[Path] | None = None,
    force: bool = False,
) -> list[Recovery]:
    """Write all files or none; what was done first about saves that had been interrupted comes back.

    Nothing outside of `roots` is touched. FilesError if another process saves there, or (unless `force`) if a file is
    not as it was last seen. The journal is in `folder` or around it, so that who opens that folder finds it.
    """
    wanted = [_at_its_place(write) for write in writes]
    if not wanted:
        return []
    homes = {home_of(write.path) for write in wanted} | ({home_of(folder.resolve())} if folder is not None else set())
    limits = list(homes) if roots is None else [root.resolve() for root in roots]
    _refuse_outside([write.path for write in wanted], limits)
    place = Path(os.path.commonpath(homes))
    with locked([*homes, place]):
        recovered = recover_around([write.path for write in wanted])
        todo = [write for write in wanted if _is_to_do(write, force=force)]
        if todo:
            _save(_planned(place, todo, limits), todo)
    return recovered


def _at_its_place(write: FileWrite) -> FileWrite:
    """A write with the real path of its file: a link that is written is followed, and stays."""
    path = Path(os.path.realpath(write.path.parent), write.path.name)
    if path.is_symlink() and not write.is_link:
        path = target_of(path)
    return FileWrite(path, write.new, write.expected, write.like, write.is_link)


def _is_to_do(write: FileWrite, *, force: bool) -> bool:
    if write.is_link:
        return write.path.is_symlink()
    if not force:
        refuse_foreign_changes(write.path, write.expected, write.new)
    return read_if_there(write.path) != write.new


def _refuse_outside(paths: list[Path], roots: list[Path]) -> None:
    """FilesError if a place, links followed, is in none of the folders."""
    for path in paths:
        if not any(path.is_relative_to(root) for root in roots):
            where = ", ".join(map(str, roots))
            raise FilesError(f"{path} is outside {where}, by its name or through a link, and is not touched")


def _planned(folder: Path, writes: list[FileWrite], limits: list[Path]) -> Interrupted:
    """What a save is going to do."""
    entries = []
    made: set[Path] = set()
    for write in writes:
        try:
            place_inside(folder, os.path.relpath(write.path, folder))
        except StrangeNameError as strange:
            raise FilesError(f"{write.path} can't be saved: {strange}; nothing has changed") from None
        old = state_of(write.path)
        entries.append(
            Entry(
                write.path,
                None if write.new is None else write.path.with_name(new_name("tmp")),
                None if old is None else write.path.with_name(new_name("old")),
                old,
                None if write.new is None else digest_of(write.new),
            )
        )
        if write.new is not None:
            made.update(parent for parent in write.path.parents if not parent.exists())
    return Interrupted(folder, False, tuple(entries), tuple(sorted(made)), _emptied(writes, limits))  # noqa: FBT003


def _emptied(writes: list[FileWrite], limits: list[Path]) -> tuple[Path, ...]:
    """The folders that hold nothing more after a save, because of it; the inner before the outer."""
    removed = {write.path for write in writes if write.new is None}
    kept = {parent for write in writes if write.new is not None for parent in write.path.parents}
    around = {
        parent
        for path in removed
        for parent in path.parents
        if any(parent != limit and parent.is_relative_to(limit) for limit in limits)
    }
    gone: set[Path] = set()
    for folder in sorted(around - kept, reverse=True):
        try:
            inside = [folder / name for name in os.listdir(folder)]  # noqa: PTH208  (PERF)
        except OSError:
            continue
        if all(path in removed or path in gone for path in inside):
            gone.add(folder)
    return tuple(sorted(gone, reverse=True))


def _save(plan: Interrupted, writes: list[FileWrite]) -> None:
    folder = plan.folder
    try:
        for touched in {folder, *(write.path.parent for write in writes)}:
            remove_orphans(touched)
        _write_plan(plan)
        for path, like in _models_of_folders(plan.made, writes).items():
            path.mkdir()
            if like is not None:
                copy_permissions(like.stat(), path)
        for write, entry in zip(writes, plan.files, strict=True):
            if entry.backup is not None:
                _keep(entry.file, entry.backup)
            if write.new is not None and entry.temporary is not None:
                like = write.like if write.like is not None and entry.old is None else write.path
                write_temporary(entry.temporary, write.new, like=like)
        _sync(plan)
        (folder / PLAN).replace(folder / JOURNAL)
    except BaseException as error:
        if not (folder / JOURNAL).exists():  # else a user's interrupt came just after the moment that decides
            _take_back(plan)
        if isinstance(error, OSError):
            raise _refusal(plan, error) from None
        raise
    try:
        sync_folder(folder)
        _finish(plan)
    except OSError as error:
        raise FilesError(
            f"the save in {folder} stopped halfway at {error.filename}: {error.strerror}; "
            f"once the cause is gone, the next save finishes it, or 'modelica-patch recover {folder}'"
        ) from None
    except BaseException:  # somebody has pressed Ctrl-C: it is decided, so the rest is done before that counts
        with suppress(OSError):
            _finish(plan)
        raise


def _refusal(plan: Interrupted, error: OSError) -> FilesError:
    """Why a save can't begin; where files of several folders have their journal is not for all to guess."""
    at = Path(error.filename or plan.folder)
    if not at.name.startswith(MARK):
        return refusal(at, error)
    if at.parent == plan.folder and not any(entry.file.parent == plan.folder for entry in plan.files):
        return FilesError(
            f"files of several folders are saved as one by a journal in {plan.folder}, and that can't be written: "
            f"{error.strerror}; nothing has changed, name the files one by one"
        )
    return refusal(at.parent, error)


def _write_plan(plan: Interrupted) -> None:
    """Let the plan be there, whole."""
    temporary = plan.folder / new_name("tmp")
    try:
        write_temporary(temporary, json.dumps(as_data(plan), indent=1).encode(), like=plan.folder / PLAN)
        temporary.replace(plan.folder / PLAN)
    except BaseException:
        with suppress(OSError):  # what went wrong first is what is told
            temporary.unlink()
        raise
    sync_folder(plan.folder)


def _models_of_folders(made: Iterable[Path], writes: list[FileWrite]) -> dict[Path, Path | None]:
    """The folder that each new one takes its permissions from: the one that files move out of into it, or None."""
    found: dict[Path, Path | None] = dict.fromkeys(made)
    for write in writes:
        if write.new is not None and write.like is not None:
            for new, old in zip(write.path.parents, write.like.parents, strict=False):
                if new not in found:
                    break
                found[new] = found[new] or old
    return found


def _keep(file: Path, backup: Path) -> None:
    """Let what is there be there under another name too, until all is done."""
    try:
        os.link(file, backup, follow_symlinks=False)
    except (OSError, NotImplementedError):  # not every file system has links
        if file.is_symlink():
            backup.symlink_to(file.readlink())
        else:
            write_temporary(backup, read_if_there(file) or b"", like=file)


def _sync(save: Interrupted) -> None:
    """Let the disk know of all names that a save has made, removed or changed."""
    touched = {entry.file.parent for entry in save.files} | {path.parent for path in (*save.made, *save.emptied)}
    for path in sorted(touched):
        if path.exists():  # a removed file's folder may have gone with it
            sync_folder(path)


def _finish(save: Interrupted) -> None:
    """Put every new content into its place; what is already there stays. Nothing goes before all is there."""
    for entry in save.files:
        if entry.temporary is not None and entry.temporary.exists():
            entry.temporary.replace(entry.file)
    for entry in save.files:
        if entry.temporary is None:
            entry.file.unlink(missing_ok=True)
    _sync(save)
    for entry in save.files:
        if entry.backup is not None:
            entry.backup.unlink(missing_ok=True)
    for folder in save.emptied:
        with suppress(OSError):  # it has gone, or somebody has put something into it
            folder.rmdir()
    (save.folder / JOURNAL).unlink(missing_ok=True)
    sync_folder(save.folder)


def _take_back(save: Interrupted) -> None:
    """Let every file be as it was, and remove what was put beside them. What somebody has changed since stays."""
    new = [entry for entry in save.files if entry.old != entry.new and state_of(entry.file) == entry.new]
    for entry in new:
        if entry.backup is not None and os.path.lexists(entry.backup):
            entry.backup.replace(entry.file)
    for entry in new:
        if entry.old is None:
            entry.file.unlink(missing_ok=True)
    for beside in (path for entry in save.files for path in (entry.backup, entry.temporary) if path is not None):
        with suppress(FileNotFoundError, NotADirectoryError):  # it was not written yet, nor its folder made
            beside.unlink()
    for path in reversed(save.made):
        with suppress(OSError):  # not made yet, or somebody else has put something in it
            path.rmdir()
    # Last: as long as it is there, somebody can do the rest.
    (save.folder / PLAN).unlink(missing_ok=True)


# ---------------------------------------------------------------- recovery


def recover(
    folder: str | os.PathLike[str], *, force: bool = False, take_back: bool = False, foreign: bool = False
) -> Recovery | None:
    """Finish or take back a save in a folder that was interrupted; what was done, or None if there was none.

    FilesError if a file was changed after the interruption; `force` goes on all the same, over that change. With
    `take_back` a save that would be finished is taken back too. A journal of another user is an error unless
    `foreign`; a strange one always is.
    """
    folder = Path(folder).resolve()
    if interrupted_in(folder, foreign=foreign) is None:
        return None
    with locked([folder]):
        found = interrupted_in(folder, foreign=foreign)  # the one who saved there may have come to an end meanwhile
        if found is None:
            return None
        with locked([entry.file for entry in found.files]):
            return _recovered(found, force=force, take_back=take_back)


def _recovered(save: Interrupted, *, force: bool, take_back: bool) -> Recovery:
    finished = save.decided and not take_back
    files = tuple(entry.file for entry in save.files)
    try:
        lost = _lost(save, take_back=not finished)
        if lost is not None:
            if not force:
                raise _content_is_gone(save, lost, take_back=not finished)
            save.journal.unlink(missing_ok=True)
            return Recovery(save.folder, files, finished=False, forgotten=True)
        if save.decided and not force:
            _refuse_later_changes(save, take_back=take_back)
        if finished:
            _finish(save)
        else:
            if save.decided:  # the decision is taken back first: a process that is killed in between leaves a plan
                (save.folder / JOURNAL).replace(save.folder / PLAN)
            _take_back(save)
    except OSError as error:
        raise refusal(Path(error.filename or save.folder), error) from None
    return Recovery(save.folder, files, finished=finished)


def _lost(save: Interrupted, *, take_back: bool) -> Path | None:
    """A file whose content is to be put into its place and waits nowhere any more; None if all are there."""
    for entry in save.files:
        wanted, other, place = entry.new, entry.old, entry.temporary
        if take_back:
            wanted, other, place = other, wanted, entry.backup
        # What is neither was changed by somebody: that is not for us to replace, and so not lost.
        if wanted is None or wanted == other or state_of(entry.file) != other:
            continue
        if place is None or state_of(place) != wanted:
            return entry.file
    return None


def _content_is_gone(save: Interrupted, file: Path, *, take_back: bool) -> FilesError:
    which = "old" if take_back else "new"
    command = f"'modelica-patch recover {save.folder}'" if take_back and save.decided else ""
    command = command or f"'modelica-patch recover --take-back {save.folder}'" * (not take_back)
    instead = f"{command} may go the other way; " if command else ""
    return FilesError(
        f"the {which} content of {file}, which a save left when it was interrupted, is gone; {instead}"
        f"'modelica-patch recover --force {save.folder}' forgets that save and leaves all files as they are"
    )


def recover_around(paths: Iterable[Path]) -> list[Recovery]:
    """Put all saves in order that were interrupted around some places; what a user has to decide is an error."""
    done: list[Recovery] = []
    for folder in folders_with_journals(paths):
        while (recovery := recover(folder)) is not None:
            done.append(recovery)
    return done


def sweep(folder: Path) -> int:
    """Remove temporaries that no journal names any more, and count them."""
    if not any(OURS.fullmatch(name) for name in os.listdir(folder)):  # noqa: PTH208  (PERF)
        return 0
    with locked([folder]):
        # Those that a journal around names are its own: it has been reported and left.
        return 0 if folders_with_journals([folder]) else remove_orphans(folder)


def warn_of(recovered: Iterable[Recovery]) -> None:
    """Tell who called the caller's caller what was put in order on the way."""
    for recovery in recovered:
        warnings.warn(str(recovery), RecoveryWarning, stacklevel=4)


def _refuse_later_changes(save: Interrupted, *, take_back: bool) -> None:
    """FilesError unless every file is as before the save or as after it."""
    for entry in save.files:
        if state_of(entry.file) in (entry.old, entry.new):
            continue
        option, does = (" --take-back", "takes the rest back") if take_back else ("", "finishes it over that change")
        raise FilesError(
            f"{entry.file} was changed after a save in {save.folder} was interrupted; "
            f"'modelica-patch recover{option} --force {save.folder}' {does}"
        )
