"""A model by its file and its name, with the libraries that it uses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from modelica_ast.edit import NotFoundError
from modelica_ast.library import Libraries, LibraryError, Shelf, open_class
from urdf_frontend.fmi.errors import FmiError

STANDARD_LIBRARY: Final = "Modelica"  # what shells are made of, so it is needed whether the model mentions it or not


@frozen
class OpenModel:
    """Libraries that are open, and the full name of a class in them."""

    libraries: Libraries
    name: str


def open_model(place: Path, model: str | None = None) -> OpenModel:
    """The class of a name in a file or a library's folder; without a name the only class of the file.

    The name is full (`Lib.Motor`), or starts with the top class of the file. The library around the file is open for
    writing; what it uses is open to look names up in. FmiError if there is no such class.
    """
    try:
        found = open_class(place, model, Shelf(around=[place]), names=[STANDARD_LIBRARY])
    except (LibraryError, NotFoundError) as wrong:
        raise FmiError(str(wrong)) from None
    except OSError as wrong:
        raise FmiError(f"{place} can't be read: {wrong.strerror or wrong}") from None
    return OpenModel(found.libraries, found.name)


def with_libraries(libraries: Libraries, more: Sequence[Path]) -> Libraries:
    """The same libraries and some to look names up in."""
    own = [library.path for library in libraries if not library.read_only]
    return Libraries(own, read_only=[*(library.path for library in libraries if library.read_only), *more])
