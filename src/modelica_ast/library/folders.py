"""Where Modelica libraries are on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from modelica_ast.files.disk import THE_DISK, Disk
from modelica_ast.record import Record

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*|'(?:[^'\\]|\\.)+'")


class Found(Record):
    """A library on disk: the folder of its package.mo, or its single file."""

    name: str
    version: str  # '' if its name does not tell
    path: Path


def library_folders() -> list[Path]:
    """The folders that libraries are looked for in: MODELICAPATH, then OpenModelica's own."""
    named = [Path(part) for part in os.environ.get("MODELICAPATH", "").split(os.pathsep) if part]
    return [folder for folder in (*named, Path.home() / ".openmodelica" / "libraries") if folder.is_dir()]


def brought_folders() -> list[Path]:
    """The folders with libraries that installed Python packages bring, by the entry point `modelica_ast.libraries`."""
    from importlib.metadata import entry_points  # noqa: PLC0415  (PERF: it takes longer than the rest of this module)

    return [Path(entry.load()) for entry in entry_points(group="modelica_ast.libraries")]


def libraries_in(folder: Path, disk: Disk = THE_DISK) -> Iterator[Found]:
    """Every library of a folder, `Modelica 4.1.0/package.mo` and `Complex 4.1.0.mo` alike."""
    for path in [folder / name for name in disk.names_in(folder)]:
        is_package = _is_package(path, disk)
        if is_package or (path.suffix == ".mo" and disk.is_file(path) and path.name != "package.mo"):
            name, version = name_and_version(path, disk)
            if _NAME.fullmatch(name):
                yield Found(name, version, path)


def name_and_version(place: Path, disk: Disk = THE_DISK) -> tuple[str, str]:
    """The name of a library and its version by the name of its folder or file: `Modelica 4.1.0`, `'a b' 2`."""
    text = place.stem if place.suffix == ".mo" and disk.is_file(place) else place.name
    quoted = _NAME.match(text) if text.startswith("'") else None
    start = quoted.end() if quoted else 0
    name, _, version = text[start:].partition(" ")
    return text[:start] + name, version


def _is_package(path: Path, disk: Disk) -> bool:
    try:
        return disk.is_folder(path) and disk.is_file(path / "package.mo")
    except PermissionError:  # a folder that this user may not look into; the others are looked through all the same
        return False


def version_key(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Versions in their order: 3.2.3 before 4.0.0, and 4.0.0-beta before 4.0.0."""
    release, _, rest = version.partition("-")
    numbers = tuple(int(part) if part.isdigit() else -1 for part in re.split(r"[. +]", release) if part)
    return numbers, not rest, rest
