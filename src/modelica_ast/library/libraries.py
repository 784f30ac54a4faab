"""Several libraries together: found by name, edited and saved as one."""

from __future__ import annotations

import operator
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NoReturn, cast

from modelica_ast.edit import Changes, Document, LateFunction, OtherFiles, Owner, Parse, Steps, Workspace
from modelica_ast.files import Disk, Files
from modelica_ast.foundation import NotFoundError, Record, nearest, split_name
from modelica_ast.library.cache import ParseCache
from modelica_ast.library.errors import LibraryError, Problem, Progress, Tally, UnusableError
from modelica_ast.library.layout import ORDER_FILE, FileEntry
from modelica_ast.library.library import Library, LibraryClass
from modelica_ast.semantics import ClassFiles, Lookup
from modelica_ast.tree import parse_source


class _NoSteps(Steps):
    """Of a library that is read-only: every edit is a step, and none is made."""

    def __init__(self, library: str) -> None:
        super().__init__()
        self._library = library

    def transaction(self, owner: Owner) -> NoReturn:  # noqa: ARG002  (whoever it is)
        """Refused."""
        raise LibraryError(f"the library '{self._library}' is read-only")


class _ReadOnlyDocument(Document):
    """A document of a library that is read-only."""

    @classmethod
    def of(cls, library: Library, path: Path, disk: Disk, parse: Parse) -> _ReadOnlyDocument:
        """A file of a library."""
        document = cls.on(disk, path, parse)
        document._steps = _NoSteps(library.name)  # noqa: SLF001  (its own)
        return document


class Libraries:
    """Libraries that refer to each other. Those of `read_only` are looked at and never written.

    LibraryError if a path leads to nothing. What is wrong with what is there is among the `problems`, and the rest is
    open: a folder without package.mo is left out, and of two libraries of one name the first is taken, in the order
    of `paths` and then of `read_only`. With a `cache` a file whose text was parsed before, by whatever process, is
    not parsed again. `progress` is called for each library that was looked through.

    `files` are in memory and take precedence over those on the disk, in folders that need not be there; None is a file
    that is not there. Such libraries are edited like others and not saved: whoever has made the files writes them.
    """

    def __init__(
        self,
        paths: Iterable[str | os.PathLike[str]],
        *,
        read_only: Iterable[str | os.PathLike[str]] = (),
        cache: ParseCache | None = None,
        progress: Progress | None = None,
        files: Files | None = None,
    ) -> None:
        self.disk = Disk(files)
        self._parse = parse_source if cache is None else cache.parse_source
        self._libraries: list[Library] = []
        self._left_out: list[Problem] = []
        todo = [*((Path(path), False) for path in paths), *((Path(path), True) for path in read_only)]
        tally = Tally(progress)
        tally.expect(len(todo))
        for path, is_read_only in todo:
            self._take(path, is_read_only=is_read_only)
            tally.done(path)
        self._documents: dict[Path, Document] = {}
        self._texts: dict[Path, str] = {}  # of files that are as they were read
        self._entries: dict[Path, FileEntry] = {}
        self._entry_roots: list[FileEntry] = []  # that those are of
        self.changes = Changes()  # of all documents
        self.memory = threading.local()  # what was found out about names
        writable = [library.path for library in self if not library.read_only]
        self.workspace: Workspace | None = None
        if writable:
            folder = os.path.commonpath([path if self.disk.is_folder(path) else path.parent for path in writable])
            self.workspace = Workspace(folder, parse=self._parse, roots=writable, disk=self.disk)
            self.workspace.steps.changes = self.changes

    def _take(self, path: Path, *, is_read_only: bool) -> None:
        try:
            library = Library(path, read_only=is_read_only, disk=self.disk)
        except UnusableError as error:
            problem = error.problem
            self._left_out.append(Problem(problem.path, 0, f"{problem.message}; it is left out"))
            return
        known = self.get(library.name)
        if known is None:
            self._libraries.append(library)
        elif known.path != library.path:
            text = f"there is another '{library.name}', which is open: {known.path}; this one is left out"
            self._left_out.append(Problem(library.path, 0, text))
        else:
            self._left_out.append(Problem(library.path, 0, f"'{library.name}' is given twice"))

    def __iter__(self) -> Iterator[Library]:
        return iter(self._libraries)

    def __getitem__(self, name: str) -> Library:
        found = self.get(name)
        if found is None:
            raise NotFoundError(f"there is no library '{name}'{nearest(name, [library.name for library in self])}")
        return found

    def get(self, name: str) -> Library | None:
        """The library of this name, or None."""
        return next((library for library in self._libraries if library.name == name), None)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the files of the libraries."""
        return [*self._left_out, *(problem for library in self for problem in library.problems)]

    def files(self) -> Iterator[tuple[Library, FileEntry]]:
        """Every class with a file of its own."""
        for library in self:
            for entry in library.root.walk():
                yield library, entry

    def entry_at(self, path: Path) -> FileEntry | None:
        """The class that has a file of its own there; None if it is not a file of these libraries."""
        roots = [library.root for library in self]
        if len(roots) != len(self._entry_roots) or any(map(operator.is_not, roots, self._entry_roots)):
            self._entries = {entry.path: entry for _, entry in self.files()}
            self._entry_roots = roots
        return self._entries.get(path)

    # ------------------------------------------------------------ steps

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Edits of any of the libraries as one step: all of them, or none if one is refused."""
        if self.workspace is None:
            raise LibraryError("no library is open for writing")
        with ExitStack() as stack:
            stack.enter_context(self.workspace.transaction())
            for library in self:
                stack.enter_context(self.workspace.steps.transaction(library))
            yield

    def set_order(self, entry: FileEntry, order: list[str]) -> None:
        """Write a package.order; inside a transaction."""
        assert entry.folder is not None
        assert self.workspace is not None
        path = entry.folder / ORDER_FILE
        old = self.workspace.others.read(path)
        end = b"\r\n" if old is not None and b"\r\n" in old else b"\n"
        self.workspace.others.write(path, b"".join(name.encode() + end for name in order))
        library = self.library_of(entry.full_name)
        library.restore(library.root.replaced(split_name(entry.full_name)[1:], entry.with_order(order)))

    @property
    def others(self) -> OtherFiles:
        """The files that are not Modelica, as they will be after the next save."""
        return self._writable().others

    def undo(self) -> None:
        """Take the last step back, in all files."""
        self._writable().undo()

    def redo(self) -> None:
        """Do again what was undone last."""
        self._writable().redo()

    def diff(self) -> str:
        """What has changed in all files since they were read or saved, as one unified diff.

        Files below the current folder are named from there on, as `git apply` and `patch -p1` need it; others from the
        folder on that the libraries are in.
        """
        workspace = self._writable()
        here = Path.cwd()
        if workspace.folder.is_dir() and workspace.folder.is_relative_to(here):
            return workspace.diff(here)
        is_library = any(library.path == workspace.folder for library in self)
        return workspace.diff(workspace.folder.parent if is_library else workspace.folder)

    def save(self, *, force: bool = False) -> None:
        """Write all that has changed: every file, or none."""
        self._writable().save(force=force)
        self._texts.clear()

    def _writable(self) -> Workspace:
        if self.workspace is None:
            raise LibraryError("no library is open for writing")
        return self.workspace

    # ------------------------------------------------------------ classes

    def entry_of(self, name: str) -> tuple[Library, FileEntry, list[str]]:
        """(library, file, rest of the name inside the file) of a full name."""
        library = self[split_name(name)[0]]
        entry, rest = library.entry_of(name)
        return library, entry, rest

    def find_class(self, name: str) -> LibraryClass:
        """The class of a full name; NotFoundError names the nearest. What its handle edits, it edits in all files."""
        _, entry, rest = self.entry_of(name)
        document = self.document(entry)
        inside = ".".join([entry.name, *rest])
        if len(rest) == 1 and document.get_class(inside) is None:
            handle = document.find_class(entry.name)
            known = [*(found.name for found in handle.view.classes), *entry.children]
            is_component = handle.get_component(rest[0]) is not None
            hint = ": it is a component" if is_component else nearest(rest[0], known)
            raise NotFoundError(f"no class '{rest[0]}' in '{entry.full_name}'{hint}")
        document.find_class(inside)
        return LibraryClass(self, name)

    def library_of(self, full_name: str) -> Library:
        """The library that a full name starts with."""
        return self[split_name(full_name)[0]]

    def document(self, entry: FileEntry) -> Document:
        """The document of a file, parsed when first asked for; the same one each time."""
        found = self._documents.get(entry.path)
        if found is None:
            library = self.library_of(entry.full_name)
            if self.workspace is None or library.read_only:
                found = _ReadOnlyDocument.of(library, entry.path, self.disk, self._parse)
            else:
                found = self.workspace.open(entry.path)
            found.count_changes(self.changes)
            found.work.lookup = self._lookup
            found.work.beside = self._class_files
            self._documents[entry.path] = found
        return found

    def _lookup(self) -> Lookup:
        """What names stand for in the libraries; edits ask for it, and it asks for their documents."""
        return cast("Lookup", LateFunction("modelica_ast.library.class_files", "lookup_of")(self))

    def _class_files(self) -> ClassFiles:
        """The classes of the libraries, for lines of connections that end at connectors of other files."""
        return cast("ClassFiles", LateFunction("modelica_ast.library.class_files", "files_of")(self))

    def document_at(self, path: Path) -> Document:
        """The document of a file of the libraries that may be written."""
        found = self._writable().open(path)
        entry = None if found.path is None else self.entry_at(found.path)
        return found if entry is None else self.document(entry)

    def text_of(self, entry: FileEntry) -> str:
        """The text of a file as it is now, edits included; a file that nobody has looked at is not parsed for it."""
        document = self._documents.get(entry.path)
        if document is None and not self.disk.exists(entry.path):
            document = self.document(entry)  # made by an edit, and not saved yet
        if document is not None and document.is_changed:
            return document.text
        # PERF: a look for a word goes through all files, most of which never change.
        if entry.path not in self._texts:
            self._texts[entry.path] = self.disk.source(entry.path).text
        return self._texts[entry.path]


# ---------------------------------------------------------------- ordering
# Where a class is among the others of its package: in package.order, or in the text of the package.


class Position(Record):
    """Before or after another element of the package; at the end if neither is said."""

    before: str | None = None
    after: str | None = None

    def refuse_both(self) -> None:
        """LibraryError if two places are named."""
        if self.before is not None and self.after is not None:
            raise LibraryError(f"a class can't come before '{self.before}' and after '{self.after}': name one of them")

    @property
    def neighbour(self) -> str | None:
        """The element that is named."""
        return self.before if self.before is not None else self.after


def put_in_order(libraries: Libraries, holder: FileEntry, name: str, position: Position) -> None:
    """Name a class in the package.order of its package, if there is one; inside a transaction."""
    if holder.order is not None:
        libraries.set_order(holder, _with_name(holder, holder.order, name, position))
    elif position.neighbour is not None:
        raise LibraryError(f"'{holder.full_name}' has no package.order, so its classes have no order")


def _with_name(holder: FileEntry, order: Sequence[str], name: str, position: Position) -> list[str]:
    rest = [each for each in order if each != name]
    neighbour = position.neighbour
    if neighbour is None:
        return [*rest, name]
    if neighbour not in rest:
        where = f"package.order of '{holder.full_name}'"
        raise NotFoundError(f"there is no '{neighbour}' in the {where}{nearest(neighbour, rest)}")
    place = rest.index(neighbour) + (position.before is None)
    return [*rest[:place], name, *rest[place:]]


def reorder(libraries: Libraries, name: str, position: Position) -> None:
    """Put a class into another place of the package that it is in; inside a transaction."""
    if position.neighbour is None:
        return
    library, entry, rest = libraries.entry_of(name)
    own, parent = split_name(name)[-1], ".".join(split_name(name)[:-1])
    holder = library.file_of(parent)
    if holder is not None and holder.folder is not None and (not rest or holder.order is not None):
        put_in_order(libraries, holder, own, position)
    else:
        handle = libraries.document(entry).find_class(".".join([entry.name, *rest]))
        handle.move(before=position.before, after=position.after)


# ---------------------------------------------------------------- package files
# What else is in the folder of a package, beside its classes and package.order.


def other_files(libraries: Libraries, entry: FileEntry) -> list[Path]:
    """The files of a package's folder that belong to no class, as they will be after the next save.

    Those in folders inside are among them, unless such a folder is a package itself.
    """
    if entry.folder is None:
        return []
    inner = [child.folder for child in entry.children.values() if child.folder is not None]
    return [
        path
        for path in libraries.others.below(entry.folder)
        if not any(path.is_relative_to(folder) for folder in inner) and not _is_modelica(path, entry.folder)
    ]


def _is_modelica(path: Path, folder: Path) -> bool:
    return path.parent == folder and (path.suffix == ".mo" or path.name == ORDER_FILE)
