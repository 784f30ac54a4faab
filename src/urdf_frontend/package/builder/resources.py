"""The meshes and textures of a robot, copied into its package."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote, unquote

from attrs import frozen

from urdf_frontend.package.builder.options import BuildOptions
from urdf_frontend.robot import Robot
from urdf_frontend.urdf import (
    FileKind,
    Packages,
    RefusedFileError,
    find_file,
    find_source,
    meshes_of,
    not_copied,
    read_source,
)

_FOLDERS: Final = {FileKind.MESH: "Resources/Meshes", FileKind.TEXTURE: "Resources/Textures"}
_SAFE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")


@frozen
class Resources:
    """The copied files by their paths in the package, and where each file of the URDF is now."""

    files: Mapping[PurePosixPath, bytes]
    places: Mapping[str, str]  # from what the URDF calls a file to its modelica:// URI
    problems: tuple[str, ...]  # a sentence for each file that was not copied

    def place(self, filename: str) -> str:
        """What a file is called now; as in the URDF if it was not copied."""
        return self.places.get(filename, filename)


def collect_resources(robot: Robot, package: str, options: BuildOptions) -> Resources:
    """Read all files that the shapes of a robot name; `package` is the full name of the robot's package."""
    if not options.copy_meshes:
        return Resources({}, {}, ())
    wanted = dict.fromkeys((mesh.filename, FileKind.MESH) for mesh in meshes_of(robot) if mesh.filename)
    wanted |= dict.fromkeys((texture, FileKind.TEXTURE) for texture in _textures(robot))
    packages = options.packages if options.packages is not None else Packages(near=options.urdf)
    files: dict[PurePosixPath, bytes] = {}
    places: dict[str, str] = dict(options.known_resources)
    refused: list[tuple[str, RefusedFileError]] = []
    copied: dict[Path, PurePosixPath] = {}
    for filename, kind in wanted:
        if filename in places:
            continue
        try:
            source = find_file(filename, packages, options.urdf)
            if source not in copied:
                suffix, data = _contents(source, kind, options)
                copied[source] = _free_name(PurePosixPath(_FOLDERS[kind]) / f"{_safe(source.stem)}{suffix}", files)
                files[copied[source]] = data
        except RefusedFileError as error:
            refused.append((filename, error))
            continue
        places[filename] = f"modelica://{package}/{quote(str(copied[source]))}"
    return Resources(files, places, tuple(not_copied(refused)))


def named_files(robot: Robot) -> list[str]:
    """The meshes and textures that the shapes of a robot name, as they are written."""
    return list(dict.fromkeys([*(mesh.filename for mesh in meshes_of(robot) if mesh.filename), *_textures(robot)]))


SCHEME: Final = "modelica://"


def path_in_package(place: str, package: str) -> str:
    """The path in a package of what is in it or in a package inside: `modelica://Arm.Modules.joint/Resources/a.stl`."""
    name, _, path = place.removeprefix(SCHEME).partition("/")
    inside = name.removeprefix(package).strip(".").replace(".", "/")
    return f"{inside}/{unquote(path)}" if inside else unquote(path)


def place_of_copy(place: str, package: str) -> str | None:
    """The path in a package of a file that was copied into it; None of any other."""
    path = path_in_package(place, package)
    return path if place.startswith(SCHEME) and is_place_of_copy(path) else None


def is_place_of_copy(path: str) -> bool:
    """Is this where a file is copied to, in a package or in one that is inside of it?"""
    return f"/{PurePosixPath(path).parent}".endswith(tuple(f"/{folder}" for folder in _FOLDERS.values()))


def check_source(filename: str, place: str, options: BuildOptions) -> None:
    """Can a file be copied again that is at a modelica:// URI since the last time? RefusedFileError says why not."""
    kind = FileKind.TEXTURE if f"/{_FOLDERS[FileKind.TEXTURE]}/" in place else FileKind.MESH
    packages = options.packages if options.packages is not None else Packages(near=options.urdf)
    if options.convert_mesh is not None:
        find_file(filename, packages, options.urdf)
    else:
        find_source(filename, kind, packages, options.urdf)


def _textures(robot: Robot) -> list[str]:
    looks = [visual.look for link in robot.links for visual in link.visuals if visual.look is not None]
    return [look.texture.filename for look in looks if look.texture is not None and look.texture.filename]


def _contents(source: Path, kind: FileKind, options: BuildOptions) -> tuple[str, bytes]:
    """The ending and the bytes of a file, converted if there is somebody who does that."""
    if options.convert_mesh is not None and kind is FileKind.MESH:
        converted = options.convert_mesh(source)
        if converted is not None:
            return converted
    return source.suffix, read_source(source, kind)


def _safe(stem: str) -> str:
    """Letters that every file system and every URI takes."""
    return "".join(letter if letter in _SAFE else "_" for letter in stem) or "_"


def _free_name(path: PurePosixPath, taken: Mapping[PurePosixPath, bytes]) -> PurePosixPath:
    """The path, or one with a number if a file is called like that; capital letters make no difference."""
    known = {str(other).lower() for other in taken}
    number = 1
    free = path
    while str(free).lower() in known:
        number += 1
        free = path.with_name(f"{path.stem}_{number}{path.suffix}")
    return free
