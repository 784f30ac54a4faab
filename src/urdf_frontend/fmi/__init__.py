"""Models as FMUs for ROS 2 and Gazebo: their interface, checked and completed before any compiler runs.

`interface_of` reads the variables of a model from its tree, a `Profile` says which ones somebody asks for, `make_shell`
wraps a component as a model that has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from urdf_frontend.fmi.check import check_model
    from urdf_frontend.fmi.check_description import diff_interface
    from urdf_frontend.fmi.errors import FmiError
    from urdf_frontend.fmi.interface import Interface, Variable, interface_of
    from urdf_frontend.fmi.model_description_files import read_description, read_fmu
    from urdf_frontend.fmi.opening import OpenModel, open_model
    from urdf_frontend.fmi.profiles import GAZEBO_ACTUATOR, GAZEBO_FLUID, PROFILES, ROS2, Profile, Var, profile_of
    from urdf_frontend.fmi.ros_apply import apply_parameters
    from urdf_frontend.fmi.shell import Shell, complete_model, make_shell, update_shell
    from urdf_frontend.fmi.shell_request import ShellRequest

__all__ = [
    "GAZEBO_ACTUATOR",
    "GAZEBO_FLUID",
    "PROFILES",
    "ROS2",
    "FmiError",
    "Interface",
    "OpenModel",
    "Profile",
    "Shell",
    "ShellRequest",
    "Var",
    "Variable",
    "apply_parameters",
    "check_model",
    "complete_model",
    "diff_interface",
    "interface_of",
    "make_shell",
    "open_model",
    "profile_of",
    "read_description",
    "read_fmu",
    "update_shell",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "check": "check_model",
            "check_description": "diff_interface",
            "errors": "FmiError",
            "interface": "Interface Variable interface_of",
            "model_description_files": "read_description read_fmu",
            "opening": "OpenModel open_model",
            "profiles": "GAZEBO_ACTUATOR GAZEBO_FLUID PROFILES ROS2 Profile Var profile_of",
            "ros_apply": "apply_parameters",
            "shell": "Shell complete_model make_shell update_shell",
            "shell_request": "ShellRequest",
        },
    )
