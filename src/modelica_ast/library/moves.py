"""Where files are after a class got another name or another place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from modelica_ast.files.names import fault_of_file_name
from modelica_ast.identifiers import split_name
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.file_names import fault_of_class_name
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.resources import RESOURCES, Resources


class Moves:
    """Old and new places of files, and of whole folders; and the full names of the class that they follow."""

    def __init__(self, libraries: Libraries, old: str, new: str) -> None:
        self.old = old
        self.new = new
        self.files: dict[Path, Path] = {}
        self.named: set[Path] = set()  # the new places of those that are named by the class itself
        self.roots = {library.name: library.root for library in libraries}  # as they were before
        self.disk = libraries.disk
        self._folders: list[tuple[Path, Path]] = []
        self._around: set[Path] = set()  # the folders that those files are in
        self._find_resources(libraries)

    def _find_resources(self, libraries: Libraries) -> None:
        folder = libraries.library_of(self.new).root.folder
        if folder is None:  # a library of one file has no Resources: they stay where they are
            return
        old, new = split_name(self.old), split_name(self.new)
        for path, claim in Resources(libraries, libraries.library_of(self.old)).of(self.old):
            owner = [*new, *claim.owner[len(old) :]]
            place = folder / RESOURCES / claim.path_for(owner)
            parts = place.relative_to(folder).parts
            if any(map(fault_of_class_name, owner)) or any(map(fault_of_file_name, parts)):
                continue  # no file can be called so: it stays where it is
            if place != path:
                self.files[path] = place
            if len(claim.owner) == len(old):
                self.named.add(place)
        # PERF: every link of a library is asked for, and few lead to a folder of these.
        self._around = {folder for path in self.files for folder in path.parents}

    def note_folder(self, libraries: Libraries) -> None:
        """After the class has moved: the folder of a package has another place, with all that is in it."""
        library, *inner = split_name(self.old)
        old = self.roots[library].inside(inner)
        new = libraries.library_of(self.new).file_of(self.new)
        if old is not None and new is not None and old.folder is not None and new.folder is not None:
            self._folders.append((old.folder, new.folder))

    def renamed(self, name: str) -> str:
        """The full name of something after the move."""
        if name == self.old or name.startswith(f"{self.old}."):
            return self.new + name[len(self.old) :]
        return name

    def place(self, path: Path) -> Path:
        """The place of a file or folder after the move."""
        if path in self.files:
            return self.files[path]
        for old, new in self._folders:
            if path.is_relative_to(old):
                return new / path.relative_to(old)
        return self._place_of_folder(path) if path in self._around else path

    def _place_of_folder(self, path: Path) -> Path:
        """A folder is where all of its files are."""
        inside = {old: new for old, new in self.files.items() if path in old.parents}
        places = {_without_end(new, old.relative_to(path)) for old, new in inside.items()}
        every = set(self.disk.files_below(path))
        place = places.pop()
        return path if place is None or places or every - inside.keys() else place

    def old_place(self, path: Path) -> Path:
        """Where a file was that is here after the move."""
        return next((old for old, new in self.files.items() if new == path), path)


def _without_end(path: Path, end: Path) -> Path | None:
    count = len(end.parts)
    return path.parents[count - 1] if path.parts[-count:] == end.parts else None


def copy_resources(libraries: Libraries, files: Mapping[Path, Path]) -> None:
    """Let files have the bytes of others; LibraryError if one of them is there already."""
    for old, new in files.items():
        _refuse_over(libraries, old, new)
        libraries.others.write(new, libraries.others.read(old), like=old)


def move_resources(libraries: Libraries, files: Mapping[Path, Path]) -> None:
    """Put files into other places; LibraryError if something is there that stays there."""
    data = {new: libraries.others.read(old) for old, new in files.items()}
    for old, new in files.items():
        if new not in files:
            _refuse_over(libraries, old, new)
    for old in files:
        libraries.others.write(old, None)
    for old, new in files.items():
        libraries.others.write(new, data[new], like=old)


def _refuse_over(libraries: Libraries, old: Path, new: Path) -> None:
    if libraries.others.is_there(new) and not libraries.disk.is_same_file(old, new):
        raise LibraryError(f"{new} is there already: {old} can't take its place")
