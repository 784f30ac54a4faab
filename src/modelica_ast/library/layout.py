"""The files of a library: which class is in which file, by the names of files and folders alone.

Nothing is read but `package.order`. A folder with a package.mo is a package, its other .mo files and such folders are
the classes inside; or the whole library is one file.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from modelica_ast.files.disk import THE_DISK, Disk
from modelica_ast.identifiers import split_name
from modelica_ast.library.errors import LibraryError, Problem, UnusableError
from modelica_ast.library.file_names import is_class_name
from modelica_ast.library.folders import name_and_version

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
        """The children as package.order has them; those that it does not name behind, by their names."""
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

    LibraryError if there is nothing; UnusableError if there is something that is no library.
    """
    try:
        return _scanned(root, disk)
    except OSError as error:
        raise UnusableError(Problem(root, 0, f"it can't be read: {error.strerror or error}")) from None


def _scanned(root: Path, disk: Disk) -> tuple[FileEntry, list[Problem]]:
    name = name_and_version(root, disk)[0]
    if disk.is_file(root):
        if root.suffix != ".mo":
            raise UnusableError(Problem(root, 0, "it is no Modelica library: its name does not end in .mo"))
        return FileEntry(name, name, root, None, {}, None), []
    if not disk.is_folder(root):
        if disk.exists(root):
            raise UnusableError(Problem(root, 0, "it is no Modelica library: it is neither a file nor a folder"))
        raise LibraryError(f"{root} is no Modelica library: there is no such file or folder")
    if not disk.is_file(root / PACKAGE_FILE):
        raise UnusableError(Problem(root, 0, f"it is no Modelica library: it has no {PACKAGE_FILE}"))
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
                self._note(found.path, f"class '{found.name}' has a file already: {first}; this one is left out")
                continue
            twin = lower.setdefault(found.name.lower(), found.name)
            if twin != found.name:
                self._note(found.path, f"'{found.name}' differs from '{twin}' only by its case")
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
    """The lines of a package.order. What else Python takes for the end of a line may stand in a quoted name."""
    text = disk.read(path).decode().replace("\r\n", "\n").replace("\r", "\n")
    return [line.strip() for line in text.split("\n")]
