"""A model by its file and its name, with the libraries that it uses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from modelica_ast import ModelicaError, ModelicaSyntaxError
from modelica_ast.edit import Document, NotFoundError
from modelica_ast.library import Libraries, LibraryError, find_library, libraries_in
from modelica_ast.rules import open_with_uses
from urdf_frontend.fmi.errors import FmiError
from urdf_frontend.library_folder import FOLDER

_PACKAGE_FILE: Final = "package.mo"
_STANDARD_LIBRARY: Final = "Modelica"


@frozen
class OpenModel:
    """Libraries that are open, and the full name of a class in them."""

    libraries: Libraries
    name: str


def open_model(place: Path, model: str | None) -> OpenModel:
    """The class of a name in a file or a library's folder; without a name the only class of the file.

    The name may be full (`Lib.Motor`) or begin in the file (`Motor` of `Lib.mo`, which is a package). The library
    around the file is open for writing; what it uses is open to look names up in. FmiError if there is no such class.
    """
    if not place.exists():
        raise FmiError(f"{place}: no such file or folder")
    root = library_around(place)
    try:
        libraries = _with_others(open_with_uses([root]))
    except LibraryError as wrong:
        raise FmiError(str(wrong)) from None
    if libraries.workspace is None or not any(not library.read_only for library in libraries):
        problems = "; ".join(str(problem) for problem in libraries.problems) or "it has no class"
        raise FmiError(f"{place} is no Modelica library: {problems}")
    return OpenModel(libraries, _full_name(libraries, place, model))


def library_around(place: Path) -> Path:
    """The folder of the library that a file is in, or the file itself; a folder is the library that it is in."""
    folder = place if place.is_dir() else place.parent
    if not (folder / _PACKAGE_FILE).is_file():
        return place
    folder = folder.resolve()
    while (folder.parent / _PACKAGE_FILE).is_file():
        folder = folder.parent
    return folder


def with_libraries(libraries: Libraries, more: Sequence[Path]) -> Libraries:
    """The same libraries and some to look names up in."""
    own = [library.path for library in libraries if not library.read_only]
    return Libraries(own, read_only=[*(library.path for library in libraries if library.read_only), *more])


def _with_others(libraries: Libraries) -> Libraries:
    """With libraries of this package that are used, and the newest Standard Library if nothing says which one is used.

    A version that is named and not there is not replaced by another: names lead nowhere then, and who needs them says
    so.
    """
    known = {library.name for library in libraries}
    brought = [found for found in libraries_in(FOLDER) if found.name not in known]
    more = [found.path for found in brought if _uses(libraries, found.name)]
    if _STANDARD_LIBRARY not in known and not _uses(libraries, _STANDARD_LIBRARY):
        more += _standard_library()
    # PERF: the folders of all libraries are looked through anew, so only if there are more.
    return with_libraries(libraries, more) if more else libraries


def _standard_library() -> list[Path]:
    try:
        return [find_library(_STANDARD_LIBRARY)]
    except LibraryError:
        return []


def _uses(libraries: Libraries, name: str) -> bool:
    """Does a library of the user say that it uses another one?"""
    own = [library for library in libraries if not library.read_only]
    classes = [each for library in own for each in libraries.document(library.root).classes]
    return any(each.get_annotation(f"uses.{name}.version") is not None for each in classes)


def _check_file_name(place: Path, names: Sequence[str]) -> None:
    """FmiError if a library of one file does not have the name of the one class that it defines."""
    if list(names) != [place.stem]:
        there = ", ".join(names) or "no class"
        raise FmiError(
            f"{place} defines {there}: a library that is one file has one class, and the file is called like it"
        )


def _full_name(libraries: Libraries, place: Path, model: str | None) -> str:
    """The full name of a class that is written from the top or from the file on."""
    try:
        document = None if place.is_dir() else Document.open(place)
    except ModelicaSyntaxError:
        raise
    except (ModelicaError, OSError) as wrong:
        raise FmiError(f"{place} can't be read: {wrong}") from None
    library = next(each for each in libraries if not each.read_only)
    if document is not None and library.path.is_file():
        _check_file_name(place, [found.name for found in document.classes])
    within = f"{document.within}." if document is not None and document.within else ""
    tops = [library.name] if document is None else [within + found.name for found in document.classes]
    if model is None:
        return tops[0]
    missing: NotFoundError | None = None
    for name in (model, *(f"{top}.{model}" for top in tops), within + model):
        try:
            libraries.find_class(name)
        except NotFoundError as error:
            # What is missing inside the user's own library says more than that there is no such library.
            missing = error if missing is None or name.startswith(library.name) else missing
            continue
        return name
    raise FmiError(f"{place} has no class '{model}': {missing}")
