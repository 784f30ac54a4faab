"""What can be made again, kept on disk by what it was made from: one folder for all of a user's programs.

An entry only saves time. What is damaged, cut off, of another name or not the user's own file is as if it were not
there; where nothing can be written, nothing is kept.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

CACHE_LIMIT: Final = 500_000_000  # bytes of all entries
_CHECKSUM: Final = 32  # bytes of SHA-256 at the start of an entry
# Only files of this name are ever removed: somebody may give a folder that holds other things.
_OURS: Final = re.compile(r"[0-9a-f]{64}\.(tree|model|run|verified)(\.[0-9a-f]{12}\.tmp)?")
_FOLDER: Final = "MODELICA_AST_CACHE"  # the variable that names the folder itself
_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


class Kept:
    """A folder of entries. Any number of threads and processes may share it.

    `limit` is in bytes; what was not used for the longest time goes first.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, *, limit: int = CACHE_LIMIT) -> None:
        self.folder: Path | None = user_cache_folder() if folder is None else Path(folder).absolute()
        self.limit = limit
        self._room = 0  # bytes that may be written before the folder is looked through again

    def get(self, name: str) -> bytes | None:
        """What was kept under a name; None if there is nothing, or nothing that can be trusted."""
        if self.folder is None:
            return None
        file = self.folder / name
        try:
            data = _own_bytes(file, self.limit)
        except OSError:
            return None
        payload = data[_CHECKSUM:]
        if data[:_CHECKSUM] != _checksum(name, payload):
            return None
        with suppress(OSError):  # the folder may be for reading only
            os.utime(file)
        return payload

    def put(self, name: str, payload: bytes) -> None:
        """Keep this under a name, unless it is so large that little else would have room."""
        data = _checksum(name, payload) + payload
        if self.folder is None or len(data) > self.limit // 8:
            return
        with suppress(OSError):  # without the entry it is made once more
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(self.folder, len(data))
            _replace(self.folder / name, data)

    def _make_room(self, folder: Path, size: int) -> None:
        """Keep below the limit, without looking through the folder at each write.

        Threads share the count without a lock: at worst one looks once more, or an entry too many stays for a while.
        Several processes may exceed the limit by an eighth each.
        """
        if size > self._room:
            _remove_oldest(folder, self.limit - self.limit // 8)
            self._room = self.limit // 8
        self._room -= size


def user_cache_folder() -> Path | None:
    """Where this user's programs keep what they can make again; None if there is no such place."""
    named = os.environ.get(_FOLDER, "")
    if Path(named).is_absolute():
        return Path(named)
    if sys.platform == "win32":
        given = os.environ.get("LOCALAPPDATA", "")
        below_home = Path("AppData", "Local")
    elif sys.platform == "darwin":
        given = ""
        below_home = Path("Library", "Caches")
    else:
        given = os.environ.get("XDG_CACHE_HOME", "")
        below_home = Path(".cache")
    if Path(given).is_absolute():  # the XDG specification: a relative one is to be ignored
        return Path(given, "modelica_ast")
    try:
        return Path.home() / below_home / "modelica_ast"
    except RuntimeError:  # a user without a home
        return None


# ---------------------------------------------------------------- entries


def _checksum(name: str, payload: bytes) -> bytes:
    """With the name, so that an entry under the name of another is found out."""
    digest = hashlib.sha256(name.encode())
    digest.update(payload)
    return digest.digest()


def _own_bytes(file: Path, most: int) -> bytes:
    """The bytes of an ordinary file that only this user can have written; OSError if it is anything else."""
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, name, 0)
    handle = os.open(file, flags)
    with os.fdopen(handle, "rb") as opened:
        status = os.fstat(handle)
        is_own = not hasattr(os, "geteuid") or (
            status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE
        )
        if not stat.S_ISREG(status.st_mode) or not is_own or status.st_size > most:
            raise OSError(f"{file} is not an entry of this user")
        return opened.read(most + 1)


def _replace(file: Path, data: bytes) -> None:
    """Write a file that others see whole or not at all."""
    temporary = file.with_name(f"{file.name}.{secrets.token_hex(6)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        with os.fdopen(os.open(temporary, flags, 0o600), "wb") as opened:
            opened.write(data)
        temporary.replace(file)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _remove_oldest(folder: Path, limit: int) -> None:
    """Remove entries until the rest is below the limit; what a killed process left half written counts as one."""
    found: list[tuple[float, int, str]] = []
    with os.scandir(folder) as items:
        for item in items:
            if _OURS.fullmatch(item.name):
                with suppress(FileNotFoundError):  # another process removes as well
                    status = item.stat(follow_symlinks=False)
                    found.append((status.st_mtime, status.st_size, item.path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= limit:
            return
        with suppress(FileNotFoundError):
            os.unlink(path)  # noqa: PTH108  (a path of scandir)
        total -= size
