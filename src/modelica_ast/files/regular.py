"""Files that are read whole: ordinary ones, and not more of them than memory has room for.

A path that a stranger wrote may lead to a pipe, on which a reader waits for ever, or to a device that never ends.
"""

from __future__ import annotations

import errno
import os
import stat
from contextvars import ContextVar

_MB = 1_000_000
LARGEST = 256 * _MB  # bytes of a file that is read whole, unless a caller says another number
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class Waiting:
    """Where the contents of files are that wait for their place, None for files that are about to go; see `pending`."""

    __slots__ = ("places", "told")

    def __init__(self) -> None:
        self.places: dict[str, str | None] = {}
        self.told: set[os.PathLike[str]] = set()  # the folders that somebody was told of


WAITING: ContextVar[Waiting | None] = ContextVar("modelica_ast.files.waiting", default=None)


def actual_place(path: str | os.PathLike[str]) -> str | os.PathLike[str] | None:
    """Where the content of a file is; None if the file is about to go."""
    waiting = WAITING.get()
    if waiting is None or not waiting.places:
        return path
    around, name = os.path.split(os.path.abspath(path))  # noqa: PTH100  (links of folders are followed, one of a file is not)
    return waiting.places.get(os.path.join(os.path.realpath(around), name), path)  # noqa: PTH118


def open_regular(path: str | os.PathLike[str]) -> int:
    """A descriptor for reading an ordinary file; OSError, without waiting, if the path leads to anything else."""
    # Without O_NONBLOCK, opening a pipe would wait for a writer. For an ordinary file it means nothing.
    place = actual_place(path)
    if place is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        # Some devices do something when they are opened, so the look comes first; the second one counts.
        refuse_special(os.stat(place).st_mode, path)  # noqa: PTH116  (PERF: no Path is made)
        handle = os.open(place, flags)
    except FileNotFoundError:
        if place is path:
            raise
        handle = os.open(path, flags)  # it waited, and somebody has put it into its place just now
    except ValueError as error:  # a NUL in the name
        raise OSError(errno.EINVAL, str(error), os.fspath(path)) from None
    try:
        refuse_special(os.fstat(handle).st_mode, path)
    except BaseException:
        os.close(handle)
        raise
    return handle


def refuse_special(mode: int, path: str | os.PathLike[str]) -> None:
    """OSError unless the mode is that of an ordinary file."""
    if stat.S_ISREG(mode):
        return
    kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "something else")
    number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
    raise OSError(number, f"is {kind}, not a file", os.fspath(path))


def read_regular(path: str | os.PathLike[str], *, limit: int = LARGEST) -> bytes:
    """The bytes of an ordinary file; OSError if it is something else, can't be read, or has more than `limit` bytes."""
    handle = open_regular(path)
    with os.fdopen(handle, "rb") as file:
        if os.fstat(handle).st_size > limit:  # a file with holes takes no disk, but all of its size in memory
            raise _too_large(path, limit)
        data = file.read(limit + 1)
    if len(data) > limit:  # it has grown, or tells no size, as those of /proc
        raise _too_large(path, limit)
    return data


def _too_large(path: str | os.PathLike[str], limit: int) -> OSError:
    size = f"{limit // _MB} MB" if limit >= _MB else f"{limit} bytes"
    return OSError(errno.EFBIG, f"has more than {size}", os.fspath(path))
