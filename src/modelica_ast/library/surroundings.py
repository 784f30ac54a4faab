"""A document where it is: in its library or on its own, beside the libraries at hand.

PERF: a library is opened when a name leads into it, for a look at one class must not look through all that is
installed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any

from modelica_ast.edit import Document
from modelica_ast.files import exists, is_file
from modelica_ast.foundation import NotFoundError, Record, Source, nearest, split_name, suggestion
from modelica_ast.library.class_files import LibraryFiles
from modelica_ast.library.errors import NoLibraryError
from modelica_ast.library.layout import PACKAGE_FILE, name_and_version
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.shelf import Shelf, library_around, uses_of
from modelica_ast.semantics import NOT_OPEN, UNKNOWN, Absence, Classes, Definition, Environment, LoneFile
from modelica_ast.tree import StoredDefinition


class Surroundings:
    """The classes of a document as it is now, and all that names in it lead to.

    `libraries` are those that are open, or a `Shelf` to take them from; None is a document that stands alone. `others`
    are more documents as they are now, which stand in for their files; `opening` is called with the place of a library
    before it is opened. The surroundings `before`, with the same shelf, know libraries that are open already.
    """

    def __init__(
        self,
        tree: StoredDefinition,
        libraries: Libraries | Shelf | None = None,
        *,
        others: Iterable[StoredDefinition] = (),
        opening: Callable[[Path], None] | None = None,
        before: Surroundings | None = None,
    ) -> None:
        self.tree = tree
        trees = {each.file.resolve(): each for each in (*others, tree) if each.file is not None}
        around = None if tree.file is None else library_around(tree.file)
        self.files: LibraryFiles | ShelfFiles | None = None
        if isinstance(libraries, Shelf):
            self.files = files = ShelfFiles(libraries, uses_of(tree), trees, opening)
            if before is not None and isinstance(before.files, ShelfFiles):
                files.take_over(before.files)
            if around is not None:
                files.open(around)
        elif libraries is not None:
            self.files = LibraryFiles(libraries, trees)
        own = [] if self.files is None or around is None else _own_classes(self.files, tree)
        if self.files is not None and own:
            self.tops, self.classes = own, Classes(self.files)
        else:
            lone = LoneFile(tree, self.files)
            self.tops, self.classes = lone.tops, Classes(lone)

    def definition(self, name: str) -> Definition | None:
        """The class of a name from the file on, `Arm` or `Robots.Arm`; None if there is none."""
        inside = {each.name: each for each in reversed(self.tops)}
        found: Definition | None = None
        for part in split_name(name):
            found = inside.get(part) or inside.get(f"'{part}'")
            if found is None:
                return None
            inside = found.classes
        return found

    def environment(self, name: str) -> Environment | None:
        """The class of a name from the file on, as the look-up sees it; None if there is none."""
        found = self.definition(name)
        return None if found is None else self.classes.as_written(found)


def _own_classes(files: LibraryFiles | ShelfFiles, tree: StoredDefinition) -> list[Definition]:
    """The classes of a file that its library has in its place; none for another file."""
    for each in tree.classes:
        found = files.tops_of(f"{tree.within}.{each.name}" if tree.within else each.name)
        if found and found[0].view.root.green is tree.green:
            return found
    return []


class ShelfFiles:
    """The files of the libraries of a shelf, by need.

    Which version of a library counts is for the document to say, and then for the libraries that are open.
    """

    def __init__(
        self,
        shelf: Shelf,
        uses: Mapping[str, str],
        trees: Mapping[Path, StoredDefinition],
        opening: Callable[[Path], None] | None,
    ) -> None:
        self._shelf = shelf
        self._uses = dict(uses)
        self._trees = trees
        self._opening = opening
        self._opened: dict[str, LibraryFiles | None] = {}

    def take_over(self, other: ShelfFiles) -> None:
        """Know the libraries that are open elsewhere. PERF: only what stands in for files of one is looked at again."""
        for name, files in other._opened.items():
            version = other._uses.get(name)
            if self._uses.get(name, version) == version:
                self._opened[name] = None if files is None else files.renewed(self._trees)
        self._uses = {**other._uses, **self._uses}

    def open(self, path: Path) -> None:
        """Open the library of a path, unless it is open."""
        opened = [files for files in self._opened.values() if files is not None]
        if any(library.path == path for files in opened for library in files.libraries):
            return
        if self._opening is not None:
            self._opening(path)
        libraries = Libraries([], read_only=[path])
        for used, version in self._shelf.uses(path).items():
            self._uses.setdefault(used, version)
        files = LibraryFiles(libraries, self._trees)
        self._opened.update(dict.fromkeys((library.name for library in libraries), files))

    def _library(self, name: str) -> LibraryFiles | None:
        if name not in self._opened:
            self._opened[name] = None  # what can't be opened is not open
            path = self._shelf.find(name, self._uses.get(name, ""))
            if path is not None:
                self.open(path)
        return self._opened[name]

    def _that_have(self, definition: Definition) -> LibraryFiles | None:
        return next((files for files in self._opened.values() if files is not None and definition in files), None)

    def tops_of(self, name: str) -> list[Definition]:
        """The classes at the top of the file of a class."""
        files = self._library(split_name(name)[0])
        return [] if files is None else files.tops_of(name)

    # ------------------------------------------------------------ for the look-up

    def top(self, name: str) -> Definition | Absence:
        """The top class of a library."""
        files = self._library(name)
        return NOT_OPEN if files is None else files.top(name)

    def package_of(self, top: Definition) -> Definition | Absence | None:
        """The package in whose folder a file is."""
        files = self._that_have(top)
        return UNKNOWN if files is None else files.package_of(top)

    def classes_in(self, package: Definition) -> Mapping[str, Definition | Absence]:
        """The classes of a package that have files of their own."""
        files = self._that_have(package)
        return {} if files is None else files.classes_in(package)

    def full_name_of(self, top: Definition) -> str:
        """The full name of a class at the top of its file."""
        files = self._that_have(top)
        return top.name if files is None else files.full_name_of(top)

    def _of_file(self, tree: Hashable) -> LibraryFiles | None:
        assert isinstance(tree, Path)
        opened = [files for files in self._opened.values() if files is not None]
        return next((each for each in opened if any(tree.is_relative_to(one.path) for one in each.libraries)), None)

    def tops_by_path(self, tree: Hashable) -> Mapping[tuple[int, ...], Definition]:
        """The classes at the top of a file by their places in it."""
        files = self._of_file(tree)
        return {} if files is None else files.tops_by_path(tree)

    def package_of_tree(self, tree: Hashable) -> Definition | Absence | None:
        """The package in whose folder a file is."""
        files = self._of_file(tree)
        return UNKNOWN if files is None else files.package_of_tree(tree)

    def root(self, tree: Hashable) -> Any:
        """The green tree of a file."""
        files = self._of_file(tree)
        assert files is not None
        return files.root(tree)


# ---------------------------------------------------------------- class target
# A class by its place, a file or a library's folder, with the libraries that it uses.


class ClassTarget(Record):
    """Libraries that are open, that of the class for writing, and the full name of the class."""

    libraries: Libraries
    name: str
    root: Path  # the folder or the file of its library


def open_class(place: Path, name: str | None, shelf: Shelf, *, names: Iterable[str] = ()) -> ClassTarget:
    """Open the library that a file or a folder is part of, with what it uses, and find a class in it.

    The name starts with the top class of the file, or with that of the library. Without a name it is the class that
    the file or the folder is. `names` are libraries that are needed whoever uses them. LibraryError if nothing can be
    opened, NotFoundError if there is no such class.
    """
    if not exists(place):
        raise NoLibraryError(f"{place}: no such file or folder")
    root = library_around(place) or place.resolve()
    full_name = full_name_at(place, name)
    libraries = shelf.open([root], names=[*names, *_mentioned_beside(place, shelf)])
    if libraries.workspace is None:
        problems = "; ".join(str(problem) for problem in libraries.problems) or "it has no class"
        raise NoLibraryError(f"{place} is not a Modelica library: {problems}")
    libraries.find_class(full_name)
    return ClassTarget(libraries, full_name, root)


def _mentioned_beside(place: Path, shelf: Shelf) -> list[str]:
    """The libraries that a file mentions, and those that files beside it do which it leads to.

    A library without a version can't be stated in `uses`, so its name in the text has to do.
    """
    found: dict[str, None] = {}
    todo = [place] if is_file(place) and place.name != PACKAGE_FILE else []
    while todo:
        try:
            text = Source.read(todo.pop()).text
        except OSError:  # whoever reads it next says so
            continue
        for name in shelf.mentioned_in(text):
            if name not in found:
                found[name] = None
                path = shelf.find(name)
                if path is not None and is_file(path) and shelf.is_own(path):
                    todo.append(path)
    return list(found)


def full_name_at(place: Path, name: str | None) -> str:
    """The full name of a class that is written after a file or a folder; whether there is one is not looked up."""
    around = library_around(place)
    if place.is_dir():
        return _name_of_folder(place, around or place.resolve(), name)
    return _name_in_file(place, around, name)


def _name_of_folder(place: Path, root: Path, name: str | None) -> str:
    if not is_file(place / PACKAGE_FILE):
        raise NoLibraryError(f"{place} is not a Modelica library: there is no {PACKAGE_FILE} in it")
    if name is not None:
        return name
    inside = place.resolve().relative_to(root).parts
    return ".".join([name_and_version(root)[0], *inside])


def _name_in_file(place: Path, around: Path | None, name: str | None) -> str:
    """The full name of a class that is written from the file on, or from the top."""
    document = Document.open(place)
    classes = [found.name for found in document.classes]
    if around is None and classes != [name_and_version(place)[0]]:
        there = ", ".join(classes) or "no class"
        raise NoLibraryError(
            f"{place} defines {there}: a file that is not in a library has one class, and has its name"
        )
    within = f"{document.within}." if document.within else ""
    if name is None:
        if len(classes) != 1:
            there = ", ".join(classes) or "no class"
            raise NotFoundError(f"{place} has {len(classes)} classes: write {place}::NAME with one of them ({there})")
        return within + classes[0]
    inside = name.removeprefix(within)
    first = split_name(inside)[0]
    if first not in classes:
        around_it = [each.name for each in document.classes if each.get_class(first) is not None]
        near = f"; {suggestion(f'{around_it[0]}.{inside}')}" if around_it else nearest(first, classes)
        raise NotFoundError(f"no class '{first}' in {place}{near}")
    return within + inside
