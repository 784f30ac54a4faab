"""The libraries at hand: what each says about itself, where they are looked for, which version of one counts.

The order is the same for everybody: what is named, the folder around the files that the call is about, the folders of
MODELICAPATH, the usual folders, and those that installed Python packages bring.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from modelica_ast.files import Disk, Files, exists, is_file
from modelica_ast.foundation import ModelicaSyntaxError, Record, split_name
from modelica_ast.library.cache import ParseCache
from modelica_ast.library.errors import NoLibraryError
from modelica_ast.library.layout import (
    PACKAGE_FILE,
    Found,
    brought_folders,
    libraries_in,
    library_folders,
    name_and_version,
    version_key,
)
from modelica_ast.library.libraries import Libraries
from modelica_ast.tree import (
    ClassDefinition,
    ElementModification,
    Expression,
    LiteralError,
    StoredDefinition,
    evaluate,
    parse_source,
)

# ---------------------------------------------------------------- manifests
# What a library says about itself in the annotations of its top class: version, what it uses, what it stands for.


class Manifest(Record):
    """The annotations by which libraries are found; '' and nothing where they do not say."""

    version: str
    unchanged_from: tuple[str, ...]  # the versions whose users need no conversion
    uses: dict[str, str]  # library -> version, '' for any


def manifest_of(tree: StoredDefinition) -> Manifest:
    """What the classes of a file say; the version is that of the first one."""
    first = tree.classes[:1]
    version = next((_text(item) for each in first for item in _arguments(each, "") if _is(item, "version")), "")
    unchanged = [
        text
        for each in first
        for item in conversion_items(each)
        if _is(item, "noneFromVersion")
        for text in _texts(item)
    ]
    return Manifest(version, tuple(unchanged), uses_of(tree))


def uses_of(tree: StoredDefinition) -> dict[str, str]:
    """Library -> version of all that the classes of a file say they use; '' if no version is named."""
    found: dict[str, str] = {}
    for definition in tree.classes:
        for item in _arguments(definition, "uses"):
            version = item.arguments.get("version") if item.arguments is not None else None
            found[str(item.name)] = "" if version is None else _text(version)
    return found


def conversion_items(definition: ClassDefinition) -> Iterator[ElementModification]:
    """What is in `conversion(…)` of a class; in some libraries `conversion(conversion(…))`."""
    todo = list(_arguments(definition, "conversion"))[::-1]
    while todo:
        item = todo.pop()
        if _is(item, "conversion") and item.arguments is not None:
            todo += [inner for inner in reversed(item.arguments.items) if isinstance(inner, ElementModification)]
        else:
            yield item


def _arguments(definition: ClassDefinition, name: str) -> Iterator[ElementModification]:
    """What is in the parentheses of `annotation(…)`, or of one of its arguments."""
    try:
        annotation = definition.annotation
        arguments = annotation.arguments if annotation is not None else None
        if name and arguments is not None:
            inner = arguments.get(name)
            arguments = inner.arguments if inner is not None else None
        items = arguments.items if arguments is not None else []
    except ModelicaSyntaxError:
        return  # the annotation does not parse, which the check of its file says
    yield from (item for item in items if isinstance(item, ElementModification))


def _is(item: ElementModification, name: str) -> bool:
    return str(item.name) == name


def _text(item: ElementModification) -> str:
    return next(iter(_texts(item)), "")


def _texts(item: ElementModification) -> list[str]:
    """The text of `= "1.0"`, or the texts of `= {"1.0", "1.1"}`."""
    if not isinstance(item.value, Expression):
        return []
    try:
        value = evaluate(item.value)
    except LiteralError:
        return []
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


# ---------------------------------------------------------------- within clauses
# The package that a `within` names, and what is said if it is not there.


def missing_package(libraries: Libraries, name: str) -> str:
    """Which part of a package's name leads to nothing, and where it was looked for; '' if none does.

    Nobody knows what is in a file that can't be read, so nothing is said about what would be in there.
    """
    parts = split_name(name)
    library = libraries.get(parts[0])
    if library is None:
        known = ", ".join(found.name for found in libraries)
        return f"the library '{parts[0]}' is not among those that are open ({known or 'none'})"
    entry, rest = library.entry_of(name)
    try:
        classes = libraries.document(entry).tree.classes
    except (ModelicaSyntaxError, OSError):
        return ""
    definition = next((found for found in classes if found.name == entry.name), None)
    around = entry.full_name
    for part in rest:
        if definition is None:
            return ""
        definition = definition.get_class(part)
        if definition is None:
            return f"there is no '{part}' in '{around}' ({entry.path})"
        around = f"{around}.{part}"
    return ""


# ---------------------------------------------------------------- the shelf
# The libraries at hand: where they are looked for, in which order, and which version of one counts.
#
# The order is the same for everybody: what is named, the folder around the files that the call is about, the folders of
# MODELICAPATH, the usual folders, and those that installed Python packages bring.

STANDARD_LIBRARY: Final = "Modelica"
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_NOTHING: Final = Manifest("", (), {})
_AnyPath = str | os.PathLike[str]


class _Row(Record):
    """The libraries of one place of the order."""

    place: Path
    found: list[Found]
    is_own: bool  # named, or around the files of the call
    is_library: bool  # the place is a library that was named, so its version is not asked for


class Shelf:
    """The libraries at hand, opened by what `uses` annotations say of them.

    `named` are libraries and folders of libraries, which go before all others; `around` are files and folders whose
    neighbours come next. With `search=False` nothing is looked for but what is named. `notes` has a sentence for each
    version that is wanted and not there. LibraryError if there is nothing where something is named. `files` are in
    memory and take precedence over those of the libraries that are opened to be written, as `Libraries` has it.
    """

    def __init__(
        self,
        named: Iterable[_AnyPath] = (),
        *,
        around: Iterable[_AnyPath] = (),
        search: bool = True,
        cache: ParseCache | None = None,
        files: Files | None = None,
    ) -> None:
        self._files = files
        self._disk = Disk(files)
        self._named = [Path(path) for path in named]
        self._around = [Path(path) for path in around]
        self._search = search
        self.cache = cache
        self._manifests: dict[Path, Manifest] = {}
        self._chosen: dict[tuple[str, str], Path | None] = {}
        self._notes: dict[str, None] = {}
        self._named_rows = [_named_row(path) for path in self._named]

    @property
    def notes(self) -> list[str]:
        """What is good to know about the libraries that were taken, each once."""
        return list(self._notes)

    # ------------------------------------------------------------ what there is

    @cached_property
    def folders(self) -> list[Path]:
        """The places that are looked through, in their order."""
        return [row.place for row in self._rows]

    @cached_property
    def _rows(self) -> list[_Row]:
        rows = list(self._named_rows)
        if self._search:
            around = [place for path in self._around for place in surroundings(path)]
            rows += [_row(place, is_own=True) for place in dict.fromkeys(around)]
            others = dict.fromkeys([*library_folders(), *brought_folders()])
            rows += [_row(place, is_own=False) for place in others]
        return rows

    def __contains__(self, name: str) -> bool:
        return any(found.name == name for found in self._found())

    def names(self) -> list[str]:
        """The names of all libraries at hand."""
        return sorted({found.name for found in self._found()})

    def _found(self) -> Iterator[Found]:
        for row in self._rows:
            yield from row.found

    def all_of(self, name: str) -> list[Found]:
        """All libraries of a name, in the order of their places."""
        return [found for found in self._found() if found.name == name]

    def is_own(self, path: Path) -> bool:
        """Is it a library that was named or is around the files of the call, and not one that is installed?"""
        rows = [row for row in self._rows if any(found.path.resolve() == path for found in row.found)]
        return bool(rows) and all(row.is_own for row in rows)

    def mentioned_in(self, text: str) -> list[str]:
        """The libraries whose names are in a text, as words."""
        return sorted(set(_WORD.findall(text)).intersection(self.names()))

    # ------------------------------------------------------------ which one counts

    def find(self, name: str, version: str = "") -> Path | None:
        """The library of a name: the first in the order that is of a version ('' is any) or unchanged since it.

        Without one, it is the newest of all, with a note. None if there is no library of that name.
        """
        key = name, version
        if key not in self._chosen:
            self._chosen[key] = self._choose(name, version)
        return self._chosen[key]

    def _choose(self, name: str, version: str) -> Path | None:
        there: list[Found] = []
        for row in self._rows:
            here = [each for each in row.found if each.name == name]
            if len(here) > 1:
                here.sort(key=lambda each: version_key(self.version_of(each)), reverse=True)
            fitting = here if row.is_library or not version else [each for each in here if each.version == version]
            fitting = fitting or [each for each in here if self._fits(each, version)]
            if fitting:
                return fitting[0].path
            there += here
        if not there:
            return None
        newest = max(there, key=lambda each: version_key(self.version_of(each)))
        known = self.version_of(newest) or "one that has no version"
        self._notes[
            f"{name} {version} is required by a uses annotation but not installed; there is {known} in "
            f"{newest.path.parent}, "
            "which is used instead"
        ] = None
        return newest.path

    def _fits(self, found: Found, version: str) -> bool:
        manifest = self._manifest(found.path)
        return version in (manifest.version, *manifest.unchanged_from)

    def version_of(self, found: Found) -> str:
        """The version that a library's folder names, or else its file."""
        return found.version or self._manifest(found.path).version

    def _manifest(self, path: Path) -> Manifest:
        if path not in self._manifests:
            # PERF: one file is read, not the folders of the whole library.
            source = path / PACKAGE_FILE if self._disk.is_folder(path) else path
            read = parse_source if self.cache is None else self.cache.parse_source
            try:
                self._manifests[path] = manifest_of(read(self._disk.source(source)))
            except (ModelicaSyntaxError, OSError):
                self._manifests[path] = _NOTHING  # whoever reads the file next says what is wrong with it
        return self._manifests[path]

    def uses(self, path: Path) -> dict[str, str]:
        """Library -> version of what the library at a path says it uses."""
        return self._manifest(path).uses

    # ------------------------------------------------------------ opening

    def places(self, names: Iterable[str], *, known: Iterable[str] = ()) -> list[Path]:
        """Where the libraries of these names are, and all that they use; those that are known are left out."""
        return self._reached([(name, "") for name in names], set(known))

    def _reached(self, wanted: list[tuple[str, str]], known: set[str]) -> list[Path]:
        paths: list[Path] = []
        todo = list(wanted)
        while todo:
            name, version = todo.pop(0)
            if name in known:
                continue
            known.add(name)
            path = self.find(name, version)
            if path is not None:
                paths.append(path)
                todo += self.uses(path).items()
        return paths

    def open(
        self, own: Iterable[_AnyPath] = (), *, file: StoredDefinition | None = None, names: Iterable[str] = ()
    ) -> Libraries:
        """Open libraries to be written, and read-only what is named here and what all of them use, directly or not.

        `file` is the tree of a file whose libraries are wanted, `names` are libraries that are wanted whoever uses
        them. A file that mentions the Standard Library without naming a version gets the one that is at hand.
        """
        paths = [Path(path) for path in own]
        uses: dict[str, str] = {}
        for path in paths:
            uses = {**self.uses(path), **uses}
        if file is not None:
            uses |= uses_of(file)
        wanted = [(found.name, uses.get(found.name, "")) for row in self._named_rows for found in row.found]
        if self._search:
            wanted += uses.items()
            wanted += [(name, uses.get(name, "")) for name in names]
            if STANDARD_LIBRARY not in uses and self._mentions_standard_library(paths, file):
                wanted.append((STANDARD_LIBRARY, ""))
        read_only = self._reached(wanted, {_name_at(path, self._disk) for path in paths})
        return Libraries(paths, read_only=read_only, cache=self.cache, files=self._files)

    def _mentions_standard_library(self, paths: Iterable[Path], file: StoredDefinition | None) -> bool:
        """Is the Standard Library in a text? PERF: its folders take longer to look through than many files."""
        if file is not None and STANDARD_LIBRARY in file.source.text:
            return True
        return any(STANDARD_LIBRARY in text for path in paths for text in self._texts(path))

    def _texts(self, path: Path) -> Iterator[str]:
        for each in self._disk.files_below(path) if self._disk.is_folder(path) else [path]:
            if each.suffix == ".mo":
                try:
                    yield self._disk.source(each).text
                except OSError:
                    continue  # whoever reads the file next says so


def open_with_uses(
    paths: Iterable[_AnyPath],
    *,
    also: Iterable[_AnyPath] = (),
    search: bool = True,
    uses: StoredDefinition | None = None,
    files: Files | None = None,
) -> Libraries:
    """Open libraries, and read-only those that they use, directly or not: a `Shelf` for one call.

    `also` are more libraries, or folders of them, to look into; `uses` is the tree of a file whose libraries are
    wanted. With `search=False` nothing is looked for. `files` are in memory, as `Libraries` has them.
    """
    own = [Path(path) for path in paths]
    return Shelf(also, around=own, search=search, files=files).open(own, file=uses)


def find_library(
    name: str, version: str | None = None, *, named: Iterable[_AnyPath] = (), around: Iterable[_AnyPath] = ()
) -> Path:
    """The newest library of a name at hand, or the one of a version; LibraryError says where it was looked for.

    What is `named`, a library or a folder of libraries, goes before those beside what is `around` and those that are
    installed. A library whose folder does not name a version has the one that it says itself.
    """
    own = Shelf(named, search=False)
    first = own.find(name, version or "")
    if first is not None and not own.notes:
        return first
    shelf = Shelf(around=around)
    every = [(shelf.version_of(found), found) for found in shelf.all_of(name)]
    fitting = [(known, found) for known, found in every if version in (None, known)]
    if fitting:
        return max(fitting, key=lambda each: version_key(each[0]))[1].path
    where = ", ".join(map(str, library_folders())) or "no folder: set MODELICAPATH"
    if every:
        known = ", ".join(known or "one that has no version" for known, _ in every)
        raise NoLibraryError(f"there is no {name} {version} in {where}; there is {known}")
    raise NoLibraryError(f"there is no library {name} in {where}")


# ---------------------------------------------------------------- places


def library_around(place: Path) -> Path | None:
    """The folder of the library that a file or a folder is part of, or None."""
    folder = place.resolve()
    folder = folder if folder.is_dir() else folder.parent
    if not is_file(folder / PACKAGE_FILE):
        return None
    while is_file(folder.parent / PACKAGE_FILE):
        folder = folder.parent
    return folder


def surroundings(place: Path) -> list[Path]:
    """Where the neighbours of a file or folder are: the library that it is part of, and the folder around it."""
    library = library_around(place)
    if library is not None:
        return [library, library.parent]
    found = place.resolve()
    return [found if found.is_dir() else found.parent]


def _named_row(path: Path) -> _Row:
    if not exists(path):
        raise NoLibraryError(f"{path}: no such file or folder")
    row = _row(path.resolve(), is_own=True)
    if not row.found:
        raise NoLibraryError(f"{path} is not a Modelica library: there is no {PACKAGE_FILE} in it, and no library")
    return row


def _row(place: Path, *, is_own: bool) -> _Row:
    """The libraries of a folder, or the one that a folder or a file is."""
    if is_file(place) or is_file(place / PACKAGE_FILE):
        path = place.parent if place.name == PACKAGE_FILE else place
        name, version = name_and_version(path)
        return _Row(place, [Found(name, version, path)], is_own, is_library=True)
    try:
        return _Row(place, list(libraries_in(place)), is_own, is_library=False)
    except OSError:  # a folder that can't be listed has nothing to offer
        return _Row(place, [], is_own, is_library=False)


def _name_at(path: Path, disk: Disk) -> str:
    found = path.resolve()
    found = found.parent if found.name == PACKAGE_FILE else found
    return name_and_version(found, disk)[0]
