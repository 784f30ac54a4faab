"""A package follows its URDF file, and keeps what its user wrote."""

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from modelica_ast.generate import (
        FileUpdate,
        NoBaseError,
        Question,
        Report,
        UnreadableError,
        Update,
        UpdateConflict,
        UpdateError,
    )
    from urdf_frontend.building.side_car import with_base
    from urdf_frontend.update.adopting import Adoption
    from urdf_frontend.update.exporting import Exported
    from urdf_frontend.update.kinds import adopt, export, update
    from urdf_frontend.update.options import UpdateOptions
else:
    # PERF: a build writes what an update needs, and must not wait for the merge.
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "modelica_ast.generate": (
                "FileUpdate NoBaseError Question Report UnreadableError Update UpdateConflict UpdateError"
            ),
            "urdf_frontend.building.side_car": "with_base",
            "adopting": "Adoption",
            "exporting": "Exported",
            "kinds": "adopt export update",
            "options": "UpdateOptions",
        },
    )

__all__ = [
    "Adoption",
    "Exported",
    "FileUpdate",
    "NoBaseError",
    "Question",
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
