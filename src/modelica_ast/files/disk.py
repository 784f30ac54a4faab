"""The disk as somebody sees it who knows better: some files in memory take precedence over those that are there.

A library that is not written yet, or that should be changed, is looked at like any other this way.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Final

from modelica_ast.files import interrupted
from modelica_ast.files.save import read_if_there
from modelica_ast.foundation import LARGEST, Source, read_regular

Files = Mapping[Path, bytes | None]
# A folder that no disk has, because it would be inside of a file; for libraries that are in memory as a whole.
NOWHERE: Final = Path(__file__).resolve()


class Disk:
    """The files on the disk; in their place, or beside them, those of `files`, and None is a file that is not there.

    Links of folders are followed, one of a file is not: what is in memory is there by its own name.
    """

    def __init__(self, files: Files | None = None) -> None:
        self._real: dict[str, str] = {}  # PERF: folders are few, and asked for with each of their files
        self._files = {self._key(path): data for path, data in (files or {}).items()}
        self._gone = {file for file, data in self._files.items() if data is None}
        self._inside: dict[str, set[str]] = {}  # the names of files and folders that are in a folder by these files
        for file in self._files.keys() - self._gone:
            folder, name = os.path.split(file)
            while name and name not in self._inside.get(folder, ()):
                self._inside.setdefault(folder, set()).add(name)
                folder, name = os.path.split(folder)

    def __repr__(self) -> str:
        return f"<Disk with {len(self._files)} files in memory>" if self._files else "<Disk>"

    def _key(self, path: Path) -> str:
        folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100  (a link of a file is not followed)
        return os.path.join(self._folder(folder), name)  # noqa: PTH118  (PERF: no Path each)

    def _folder(self, folder: str) -> str:
        if folder not in self._real:
            self._real[folder] = os.path.realpath(folder)
        return self._real[folder]

    @property
    def is_covered(self) -> bool:
        """Is there any file that is not as it is on the disk?"""
        return bool(self._files)

    # ------------------------------------------------------------ what is there

    def is_file(self, path: Path) -> bool:
        """Is there such a file?"""
        key = self._key(path) if self._files else ""
        return self._files[key] is not None if key in self._files else interrupted.is_file(path)

    def is_folder(self, path: Path) -> bool:
        """Is there such a folder?"""
        return self._is_made(path) or path.is_dir()

    def exists(self, path: Path) -> bool:
        """Is there such a file or folder?"""
        key = self._key(path) if self._files else ""
        if key in self._files:
            return self._files[key] is not None
        return self._is_made(path) or interrupted.exists(path)

    def _is_made(self, folder: Path) -> bool:
        """Is there a file in memory below a folder?"""
        return bool(self._inside) and self._folder(os.path.abspath(folder)) in self._inside  # noqa: PTH100

    def is_same_file(self, one: Path, other: Path) -> bool:
        """Are two names those of one file? Some file systems do not tell `a.mo` from `A.mo`."""
        return one == other or (one.exists() and other.exists() and one.samefile(other))

    def identity(self, folder: Path) -> Hashable:
        """What tells a folder from all others, by whatever links they are reached."""
        try:
            found = folder.stat()
        except OSError:
            if not self._is_made(folder):
                raise
            return self._folder(os.path.abspath(folder))  # noqa: PTH100
        return found.st_dev, found.st_ino

    def names_in(self, folder: Path) -> list[str]:
        """The names in a folder, sorted; OSError if it can't be read."""
        if not self._files:
            return interrupted.names_in(folder)
        place = self._folder(os.path.abspath(folder))  # noqa: PTH100
        made = self._inside.get(place, set())
        try:
            names = interrupted.names_in(folder)
        except (FileNotFoundError, NotADirectoryError):
            if not made:
                raise
            return sorted(made)
        return sorted({name for name in names if os.path.join(place, name) not in self._gone} | made)  # noqa: PTH118

    def files_below(self, folder: Path) -> Iterator[Path]:
        """All that is in a folder and in those inside, and is not a folder; links to folders are not followed."""
        on_disk = (Path(around) for around, _, _ in os.walk(folder))
        made = (each for each in map(Path, self._inside) if each.is_relative_to(folder) and not each.is_dir())
        for each in (*on_disk, *made):
            yield from (path for name in self.names_in(each) if not self.is_folder(path := each / name))

    # ------------------------------------------------------------ what is in files

    def read(self, path: Path, *, limit: int = LARGEST) -> bytes:
        """The bytes of an ordinary file; OSError if it can't be read, or has more than `limit` bytes on the disk."""
        key = self._key(path) if self._files else ""
        if key not in self._files:
            return read_regular(path, limit=limit)
        data = self._files[key]
        if data is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
        return data

    def read_if_there(self, path: Path) -> bytes | None:
        """The bytes of a file; None if there is none."""
        key = self._key(path) if self._files else ""
        return self._files[key] if key in self._files else read_if_there(path)

    def source(self, path: Path) -> Source:
        """The text of a file; OSError if it can't be read."""
        return Source.from_bytes(self.read(path), path) if self.is_in_memory(path) else Source.read(path)

    def is_in_memory(self, path: Path) -> bool:
        """Is a file not as it is on the disk?"""
        return bool(self._files) and self._key(path) in self._files


THE_DISK: Final = Disk()
