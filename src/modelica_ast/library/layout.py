"""The files of a library: which class is in which file, by the names of files and folders alone.

Nothing is read but `package.order`. A folder with a package.mo is a package, its other .mo files and such folders are
the classes inside; or the whole library is one file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from modelica_ast.files import THE_DISK, Disk
from modelica_ast.foundation import Record, fault_of_file_name, folded, split_name, unprintable_in
from modelica_ast.library.errors import NoLibraryError, Problem, UnusableError
from modelica_ast.syntax import NUMBER, lex, token_text

# ---------------------------------------------------------------- file names
# Which classes can have a file or a folder of their own, by their names.
#
# The file of a class is called like the class, and the quotes of a quoted identifier are part of its name: `'my
# class'` is in `'my class'.mo`. A class whose name no file can have is in the file of its package. Some tools
# leave out the quotes, so what is between them has to be a good name too.

_ENDING: Final = ".mo"
_PACKAGE: Final = "package"  # in package.mo is the package itself


def fault_of_class_name(name: str) -> str | None:
    """Why no file can be called like a class: a phrase about 'it'; None if one can."""
    for written in (name, _without_quotes(name)):
        fault = fault_of_file_name(written) or fault_of_file_name(written + _ENDING)
        if fault is not None:
            return fault
        if folded(written) == _PACKAGE:
            return "the package around it has that file"
    return None


def fault_in_folder(disk: Disk, folder: Path, siblings: Iterable[str], name: str, *, as_folder: bool) -> str | None:
    """Why a class can't have a file, or a folder, beside those of its siblings; None if it can."""
    fault = fault_of_class_name(name)
    if fault is not None:
        return fault
    twin = next((each for each in sorted(siblings) if folded(each) == folded(name)), None)
    if twin is not None:
        return f"'{twin}' is there, and some systems can't tell them apart"
    other = next((each for each in _other_folders(disk, folder) if folded(each.name) == folded(name)), None)
    return f"there is a folder {other}" if as_folder and other is not None else None


def _other_folders(disk: Disk, folder: Path) -> list[Path]:
    """The folders in a package's folder that are not packages themselves, as Resources."""
    names = disk.names_in(folder) if disk.is_folder(folder) else []  # a new one is not there before it is saved
    inside = [folder / name for name in names]
    return [each for each in inside if disk.is_folder(each) and not disk.is_file(each / f"{_PACKAGE}{_ENDING}")]


def is_class_name(name: str) -> bool:
    """Can a class be called like a file or folder? It takes one name, in one line, and its quotes are closed."""
    return unprintable_in(name) is None and split_name(name) == [name] and (name[:1] != "'" or _is_quoted(name))


def _is_quoted(name: str) -> bool:
    return len(name) > 2 and name[0] == name[-1] == "'"  # noqa: PLR2004  (two quotes with nothing between are not a name)


def _without_quotes(name: str) -> str:
    return name[1:-1] if _is_quoted(name) else name


# ---------------------------------------------------------------- class names
# The names of all classes in a text, by a scan over its tokens: nothing is parsed.

_CLASS_WORDS: Final = frozenset(
    NUMBER[name] for name in "CLASS MODEL RECORD BLOCK CONNECTOR TYPE PACKAGE FUNCTION OPERATOR".split()
)
_IDENT, _END, _EXTENDS, _EQUALS, _LPAR, _RPAR = (
    NUMBER[name] for name in ("IDENT", "END", "EXTENDS", "EQUALS", "LPAR", "RPAR")
)
_NOTABLE: Final = _CLASS_WORDS | {_END, _LPAR, _RPAR}


def class_names(text: str) -> list[str]:
    """The dotted names of all classes of a file, without its `within`, in source order."""
    tokens = lex(text, lazy=True, phrases=True)
    found: list[str] = []
    around: list[str] = []
    depth = 0
    # PERF: a library has a million tokens; few of them are of interest.
    for at in [at for at, (_, kind) in enumerate(tokens) if kind in _NOTABLE]:
        kind = tokens[at][1]
        if kind == _LPAR:
            depth += 1
        elif kind == _RPAR:
            depth -= 1
        elif depth > 0:  # `redeclare package Medium = Water` in a modifier
            continue
        elif kind == _END:
            if around and tokens[at + 1][1] == _IDENT and token_text(tokens[at + 1][0]) == around[-1]:
                around.pop()
        else:
            place = at + 2 if tokens[at + 1][1] == _EXTENDS else at + 1
            if tokens[place][1] != _IDENT:
                continue
            name = token_text(tokens[place][0])
            found.append(".".join([*around, name]))
            if tokens[place + 1][1] != _EQUALS:
                around.append(name)
    return found


# ---------------------------------------------------------------- folders
# Where Modelica libraries are on this machine.

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*|'(?:[^'\\]|\\.)+'")


class Found(Record):
    """A library on disk: the folder of its package.mo, or its single file."""

    name: str
    version: str  # '' if its name does not tell
    path: Path


def library_folders() -> list[Path]:
    """The folders that libraries are looked for in: MODELICAPATH, then OpenModelica's own."""
    named = [Path(part) for part in os.environ.get("MODELICAPATH", "").split(os.pathsep) if part]
    return [folder for folder in (*named, openmodelica_folder()) if folder.is_dir()]


def openmodelica_folder() -> Path:
    """The folder in which OpenModelica looks for the libraries of a user; it need not be there."""
    home = Path(os.environ.get("APPDATA") or Path.home()) if os.name == "nt" else Path.home()
    return home / ".openmodelica" / "libraries"


def brought_folders() -> list[Path]:
    """The folders with libraries that installed Python packages bring, by the entry point `modelica_ast.libraries`."""
    from importlib.metadata import entry_points  # noqa: PLC0415  (PERF: it takes longer than the rest of this module)

    return [Path(entry.load()) for entry in entry_points(group="modelica_ast.libraries")]


def libraries_in(folder: Path, disk: Disk = THE_DISK) -> Iterator[Found]:
    """Every library of a folder, `Modelica 4.1.0/package.mo` and `Complex 4.1.0.mo` alike."""
    for path in [folder / name for name in disk.names_in(folder)]:
        is_package = _is_package(path, disk)
        if is_package or (path.suffix == ".mo" and disk.is_file(path) and path.name != "package.mo"):
            name, version = name_and_version(path, disk)
            if _NAME.fullmatch(name):
                yield Found(name, version, path)


def name_and_version(place: Path, disk: Disk = THE_DISK) -> tuple[str, str]:
    """The name of a library and its version by the name of its folder or file: `Modelica 4.1.0`, `'a b' 2`."""
    text = place.stem if place.suffix == ".mo" and disk.is_file(place) else place.name
    quoted = _NAME.match(text) if text.startswith("'") else None
    start = quoted.end() if quoted else 0
    name, _, version = text[start:].partition(" ")
    return text[:start] + name, version


def _is_package(path: Path, disk: Disk) -> bool:
    try:
        return disk.is_folder(path) and disk.is_file(path / "package.mo")
    except PermissionError:  # a folder that this user may not look into; the others are looked through all the same
        return False


def version_key(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Versions in their order: 3.2.3 before 4.0.0, and 4.0.0-beta before 4.0.0."""
    release, _, rest = version.partition("-")
    numbers = tuple(int(part) if part.isdigit() else -1 for part in re.split(r"[. +]", release) if part)
    return numbers, not rest, rest


# ---------------------------------------------------------------- layout

PACKAGE_FILE: Final = "package.mo"
ORDER_FILE: Final = "package.order"


class FileEntry:
    """A class that has a file of its own. It does not change: `with_children` and `renamed` make others."""

    __slots__ = ("children", "folder", "full_name", "name", "order", "path")

    def __init__(
        self,
        name: str,
        full_name: str,
        path: Path,
        folder: Path | None,
        children: Mapping[str, FileEntry],
        order: Sequence[str] | None,
    ) -> None:
        self.name = name
        self.full_name = full_name
        self.path = path
        self.folder = folder  # of a package in a folder; None for a class in a single file
        self.children = children
        self.order = order  # what package.order says; None if there is none

    def __repr__(self) -> str:
        return f"<FileEntry {self.full_name} {self.path}>"

    @property
    def parent_name(self) -> str:
        """The full name of the package around it, or ''."""
        return ".".join(split_name(self.full_name)[:-1])

    def walk(self) -> Iterator[FileEntry]:
        """This and all inside, parents first, in the order of package.order."""
        yield self
        for child in self.in_order():
            yield from child.walk()

    def in_order(self) -> list[FileEntry]:
        """The children as package.order has them; those that it does not name after, by their names."""
        places = {name: place for place, name in enumerate(self.order or [])}
        return sorted(self.children.values(), key=lambda child: (places.get(child.name, len(places)), child.name))

    def inside(self, names: Sequence[str]) -> FileEntry | None:
        """The entry that the names lead to from here; None if one of them has no file of its own."""
        entry: FileEntry | None = self
        for name in names:
            entry = entry.children.get(name) if entry is not None else None
        return entry

    def replaced(self, names: Sequence[str], new: FileEntry | None) -> FileEntry:
        """This with another entry (or None) in the place that the names lead to; `new` may be called otherwise."""
        if not names:
            assert new is not None
            return new
        inside = self.children.get(names[0])
        changed = new if len(names) == 1 else (inside.replaced(names[1:], new) if inside is not None else None)
        children = {name: child for name, child in self.children.items() if name != names[0]}
        if changed is not None:
            children[changed.name] = changed
        return FileEntry(self.name, self.full_name, self.path, self.folder, children, self.order)

    def with_order(self, order: Sequence[str] | None) -> FileEntry:
        """This with another package.order."""
        return FileEntry(self.name, self.full_name, self.path, self.folder, self.children, order)

    def named(self, name: str, parent: str) -> FileEntry:
        """This under another name, in another package; the files are where they were."""
        full_name = f"{parent}.{name}" if parent else name
        children = {child.name: child.named(child.name, full_name) for child in self.children.values()}
        return FileEntry(name, full_name, self.path, self.folder, children, self.order)

    def moved(self, folder: Path) -> FileEntry:
        """This in another folder, in files that are called like their classes."""
        if self.folder is None:
            return FileEntry(self.name, self.full_name, folder / f"{self.name}.mo", None, {}, None)
        own = folder / self.name
        children = {child.name: child.moved(own) for child in self.children.values()}
        return FileEntry(self.name, self.full_name, own / PACKAGE_FILE, own, children, self.order)


def scan(root: Path, disk: Disk = THE_DISK) -> tuple[FileEntry, list[Problem]]:
    """The files of a library, by its folder or its single file; and what is wrong with them.

    LibraryError if there is nothing; UnusableError if there is something that is not a library.
    """
    try:
        return _scanned(root, disk)
    except OSError as error:
        raise UnusableError(Problem(root, 0, f"it can't be read: {error.strerror or error}")) from None


def _scanned(root: Path, disk: Disk) -> tuple[FileEntry, list[Problem]]:
    name = name_and_version(root, disk)[0]
    if disk.is_file(root):
        if root.suffix != ".mo":
            raise UnusableError(Problem(root, 0, "it is not a Modelica library: its name does not end in .mo"))
        return FileEntry(name, name, root, None, {}, None), []
    if not disk.is_folder(root):
        if disk.exists(root):
            raise UnusableError(Problem(root, 0, "it is not a Modelica library: it is neither a file nor a folder"))
        raise NoLibraryError(f"{root} is not a Modelica library: there is no such file or folder")
    if not disk.is_file(root / PACKAGE_FILE):
        raise UnusableError(Problem(root, 0, f"it is not a Modelica library: it has no {PACKAGE_FILE}"))
    scanner = _Scanner(disk)
    return scanner.package(name, name, root, frozenset({disk.identity(root)})), scanner.problems


class _Scanner:
    """Goes through folders and notes what is wrong."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self.problems: list[Problem] = []

    def _note(self, path: Path, message: str, line: int = 0) -> None:
        self.problems.append(Problem(path, line, message))

    def package(self, name: str, full_name: str, folder: Path, around: frozenset[Hashable]) -> FileEntry:
        """The package of a folder with all that is inside."""
        children: dict[str, FileEntry] = {}
        lower: dict[str, str] = {}
        for item in self._items(folder):
            found = self._class_in(item, full_name, around)
            if found is None:
                continue
            if found.name in children:
                first = children[found.name].path
                self._note(found.path, f"class '{found.name}' already has a file: {first}; this one is left out")
                continue
            twin = lower.setdefault(found.name.lower(), found.name)
            if twin != found.name:
                self._note(found.path, f"'{found.name}' differs from '{twin}' only in case")
            children[found.name] = found
        return FileEntry(name, full_name, folder / PACKAGE_FILE, folder, children, self._order(folder))

    def _items(self, folder: Path) -> list[Path]:
        try:
            return [folder / name for name in self._disk.names_in(folder)]
        except OSError as error:
            self._note(folder, f"the folder can't be read: {error.strerror}")
            return []

    def _class_in(self, item: Path, parent: str, around: frozenset[Hashable]) -> FileEntry | None:
        try:
            if self._disk.is_folder(item):
                return self._class_in_folder(item, parent, around)
            is_class = item.suffix == ".mo" and item.name != PACKAGE_FILE and self._disk.is_file(item)
            if is_class and self._has_name(item, item.stem):
                return FileEntry(item.stem, f"{parent}.{item.stem}", item, None, {}, None)
        except OSError as error:
            self._note(item, f"it can't be read: {error.strerror}")
        return None

    def _class_in_folder(self, folder: Path, parent: str, around: frozenset[Hashable]) -> FileEntry | None:
        identity = self._disk.identity(folder)
        if identity in around:
            self._note(folder, "a link leads back to a folder around it; it is left out")
            return None
        if self._disk.is_file(folder / PACKAGE_FILE):
            if not self._has_name(folder, folder.name):
                return None
            return self.package(folder.name, f"{parent}.{folder.name}", folder, around | {identity})
        if folder.name != "Resources" and any(name.endswith(".mo") for name in self._disk.names_in(folder)):
            self._note(folder, f"the folder has Modelica files and no {PACKAGE_FILE}; it is left out")
        return None

    def _has_name(self, item: Path, name: str) -> bool:
        """Can a class be called like this? The note is about the folder around: the path itself may not be text."""
        if is_class_name(name):
            return True
        self._note(item.parent, f"no class can be called like {item.name!a}, which is in it; it is left out")
        return False

    def _order(self, folder: Path) -> list[str] | None:
        path = folder / ORDER_FILE
        try:
            lines = order_lines(path, self._disk)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._note(path, f"it can't be read: {error.strerror}")
            return None
        except UnicodeDecodeError:
            self._note(path, "it is not UTF-8")
            return None
        for number, name in enumerate(lines, 1):
            if name and name in lines[: number - 1]:
                self._note(path, f"'{name}' is named twice", number)
        return [name for name in lines if name]


def order_lines(path: Path, disk: Disk) -> list[str]:
    """The lines of a package.order. What else Python takes for the end of a line may be in a quoted name."""
    text = disk.read(path).decode().replace("\r\n", "\n").replace("\r", "\n")
    return [line.strip() for line in text.split("\n")]
