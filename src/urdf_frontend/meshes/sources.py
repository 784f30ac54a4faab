"""The files of a robot that are copied: meshes and textures that are its own, by their places and by their content."""

from __future__ import annotations

import enum
import os
from pathlib import Path

from modelica_ast.files import read_regular
from urdf_frontend.diagnostics import reason_of
from urdf_frontend.meshes.contents import HEAD, LARGEST_MESH, is_image, mesh_format, open_mesh
from urdf_frontend.meshes.packages import Packages
from urdf_frontend.meshes.paths import resolve
from urdf_frontend.meshes.trusted import OUTSIDE


class RefusedFileError(Exception):
    """A file that is not copied; the words say why."""


class MissingFileError(RefusedFileError):
    """A file that is not there; its copy from an earlier time can stand for it."""


class FileKind(enum.Enum):
    """What a robot names a file as."""

    MESH = "a mesh: known are STL, OBJ and DAE"
    TEXTURE = "an image"


def find_source(filename: str, kind: FileKind, packages: Packages, urdf: Path | None) -> Path:
    """The file that is copied for a name in a URDF file, links followed; RefusedFileError if there is none."""
    path = find_file(filename, packages, urdf)
    try:
        with open_mesh(path) as file:
            _refuse_other_content(file.read(HEAD), os.fstat(file.fileno()).st_size, kind)
    except OSError as error:
        raise RefusedFileError(reason_of(error)) from None
    return path


def find_file(filename: str, packages: Packages, urdf: Path | None) -> Path:
    """The same, whatever is in it: for those who know more formats."""
    found = resolve(filename, packages, urdf)
    if found.path is None:
        kind = RefusedFileError if found.problem == OUTSIDE else MissingFileError
        raise kind(found.problem)
    try:
        open_mesh(found.path).close()
        return found.path.resolve()
    except FileNotFoundError:
        raise MissingFileError("the file does not exist") from None
    except OSError as error:
        raise RefusedFileError(reason_of(error)) from None


def read_source(path: Path, kind: FileKind) -> bytes:
    """The bytes of such a file; it is looked at once more, for it may be another one by now."""
    try:
        data = read_regular(path, limit=LARGEST_MESH)
    except OSError as error:
        raise RefusedFileError(reason_of(error)) from None
    _refuse_other_content(data[:HEAD], len(data), kind)
    return data


def _refuse_other_content(head: bytes, size: int, kind: FileKind) -> None:
    is_kind = mesh_format(head, size) is not None if kind is FileKind.MESH else is_image(head, size)
    if not is_kind:
        raise RefusedFileError(f"by its content it is not {kind.value}")
