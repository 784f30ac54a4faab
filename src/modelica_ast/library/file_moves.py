"""Where files are after a class got another name or another place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from modelica_ast.foundation import fault_of_file_name, split_name
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.layout import FileEntry, class_names, fault_of_class_name
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.library import Library

# ---------------------------------------------------------------- resources
# Which files of a library's Resources belong to a class, by their names.
#
# `Resources/Images/Parts/Body.png` is of the class `Parts.Body`, and so are `Body_2.png` beside it and what is in a
# folder `Body`; `Resources/ReferenceResults/Tool/Lib_Parts_Body.txt` is too. A file that can be read as belonging to
# two classes belongs to none: nobody moves it.

RESOURCES: Final = "Resources"
# Folders of Resources whose files are named after classes. What is in `Include` and `Library` is named by compilers.
_NAMED_BY_CLASS: Final = ("Images", "Data", "Documentation", "Scripts", "ReferenceResults")
_WITH_TOOLS: Final = ("Scripts", "ReferenceResults")  # there each tool may have a folder of its own
_HISTORY: Final = ("Scripts", "Conversion")
_BEHIND_A_NAME: Final = "._-"


class Claim(NamedTuple):
    """How a file is named by a class."""

    owner: tuple[str, ...]  # the class in its parts, the library first
    root: tuple[str, ...]  # the folders before the name of the class
    separator: str  # between the parts of the class's name: '/', or what is there in the name of one file
    has_library: bool  # is the library's name written too?
    rest: str  # what follows the name of the class

    def path_for(self, owner: Sequence[str]) -> PurePosixPath:
        """Where the file is, from the Resources folder, if it belongs to another class in the same way."""
        written = owner if self.has_library else owner[1:]
        return PurePosixPath(*self.root, self.separator.join(written) + self.rest)


class Resources:
    """The Resources of one library, as they will be after the next save, and the classes that are there now."""

    def __init__(self, libraries: Libraries, library: Library) -> None:
        self._libraries = libraries
        self._library = library
        self._names: dict[Path, dict[tuple[str, ...], set[str]]] = {}

    def of(self, name: str) -> list[tuple[Path, Claim]]:
        """The files that belong to a class or to a class inside it, and to no other."""
        folder = self._library.root.folder
        wanted = tuple(split_name(name))
        if folder is None or self._library.read_only:
            return []
        found = []
        for path in self._libraries.others.below(folder / RESOURCES):
            relative = path.relative_to(folder / RESOURCES)
            # PERF: few files are named by the class at all; for the others nobody has to know what classes there are.
            if all(part in str(relative) for part in wanted[1:]):
                claims = list(self.claims(relative))
                if claims and all(claim.owner[: len(wanted)] == wanted for claim in claims):
                    found.append((path, claims[0]))
        return found

    def claims(self, relative: Path) -> Iterator[Claim]:
        """Every way in which a file, given from the Resources folder, is named by a class; the innermost class each."""
        parts = relative.parts
        if parts[:1] not in [(folder,) for folder in _NAMED_BY_CLASS] or parts[:2] == _HISTORY:
            return
        for length in (1, 2) if parts[0] in _WITH_TOOLS else (1,):
            root, rest = parts[:length], parts[length:]
            if not rest:
                continue
            library = (self._library.name,)
            for before in ((), library):
                if rest[: len(before)] == before and len(rest) > len(before):
                    yield from self._by_folders(root, rest[len(before) :], has_library=bool(before))
            if len(rest) == 1:
                for separator in "._":
                    yield from self._by_one_name(root, rest[0], separator)

    def _by_folders(self, root: tuple[str, ...], rest: tuple[str, ...], *, has_library: bool) -> Iterator[Claim]:
        """`Parts/Body.png`."""
        owner: tuple[str, ...] = (self._library.name,)
        depth = 0
        while depth < len(rest) - 1 and rest[depth] in self._classes_in(owner):
            owner = (*owner, rest[depth])
            depth += 1
        behind = "/" + "/".join(rest[depth:])
        if depth == len(rest) - 1:
            names = [name for name in self._classes_in(owner) if _starts_with_name(rest[-1], name)]
            if names:
                longest = max(names, key=len)
                owner, behind = (*owner, longest), rest[-1][len(longest) :]
        if len(owner) > 1:
            yield Claim(owner, root, "/", has_library, behind)

    def _by_one_name(self, root: tuple[str, ...], name: str, separator: str) -> Iterator[Claim]:
        """`Lib_Parts_Body.txt`."""
        library = self._library.name
        found: list[Claim] = []
        todo: list[tuple[tuple[str, ...], str]] = []
        if _starts_with_name(name, library):
            todo.append(((library,), name.removeprefix(library)))
        while todo:
            owner, rest = todo.pop()
            inner = [part for part in self._classes_in(owner) if _starts_with_name(rest[1:], part)]
            todo += [((*owner, part), rest[1 + len(part) :]) for part in inner if rest[0] == separator]
            if len(owner) > 1:
                found.append(Claim(owner, root, separator, has_library=True, rest=rest))
        longest = min((len(claim.rest) for claim in found), default=0)
        yield from (claim for claim in found if len(claim.rest) == longest)

    # ------------------------------------------------------------ classes

    def _classes_in(self, owner: tuple[str, ...]) -> set[str]:
        """The names of the classes inside a class; files are scanned for it, not parsed."""
        entry, rest = self._library.entry_of(".".join(owner))
        own = self._names_in(entry).get((entry.name, *rest), set())
        return own if rest else own | set(entry.children)

    def _names_in(self, entry: FileEntry) -> dict[tuple[str, ...], set[str]]:
        if entry.path not in self._names:
            names: dict[tuple[str, ...], set[str]] = {}
            for name in class_names(self._libraries.text_of(entry)):
                *around, own = split_name(name)
                names.setdefault(tuple(around), set()).add(own)
            self._names[entry.path] = names
        return self._names[entry.path]


def _starts_with_name(text: str, name: str) -> bool:
    """Is a text a class's name, or such a name with an ending?"""
    return text.startswith(name) and (len(text) == len(name) or text[len(name)] in _BEHIND_A_NAME)


# ---------------------------------------------------------------- moves


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
    """Let files have the bytes of others; LibraryError if one of them already exists."""
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
        raise LibraryError(f"{new} already exists: {old} can't take its place")
