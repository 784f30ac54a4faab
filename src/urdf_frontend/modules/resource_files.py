"""Meshes and textures of modules: what they are called in the robot, and where they come from."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Final

from attrs import define, field
from lxml import etree

from urdf_frontend.meshes.sources import FileKind, RefusedFileError, find_source
from urdf_frontend.modules.module_file import Module
from urdf_frontend.modules.xml_files import tag_of

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_PACKAGE: Final = re.compile(r"(?:package|model)://[^/]+/(?:meshes/)?(.+)")
_KINDS: Final = {"mesh": FileKind.MESH, "texture": FileKind.TEXTURE}
_FOLDERS: Final = {FileKind.MESH: "meshes", FileKind.TEXTURE: "textures"}


@define
class ResourceFiles:
    """Renames files. With a ROS package they are copied there, each module's into a folder of its own.

    Without one, `package://` stays as it is, and relative paths are made relative to `folder`.
    """

    package: str | None
    folder: Path
    copies: dict[PurePosixPath, Path] = field(factory=dict)
    problems: list[str] = field(factory=list)
    _known: dict[tuple[Path, str], str] = field(factory=dict)

    def rewrite(self, element: etree._Element, module: Module) -> None:
        """All files that an element names."""
        for node in element.iter("mesh", "texture"):
            filename = node.get("filename")
            if filename:
                node.set("filename", self._new(filename, module, _KINDS[tag_of(node)]))

    def _new(self, filename: str, module: Module, kind: FileKind) -> str:
        key = (module.path, filename)
        if key not in self._known:
            copied = self._copied(filename, module, kind) if self.package is not None else None
            self._known[key] = copied or self._beside(filename, module)
        return self._known[key]

    def _copied(self, filename: str, module: Module, kind: FileKind) -> str | None:
        try:
            source = find_source(filename, kind, module.packages, module.path)
        except RefusedFileError as error:
            self.problems.append(f"{module.path}: {' '.join(filename.split())} was not copied: {error}")
            return None
        place = self._free(PurePosixPath(_FOLDERS[kind], module.name, _inner_path(filename)), source)
        self.copies[place] = source
        return f"package://{self.package}/{place}"

    def _free(self, place: PurePosixPath, source: Path) -> PurePosixPath:
        """The place, or one with a number if another file is there; capital letters make no difference."""
        taken = {str(known).lower(): path for known, path in self.copies.items()}
        free, number = place, 1
        while taken.get(str(free).lower(), source) != source:
            number += 1
            free = place.with_name(f"{place.stem}_{number}{place.suffix}")
        return free

    def _beside(self, filename: str, module: Module) -> str:
        if _SCHEME.match(filename) or Path(filename).is_absolute():
            return filename
        return Path(os.path.relpath(module.path.parent / filename, self.folder)).as_posix()


def kind_of_copy(place: PurePosixPath) -> FileKind:
    """What a file of the package is there for."""
    return next(kind for kind, folder in _FOLDERS.items() if folder == place.parts[0])


def _inner_path(filename: str) -> str:
    """`visual/link.dae` of `package://arm/meshes/visual/link.dae`; elsewhere the file's name alone."""
    inner = _PACKAGE.fullmatch(filename)
    path = PurePosixPath((inner[1] if inner else filename).replace("\\", "/"))
    return str(path) if inner and ".." not in path.parts else path.name
