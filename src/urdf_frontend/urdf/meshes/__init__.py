"""Mesh files: where they are, and what they are."""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from urdf_frontend.urdf.meshes.files import (
        Bounds as Bounds,
        MeshFile as MeshFile,
        MeshReport as MeshReport,
        check_meshes as check_meshes,
        inspect_mesh as inspect_mesh,
        meshes_of as meshes_of,
    )
    from urdf_frontend.urdf.meshes.places import (
        FileKind as FileKind,
        MissingFileError as MissingFileError,
        Packages as Packages,
        RefusedFileError as RefusedFileError,
        Resolved as Resolved,
        find_file as find_file,
        find_source as find_source,
        package_name as package_name,
        read_source as read_source,
        resolve as resolve,
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

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "files": "Bounds MeshFile MeshReport check_meshes inspect_mesh meshes_of",
            "places": (
                "FileKind MissingFileError Packages RefusedFileError Resolved find_file find_source "
                "package_name read_source resolve"
            ),
        },
    )
