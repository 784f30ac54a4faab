"""A class by its place, a file or a library's folder, with the libraries that it uses."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from modelica_ast.edit.document import Document
from modelica_ast.edit.errors import NotFoundError
from modelica_ast.files.pending import exists, is_file
from modelica_ast.identifiers import nearest, split_name
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.folders import name_and_version
from modelica_ast.library.layout import PACKAGE_FILE
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.shelf import Shelf, library_around
from modelica_ast.record import Record


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
        raise LibraryError(f"{place}: no such file or folder")
    root = library_around(place) or place.resolve()
    full_name = full_name_at(place, name)
    libraries = shelf.open([root], names=names)
    if libraries.workspace is None:
        problems = "; ".join(str(problem) for problem in libraries.problems) or "it has no class"
        raise LibraryError(f"{place} is not a Modelica library: {problems}")
    libraries.find_class(full_name)
    return ClassTarget(libraries, full_name, root)


def full_name_at(place: Path, name: str | None) -> str:
    """The full name of a class that is written behind a file or a folder; whether there is one is not looked up."""
    around = library_around(place)
    if place.is_dir():
        return _name_of_folder(place, around or place.resolve(), name)
    return _name_in_file(place, around, name)


def _name_of_folder(place: Path, root: Path, name: str | None) -> str:
    if not is_file(place / PACKAGE_FILE):
        raise LibraryError(f"{place} is not a Modelica library: there is no {PACKAGE_FILE} in it")
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
        raise LibraryError(
            f"{place} defines {there}: a file that is in no library has one class, and the file is called like it"
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
        near = f"; did you mean '{around_it[0]}.{inside}'?" if around_it else nearest(first, classes)
        raise NotFoundError(f"no class '{first}' in {place}{near}")
    return within + inside
