"""The files of one call: opened by their places, changed together, written together or not at all."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from modelica_ast.cli.address import (
    PACKAGE_FILE,
    STANDARD_STREAM,
    Address,
    Found,
    class_in,
    find_in,
    parse_address,
    resolved,
)
from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError, cannot_read, writing
from modelica_ast.cli.places import Change, changes_of, prepare, settle, shortened
from modelica_ast.cli.terminal import tell
from modelica_ast.edit import Document
from modelica_ast.files import exists, is_file
from modelica_ast.foundation import NotFoundError, Source, nearest, split_name

if TYPE_CHECKING:
    from modelica_ast.cli.lookup import Lookup
    from modelica_ast.edit import ClassHandle
    from modelica_ast.files import FileWrite
    from modelica_ast.library import Libraries, Surroundings
    from modelica_ast.semantics import ClassFiles, Lookup as ClassLookup
    from modelica_ast.tree import StoredDefinition


class Session:
    """Documents and libraries by the places that addresses name."""

    def __init__(self, also: Iterable[str] = (), *, place: str | None = None, libraries: Iterable[str] = ()) -> None:
        self._place = place  # of addresses that name none
        self._named = tuple(libraries)  # by --library: they go before all others
        self._documents: dict[Path, Document] = {}
        self._libraries: dict[Path, Libraries] = {}
        self._also = tuple(also)  # libraries that use those of the addresses, and follow their changes
        self._beside: dict[Path, Libraries | None] = {}  # where classes that files use are looked up
        self.standard_input: Document | None = None
        self._watched: dict[Document, StoredDefinition] = {}  # as they were before edits that name something
        self._lookup: Lookup | None = None
        self._installed: set[Path] = set()  # libraries that a bare name has led to, somewhere on this machine

    # ------------------------------------------------------------ opening

    def document(self, place: str) -> Document:
        """The document of a file, or of standard input for `-`; the same one each time."""
        if place == STANDARD_STREAM:
            return self._document_of_standard_input()
        path = Path(place)
        if path.is_dir():
            raise CommandError(
                f"{place} is a folder, but a file is expected; write {place}::Name for a class of a library",
                EXIT_UNREADABLE,
            )
        key = path.resolve()
        for folder, libraries in self._libraries.items():
            if key.is_relative_to(folder):
                return self._with_libraries(libraries.document_at(key), path)
        if key not in self._documents:
            prepare([path])
            try:
                self._documents[key] = self._with_libraries(Document.open(path), path)
            except OSError as error:
                raise cannot_read(place, error) from None
        return self._documents[key]

    def _with_libraries(self, document: Document, place: Path) -> Document:
        """The document, in whose edits classes are looked up in its library and in what it uses, when one is needed."""

        def beside() -> ClassFiles | None:
            from modelica_ast.library import (  # noqa: PLC0415  (PERF: few commands look names up)
                LibraryError,
                Shelf,
                classes_of,
                library_around,
            )

            key = place.resolve()
            if key not in self._beside:
                own = library_around(place)
                try:
                    shelf = Shelf(self._named, around=[place])
                    self._beside[key] = shelf.open([] if own is None else [own], file=document.tree)
                except LibraryError:  # then nothing but the file itself is known
                    self._beside[key] = None
            libraries = self._beside[key]
            return None if libraries is None else classes_of(libraries).files

        def lookup() -> ClassLookup:
            from modelica_ast.semantics import lookup_in  # noqa: PLC0415  (PERF: as above)

            return lookup_in(document.tree, beside())

        document.work.beside = beside
        document.work.lookup = document.work.lookup or lookup
        return document

    def _document_of_standard_input(self) -> Document:
        if self.standard_input is None:
            source = Source.from_bytes(sys.stdin.buffer.read(), Path("<standard input>"))
            self.standard_input = Document.of_source(source)
        return self.standard_input

    def open_class(
        self, text: str, *, names: Iterable[str] = (), search: bool = True, quiet: bool = False
    ) -> tuple[Libraries, str]:
        """The library of a class with all that it uses, and the full name of the class.

        A file or folder on its own stands for the class that it is named after. `names` are libraries that are needed
        whoever uses them. With `search=False` none is looked for but those that the call names.
        """
        from modelica_ast.library import Shelf, open_class  # noqa: PLC0415  (PERF: few commands open libraries)

        address = self.address(text)
        if address.annotation is not None:
            raise CommandError(f"'{address}' is not a class")
        if address.place == STANDARD_STREAM:
            raise CommandError("standard input is not a library: name a file or a folder")
        place = Path(address.place)
        prepare([place])
        shelf = Shelf(self._named, around=[place], search=search)
        target = open_class(place, address.name or None, shelf, names=names)
        if settle(library.path for library in target.libraries):
            target = open_class(place, address.name or None, shelf, names=names)
        for note in shelf.notes:
            tell(f"note: {shortened(note)}", quiet=quiet)
        self._libraries[target.root] = target.libraries
        return target.libraries, target.name

    def package_folder(self, text: str) -> Path:
        """The folder of a package, by its address; CommandError if it is something else."""
        from modelica_ast.library import Library, library_around  # noqa: PLC0415  (PERF: as above)

        address = self.address(text)
        library = Path(address.place)
        if not library.is_dir():
            library = library_around(library) or library
        prepare([library])
        entry, rest = Library(library).entry_of(address.name or library.name)
        if rest:
            known = [each.name for each in entry.children.values() if each.folder is not None]
            message = f"there is no package '{rest[0]}' in '{entry.full_name}'{nearest(rest[0], known)}"
            raise CommandError(message, EXIT_UNREADABLE)
        if entry.folder is None:
            raise CommandError(f"{text} is not a package with a folder of its own", EXIT_UNREADABLE)
        return entry.folder

    def libraries(self, place: str, *, read_only: Iterable[Path] = ()) -> Libraries:
        """The library of a folder with a package.mo (or of a file that is one), and those that follow it."""
        from modelica_ast.library import Libraries  # noqa: PLC0415  (PERF: most edits are of one file)

        path = Path(place)
        key = path.resolve()
        if key not in self._libraries:
            if any(document.is_relative_to(key) for document in self._documents):
                raise CommandError(
                    f"name everything in {place} through the library, as {place}::Name, or nothing at all"
                )
            if path.is_dir() and not is_file(path / PACKAGE_FILE):
                raise CommandError(f"{place} is not a library: there is no {PACKAGE_FILE} in it", EXIT_UNREADABLE)
            if not exists(path):
                raise CommandError(f"{place}: no such file or folder", EXIT_UNREADABLE)
            prepare([path, *map(Path, self._also)])
            self._libraries[key] = Libraries([path, *self._also], read_only=read_only)
        return self._libraries[key]

    def library_around(self, place: str) -> Path | None:
        """The folder of the library that a file is part of, or None."""
        if place == STANDARD_STREAM or not is_file(Path(place).resolve().parent / PACKAGE_FILE):
            return None
        from modelica_ast.library import library_around  # noqa: PLC0415  (PERF: not for files that stand alone)

        return library_around(Path(place))

    # ------------------------------------------------------------ finding

    def address(self, text: str) -> Address:
        """An address as it is written, or a name in the file that the whole call is about."""
        if self._place is not None and "::" not in text:
            text = f"{self._place}::{text}"
        found = resolved(parse_address(text), self._named)
        if found.is_bare:
            path = Path(found.place).resolve()
            if not any(path.is_relative_to(Path(each).resolve()) for each in (".", *self._named)):
                self._installed.add(path)
        return found

    def refuse_installed(self) -> None:
        """CommandError if what is written would be an installed library, which nobody has named by its place."""
        for path in self._installed:
            raise CommandError(
                f"{path.name.partition(' ')[0]} is an installed library, in {path}: its name is enough to look at "
                f"it; to change it, name its place, '{path}::…', or copy what you need",
                EXIT_UNREADABLE,
            )

    def find_class(self, address: Address) -> ClassHandle:
        """The class that an address leads to; CommandError if it is something else."""
        found = self.find(address)
        if not found.is_class or address.annotation is not None:
            raise CommandError(f"'{address}' is not a class")
        return found.handle

    def library_of(self, address: Address) -> tuple[Libraries, str] | None:
        """The library that an address is in, and its full name there; None for a file on its own."""
        if address.place == STANDARD_STREAM:
            return None
        if Path(address.place).is_dir():
            return self.libraries(address.place), address.name
        folder = self.library_around(address.place)
        if folder is None:
            return None
        return self.libraries(str(folder)), self._full_name(address)

    def lone_library_of(self, address: Address) -> tuple[Libraries, str] | None:
        """Like `library_of`, for what is inside of a file that is a library on its own; None for its class."""
        path = Path(address.place)
        if address.place == STANDARD_STREAM or path.is_dir() or path.resolve() in self._documents:
            return None
        try:
            document = Document.open(path)
        except OSError as error:
            raise cannot_read(address.place, error) from None
        if document.within is not None or [each.name for each in document.classes] != [path.stem]:
            return None
        return None if address.name == path.stem else (self.libraries(address.place), address.name)

    def files_of_class(self, text: str) -> list[tuple[Path, str]]:
        """The files of a class by its address, those of its folder too; or its file and its name there."""
        address = self.address(text)
        if address.annotation is not None:
            raise CommandError(f"'{address}' is not a class")
        library = self.library_of(address)
        if library is None:
            document = self.document(address.place)
            name = address.name.removeprefix(f"{document.within}.")
            return [(Path(address.place), document.find_class(name).name)]
        libraries, full_name = library
        _, entry, rest = libraries.entry_of(full_name)
        if not rest:
            return sorted((each.path, "") for each in entry.walk())
        return [(entry.path, libraries.find_class(full_name).name)]

    def is_class_of_library(self, address: Address) -> bool:
        """Does an address lead to a class that is in a library?"""
        library = self.library_of(address)
        if library is None:
            return False
        libraries, full_name = library
        _, entry, rest = libraries.entry_of(full_name)
        return not rest or not class_in(libraries.document(entry), ".".join([entry.name, *rest]))[1]

    def own_library_of(self, address: Address) -> tuple[Libraries, str]:
        """Like `library_of`; a file that is in no library is one."""
        if address.place == STANDARD_STREAM:
            raise CommandError("standard input is not a library: name a file or a folder")
        found = self.library_of(address)
        if found is None and is_file(Path(address.place)):
            from modelica_ast.library import full_name_at  # noqa: PLC0415  (PERF: as above)

            full_name_at(Path(address.place), None)
        return found or (self.libraries(address.place), self._full_name(address))

    def _full_name(self, address: Address) -> str:
        """The name of an address with what its file is within; the file is not kept, for a library may hold it."""
        try:
            within = Document.open(address.place).within
        except OSError as error:
            raise cannot_read(address.place, error) from None
        return address.name if not within or address.name.startswith(within + ".") else f"{within}.{address.name}"

    def find(self, address: Address) -> Found:
        """What an address leads to."""
        return find_in(*self._place_of(address))

    def find_member(self, address: Address) -> Found:
        """The same; a component may be inherited."""
        document, name = self._place_of(address)
        try:
            return find_in(document, name)
        except NotFoundError:
            handle, rest = class_in(document, name)
            inherited = self._inherited(handle, rest) if rest and handle.extends else None
            if inherited is None:
                raise
            return inherited

    def _inherited(self, handle: ClassHandle, names: list[str]) -> Found | None:
        from modelica_ast.cli.lookup import inherited_in  # noqa: PLC0415  (PERF: the class itself has most things)

        return inherited_in(handle, names, self.surroundings(handle))

    def _place_of(self, address: Address) -> tuple[Document, str]:
        """The document of an address, and the name in it."""
        if address.place != STANDARD_STREAM and Path(address.place).is_dir():
            return self._place_in_library(address)
        document = self.document(address.place)
        if not address.name:
            raise CommandError(f"'{address}' names no class: write {address.place}::Class")
        return document, address.name

    def _place_in_library(self, address: Address) -> tuple[Document, str]:
        libraries = self.libraries(address.place)
        parts = split_name(address.name) if address.name else []
        if not parts:
            raise CommandError(f"'{address}' names no class: write {address.place}::Library.Class")
        _, entry, rest = libraries.entry_of(".".join(parts))
        return self._with_libraries(libraries.document(entry), entry.path), ".".join([entry.name, *rest])

    # ------------------------------------------------------------ asking the look-up

    def surroundings(self, handle: ClassHandle) -> Surroundings:
        """The document of a class as it is now, with the libraries that its names lead into."""
        document = handle.document
        assert isinstance(document, Document)
        return self._surroundings_of(document)

    def _surroundings_of(self, document: Document) -> Surroundings:
        if self._lookup is None:
            from modelica_ast.cli.lookup import Lookup  # noqa: PLC0415  (PERF: as above)

            self._lookup = Lookup(self._named)
        every = [*self._documents.values()]
        for libraries in self._libraries.values():
            every += libraries.workspace.documents if libraries.workspace is not None else ()
        return self._lookup.of(document, [each.tree for each in every if each is not document and each.is_changed])

    def watch(self, edited: Document | ClassHandle) -> None:
        """Before an edit that names something: `judge` looks whether that is there."""
        document = edited if isinstance(edited, Document) else edited.document
        assert isinstance(document, Document)
        self._watched.setdefault(document, document.tree)

    def judge(self, *, strict: bool, force: bool, quiet: bool) -> list[str]:
        """CommandError if edits have named what is not there; the warnings, which are printed, where it is not sure."""
        found: list[str] = []
        for document, before in self._watched.items():
            if document.is_changed:
                from modelica_ast.cli.lookup import judge  # noqa: PLC0415  (PERF: as above)

                found += judge(self._surroundings_of(document), before, strict=strict, force=force, quiet=quiet)
        return found

    # ------------------------------------------------------------ what has changed

    @property
    def opened(self) -> list[Document]:
        """The documents that files were opened as, those of libraries not among them."""
        return list(self._documents.values())

    def _writes(self) -> Iterator[FileWrite]:
        from modelica_ast.files import FileWrite  # noqa: PLC0415  (PERF: only for what is written)

        for key, document in self._documents.items():
            if document.is_changed:
                yield FileWrite(key, document.encoded(), document.bytes_in_file)
        for libraries in self._libraries.values():
            if libraries.workspace is not None:
                yield from libraries.workspace.writes()

    def changes(self) -> list[Change]:
        """What has changed in all files, in the order of their names; standard input is not among them."""
        return changes_of(self._writes())

    def save(self, *, force: bool = False) -> None:
        """Write all that has changed: every file, or none."""
        writes = list(self._writes())
        if not writes:
            return
        self.refuse_installed()
        with writing():
            if len(self._libraries) == 1 and not self._documents:
                (libraries,) = self._libraries.values()
                libraries.save(force=force)
            elif len(writes) == 1 and not self._libraries:
                (document,) = (d for d in self._documents.values() if d.is_changed)
                document.save(force=force)
            else:
                from modelica_ast.files import save_files  # noqa: PLC0415  (PERF: see _writes)

                workspaces = [each.workspace for each in self._libraries.values() if each.workspace is not None]
                roots = [root for workspace in workspaces for root in workspace.roots or (workspace.folder,)]
                save_files(writes, roots=[*roots, *self._documents], force=force)
