"""Where a package goes: into a library that is there, or as one of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from modelica_ast.edit import Document
from modelica_ast.foundation import ModelicaError, read_regular
from modelica_ast.generate.outcome import BuildError
from modelica_ast.generate.packages import ORDER_FILE, PACKAGE_FILE
from modelica_ast.tree import render_bytes


@frozen
class Surroundings:
    """The folder that a package's folder is put in. Without a `parent` the package is a library of its own."""

    folder: Path
    parent: str | None  # the full name of the package that the folder is
    root: Path | None  # the folder of the whole library

    @classmethod
    def of(cls, folder: Path) -> Surroundings:
        """Look at a folder, which need not exist; BuildError if it is a file, or a package that can't be read."""
        if folder.exists() and not folder.is_dir():
            raise BuildError(f"{folder} is a file: name the folder that the package shall be put in")
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
                raise BuildError(f"{taken[entry]} is there already: take it away, or choose another name with --name")
        if self.parent is not None and read_package(self.folder).classes[0].get_class(name) is not None:
            raise BuildError(f"there is a class '{name}' in {self.parent} already: choose another name with --name")

    def full_name(self, name: str) -> str:
        """The name of the package, from the top of its library."""
        return name if self.parent is None else f"{self.parent}.{name}"

    def changed_files(self, name: str, uses: Mapping[str, str]) -> dict[Path, tuple[bytes, bytes]]:
        """The parent's package.order with the new name, the library's package.mo with the new `uses`: (old, new)."""
        found: dict[Path, tuple[bytes, bytes]] = {}
        if self.root is None:
            return found
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
            f"{folder / PACKAGE_FILE} has to define one class, the package; it has {len(document.classes)}"
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
