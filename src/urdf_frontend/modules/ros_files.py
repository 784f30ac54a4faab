"""An assembled robot as a ROS package: URDF, SRDF, meshes, manifest."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Final

from attrs import frozen
from lxml import etree

from modelica_ast.edit import Workspace
from modelica_ast.foundation import read_regular
from urdf_frontend.modules.assembly import Assembly
from urdf_frontend.modules.composition import AssembledRobot, kind_of_copy
from urdf_frontend.modules.module_file import MARK, ModuleError
from urdf_frontend.urdf import MANIFEST, FileKind, RefusedFileError, package_name, read_source, reason_of

_BUILD_FILE: Final = "CMakeLists.txt"
_COPIED: Final = ("meshes", "textures")
_GENERATED: Final = ("urdf/*.urdf", "config/*.srdf")


@frozen
class RosPackage:
    """The files of the package that should be there. `workspace` has them, and knows which of them differ now."""

    name: str
    folder: Path
    robot: AssembledRobot
    workspace: Workspace
    unused: tuple[Path, ...]  # files of earlier runs that this robot does not need


def ros_package(assembly: Assembly, folder: str | os.PathLike[str], *, force: bool = False) -> RosPackage:
    """Assemble a robot for a package in a folder; nothing is written before `workspace.save()`.

    The manifest and the build file are made if they are not there, and never changed: people add to them. ModuleError
    if the URDF or the SRDF there was not assembled, unless `force`.
    """
    given, folder = Path(folder), Path(folder).resolve()
    name = (package_name(folder) if folder.is_dir() else None) or _ros_name(folder.name)
    robot = assembly.to_urdf(package=name, into=folder / "urdf")
    stem = re.sub(r"[^A-Za-z0-9_.-]", "_", robot.name)
    generated = {PurePosixPath("urdf", f"{stem}.urdf"): robot.data}
    if robot.srdf is not None:
        generated[PurePosixPath("config", f"{stem}.srdf")] = robot.srdf
    workspace = _workspace(folder)
    for place, data in generated.items():
        old = workspace.others.read(folder / place)
        if old is not None and MARK.encode() not in old and not force:
            raise ModuleError(f"{given / place} is there and was not assembled; --force replaces it")
        workspace.others.write(folder / place, data)
    for place, source in robot.copies.items():
        workspace.others.write(folder / place, _copied(source, kind_of_copy(place)))
    _write_new(workspace, folder / MANIFEST, _manifest(name, robot.name))
    places = {*generated, *robot.copies}
    _write_new(workspace, folder / _BUILD_FILE, _build_file(name, {place.parts[0] for place in places}))
    return RosPackage(name, folder, robot, workspace, _unused(folder, places))


def _workspace(folder: Path) -> Workspace:
    existing = folder
    while not existing.is_dir():  # the save makes what is missing, with the files or not at all
        if existing.exists():
            raise ModuleError(f"{existing} is a file, and a package is a folder")
        existing = existing.parent
    return Workspace(existing)


def _write_new(workspace: Workspace, path: Path, data: bytes) -> None:
    if workspace.others.read(path) is None:
        workspace.others.write(path, data)


def _copied(source: Path, kind: FileKind) -> bytes:
    try:
        return read_source(source, kind)
    except RefusedFileError as error:
        raise ModuleError(f"{source}: the file can't be copied: {error}") from None


def _bytes(source: Path) -> bytes:
    try:
        return read_regular(source)
    except OSError as error:
        raise ModuleError(f"{source}: the file can't be read: {reason_of(error)}") from None


def _unused(folder: Path, places: set[PurePosixPath]) -> tuple[Path, ...]:
    """What earlier runs have left: copies of meshes, and files that carry the mark."""
    wanted = {folder / place for place in places}
    found = [path for name in _COPIED for path in sorted((folder / name).rglob("*")) if path.is_file()]
    for pattern in _GENERATED:
        found += [path for path in sorted(folder.glob(pattern)) if path.is_file() and MARK.encode() in _bytes(path)]
    return tuple(path for path in found if path not in wanted)


def _ros_name(text: str) -> str:
    """What ROS takes as the name of a package: small letters, digits and underscores, a letter first."""
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return name if name[:1].isalpha() else f"robot_{name}".rstrip("_")


def _manifest(name: str, robot: str) -> bytes:
    root = etree.Element("package")
    root.set("format", "3")
    maintainer = etree.Element("maintainer")
    maintainer.set("email", "maintainer@example.org")
    maintainer.text = "maintainer"
    texts = {"name": name, "version": "0.1.0", "description": f"The robot {robot}, assembled from modules"}
    for tag, text in texts.items():
        etree.SubElement(root, tag).text = text
    root.append(maintainer)
    # What `ros2 pkg create` writes too: tools of ROS know it as the mark of a licence that nobody has chosen yet.
    etree.SubElement(root, "license").text = "TODO: License declaration"
    etree.SubElement(root, "buildtool_depend").text = "ament_cmake"
    etree.SubElement(etree.SubElement(root, "export"), "build_type").text = "ament_cmake"
    etree.indent(root)
    return b'<?xml version="1.0"?>\n' + etree.tostring(root, encoding="utf-8") + b"\n"


def _build_file(name: str, folders: set[str]) -> bytes:
    lines = [
        "cmake_minimum_required(VERSION 3.8)",
        f"project({name} NONE)",
        "find_package(ament_cmake REQUIRED)",
        f"install(DIRECTORY {' '.join(sorted(folders))} DESTINATION share/${{PROJECT_NAME}})",
        "ament_package()",
    ]
    return "".join(f"{line}\n" for line in lines).encode()
