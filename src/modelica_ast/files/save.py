"""One file replaced as a whole or not at all, and never over what somebody else has written there."""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from modelica_ast.foundation import FilesError, read_regular

# What is in a folder while files are saved there starts with this.
MARK: Final = ".modelica-save"
RESULT_MARK: Final = ".modelica-result"  # of results that a user has asked for
# New contents that wait for their place, and old ones that are kept until all is done. Nothing else is ever removed.
OURS: Final = re.compile(rf"{re.escape(MARK)}-[0-9a-f]{{12}}\.(tmp|old)")


def target_of(path: Path) -> Path:
    """The file that is meant: links are followed, and stay links."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a link that leads back to itself, a NUL in the name
        raise FilesError(f"{path}: {error}") from None


def read_if_there(path: Path) -> bytes | None:
    """The bytes of a file; None if there is none."""
    try:
        return read_regular(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise refusal(path, error) from None


def refuse_foreign_changes(path: Path, expected: bytes | None, *new: bytes | None) -> None:
    """FilesError unless the file is as we last saw it, or already as it should be, and can be written."""
    found = read_if_there(path)
    if found is not None and _is_read_only(path):
        raise FilesError(f"{path} is read-only; save(force=True) replaces it anyway")
    if found == expected or found in new:
        return
    if found is None:
        what = "has been removed since it was read; save(force=True) writes it again"
    elif expected is None:
        what = "already exists; save(force=True) overwrites it"
    else:
        what = "has been changed by somebody else since it was read; save(force=True) overwrites it"
    raise FilesError(f"{path} {what}")


def _is_read_only(path: Path) -> bool:
    """May nobody write it, or not we? For root, to whom all is allowed, the mode says what its owner meant."""
    may_write = os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    return not may_write or not path.stat().st_mode & 0o222


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write what a user asked for to the file that they named, whole or not at all; FilesError says why not.

    A link is written through, and stays. What is not an ordinary file, as /dev/stdout, gets the bytes as they are.
    """
    target = target_of(Path(path))
    if target.is_dir():
        raise FilesError(f"{path} is a folder, but a file is expected")
    if target.exists() and not target.is_file():
        try:
            with target.open("wb", buffering=0) as file:
                file.write(data)
        except OSError as error:
            raise refusal(Path(path), error) from None
        return
    # No lock is held here, so the name is not one that others remove.
    temporary = target.with_name(f"{RESULT_MARK}-{os.urandom(6).hex()}.tmp")
    try:
        _replace(target, data, temporary)
    except OSError as error:
        raise refusal(Path(path), error) from None


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file by another with the same permissions; at no moment is it half written. Its home is locked."""
    try:
        _replace(path, data, path.with_name(new_name("tmp")))
    except OSError as error:
        raise refusal(path, error) from None


def _replace(path: Path, data: bytes, temporary: Path) -> None:
    try:
        write_temporary(temporary, data, like=path)
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):  # it may not be there; what went wrong first is what is told
            temporary.unlink()
        raise
    sync_folder(path.parent)


def new_name(ending: str) -> str:
    """A name that no file has, as short for long names as for short ones."""
    return f"{MARK}-{os.urandom(6).hex()}.{ending}"


def write_temporary(temporary: Path, data: bytes, *, like: Path) -> None:
    """Write a file that should take the place of another: on the disk before this returns, with its permissions."""
    status = like.stat() if like.exists() else None
    # What is private is so from the start; a new file gets what the user's mask leaves.
    mode = 0o666 if status is None else 0o600
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if status is not None:
        copy_permissions(status, temporary)


def copy_permissions(status: os.stat_result, path: Path) -> None:
    """Let a file or folder belong to whom another belongs, and be open to the same people."""
    if os.name == "posix" and os.geteuid() == 0:  # nobody else can give a file away
        os.chown(path, status.st_uid, status.st_gid)
    path.chmod(stat.S_IMODE(status.st_mode))


def remove_orphans(folder: Path) -> int:
    """Remove what killed processes have left in a folder, and count it; whoever calls this holds the lock."""
    removed = 0
    with suppress(OSError):  # what can't be looked at has no orphans that could be removed
        for name in os.listdir(folder):  # noqa: PTH208  (PERF: names are all that is needed)
            path = folder / name
            if OURS.fullmatch(name) and not stat.S_ISDIR(path.lstat().st_mode):
                path.unlink(missing_ok=True)
                removed += 1
    return removed


def sync_folder(folder: Path) -> None:
    """Let the disk know which files a folder holds."""
    if os.name != "posix":  # elsewhere a folder can't be opened, and needs not
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems can't do it for folders
            raise
    finally:
        os.close(handle)


def refusal(path: Path, error: OSError) -> FilesError:
    """A refused system call as a sentence."""
    return FilesError(f"{path} can't be saved: {error.strerror or error}; nothing has changed")
