"""Where files may be that a robot names. A URDF file is a stranger's, and must not reach for everything on the disk.

Its own are the files below

- the folder of the URDF file, and the nearest folder above it that has a package.xml;
- the folder around that of the URDF file, if the path goes up exactly once, as `../meshes/hand.stl` does;
- folders that the user has given, with `--package-dir` or in the variables of ROS and Gazebo;
- a package that `package://` finds near the URDF file: one with a package.xml, or one that `../` would reach as well.

What counts is where a file is after all links have been followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from urdf_frontend.meshes.packages import MANIFEST, Packages

OUTSIDE: Final = "it is outside of the robot's folder and packages; --allow-outside takes it all the same"


def is_trusted(path: Path, packages: Packages, urdf: Path | None, *, relative: str = "", package: str = "") -> bool:
    """May a file be read for a robot? It was named by a path, which may be relative, or by a file of a package."""
    if packages.allow_outside:
        return True
    found = path.resolve()
    return any(found.is_relative_to(folder) for folder in _folders(packages, urdf, relative, package))


def _folders(packages: Packages, urdf: Path | None, relative: str, package: str) -> Iterator[Path]:
    for folder in packages.given_folders():
        yield folder.resolve()
        if (folder / MANIFEST).is_file():
            # `colcon build --symlink-install` leaves a folder of links to the package's files.
            yield (folder / MANIFEST).resolve().parent
    if urdf is not None:
        for folder in _folders_of(urdf):
            yield folder
            yield from _package_around(folder)
            if _goes_up_once(relative):
                yield folder.parent
    near = packages.get_folder(package) if package else None
    if near is not None:
        if (near / MANIFEST).is_file() or _is_within_reach(near.resolve(), urdf):
            yield near.resolve()
        if packages.is_given(near) and (near / MANIFEST).is_file():
            yield (near / MANIFEST).resolve().parent


def _folders_of(urdf: Path) -> Iterator[Path]:
    """The folder of a file, and that of the file that it is a link to."""
    yield from dict.fromkeys((urdf.absolute().parent.resolve(), urdf.resolve().parent))


def _package_around(folder: Path) -> Iterator[Path]:
    yield from [each for each in (folder, *folder.parents) if (each / MANIFEST).is_file()][:1]


def _goes_up_once(path: str) -> bool:
    parts = PurePosixPath(path.replace("\\", "/")).parts
    return parts[:1] == ("..",) and ".." not in parts[1:]


def _is_within_reach(folder: Path, urdf: Path | None) -> bool:
    """Is it the URDF's folder or the one around that, or directly in one of these?"""
    if urdf is None:
        return False
    reached = {near for own in _folders_of(urdf) for near in (own, own.parent)}
    return folder in reached or folder.parent in reached
