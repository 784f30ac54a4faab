"""What a package remembers of its last build. This is the only place that knows in which files it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from attrs import field, frozen

from urdf_frontend.diagnostics import reason_of
from urdf_frontend.names import NamesFileError, NameTable, load_names_file
from urdf_frontend.package.errors import PackageError

FOLDER: Final = "Resources/urdf"


@frozen
class Memory:
    """What the package was built with. The names are those of that time; a user may have changed them since."""

    name: str  # of the files that are kept, and of the robot's model when it was built
    table: NameTable = field(repr=False)
    options: Mapping[str, str] = field(repr=False)
    urdf: Path  # the URDF file as it was read


def read_memory(folder: Path) -> Memory:
    """What the package in a folder remembers; PackageError if that is lost or damaged."""
    place = folder / FOLDER
    found = sorted(place.glob("*.names"))
    if len(found) != 1:
        how = f"{len(found)} .names files" if found else "no .names file"
        raise PackageError(
            f"{place} has {how}, and there must be one: it says what the links and joints are called. "
            "The package has to be one of `modelica-patch urdf build`"
        )
    path = found[0]
    try:
        names = load_names_file(path)
    except (OSError, UnicodeDecodeError) as wrong:
        raise PackageError(f"{path} can't be read: {reason_of(wrong)}") from None
    except NamesFileError as wrong:
        raise PackageError(f"{path} can't be read: {wrong}") from None
    return Memory(path.stem, names.table, names.options, place / f"{path.stem}.urdf")


def remembers(folder: Path) -> bool:
    """Is this the folder of a package that was built from a URDF file?"""
    return any((folder / FOLDER).glob("*.names"))
