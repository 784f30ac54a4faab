"""The files of libraries as the look-up of names sees them: read when a name leads there."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any

from modelica_ast.foundation import ModelicaSyntaxError, NotFoundError, Source, split_name
from modelica_ast.library.errors import Problem
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.semantics import (
    NOT_OPEN,
    UNKNOWN,
    Absence,
    Classes,
    ClassFiles,
    Definition,
    Instance,
    Lookup,
    definitions_of,
)
from modelica_ast.tree import StoredDefinition, parse_source

Kept = dict[Path, tuple[Any, list[Definition]]]  # the root of a tree, and its classes


class LibraryFiles:
    """The files of some libraries as they are now; `trees` stand in for those of some files.

    A file that does not parse has no classes; `problems` says so. With `recover` one of a library that may be written
    has those that do parse. `kept` has the classes of files as they were seen before, which are taken if the file has
    not changed.
    """

    def __init__(
        self,
        libraries: Libraries,
        trees: Mapping[Path, StoredDefinition] | None = None,
        kept: Kept | None = None,
        *,
        recover: bool = False,
    ) -> None:
        self.libraries = libraries
        self.problems: list[Problem] = []
        self._recover = recover
        self._trees = dict(trees or {})
        self._kept: Kept = {} if kept is None else kept
        self._tops: dict[Path, list[Definition]] = {}
        self._named: dict[Path, Definition | Absence] = {}
        self._entries: dict[Definition, FileEntry] = {}
        self._by_path: dict[Path, Mapping[tuple[int, ...], Definition]] = {}
        self._inside: dict[Definition, Mapping[str, Definition | Absence]] = {}

    # ------------------------------------------------------------ files

    def tops(self, entry: FileEntry) -> list[Definition]:
        """The classes at the top of a file; none if it does not parse."""
        found = self._tops.get(entry.path)
        if found is None:
            self._tops[entry.path] = found = self._read(entry)
            for definition in found:
                self._entries[definition] = entry
                definition.may_have_files = entry.folder is not None and definition.name == entry.name
        return found

    def _read(self, entry: FileEntry) -> list[Definition]:
        tree = self._trees.get(entry.path)
        try:
            root = self.libraries.document(entry).state if tree is None else tree.green
        except ModelicaSyntaxError as error:
            self.problems.append(Problem(entry.path, error.line, error.message))
            if not self._recover or self.libraries.library_of(entry.full_name).read_only:
                return []
            tree = parse_source(Source(self.libraries.text_of(entry), entry.path), recover=True)
            self._trees[entry.path] = tree
            return definitions_of(tree.classes)
        except OSError as error:
            self.problems.append(Problem(entry.path, 0, f"it can't be read: {error.strerror or error}"))
            return []
        known = self._kept.get(entry.path)
        if known is not None and known[0] is root:
            return known[1]
        found = definitions_of((self.libraries.document(entry).tree if tree is None else tree).classes)
        if tree is None:
            self._kept[entry.path] = (root, found)
        return found

    def stand_in(self, trees: Mapping[Path, StoredDefinition]) -> bool:
        """Let more trees stand in for those of files; False, and nothing is done, if one of these was read already."""
        new = {path: tree for path, tree in trees.items() if self._trees.get(path) is not tree}
        if not self._tops.keys().isdisjoint(new):
            return False
        self._trees |= new
        return True

    @property
    def standing_in(self) -> Mapping[Path, StoredDefinition]:
        """The trees that stand in for those of files."""
        return self._trees

    def definition(self, entry: FileEntry) -> Definition | Absence:
        """The class that a file is named after; UNKNOWN if it can't be read or has none of this name."""
        found = self._named.get(entry.path)
        if found is None:
            found = next((each for each in self.tops(entry) if each.name == entry.name), UNKNOWN)
            self._named[entry.path] = found
        return found

    def renewed(self, trees: Mapping[Path, StoredDefinition]) -> LibraryFiles:
        """The same libraries where other trees stand in for files; itself if none of their files is concerned."""
        places = [library.path for library in self.libraries]
        if not any(path.is_relative_to(place) for path in (*trees, *self._trees) for place in places):
            return self
        return LibraryFiles(self.libraries, trees, self._kept, recover=self._recover)

    def tops_of(self, name: str) -> list[Definition]:
        """The classes at the top of the file of a class; none if there is no such file."""
        library = self.libraries.get(split_name(name)[0])
        entry = None if library is None else library.file_of(name)
        return [] if entry is None else self.tops(entry)

    def __contains__(self, definition: Definition) -> bool:
        while definition.parent is not None:
            definition = definition.parent
        return definition in self._entries

    def entry_of(self, definition: Definition) -> FileEntry:
        """The file that a class is in."""
        while definition.parent is not None:
            definition = definition.parent
        return self._entries[definition]

    # ------------------------------------------------------------ for the look-up

    def top(self, name: str) -> Definition | Absence:
        """The top class of a library."""
        library = self.libraries.get(name)
        return NOT_OPEN if library is None else self.definition(library.root)

    def package_of(self, top: Definition) -> Definition | Absence | None:
        """The package in whose folder a file is."""
        return self._package(self._entries[top].parent_name)

    def _package(self, name: str) -> Definition | Absence | None:
        if not name:
            return None
        parent = self.libraries.library_of(name).file_of(name)
        return UNKNOWN if parent is None else self.definition(parent)

    def classes_in(self, package: Definition) -> Mapping[str, Definition | Absence]:
        """The classes of a package that have files of their own."""
        found = self._inside.get(package)
        if found is None:
            entry = self._entries.get(package)
            found = _Children(self, entry) if entry is not None and self.definition(entry) is package else {}
            self._inside[package] = found
        return found

    def tops_by_path(self, tree: Hashable) -> Mapping[tuple[int, ...], Definition]:
        """The classes at the top of a file by their places in it."""
        assert isinstance(tree, Path)
        found = self._by_path.get(tree)
        if found is None:
            entry = self.libraries.entry_at(tree)
            tops = [] if entry is None else self.tops(entry)
            self._by_path[tree] = found = {definition.place.path: definition for definition in tops}
        return found

    def package_of_tree(self, tree: Hashable) -> Definition | Absence | None:
        """The package in whose folder a file is."""
        assert isinstance(tree, Path)
        entry = self.libraries.entry_at(tree)
        return UNKNOWN if entry is None else self._package(entry.parent_name)

    def root(self, tree: Hashable) -> Any:
        """The green tree of a file."""
        assert isinstance(tree, Path)
        known = self._trees.get(tree)
        if known is not None:
            return known.green
        entry = self.libraries.entry_at(tree)
        assert entry is not None
        return self.libraries.document(entry).state

    def full_name_of(self, top: Definition) -> str:
        """The full name of a class, by the place of its file."""
        parent = self._entries[top].parent_name
        return f"{parent}.{top.name}" if parent else top.name


class _Children(Mapping[str, Definition | Absence]):
    """The classes of a package in other files; a file is read when its class is asked for."""

    def __init__(self, files: LibraryFiles, entry: FileEntry) -> None:
        self._files = files
        self._entry = entry

    def __getitem__(self, name: str) -> Definition | Absence:
        return self._files.definition(self._entry.children[name])

    def get(self, name: str, default: Any = None) -> Any:
        """The class of a name, or something else."""
        entry = self._entry.children.get(name)
        return default if entry is None else self._files.definition(entry)

    def __contains__(self, name: object) -> bool:
        return name in self._entry.children

    def __iter__(self) -> Iterator[str]:
        return iter(self._entry.children)

    def __len__(self) -> int:
        return len(self._entry.children)


def files_of(libraries: Libraries) -> ClassFiles:
    """Where the definitions of classes of libraries come from."""
    return classes_of(libraries).files


def classes_of(libraries: Libraries) -> Classes:
    """All classes of libraries as they are now, for the look-up of names; the same ones until something changes.

    What was found out is kept with the libraries, for each thread separately: a look-up is never shared by two.
    """
    state = _state(libraries)
    memory = libraries.memory
    known = getattr(memory, "classes", None)
    if known is not None and _is_same_state(known[0], state):
        classes: Classes = known[1]
        return classes
    found = Classes(LibraryFiles(libraries, kept=_kept(libraries)))
    memory.classes = (state, found)
    return found


def checked_classes(libraries: Libraries, trees: Mapping[Path, StoredDefinition]) -> Classes:
    """All classes of libraries as a check of some files sees them; `trees` are those of these files.

    PERF: they are the same ones until something changes, so that the check of one file after another, or of the same
    one again, looks up once what their names lead to. A tree that was checked before goes on standing in for its file.
    """
    state = _state(libraries)
    known = getattr(libraries.memory, "checked", None)
    before: Mapping[Path, StoredDefinition] = {}
    if known is not None and _is_same_state(known[0], state):
        classes: Classes = known[1]
        files = classes.files
        assert isinstance(files, LibraryFiles)
        if files.stand_in(trees):
            return classes
        before = files.standing_in
    found = Classes(LibraryFiles(libraries, {**before, **trees}, _kept(libraries), recover=True))
    libraries.memory.checked = (state, found)
    return found


def forget_checked_classes(libraries: Libraries) -> None:
    """After a check that was interrupted: a look-up may have been left in the middle."""
    libraries.memory.checked = None


def _state(libraries: Libraries) -> tuple[object, ...]:
    """What tells whether something has changed."""
    return (libraries.changes.count, *(library.root for library in libraries))


def _is_same_state(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(map(_is_same, one, other))


def _kept(libraries: Libraries) -> Kept:
    """What was seen of the files."""
    kept: Kept = getattr(libraries.memory, "kept", {})
    libraries.memory.kept = kept
    return kept


def lookup_of(libraries: Libraries, changed: Mapping[Path, Any] | None = None) -> Lookup:
    """What names stand for in libraries as they are now; `changed` has green trees that stand in for those of files."""
    if not changed:
        classes = classes_of(libraries)
        known: Lookup | None = getattr(libraries.memory, "lookup", None)
        if known is None or known.classes is not classes:
            libraries.memory.lookup = known = Lookup(classes)
        return known
    return Lookup(Classes(LibraryFiles(libraries, trees_of(changed), _kept(libraries))))


def trees_of(roots: Mapping[Path, Any]) -> dict[Path, StoredDefinition]:
    """Green trees of files as trees."""
    return {path: _tree(path, root) for path, root in roots.items()}


def _tree(path: Path, root: Any) -> StoredDefinition:
    return StoredDefinition.over(root, file=path)


def _is_same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, int) and one == other)


def instance(libraries: Libraries, name: str) -> Instance:
    """The class of a full name with all its components; NotFoundError names the nearest."""
    found = classes_of(libraries).find(split_name(name))
    if found is None or found.written is None:
        libraries.find_class(name)  # says what there is instead
        raise NotFoundError(f"there is no class '{name}'")
    return Instance(found)
