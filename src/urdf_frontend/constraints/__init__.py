"""Dynamically constrained objects: unique IDs, counts and wiring of models that use the library DynamicConstraints."""

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from urdf_frontend.constraints.adding import NewObject, add
    from urdf_frontend.constraints.checking import CODES, check
    from urdf_frontend.constraints.errors import ConstraintError
    from urdf_frontend.constraints.opening import open_libraries
    from urdf_frontend.constraints.report import Assignment, Finding, NetworkCount, Report
    from urdf_frontend.constraints.syncing import Style, count_networks, sync

__all__ = [
    "CODES",
    "Assignment",
    "ConstraintError",
    "Finding",
    "NetworkCount",
    "NewObject",
    "Report",
    "Style",
    "add",
    "check",
    "count_networks",
    "open_libraries",
    "sync",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "adding": "NewObject add",
            "checking": "CODES check",
            "errors": "ConstraintError",
            "opening": "open_libraries",
            "report": "Assignment Finding NetworkCount Report",
            "syncing": "Style count_networks sync",
        },
    )
