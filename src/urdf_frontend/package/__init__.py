"""The package of a robot as it is now: its classes and components, whoever renamed or moved them, and its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from urdf_frontend.package.errors import PackageError, UnreadablePackageError
    from urdf_frontend.package.memory import Memory, read_memory
    from urdf_frontend.package.parts import Kind, Part
    from urdf_frontend.package.robot_package import RobotPackage

__all__ = ["Kind", "Memory", "PackageError", "Part", "RobotPackage", "UnreadablePackageError", "read_memory"]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "errors": "PackageError UnreadablePackageError",
            "memory": "Memory read_memory",
            "parts": "Kind Part",
            "robot_package": "RobotPackage",
        },
    )
