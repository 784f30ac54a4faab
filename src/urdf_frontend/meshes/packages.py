"""Where the packages of ROS are: `package://arm_description/…` names one and not a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from lxml import etree

from modelica_ast.files import read_regular

MANIFEST: Final = "package.xml"
_LARGEST_MANIFEST: Final = 1_000_000  # bytes


class Packages:
    """Finds packages by name.

    First in the folders that were given: each is a package, or has packages in it. Then upwards of the URDF file, in
    each folder and beside it. Then in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH and GAZEBO_MODEL_PATH.

    `allow_outside` lets the robot name files that are in none of its folders; see `meshes.trusted`.
    """

    def __init__(
        self,
        folders: Iterable[str | os.PathLike[str]] = (),
        *,
        near: str | os.PathLike[str] | None = None,
        environment: Mapping[str, str] | None = None,
        allow_outside: bool = False,
    ) -> None:
        self.allow_outside = allow_outside
        self._folders = [Path(folder) for folder in folders]
        self._near = None if near is None else Path(near)
        self._environment = os.environ if environment is None else environment
        self._found: dict[str, Path | None] = {}

    def get_folder(self, name: str) -> Path | None:
        """The folder of a package."""
        if name not in self._found:
            self._found[name] = next(self._candidates(name), None)
        return self._found[name]

    def given_folders(self) -> list[Path]:
        """The folders that the user has named, in the call or in the environment."""
        return [*self._folders, *self._listed("ROS_PACKAGE_PATH"), *self._shares(), *self._listed("GAZEBO_MODEL_PATH")]

    def is_given(self, package: Path) -> bool:
        """Is a package one of these folders, or directly in one?"""
        return any(folder in (package, package.parent) for folder in self.given_folders())

    def _candidates(self, name: str) -> Iterator[Path]:
        if not name or name in {".", ".."}:
            return
        for folder in self._folders:
            yield from _in_folder(folder, name)
        if self._near is not None:
            for folder in self._near.absolute().parents:
                yield from _in_folder(folder, name)
        for folder in self._listed("ROS_PACKAGE_PATH"):
            yield from _in_folder(folder, name)
        for folder in self._shares():
            yield from _in_folder(folder, name)
        for folder in self._listed("GAZEBO_MODEL_PATH"):
            yield from _in_folder(folder, name)

    def _shares(self) -> list[Path]:
        return [folder / "share" for folder in self._listed("AMENT_PREFIX_PATH")]

    def _listed(self, variable: str) -> list[Path]:
        return [Path(folder) for folder in self._environment.get(variable, "").split(os.pathsep) if folder]


def _in_folder(folder: Path, name: str) -> Iterator[Path]:
    """The folder itself if it is the package, or the one in it."""
    known = package_name(folder)
    if known == name or (known is None and folder.name == name and folder.is_dir()):
        yield folder
    inner = folder / name
    if inner.is_dir():
        yield inner


def package_name(folder: Path) -> str | None:
    """What the manifest of a folder says that the package is called; None without a manifest that can be read."""
    manifest = folder / MANIFEST
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        name = etree.fromstring(read_regular(manifest, limit=_LARGEST_MANIFEST), parser).findtext("name")
    except (OSError, etree.XMLSyntaxError):
        return None  # then the folder's own name counts
    return name.strip() if name else None
