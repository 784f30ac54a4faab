"""Files that are read whole: ordinary ones, and not more of them than memory has room for.

A path that a stranger wrote may lead to a pipe, on which a reader waits for ever, or to a device that never ends.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import unicodedata
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from modelica_ast.foundation.errors import EditError

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
    # Without O_NONBLOCK, opening a pipe would wait for a writer. For an ordinary file it has no effect.
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


# ---------------------------------------------------------------- errors
# Why files were not read or written.


class RecoveryWarning(UserWarning):
    """A save that had been interrupted was put in order on the way."""


class FilesError(EditError):
    """Files that can't be saved as they are on the disk now: locked, changed by somebody else, closed, strange."""


# ---------------------------------------------------------------- names
# Names that a file can have on every system that a library may be copied to, and what messages call it.

LONGEST: Final = 255  # bytes in the name of a file or folder, on all common file systems
_NEVER: Final = frozenset('<>:"/\\|?*')
_HERE_AND_ABOVE: Final = frozenset({".", ".."})
# Windows takes these for devices in every folder, whatever the case, and whatever comes after a dot.
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\..*)?", re.IGNORECASE)
# Controls, and the ends of lines and paragraphs. Surrogates stand for bytes of a file's name that are not UTF-8.
_UNPRINTABLE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})


def shown(path: Path) -> str:
    """A path as one would write it from here: without the working folder if it is below that, and else as it is."""
    try:
        here = Path.cwd()
    except OSError:  # it has gone, perhaps by what is told of
        return str(path)
    if path.is_relative_to(here):
        return path.relative_to(here).as_posix()
    return str(path) if path.is_absolute() else path.as_posix()


def fault_of_file_name(name: str) -> str | None:
    """Why no file should be called so: a phrase about 'it'; None if one can, on every system."""
    if not name:
        return "it is empty"
    if name in _HERE_AND_ABOVE:
        return "it names a folder that already exists"
    bad = next((each for each in name if each in _NEVER), None)
    if bad is not None:
        return f"it has a '{bad}'"
    hidden = unprintable_in(name)
    if hidden is not None:
        return f"it has the character U+{ord(hidden):04X}"
    if name[-1] in ". ":  # Windows drops these
        return "it ends with a dot" if name[-1] == "." else "it ends with a blank"
    if _DEVICE.fullmatch(name):
        return "Windows has a device with this name"
    if unicodedata.normalize("NFC", name) != name:
        return "some systems would store it as other characters"
    if len(name.encode()) > LONGEST:
        return f"it has more than {LONGEST} bytes"
    return None


def unprintable_in(name: str) -> str | None:
    """The first character of a name that can't be in a line of text, or None."""
    # PERF: a scan asks for every file of a library, and nearly all names are plain.
    if name.isascii() and name.isprintable():
        return None
    return next((each for each in name if unicodedata.category(each) in _UNPRINTABLE), None)


def folded(name: str) -> str:
    """A name as the most forgetful file system sees it: names that are equal here may be one file."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
