"""The package as the user has it now: where it is, what it is called, its files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from modelica_ast import ModelicaError, Source
from modelica_ast.edit import Document
from modelica_ast.files import files_below, read_regular
from urdf_frontend.diagnostics import reason_of
from urdf_frontend.update.errors import UnreadableError, UpdateError

_PACKAGE_FILE = "package.mo"


@frozen
class UserPackage:
    """A package on the disk, or as it would be there. Paths are in its folder, with `/`."""

    folder: Path
    full_name: str
    files: Mapping[str, bytes]

    def text(self, path: str) -> str:
        """The text of a file, in whatever encoding it is."""
        return Source.from_bytes(self.files[path]).text

    def encoded(self, path: str, text: str) -> bytes:
        """A text in the encoding of the file; in UTF-8 if that has a character for all of it and the other has not."""
        if path not in self.files:
            return text.encode()
        try:
            return Source.from_bytes(self.files[path]).encode(text)
        except UnicodeEncodeError:
            return text.encode()

    @property
    def modelica_files(self) -> list[str]:
        """All files with classes in them."""
        return [path for path in self.files if path.endswith(".mo")]


def read_user_package(folder: Path) -> UserPackage:
    """Read all files of a package; UpdateError if it is none, UnreadableError if a folder of it is a link."""
    path = folder / _PACKAGE_FILE
    try:
        refuse_linked_folders(folder)
        document = Document.open(path)
        files = {name: read_regular(folder / name) for name in _names_in(folder)}
    except ModelicaError as wrong:
        raise UnreadableError(f"{path} can't be read: {wrong}") from None
    except OSError as wrong:
        place = wrong.filename or path
        raise UnreadableError(f"{place} can't be read: {reason_of(wrong)}") from None
    if len(document.classes) != 1:
        raise UpdateError(f"{path} has to define one class, the package; it has {len(document.classes)}")
    within = f"{document.within}." if document.within else ""
    return UserPackage(folder, within + document.classes[0].name, files)


def refuse_linked_folders(folder: Path) -> None:
    """UnreadableError if a folder inside of a package is a link, or something there is a link that leads nowhere.

    What is behind a link is not the package's own and not written. Without it files would seem to be removed, and what
    the URDF has changed in them would be lost.
    """
    for around, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in (*folders, *sorted(files)):
            path = Path(around, name)
            if path.is_symlink() and not path.is_file() and not name.startswith("."):
                shown = Path(folder.name, path.relative_to(folder)).as_posix()
                raise UnreadableError(f"{shown} is a link: a package is updated only if all of its folders are its own")


def _names_in(folder: Path) -> Iterator[str]:
    """All but what is hidden: folders of tools (.git) are not part of a package."""
    return (path.relative_to(folder).as_posix() for path in files_below(folder))
