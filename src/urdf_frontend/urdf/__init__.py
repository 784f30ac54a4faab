"""From a file, a text or the bytes of a URDF file to a robot, and all that is wrong with it.

Start with `reader`. lxml says whether a text is well-formed XML and what its attributes mean. Where they are it
does not say, so `document` finds the tags once more: the n-th start tag is the n-th element. So every item has its
line, its XPath and its span, and a number can be written back into the very bytes. BOM, blanks, declaration and
DOCTYPE are blanked out for lxml, so offsets stay what they are; a text that declares entities is refused. Reading and
checking collect diagnostics and never raise; the code of a diagnostic says how bad it is (`diagnostics`). Mesh files
are found by `mesh_places` and looked into by `mesh_files`.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from urdf_frontend.urdf.checks import listed as listed, validate as validate
    from urdf_frontend.urdf.collada import SAFE_XML as SAFE_XML, BrokenMeshError as BrokenMeshError
    from urdf_frontend.urdf.diagnostics import (
        ALLOWABLE as ALLOWABLE,
        CODES as CODES,
        Code as Code,
        Diagnostic as Diagnostic,
        Findings as Findings,
        Severity as Severity,
        UrdfError as UrdfError,
        in_order as in_order,
        quoted as quoted,
        reason_of as reason_of,
    )
    from urdf_frontend.urdf.document import (
        LARGEST_FILE as LARGEST_FILE,
        Document as Document,
        document_of_bytes as document_of_bytes,
        markup_of as markup_of,
        plain_xml as plain_xml,
    )
    from urdf_frontend.urdf.mesh_files import (
        Bounds as Bounds,
        MeshFile as MeshFile,
        MeshReport as MeshReport,
        check_meshes as check_meshes,
        inspect_mesh as inspect_mesh,
        meshes_of as meshes_of,
    )
    from urdf_frontend.urdf.mesh_places import (
        LARGEST_MESH as LARGEST_MESH,
        MANIFEST as MANIFEST,
        FileKind as FileKind,
        MissingFileError as MissingFileError,
        Packages as Packages,
        RefusedFileError as RefusedFileError,
        Resolved as Resolved,
        find_file as find_file,
        find_source as find_source,
        not_copied as not_copied,
        open_mesh as open_mesh,
        package_name as package_name,
        read_source as read_source,
        resolve as resolve,
    )
    from urdf_frontend.urdf.reader import ReadResult as ReadResult, read as read
    from urdf_frontend.urdf.second_opinion import cross_check as cross_check
    from urdf_frontend.urdf.xml_tree import (
        Element as Element,
        XmlTree as XmlTree,
        attribute_values as attribute_values,
        parse_xml as parse_xml,
    )

__all__ = [
    "Bounds",
    "FileKind",
    "MeshFile",
    "MeshReport",
    "MissingFileError",
    "Packages",
    "ReadResult",
    "RefusedFileError",
    "Resolved",
    "check_meshes",
    "find_file",
    "find_source",
    "inspect_mesh",
    "meshes_of",
    "package_name",
    "read",
    "read_source",
    "resolve",
    "validate",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "checks": "listed validate",
            "diagnostics": "ALLOWABLE CODES Code Diagnostic Findings Severity UrdfError in_order quoted reason_of",
            "document": "Document LARGEST_FILE document_of_bytes markup_of plain_xml",
            "reader": "ReadResult read",
            "second_opinion": "cross_check",
            "collada": "BrokenMeshError SAFE_XML",
            "mesh_files": "Bounds MeshFile MeshReport check_meshes inspect_mesh meshes_of",
            "mesh_places": (
                "FileKind LARGEST_MESH MANIFEST MissingFileError Packages RefusedFileError Resolved find_file "
                "find_source not_copied open_mesh package_name read_source resolve"
            ),
            "xml_tree": "Element XmlTree attribute_values parse_xml",
        },
    )
