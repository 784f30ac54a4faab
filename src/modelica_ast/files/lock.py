"""One process at a time saves in a folder.

The lock is one of the operating system's, so it goes with its process, however that ends. Its file may stay behind:
it says that a save was interrupted, and locks nobody out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from modelica_ast.errors import EditError
from modelica_ast.files.saving import MARK, refusal

LOCK = f"{MARK}.lock"

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Save alone in a folder; EditError if another process, or another thread, does so now.

    It tells whether the file of the lock was left by somebody who could not remove it.
    """
    path = folder / LOCK
    handle, was_left = _acquired(path)
    try:
        yield was_left
    finally:
        if sys.platform == "win32":  # where an open file can't be removed
            os.close(handle)
            path.unlink(missing_ok=True)
        else:  # while it is locked: it is ours
            path.unlink(missing_ok=True)
            os.close(handle)


def _acquired(path: Path) -> tuple[int, bool]:
    while True:
        try:
            handle, was_there = _opened(path)
        except FileNotFoundError:
            if path.parent.exists():  # who had it has removed it just now
                continue
            raise EditError(f"there is no folder {path.parent}") from None
        except OSError as error:
            raise refusal(path.parent, error) from None
        try:
            _lock(handle)
        except (BlockingIOError, PermissionError):  # the one on POSIX, the other on Windows
            os.close(handle)
            raise EditError(f"another process is saving in {path.parent}; nothing has changed, try again") from None
        if _is_file_of(handle, path):
            return handle, was_there
        os.close(handle)


def _opened(path: Path) -> tuple[int, bool]:
    """The file of the lock, and whether it was there already."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666), False
    except FileExistsError:
        return os.open(path, os.O_RDWR), True


def _is_file_of(handle: int, path: Path) -> bool:
    """Is the open file still the one at this path? Else who had it before has removed it, and it locks nothing."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
