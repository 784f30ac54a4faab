"""A package follows its URDF file, and keeps what its user wrote."""

from urdf_frontend.update.adopting import adopt
from urdf_frontend.update.adoption import Adoption
from urdf_frontend.update.choosing import export, update
from urdf_frontend.update.conflicts import UpdateConflict
from urdf_frontend.update.errors import NoBaseError, UnreadableError, UpdateError
from urdf_frontend.update.exporting import Exported
from urdf_frontend.update.keeping import with_base
from urdf_frontend.update.report import Report
from urdf_frontend.update.updating import FileUpdate, Update, UpdateOptions

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
