"""Templates: the classes of a library that generated ones are cloned from.

A clone stands alone: copied out of its library, every name in it leads to where it led before. The transforms know
templates by the names of their classes and components only, so a user's library can do what it likes besides.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from attrs import define, field

from modelica_ast import ModelicaError, evaluate
from modelica_ast.edit import Document, NotFoundError
from modelica_ast.files import NOWHERE, read_regular
from modelica_ast.generate.errors import BuildError
from modelica_ast.library import Libraries, Library, copy_class

# What a clone is called until it gets its own name. No template writes it, so the last renaming has nothing to look up.
CLONE: Final = "CloneOfTheTemplate"
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
        """Look at a library, a folder with a package.mo or a file; BuildError if it is none."""
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

    def kept(self, key: Hashable, make: Callable[[], Document]) -> Document:
        """A new copy of a document that was made from these templates before; made now if it was not."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key].copy()

    def full_name(self, class_name: str) -> str:
        """The name by which other libraries refer to a class of this one."""
        return f"{self.name}.{class_name}"


def templates_digest(folder: Path) -> str:
    """What tells the templates in a folder from others: of all files, with their names in the library."""
    found = hashlib.sha256()
    for file in _files(folder):
        found.update(f"{file.relative_to(folder).as_posix()}\n".encode())
        found.update(hashlib.sha256(read_regular(file)).digest())
    return found.hexdigest()


def _stamp(folder: Path) -> Stamp:
    """What tells a library from the same one after an edit."""
    found = [(os.fspath(file), file.stat()) for file in _files(folder)]
    return tuple((name, status.st_mtime_ns, status.st_size) for name, status in found)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.mo")) if folder.is_dir() else [folder]


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
