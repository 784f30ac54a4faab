"""What a recipe is applied to: a library, a folder of files, or one file; changed as one, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from attrs import frozen

from modelica_ast.edit.document import Document
from modelica_ast.edit.workspace import Workspace
from modelica_ast.files.pending import exists, files_below, is_file
from modelica_ast.library.libraries import Libraries
from modelica_ast.recipes.errors import RecipeError
from modelica_ast.source import Source

_PACKAGE = "package.mo"


@frozen(eq=False)
class TargetFile:
    """One Modelica file: its name as selectors and messages have it, and its place."""

    name: str
    path: Path


class Target:
    """Modelica files that are edited together. A folder with a package.mo, or with libraries alone, is libraries."""

    def __init__(self, place: str | os.PathLike[str], *, read_only: Iterable[str | os.PathLike[str]] = ()) -> None:
        self._place = Path(place)
        if not exists(self._place):
            raise RecipeError(f"{place}: no such file or folder")
        self._folder = self._place if self._place.is_dir() else self._place.parent
        found = self._libraries_there()
        self.libraries = Libraries(found, read_only=read_only) if found else None
        self._others = Libraries([], read_only=read_only) if not found and read_only else None
        workspace = self.libraries.workspace if self.libraries is not None else None
        self.workspace = workspace or Workspace(self._folder)
        self._texts: dict[Path, str] = {}

    def _libraries_there(self) -> list[Path]:
        if not self._place.is_dir():
            return []
        if is_file(self._place / _PACKAGE):
            return [self._place]
        found = (path for path in self._place.iterdir() if is_file(path / _PACKAGE))
        folders = sorted(path for path in found if not path.is_symlink())  # a link leads out of what was named
        files = [path for path in _files_below(self._place) if not any(path.is_relative_to(f) for f in folders)]
        return folders if not files else []

    @property
    def lookup(self) -> Libraries | None:
        """Where types are looked up."""
        return self.libraries or self._others

    def files(self) -> list[TargetFile]:
        """The files as they are now, in the order of their names."""
        if self.libraries is not None:
            paths = [entry.path for library, entry in self.libraries.files() if not library.read_only]
        elif self._place.is_dir():
            paths = [path for path in _files_below(self._place) if path not in self.left_alone]
        else:
            paths = [self._place]
        folder = self._folder.resolve()
        names = [TargetFile(Path(os.path.relpath(path.resolve(), folder)).as_posix(), path) for path in paths]
        return sorted(names, key=lambda file: file.name)

    @cached_property
    def left_alone(self) -> list[Path]:
        """Links to files that lead out of a folder that is no library: they are not read, and not changed."""
        if self.libraries is not None or not self._place.is_dir():
            return []
        folder = self._folder.resolve()
        return [path for path in _files_below(self._place) if not path.resolve().is_relative_to(folder)]

    def document(self, file: TargetFile) -> Document:
        """The document of a file; the same one each time."""
        return self.workspace.open(file.path.resolve())

    def text_of(self, file: TargetFile) -> str:
        """The text of a file as it is now; one that nobody has opened is not parsed for it."""
        opened = self.workspace.opened(file.path.resolve())
        if opened is not None:
            return opened.text
        if file.path not in self._texts:
            self._texts[file.path] = Source.read(file.path).text
        return self._texts[file.path]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All edits as one step: all of them, or none if one is refused."""
        with self.libraries.transaction() if self.libraries is not None else self.workspace.transaction():
            yield

    def diff(self) -> str:
        """What has changed since the files were read."""
        return self.workspace.diff()

    def save(self, *, force: bool = False) -> None:
        """Write all that has changed: every file, or none."""
        if self.libraries is not None:
            self.libraries.save(force=force)
        else:
            self.workspace.save(force=force)


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in files_below(folder) if path.suffix == ".mo")
