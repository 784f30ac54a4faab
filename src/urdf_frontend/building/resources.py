"""The meshes and textures of a robot, copied into its package."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote

from attrs import frozen

from urdf_frontend.building.options import BuildOptions
from urdf_frontend.meshes import Packages, meshes_of, resolve
from urdf_frontend.model import Robot

_MESHES: Final = "Resources/Meshes"
_TEXTURES: Final = "Resources/Textures"
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
    wanted = dict.fromkeys((mesh.filename, _MESHES) for mesh in meshes_of(robot) if mesh.filename)
    wanted |= dict.fromkeys((texture, _TEXTURES) for texture in _textures(robot))
    packages = options.packages if options.packages is not None else Packages(near=options.urdf)
    files: dict[PurePosixPath, bytes] = {}
    places: dict[str, str] = dict(options.known_resources)
    problems: list[str] = []
    copied: dict[Path, PurePosixPath] = {}
    for filename, folder in wanted:
        if filename in places:
            continue
        found = resolve(filename, packages, options.urdf)
        if found.path is None or not found.path.is_file():
            problems.append(f"{filename} was not copied: {found.problem or 'the file does not exist'}")
            continue
        source = found.path.resolve()
        if source not in copied:
            try:
                suffix, data = _contents(source, folder, options)
            except OSError as error:
                problems.append(f"{filename} was not copied: {(error.strerror or str(error)).lower()}")
                continue
            copied[source] = _free_name(PurePosixPath(folder) / f"{_safe(source.stem)}{suffix}", files)
            files[copied[source]] = data
        places[filename] = f"modelica://{package}/{quote(str(copied[source]))}"
    return Resources(files, places, tuple(problems))


def named_files(robot: Robot) -> list[str]:
    """The meshes and textures that the shapes of a robot name, as they are written."""
    return list(dict.fromkeys([*(mesh.filename for mesh in meshes_of(robot) if mesh.filename), *_textures(robot)]))


def _textures(robot: Robot) -> list[str]:
    looks = [visual.look for link in robot.links for visual in link.visuals if visual.look is not None]
    return [look.texture.filename for look in looks if look.texture is not None and look.texture.filename]


def _contents(source: Path, folder: str, options: BuildOptions) -> tuple[str, bytes]:
    """The ending and the bytes of a file, converted if there is somebody who does that."""
    if options.convert_mesh is not None and folder == _MESHES:
        converted = options.convert_mesh(source)
        if converted is not None:
            return converted
    return source.suffix, source.read_bytes()


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
