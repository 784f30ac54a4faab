"""A library: its classes by their names, its files read only when somebody looks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from modelica_ast.edit.errors import NotFoundError
from modelica_ast.files.disk import THE_DISK, Disk
from modelica_ast.identifiers import nearest, split_name
from modelica_ast.library.class_names import class_names
from modelica_ast.library.errors import Problem, UnusableError
from modelica_ast.library.layout import PACKAGE_FILE, FileEntry, scan


class Library:
    """One library, a folder with a package.mo or a single file."""

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False, disk: Disk = THE_DISK) -> None:
        self.path = _resolved(Path(path))
        self.read_only = read_only
        self._disk = disk
        self._root, self.problems = scan(self.path, disk)
        self._by_name: dict[str, FileEntry] = {}

    def __repr__(self) -> str:
        return f"<Library {self.name} {self.path}>"

    @property
    def root(self) -> FileEntry:
        """The file of its top class, with all other files inside."""
        return self._root

    @property
    def name(self) -> str:
        """The name of its top class."""
        return self._root.name

    # For `Steps`: which files there are can be undone like what is in them.

    @property
    def state(self) -> FileEntry:
        """Which files there are."""
        return self._root

    def restore(self, state: FileEntry) -> None:
        """Other files."""
        self._root = state
        self._by_name = {}

    def file_of(self, full_name: str) -> FileEntry | None:
        """The file that a class has of its own, or None."""
        if not self._by_name:
            self._by_name = {entry.full_name: entry for entry in self._root.walk()}
        return self._by_name.get(full_name)

    def files(self) -> list[FileEntry]:
        """All classes that have a file of their own, packages first."""
        return list(self.root.walk())

    def classes(self) -> Iterator[str]:
        """The full names of all classes, in the order of the files and inside them; a file is scanned, not parsed."""
        for entry in self.root.walk():
            prefix = entry.parent_name + "." if entry.parent_name else ""
            for name in class_names(self._disk.source(entry.path).text):
                yield prefix + name

    def entry_of(self, name: str) -> tuple[FileEntry, list[str]]:
        """The innermost file that a full name leads to, and what is left of the name inside it."""
        first, *rest = split_name(name)
        if first != self.name:
            raise NotFoundError(f"'{first}' is not the library '{self.name}'{nearest(first, [self.name])}")
        entry = self.root
        while rest and rest[0] in entry.children:
            entry = entry.children[rest.pop(0)]
        return entry, rest


def _resolved(path: Path) -> Path:
    """The folder or the single file of a library, links followed."""
    try:
        found = path.resolve()
    except (OSError, RuntimeError):  # in a circle; later versions of Python do not mind
        found = path
    if found.is_symlink() or (path.is_symlink() and not found.exists()):
        raise UnusableError(Problem(path, 0, "it is a link that leads to nothing, or to itself"))
    return found.parent if found.name == PACKAGE_FILE else found
