"""From what a URDF file calls a mesh to a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from attrs import frozen

from urdf_frontend.diagnostics import quoted
from urdf_frontend.meshes.packages import Packages
from urdf_frontend.meshes.trusted import OUTSIDE, is_trusted

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/{0,2}")


@frozen
class Resolved:
    """A file, which may not exist, or why there is none."""

    path: Path | None
    problem: str = ""
    hint: str = ""


def resolve(filename: str, packages: Packages, urdf: Path | None) -> Resolved:
    """Find the file of a mesh: `package://`, `model://`, `file://`, or a path relative to the URDF file.

    A file that is none of the robot's own is not found; `meshes.trusted` says which are.
    """
    if "\0" in filename:
        return Resolved(None, "the path has a NUL character in it")
    scheme = _SCHEME.match(filename)
    if scheme is None:
        return _beside(filename, packages, urdf)
    rest = filename[scheme.end() :]
    match scheme[1].lower():
        case "package" | "model":
            return _in_package(rest, packages, urdf)
        case "file":
            # `file:///home/…` and `file://localhost/home/…`; `file://meshes/…` is wrong, and means a relative path.
            return _beside(unquote(rest.removeprefix("localhost")), packages, urdf)
        case "http" | "https":
            return Resolved(None, f"{quoted(filename)} is in the network, and nothing is fetched from there")
    return Resolved(None, f"'{scheme[1]}:' is no kind of path that is known", "use package://, file:// or a path")


def _in_package(rest: str, packages: Packages, urdf: Path | None) -> Resolved:
    name, _, path = rest.partition("/")
    folder = packages.get_folder(name)
    if folder is None:
        return Resolved(None, f"the package {quoted(name)} is not found", "name its folder with --package-dir")
    found = _existing(folder, path)
    is_own = not found.exists() or is_trusted(found, packages, urdf, package=name)
    return Resolved(found) if is_own else Resolved(None, OUTSIDE)


def _beside(path: str, packages: Packages, urdf: Path | None) -> Resolved:
    if urdf is None and not Path(path).is_absolute():
        return Resolved(None, f"{quoted(path)} is relative, and where the URDF file is, is not known")
    found = _existing(Path() if urdf is None else urdf.parent, path)
    is_own = not found.exists() or is_trusted(found, packages, urdf, relative=path)
    return Resolved(found) if is_own else Resolved(None, OUTSIDE)


def _existing(folder: Path, path: str) -> Path:
    r"""The first spelling that exists: as written, with `%20` as a blank, with `\\` as `/`; else as written."""
    for spelling in dict.fromkeys((path, unquote(path), path.replace("\\", "/"))):
        if "\0" not in spelling and (folder / spelling).exists():
            return folder / spelling
    return folder / path
