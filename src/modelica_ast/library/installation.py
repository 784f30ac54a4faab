"""Libraries that installed Python packages bring, copied to where OMEdit and Dymola look for libraries.

A copy is in a folder with its version, `UrdfRobots 1.0.0`: tools choose by it, and versions stand beside one another.
What is there already is never changed. Only what is as it was brought is removed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

from modelica_ast.files import FileWrite, files_below, save_files
from modelica_ast.foundation import ModelicaError, Record, did_you_mean, read_regular
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.layout import PACKAGE_FILE, Found, brought_folders, libraries_in, name_and_version
from modelica_ast.library.shelf import manifest_of
from modelica_ast.tree import parse_file

State = Literal["absent", "same", "other"]
_LISTED: Final = 3  # files that a message names


class Copy(Record):
    """A library, the place of its copy, and whether there was one when somebody looked, and this one.

    `differing` are the files there that are not as they were brought.
    """

    library: Found
    place: Path
    state: State
    differing: tuple[str, ...]


def brought_libraries(names: Collection[str] = ()) -> list[Found]:
    """The libraries that are brought, with their versions; those of some names, or all of them.

    LibraryError for a name that none of them has.
    """
    found = [versioned(each.path) for folder in brought_folders() for each in libraries_in(folder)]
    known = {each.name: each for each in reversed(found)}  # the first of a name counts, as everywhere
    for name in names:
        if name not in known:
            meant = did_you_mean(name, known) or f"there is {', '.join(sorted(known)) or 'none'}"
            raise LibraryError(f"no library '{name}' is brought by a Python package; {meant}")
    return [each for name, each in sorted(known.items()) if not names or name in names]


def versioned(path: Path) -> Found:
    """A library with its version, which its annotation says if its name does not; LibraryError if it can't be read."""
    name, version = name_and_version(path)
    try:
        tree = parse_file(path / PACKAGE_FILE if path.is_dir() else path)
    except (ModelicaError, OSError) as wrong:
        raise LibraryError(f"{path} can't be read: {wrong}") from None
    return Found(name, version or manifest_of(tree).version, path)


def copy_in(library: Found, folder: Path) -> Copy:
    """The place of a library in a folder, and how what is there differs from it."""
    name = f"{library.name} {library.version}".rstrip()
    place = folder / (name if library.path.is_dir() else f"{name}.mo")
    if not os.path.lexists(place):  # a link that leads nowhere is something too
        return Copy(library, place, "absent", ())
    differing = tuple(_differing(place, files_of(library)))
    return Copy(library, place, "other" if differing else "same", differing)


def files_of(library: Found) -> dict[str, bytes]:
    """The files of a library by their paths in its folder, with `/`; '' is that of a library that is one file."""
    if not library.path.is_dir():
        return {"": read_regular(library.path)}
    return {path.relative_to(library.path).as_posix(): read_regular(path) for path in files_below(library.path)}


def _differing(place: Path, files: Mapping[str, bytes]) -> Iterable[str]:
    there = {path.relative_to(place).as_posix() for path in files_below(place)} if place.is_dir() else set()
    for name in sorted(files.keys() | there):
        if name not in files or _content(place / name if name else place) != files[name]:
            yield name


def _content(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except OSError:
        return None


def install(copies: Iterable[Copy], folder: Path) -> list[Path]:
    """Copy what is absent, all or none, and give the places; LibraryError if something else is in one of them."""
    copies = list(copies)
    refuse_others(copies, "remove it or move it away, or name another folder")
    new = [copy for copy in copies if copy.state == "absent"]
    _save(
        folder,
        (
            FileWrite(copy.place / name if name else copy.place, data, None)
            for copy in new
            for name, data in files_of(copy.library).items()
        ),
    )
    return [copy.place for copy in new]


def uninstall(copies: Iterable[Copy], folder: Path) -> list[Path]:
    """Remove what is there, all or none, and give the places; LibraryError if one is not as it was brought."""
    copies = list(copies)
    refuse_others(copies, "if you do not need it, remove it yourself")
    old = [copy for copy in copies if copy.state == "same"]
    _save(
        folder,
        (
            FileWrite(copy.place / name if name else copy.place, None, data)
            for copy in old
            for name, data in files_of(copy.library).items()
        ),
    )
    return [copy.place for copy in old]


def refuse_others(copies: Iterable[Copy], advice: str) -> None:
    """LibraryError if what is in one of the places is not what is brought."""
    for copy in copies:
        if copy.state == "other":
            more = f" and {len(copy.differing) - _LISTED} more" if len(copy.differing) > _LISTED else ""
            files = ", ".join(name or copy.place.name for name in copy.differing[:_LISTED])
            raise LibraryError(f"{copy.place} is there, and differs in {files}{more}: {advice}")


def _save(folder: Path, writes: Iterable[FileWrite]) -> None:
    around = folder.absolute()
    while not around.is_dir():  # the save makes what is missing, with the files or not at all
        if os.path.lexists(around):
            raise LibraryError(f"{around} is not a folder")
        around = around.parent
    save_files(writes, folder=around, roots=[around])
