"""Mesh files: where they are, and what they are."""

from urdf_frontend.meshes.checking import MeshReport, check_meshes, meshes_of
from urdf_frontend.meshes.files import Bounds, MeshFile, inspect_mesh
from urdf_frontend.meshes.packages import Packages, package_name
from urdf_frontend.meshes.paths import Resolved, resolve

__all__ = [
    "Bounds",
    "MeshFile",
    "MeshReport",
    "Packages",
    "Resolved",
    "check_meshes",
    "inspect_mesh",
    "meshes_of",
    "package_name",
    "resolve",
]
