"""Templates: the classes of a library that generated ones are cloned from.

A clone stands alone: copied out of its library, every name in it leads to where it led before. The transforms know
templates by the names of their classes and components only, so a user's library can do what it likes besides.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

from modelica_ast.edit import Document
from modelica_ast.files import NOWHERE
from modelica_ast.foundation import ModelicaError, NotFoundError, read_regular, split_name
from modelica_ast.generate.outcome import BuildError
from modelica_ast.generate.packages import ORDER_FILE, PACKAGE_FILE, parent_and_name
from modelica_ast.generate.side_car import is_modelica, template_files
from modelica_ast.library import Libraries, Library
from modelica_ast.refactor import copy_class
from modelica_ast.syntax import iter_leaves, token_text
from modelica_ast.tree import evaluate, render_bytes

# What a clone is called until it gets its own name. No template writes it, so the last renaming has nothing to look up.
CLONE: Final = "CloneOfTheTemplate"
_WORD: Final = re.compile(r"\w+")
_WORKBENCH: Final = "Workbench"
_BENCH: Final = NOWHERE / _WORKBENCH
_WORKBENCH_TEXT: Final = b"package Workbench\nend Workbench;\n"

Stamp = tuple[tuple[str, int, int], ...]


@define
class Templates:
    """The template library: clones by the names that their classes have in it, `Links.Link`."""

    folder: Path
    name: str  # of the library
    version: str | None
    _stamp: Stamp
    _libraries: Libraries  # the templates, and a bench that they are copied to; PERF: each file is read once
    _lock: threading.Lock = field(factory=threading.Lock)
    _clones: dict[str, Document] = field(factory=dict)
    _kept: dict[Hashable, Document] = field(factory=dict)

    @classmethod
    def open(cls, folder: Path) -> Templates:
        """Look at a library, a folder with a package.mo or a file; BuildError if it is not one."""
        try:
            library = Library(folder)
            path = folder / "package.mo" if folder.is_dir() else folder
            version = Document.open(path).find_class(library.name).get_annotation("version")
            text = None if version is None else str(evaluate(version))
        except (ModelicaError, OSError) as wrong:
            raise BuildError(f"the templates in {folder} can't be read: {wrong}") from None
        return _templates(folder, library.name, text, _stamp(folder))

    def require(self, wanted: Mapping[str, Iterable[str]]) -> None:
        """BuildError with all that is missing, classes and their components, if something is."""
        missing = []
        for class_name, components in wanted.items():
            try:
                clone = self.clone(class_name).find_class(CLONE)
            except NotFoundError:
                missing.append(f"the class {class_name}")
                continue
            declared = {component.name for component in clone.components}
            missing += [f"the component {name} in {class_name}" for name in components if name not in declared]
        if missing:
            raise BuildError(f"the template library {self.name} in {self.folder} lacks {', '.join(missing)}")

    def clone(self, class_name: str) -> Document:
        """A new copy of a template's class, called CLONE, without a `within`; NotFoundError if there is none."""
        with self._lock:
            if class_name not in self._clones:
                self._clones[class_name] = _clone(self._libraries, self.full_name(class_name))
            return self._clones[class_name].copy()

    def names_in(self, class_name: str) -> frozenset[str]:
        """What a class calls its components, its own and those of bases in this library, and how their types begin."""
        found: set[str] = set()
        classes = [class_name]
        for name in classes:
            clone = self.clone(name).find_class(CLONE)
            types = [*(component.type for component in clone.components), *clone.extends]
            found |= {component.name for component in clone.components}
            found |= {split_name(type_.lstrip("."))[0] for type_ in types}
            bases = [base.removeprefix(f"{self.name}.") for base in clone.extends if base.startswith(f"{self.name}.")]
            classes += [base for base in bases if base not in classes]
        return frozenset(found)

    def kept(self, key: Hashable, make: Callable[[], Document]) -> Document:
        """A new copy of a document that was made from these templates before; made now if it was not."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key].copy()

    def full_name(self, class_name: str) -> str:
        """The name by which other libraries refer to a class of this one."""
        return f"{self.name}.{class_name}"


def _stamp(folder: Path) -> Stamp:
    """What tells a library from the same one after an edit."""
    found = [(os.fspath(file), file.stat()) for file in template_files(folder)]
    return tuple((name, status.st_mtime_ns, status.st_size) for name, status in found)


# PERF: copying a class out of its library looks up every name in it. As long as no file of the library changes, it is
# done once in a process, and so is what is made of the copy.
@lru_cache(maxsize=8)
def _templates(folder: Path, name: str, version: str | None, stamp: Stamp) -> Templates:
    libraries = Libraries([_BENCH], read_only=[folder], files={_BENCH / "package.mo": _WORKBENCH_TEXT})
    return Templates(folder, name, version, stamp, libraries)


def _clone(libraries: Libraries, full_name: str) -> Document:
    libraries.find_class(full_name)
    copy_class(libraries, full_name, _WORKBENCH, CLONE)
    clone = libraries.document_at(_BENCH / f"{CLONE}.mo").copy()
    libraries.undo()
    clone.set_within(None)
    return clone


# ---------------------------------------------------------------- patterns
# A document from which many are made that differ in a few words.


class Pattern:
    """Gives the text of a document with other words: identifiers in place of identifiers, strings in place of strings.

    PERF: that is a few leaves of its tree; nothing is looked up, edited or proved. So a word must mean nothing yet
    where it is put: `takes` says whether it is written nowhere else.
    """

    def __init__(self, document: Document, *words: str) -> None:
        self._leaves = list(iter_leaves(document.tree.green))
        self._places = [
            (index, word)
            for index, leaf in enumerate(self._leaves)
            for word in words
            if word in leaf and token_text(leaf) == word
        ]
        self._written = frozenset(_WORD.findall(document.text))

    def takes(self, *names: str) -> bool:
        """Are these names written nowhere in the document?"""
        return self._written.isdisjoint(names)

    def text(self, words: Mapping[str, str]) -> str:
        """The text with these words in place of those of the pattern."""
        leaves = list(self._leaves)
        for index, word in self._places:
            leaves[index] = leaves[index].removesuffix(word) + words[word]
        return "".join(leaves)


# ---------------------------------------------------------------- generation
# What a generator makes: files in memory, for a package of a full name.


@frozen
class Generated:
    """The files by their paths in the package's folder, with `/`.

    `resources` says what files of the data are called in Modelica, `left_out` in sentences what the data have that the
    package does not show. `as_before` are files that are as they were generated last, with their digests; what is in
    `files` for them is what the user has there.
    """

    files: Mapping[str, bytes] = field(repr=False)
    resources: Mapping[str, str] = field(factory=dict)
    left_out: tuple[str, ...] = ()
    as_before: Mapping[str, str] = field(factory=dict)


_FIRST: Final = re.compile(rb"^(package|end) ", re.MULTILINE)


def relocated(files: Mapping[str, bytes], old: str, new: str) -> dict[str, bytes]:
    """Generated files for a package that its user has renamed or moved: its new name in `within` and in links.

    Its models keep their own names.
    """
    if old == new:
        return dict(files)
    name = re.escape(old).encode()
    within = re.compile(rb"\Awithin " + name + rb"(?=[.;])")
    link = re.compile(rb"modelica://" + name + rb"(?!\w)")
    moved = new.encode().replace(b"\\", b"\\\\")
    found = {
        path: link.sub(b"modelica://" + moved, within.sub(b"within " + moved, data)) if is_modelica(path) else data
        for path, data in files.items()
    }
    # Its first and its last line have the name of the package itself.
    names = [split_name(each)[-1].encode() for each in (old, new)]
    lines = re.compile(_FIRST.pattern + re.escape(names[0]) + rb"(?=[ ;\n])", re.MULTILINE)
    if PACKAGE_FILE in found:
        found[PACKAGE_FILE] = lines.sub(lambda line: line[1] + b" " + names[1], found[PACKAGE_FILE])
    return found


# ---------------------------------------------------------------- package files
# The package.mo and package.order of generated packages.


def package_document(
    name: str, description: str, *, within: str | None, info: str | None = None, uses: Mapping[str, str] | None = None
) -> Document:
    """The package.mo of a package; `uses` are versions by library, for a library of its own."""
    document = Document("")
    document.set_within(within)
    package = document.add_class(name, "package", description=description)
    package.add_extends("Modelica.Icons.Package")
    for library, version in (uses or {}).items():
        package.set_annotation(f"uses.{library}.version", version)
    if info is not None:
        package.set_annotation("preferredView", "info")
        package.set_annotation("Documentation.info", info)
    return document


def order_file(names: Iterable[str]) -> bytes:
    """A package.order."""
    return "".join(f"{name}\n" for name in names).encode()


# ---------------------------------------------------------------- surroundings
# Where a package goes: into a library that is there, or as one of its own.


@frozen
class Surroundings:
    """The folder that a package's folder is put in. Without a `parent` the package is a library of its own."""

    folder: Path
    parent: str | None  # the full name of the package that the folder is
    root: Path | None  # the folder of the whole library
    new: str | None = None  # the description of the package that the folder becomes

    @classmethod
    def of(cls, folder: Path, *, new: str | None = None) -> Surroundings:
        """Look at a folder, which need not exist; BuildError if it is a file, or a package that can't be read.

        With `new`, a description, a folder that does not exist becomes a library, or a package of the library around.
        """
        if folder.exists() and not folder.is_dir():
            raise BuildError(f"{folder} is a file: name the folder to put the package in")
        if new is not None and not folder.exists():
            around = cls.of(folder.absolute().parent)
            around.refuse_taken(folder.name)
            return cls(folder, around.full_name(folder.name), around.root or folder.absolute(), new)
        if not (folder / PACKAGE_FILE).is_file():
            return cls(folder, None, None)
        document = read_package(folder)
        root = folder.absolute()
        while (root.parent / PACKAGE_FILE).is_file():
            root = root.parent
        within = f"{document.within}." if document.within else ""
        return cls(folder, within + document.classes[0].name, root)

    def refuse_taken(self, name: str, *, may_be_there: bool = False) -> None:
        """BuildError if there is something of this name already; capital letters make no difference.

        What is called exactly so `may_be_there`.
        """
        taken = {entry.name.lower(): entry for entry in self.folder.iterdir()} if self.folder.is_dir() else {}
        for entry in (name.lower(), f"{name.lower()}.mo"):
            if entry in taken and not (may_be_there and taken[entry].name in {name, f"{name}.mo"}):
                raise BuildError(f"{taken[entry]} already exists: move it away, or choose another name with --name")
        is_package = self.parent is not None and self.new is None
        if is_package and read_package(self.folder).classes[0].get_class(name) is not None:
            raise BuildError(f"there is a class '{name}' in {self.parent} already: choose another name with --name")

    def full_name(self, name: str) -> str:
        """The name of the package, from the top of its library."""
        return name if self.parent is None else f"{self.parent}.{name}"

    def changed_files(self, name: str, uses: Mapping[str, str]) -> dict[Path, tuple[bytes | None, bytes]]:
        """The parent's package.order with the new name, the library's package.mo with the new `uses`: (old, new).

        A file of a package that is new itself has nothing old.
        """
        found: dict[Path, tuple[bytes | None, bytes]] = {}
        if self.root is None or self.parent is None:
            return found
        if self.new is not None:
            within, own = parent_and_name(self.parent)
            package = package_document(own, self.new, within=within, uses=uses if within is None else None)
            found[Path(PACKAGE_FILE)] = (None, package.text.encode())
            found[Path(ORDER_FILE)] = (None, order_file([name]))
            around = Surroundings.of(self.folder.absolute().parent)
            return found | {Path("..", path): both for path, both in around.changed_files(own, uses).items()}
        order = self.folder / ORDER_FILE
        if order.is_file():
            old = read_regular(order)
            found[Path(ORDER_FILE)] = (old, _with_line(old, name))
        top = self.root / PACKAGE_FILE
        document = read_package(self.root)
        library = document.classes[0]
        for used, version in uses.items():
            if used != library.name and library.get_annotation(f"uses.{used}.version") is None:
                library.set_annotation(f"uses.{used}.version", version)
        if document.is_changed:
            path = Path(os.path.relpath(top, self.folder.absolute()))
            found[path] = (read_regular(top), render_bytes(document.tree))
        return found


def read_package(folder: Path) -> Document:
    """The package.mo of a folder; BuildError if it can't be read."""
    try:
        document = Document.open(folder / PACKAGE_FILE)
    except (ModelicaError, OSError) as wrong:
        raise BuildError(f"{folder / PACKAGE_FILE} can't be read: {wrong}") from None
    if len(document.classes) != 1:
        raise BuildError(
            f"{folder / PACKAGE_FILE} must define exactly one class, the package; it has {len(document.classes)}"
        )
    return document


def _with_line(data: bytes, line: str) -> bytes:
    """The file with one line more; its line ends stay, and the last one is made if it is missing."""
    if line.encode() in data.splitlines():
        return data
    end = b"\r\n" if b"\r\n" in data else b"\n"
    if data and not data.endswith(b"\n"):
        data += end
    return data + line.encode() + end
