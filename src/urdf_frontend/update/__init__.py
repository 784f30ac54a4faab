"""A package follows its URDF file, and keeps what its user wrote."""

from urdf_frontend.update.adopting import Adoption, adopt
from urdf_frontend.update.conflicts import UpdateConflict
from urdf_frontend.update.errors import NoBaseError, UnreadableError, UpdateError
from urdf_frontend.update.exporting import Exported, export
from urdf_frontend.update.keeping import with_base
from urdf_frontend.update.report import Report
from urdf_frontend.update.updating import FileUpdate, Update, UpdateOptions, update

__all__ = [
    "Adoption",
    "Exported",
    "FileUpdate",
    "NoBaseError",
    "Report",
    "UnreadableError",
    "Update",
    "UpdateConflict",
    "UpdateError",
    "UpdateOptions",
    "adopt",
    "export",
    "update",
    "with_base",
]
