"""Files that are no Modelica and change with it: package.order, scripts, images."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from modelica_ast.edit.steps import Steps
from modelica_ast.files.disk import Disk
from modelica_ast.files.journal import FileWrite

_State = tuple[Mapping[Path, bytes | None], frozenset[Path]]


class OtherFiles:
    """The bytes that some files shall have; a state like that of a document, so it can be undone."""

    def __init__(self, steps: Steps, disk: Disk) -> None:
        self._steps = steps
        self._disk = disk
        self._new: Mapping[Path, bytes | None] = {}
        self._unlinked: frozenset[Path] = frozenset()
        self._likes: dict[Path, Path] = {}  # the files that new ones take their permissions from
        self._first: dict[Path, bytes | None] = {}  # what was there when we first looked
        self._there: dict[Path, bytes | None] = {}  # what is there now, as far as we know

    @property
    def state(self) -> _State:
        """What they shall be; for `Steps`."""
        return self._new, self._unlinked

    def restore(self, state: _State) -> None:
        """Let them be something else; for `Steps`."""
        self._new, self._unlinked = state

    def read(self, path: Path) -> bytes | None:
        """The bytes of a file as they shall be; None if there is none."""
        if path not in self._first:
            self._first[path] = self._there[path] = self._disk.read_if_there(path)
        return self._new.get(path, self._first[path])

    def there(self, path: Path) -> bytes | None:
        """The bytes of a file as they are on the disk, as far as we know."""
        self.read(path)
        return self._there[path]

    def is_there(self, path: Path) -> bool:
        """Shall there be such a file after the next save?"""
        return self._new[path] is not None if path in self._new else self._disk.is_file(path)

    def shall_hold(self, folder: Path) -> bool:
        """Shall there be a new file below a folder after the next save?"""
        return any(folder in path.parents for path, data in self._new.items() if data is not None)

    def below(self, folder: Path) -> list[Path]:
        """The files in a folder and in the folders inside, as they shall be; links are not followed and not listed."""
        found = {path for path, data in self._new.items() if data is not None and path.is_relative_to(folder)}
        there = self._disk.files_below(folder)
        found |= {path for path in there if self.is_there(path) and not path.is_symlink()}
        return sorted(found)

    def write(self, path: Path, data: bytes | None, *, like: Path | None = None) -> None:
        """Let a file have these bytes after the next save, or (None) be gone; a new one takes the mode of `like`."""
        if self.read(path) == data:
            return
        if like is not None:
            self._likes[path] = like
            self._likes[like] = path  # after an undo it is that one again
        with self._steps.transaction(self):
            self._new = {**self._new, path: data}

    def unlink(self, link: Path) -> None:
        """Let a link be gone after the next save, and what it leads to stay."""
        with self._steps.transaction(self):
            self._unlinked |= {link}

    @property
    def unlinked(self) -> list[Path]:
        """The links that the next save removes."""
        return sorted(link for link in self._unlinked if link.is_symlink())

    @property
    def changed(self) -> dict[Path, bytes | None]:
        """The files that differ from what was there."""
        return {path: data for path in self._first if (data := self.read(path)) != self._there[path]}

    def writes(self) -> Iterator[FileWrite]:
        """What a save has to do."""
        for path, data in self.changed.items():
            yield FileWrite(path, data, self._there[path], self._likes.get(path))
        for link in self.unlinked:
            yield FileWrite(link, None, None, is_link=True)

    def mark_saved(self) -> None:
        """They are as they shall be."""
        self._there.update(self.changed)
