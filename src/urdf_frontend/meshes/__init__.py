"""Mesh files: where they are, and what they are."""

from urdf_frontend.meshes.checking import MeshReport, check_meshes, meshes_of
from urdf_frontend.meshes.files import Bounds, MeshFile, inspect_mesh
from urdf_frontend.meshes.packages import Packages, package_name
from urdf_frontend.meshes.paths import Resolved, resolve
from urdf_frontend.meshes.sources import (
    FileKind,
    MissingFileError,
    RefusedFileError,
    find_file,
    find_source,
    read_source,
)

__all__ = [
    "Bounds",
    "FileKind",
    "MeshFile",
    "MeshReport",
    "MissingFileError",
    "Packages",
    "RefusedFileError",
    "Resolved",
    "check_meshes",
    "find_file",
    "find_source",
    "inspect_mesh",
    "meshes_of",
    "package_name",
    "read_source",
    "resolve",
]
