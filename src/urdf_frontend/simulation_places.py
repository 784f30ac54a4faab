"""What the classes and components of a built package come from, for the messages of compilers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from urdf_frontend.names import NamesFile, NamesFileError, load_names_file

_PARTS: Final = {"Links": "link", "Joints": "joint"}
_VALUES: Final = "Params"  # the record of a link's or joint's values is named so behind its class


def origin_of(library: Path, class_name: str, component: str) -> str | None:
    """`joint 'elbow' of arm.urdf` for a class, or a component of the robot, that was made of it; else None."""
    names = class_name.split(".")
    for length in range(len(names), 0, -1):  # a robot can be a package inside a library
        folder = library.joinpath(*names[1:length])
        for path, found in _names_files(folder):
            told = _origin(found, names[length:], component)
            if told is not None:
                return f"{told} of {path.stem}.urdf"
    return None


def _names_files(folder: Path) -> Iterator[tuple[Path, NamesFile]]:
    for path in sorted(folder.glob("Resources/urdf/*.names")):
        try:
            yield path, load_names_file(path)
        except (NamesFileError, OSError, UnicodeDecodeError):
            continue  # the commands that are about the package say so; a message of a compiler is no place for it


def _origin(names: NamesFile, inside: list[str], component: str) -> str | None:
    if len(inside) > 1 and inside[0] in _PARTS:
        table = names.table.links if inside[0] == "Links" else names.table.joints
        for each in table.values():
            if inside[1] in (each.class_name, f"{each.class_name}{_VALUES}"):
                return f"{_PARTS[inside[0]]} {each.urdf!r}"
        return None
    if not component or inside != [names.table.robot]:
        return None
    for kind, table in (("link", names.table.links), ("joint", names.table.joints)):
        for each in table.values():
            if each.component == component:
                return f"{kind} {each.urdf!r}"
    return None
