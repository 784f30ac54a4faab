"""Files that are no Modelica and change with it: package.order, scripts, images."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from modelica_ast.edit.steps import Steps
from modelica_ast.files.journal import FileWrite
from modelica_ast.files.saving import read_if_there


class OtherFiles:
    """The bytes that some files shall have; a state like that of a document, so it can be undone."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._new: Mapping[Path, bytes | None] = {}
        self._first: dict[Path, bytes | None] = {}  # what was there when we first looked
        self._there: dict[Path, bytes | None] = {}  # what is there now, as far as we know

    @property
    def state(self) -> Mapping[Path, bytes | None]:
        """What they shall be; for `Steps`."""
        return self._new

    def restore(self, state: Mapping[Path, bytes | None]) -> None:
        """Let them be something else; for `Steps`."""
        self._new = state

    def read(self, path: Path) -> bytes | None:
        """The bytes of a file as they shall be; None if there is none."""
        if path not in self._first:
            self._first[path] = self._there[path] = read_if_there(path)
        return self._new.get(path, self._first[path])

    def there(self, path: Path) -> bytes | None:
        """The bytes of a file as they are on the disk, as far as we know."""
        self.read(path)
        return self._there[path]

    def is_there(self, path: Path) -> bool:
        """Shall there be such a file after the next save?"""
        return self._new[path] is not None if path in self._new else path.is_file()

    def below(self, folder: Path) -> list[Path]:
        """The files in a folder and in the folders inside, as they shall be; links are not followed and not listed."""
        found = {path for path, data in self._new.items() if data is not None and path.is_relative_to(folder)}
        for place, _, names in os.walk(folder):
            found |= {path for name in names if self.is_there(path := Path(place, name)) and not path.is_symlink()}
        return sorted(found)

    def write(self, path: Path, data: bytes | None) -> None:
        """Let a file have these bytes after the next save, or (None) be gone."""
        if self.read(path) == data:
            return
        with self._steps.transaction(self):
            self._new = {**self._new, path: data}

    @property
    def changed(self) -> dict[Path, bytes | None]:
        """The files that differ from what was there."""
        return {path: data for path in self._first if (data := self.read(path)) != self._there[path]}

    def writes(self) -> Iterator[FileWrite]:
        """What a save has to do."""
        for path, data in self.changed.items():
            yield FileWrite(path, data, self._there[path])

    def mark_saved(self) -> None:
        """They are as they shall be."""
        self._there.update(self.changed)
