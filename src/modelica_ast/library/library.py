"""A library: its classes by their names, its files read only when somebody looks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from modelica_ast.edit import (
    ClassHandle,
    Comments,
    ComponentHandle,
    Document,
    Insertion,
    LateModule,
    find_literal,
    identifier,
)
from modelica_ast.files import THE_DISK, Disk
from modelica_ast.foundation import NotFoundError, nearest, split_name
from modelica_ast.library.errors import LibraryError, Problem, UnusableError
from modelica_ast.library.layout import PACKAGE_FILE, FileEntry, class_names, scan


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
        raise UnusableError(Problem(path, 0, "it is a link that leads nowhere, or to itself"))
    return found.parent if found.name == PACKAGE_FILE else found


# ---------------------------------------------------------------- handles
# Handles of libraries: the same verbs as in a document, and what concerns other files changes them, too.

# What edits all files looks names up in libraries, which give these handles; so it is imported when it is called.
_refactor: Final = LateModule("modelica_ast.refactor")


class Whole(Protocol):
    """What handles need of their libraries."""

    def entry_of(self, name: str) -> tuple[Library, FileEntry, list[str]]:
        """(library, file, rest of the name inside the file) of a full name."""

    def document(self, entry: FileEntry) -> Document:
        """The document of a file."""

    def find_class(self, name: str) -> LibraryClass:
        """The class of a full name."""


class LibraryClass(ClassHandle):
    """A class of a library, by its full name.

    Its verbs are those of a document. Renamed, moved or removed, it takes along its files, package.order and all uses
    in all files of the libraries; a class that is added to a package with a folder gets a file of its own.
    """

    def __init__(self, libraries: Whole, full_name: str) -> None:
        # The document is not asked for here: a package gives handles of all its files, and few of them are read.
        self._libraries = libraries
        self._full_name = full_name

    def __repr__(self) -> str:
        return f"<LibraryClass {self._full_name}>"

    @property
    def full_name(self) -> str:
        """Its name from the top of the library on."""
        return self._full_name

    @property
    def document(self) -> Document:
        """The document of the file that it is in."""
        return self._libraries.document(self._libraries.entry_of(self._full_name)[1])

    @property
    def name(self) -> str:
        """Its name in the file that it is in."""
        _, entry, rest = self._libraries.entry_of(self._full_name)
        return ".".join([entry.name, *rest])

    def _own_class(self, name: str) -> LibraryClass:
        return LibraryClass(self._libraries, f"{self._full_name}.{name}")

    def _own_component(self, name: str) -> LibraryComponent:
        return LibraryComponent(self._libraries, self, name)

    # ------------------------------------------------------------ the class itself

    def rename(self, name: str) -> None:
        """Rename the class with all its uses, its files, links and scripts; see `modelica_ast.library.rename`."""
        _refactor.rename(self._libraries, self._full_name, name)
        self._full_name = ".".join([*self._names_around(), identifier(name)])

    def rename_literal(self, literal: str, name: str) -> str:
        """Rename a literal of the enumeration with all its uses, in every file of the libraries."""
        _refactor.rename(self._libraries, f"{self._full_name}.{find_literal(self.view, literal).name}", name)
        return name

    def move(
        self,
        *,
        before: str | None = None,
        after: str | None = None,
        place: str | None = None,
        section: str | None = None,
    ) -> None:
        """Move the class to another place among its siblings: in the file, or in package.order."""
        library, _, rest = self._libraries.entry_of(self._full_name)
        holder = library.file_of(".".join(self._names_around()))
        if holder is None or holder.folder is None or (rest and holder.order is None):
            super().move(before=before, after=after, place=place, section=section)
            return
        beside = _beside(holder, Insertion(before, after, place, section), split_name(self._full_name)[-1])
        _refactor.move_class(self._libraries, self._full_name, holder.full_name, **beside)

    def move_to(self, package: str, *, before: str | None = None, after: str | None = None) -> None:
        """Move the class into another package, with all its uses; see `modelica_ast.library.move_class`."""
        _refactor.move_class(self._libraries, self._full_name, package, before=before, after=after)
        self._full_name = f"{package}.{split_name(self._full_name)[-1]}"

    def remove(self, *, comments: Comments = "drop") -> None:
        """Remove the class with its files; refused while something else in the libraries uses it."""
        _refactor.remove_class(self._libraries, self._full_name, comments=comments)

    def _names_around(self) -> list[str]:
        return split_name(self._full_name)[:-1]

    # ------------------------------------------------------------ classes inside

    @property
    def classes(self) -> list[ClassHandle]:
        """The classes inside, those in other files too, in the order of package.order."""
        _, entry, rest = self._libraries.entry_of(self._full_name)
        names = [each.name for each in self.view.classes]
        if not rest:
            places = {name: place for place, name in enumerate(entry.order or ())}
            names += [each.name for each in entry.in_order()]
            names.sort(key=lambda name: places.get(name, len(places)))
        return [self._own_class(name) for name in names]

    def find_class(self, name: str) -> LibraryClass:
        """The class of this name inside, whatever file it is in; NotFoundError names the nearest."""
        return self._libraries.find_class(f"{self._full_name}.{name}")

    def add_class(
        self,
        name: str,
        kind: str = "model",
        *,
        description: str | None = None,
        before: str | None = None,
        after: str | None = None,
        place: str | None = None,
        section: str | None = None,
    ) -> ClassHandle:
        """Add an empty class; to a package with a folder as a file of its own, and to package.order."""
        where = Insertion(before, after, place, section)
        folder = self._package()
        if folder is None:
            return super().add_class(
                name, kind, description=description, before=before, after=after, place=place, section=section
            )
        _refactor.add_class(self._libraries, self._full_name, name, kind, description, **_beside(folder, where))
        return self._own_class(identifier(name))

    def insert_class(
        self,
        definition: str,
        *,
        before: str | None = None,
        after: str | None = None,
        place: str | None = None,
        section: str | None = None,
    ) -> ClassHandle:
        """Add a class, given as Modelica; to a package with a folder as a file of its own, and to package.order."""
        where = Insertion(before, after, place, section)
        folder = self._package()
        if folder is None:
            return super().insert_class(definition, before=before, after=after, place=place, section=section)
        name = _refactor.insert_class(self._libraries, self._full_name, definition, **_beside(folder, where))
        return self._own_class(str(name))

    def _package(self) -> FileEntry | None:
        """Its files, if it is a package with a folder."""
        _, entry, rest = self._libraries.entry_of(self._full_name)
        return None if rest or entry.folder is None else entry


class LibraryComponent(ComponentHandle):
    """A component of a class of a library."""

    def __init__(self, libraries: Whole, owner: LibraryClass, name: str) -> None:
        super().__init__(owner, name)
        self._libraries = libraries
        self._class = owner

    def rename(self, name: str) -> None:
        """Rename the component with all its uses, in every file of the libraries."""
        _refactor.rename(self._libraries, f"{self._class.full_name}.{self.view.name}", name)
        self.name = name


def _beside(holder: FileEntry, where: Insertion, own: str | None = None) -> dict[str, str]:
    """A place among the classes of a folder as a neighbour in its package.order; a new class goes to the end anyway."""
    if where.section is not None:
        raise LibraryError(f"'{holder.full_name}' is a folder, and the files of a folder have no sections")
    if where.before is not None:
        return {"before": where.before}
    if where.after is not None:
        return {"after": where.after}
    others = [name for name in holder.order or holder.children if name != own]
    if where.place == "first" and others:
        return {"before": others[0]}
    return {"after": others[-1]} if own is not None and others else {}
