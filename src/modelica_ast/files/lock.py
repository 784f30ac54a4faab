"""One process at a time saves in a library.

The lock is the operating system's own, on the folder itself: it goes with its process, however that ends, and leaves
no file. Whoever wants to save waits a while, and is then told who holds it. What is locked is the home of a file: the
outermost package around it, or its folder where there is none, so a save of one file and a save of its whole library
exclude each other.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from modelica_ast.files.save import MARK
from modelica_ast.foundation import FilesError

_LOCK: Final = f"{MARK}.lock"  # only where folders can't be locked
_WAIT: Final = 30.0  # seconds
_WAIT_VARIABLE: Final = "MODELICA_PATCH_WAIT"
_TELL_AFTER: Final = 1.0  # seconds
_PACKAGE_FILE: Final = "package.mo"
# What a file system says that locks no folders, as NFS, which wants an exclusive lock on something open for writing.
_NO_LOCKS_ON_FOLDERS: Final = frozenset({errno.EBADF, errno.ENOLCK, errno.EINVAL, errno.EOPNOTSUPP, errno.EISDIR})

_Identity = tuple[int, int]
Waiting = Callable[[Path, str], None]


class LockedError(FilesError):
    """Another process saves where we want to, and did not end in time."""


def home_of(path: Path) -> Path:
    """The folder whose lock protects a file: the outermost package around it, else the folder that it is in."""
    folder = path
    while not folder.is_dir():
        folder = folder.parent
    for around in (folder, *folder.parents):
        if (around / _PACKAGE_FILE).is_file():
            while (around.parent / _PACKAGE_FILE).is_file() and around != around.parent:
                around = around.parent  # noqa: PLW2901  (the way up goes on)
            return around
    return folder


class _Locks:
    """The locks that one piece of work holds to its end; the same one is taken once, however often it is asked for."""

    def __init__(self, waiting: Waiting | None) -> None:
        self._held: dict[_Identity, int] = {}
        self._waiting = waiting

    def take(self, folders: Iterable[Path]) -> None:
        """Take what is not held yet, in an order that is the same for everybody."""
        for folder in sorted(set(folders)):
            found = folder.stat()
            identity = (found.st_dev, found.st_ino)
            if identity not in self._held:
                self._held[identity] = _acquired(folder, self._waiting)

    def release(self) -> None:
        """Let others go on."""
        while self._held:
            _release(self._held.popitem()[1])


# Work that locks calls other work that does, in the same thread: it must not wait for itself. A thread of its own is
# other work, and does wait.
_LOCKS: ContextVar[_Locks | None] = ContextVar("modelica_ast.files.lock", default=None)


@contextmanager
def locked(paths: Iterable[Path], *, waiting: Waiting | None = None) -> Iterator[None]:
    """Let nobody else save in the homes of some files until the block ends; LockedError if somebody does for too long.

    A block inside of another adds to what that one holds. `waiting` is called once with the folder and who holds it,
    if it takes a while.
    """
    outer = _LOCKS.get()
    if outer is not None:
        outer.take(map(home_of, paths))
        yield
        return
    locks = _Locks(waiting)
    token = _LOCKS.set(locks)
    try:
        locks.take(map(home_of, paths))
        yield
    finally:
        _LOCKS.reset(token)
        locks.release()


def is_held() -> bool:
    """Is this inside of a `locked` block?"""
    return _LOCKS.get() is not None


def holder_of(path: Path) -> str | None:
    """Who is saving in the home of a file right now, or None; for those who only look."""
    folder = home_of(path)
    return _holder(folder) if _is_locked(folder) else None


# ---------------------------------------------------------------- one lock


def _acquired(folder: Path, waiting: Waiting | None) -> int:
    """The open folder, locked; LockedError if it is not to be had in time."""
    started = time.monotonic()
    patience = _patience()
    pause = 0.005
    while True:
        handle = _try_to_lock(folder)
        if handle is not None:
            return handle
        waited = time.monotonic() - started
        if waited >= patience:
            raise LockedError(
                f"{_holder(folder)} is saving in {folder}; nothing has changed after {waited:.0f} s of waiting, "
                "try again when it is done"
            )
        if waiting is not None and waited >= _TELL_AFTER:
            waiting(folder, _holder(folder))
            waiting = None
        time.sleep(pause)
        pause = min(2 * pause, 0.1)


def _patience() -> float:
    """Seconds that somebody waits for a lock."""
    try:
        found = float(os.environ.get(_WAIT_VARIABLE, _WAIT))
    except ValueError:
        return _WAIT
    return found if found >= 0 else _WAIT  # nan is not


def _unreachable(folder: Path, error: OSError) -> FilesError:
    return FilesError(f"{folder} can't be saved: {error.strerror or error}; nothing has changed")


if sys.platform == "win32":
    import msvcrt

    def _try_to_lock(folder: Path) -> int | None:
        """A file of the folder that is locked, and goes when it is closed; None if somebody else has it."""
        try:
            handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_TEMPORARY)
        except PermissionError:  # it is about to go
            return None
        except OSError as error:
            raise _unreachable(folder, error) from None
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            os.close(handle)
            return None
        return handle

    def _is_locked(folder: Path) -> bool:
        return (folder / _LOCK).exists()

    def _release(handle: int) -> None:
        os.close(handle)

else:
    import fcntl

    def _try_to_lock(folder: Path) -> int | None:
        """The open folder; None if somebody else has it."""
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise _unreachable(folder, error) from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        except OSError as error:
            os.close(handle)
            if error.errno not in _NO_LOCKS_ON_FOLDERS:
                raise _unreachable(folder, error) from None
            return _try_to_lock_file(folder / _LOCK)
        return handle

    def _is_locked(folder: Path) -> bool:
        """Does somebody hold the lock? Nothing is written to find out, so not where a file is the lock."""
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        finally:
            os.close(handle)
        return False

    def _try_to_lock_file(path: Path) -> int | None:
        """Where folders can't be locked: a file in it. A killed process leaves it, and it locks nobody out."""
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise _unreachable(path.parent, error) from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), path.stat()):
                _LOCK_FILES[handle] = path
                return handle
        except (BlockingIOError, FileNotFoundError):
            pass
        except OSError as error:
            os.close(handle)
            raise _unreachable(path.parent, error) from None
        os.close(handle)  # somebody has it, or has removed it just now: then it locks nothing
        return None

    _LOCK_FILES: Final[dict[int, Path]] = {}  # by the descriptors that are open

    def _release(handle: int) -> None:
        path = _LOCK_FILES.pop(handle, None)
        if path is not None:  # while it is locked: it is ours
            path.unlink(missing_ok=True)
        os.close(handle)


# ---------------------------------------------------------------- who has it


def _holder(folder: Path) -> str:
    """Who holds the lock of a folder, as far as the system tells."""
    try:
        inode = folder.stat().st_ino
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
        for line in lines:
            words = line.split()  # 1: FLOCK ADVISORY WRITE 4711 08:01:123456 0 EOF
            if words[1:2] == ["FLOCK"] and words[5].rpartition(":")[2] == str(inode):
                return _process(int(words[4]))
    except (OSError, ValueError, IndexError):  # no Linux, or one that tells nothing
        pass
    return "another process"


def _process(number: int) -> str:
    if number == os.getpid():
        return f"another thread of this process ({number})"
    if number <= 0:  # of another name space
        return "a process outside of this container"
    try:
        words = Path(f"/proc/{number}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return f"process {number}"
    command = " ".join(word for word in words if word)[:80]
    shown = "".join(letter if letter.isprintable() else "?" for letter in command)
    return f"process {number} ({shown})" if shown else f"process {number}"
