"""Models as FMUs for ROS 2 and Gazebo: their interface, checked and completed before any compiler runs.

`interface_of` reads the variables of a model from its tree, a `Profile` says which ones somebody asks for,
`make_shell` wraps a component as a model that has them. A shell (`shell`) is a clone of a template of
`FmiExamples.Templates` with the model put into its middle. Nothing is kept for the next run: what a template has and
the class lacks is added, and an end that is driven, by whatever, is left alone; that is why edits stay and a second
run changes nothing. `parameter_files` reads files of parameters, `sdf` the plugins of Gazebo.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from urdf_frontend.fmi.check import check_model as check_model
    from urdf_frontend.fmi.drift import diff_interface as diff_interface
    from urdf_frontend.fmi.interface import (
        Interface as Interface,
        OpenModel as OpenModel,
        Variable as Variable,
        interface_of as interface_of,
        open_model as open_model,
    )
    from urdf_frontend.fmi.model_description import read_description as read_description, read_fmu as read_fmu
    from urdf_frontend.fmi.profiles import (
        GAZEBO_ACTUATOR as GAZEBO_ACTUATOR,
        GAZEBO_FLUID as GAZEBO_FLUID,
        PROFILES as PROFILES,
        ROS2 as ROS2,
        FmiError as FmiError,
        Profile as Profile,
        Var as Var,
        profile_of as profile_of,
    )
    from urdf_frontend.fmi.ros_parameters import apply_parameters as apply_parameters, rosify as rosify
    from urdf_frontend.fmi.shell import (
        Shell as Shell,
        complete_model as complete_model,
        make_shell as make_shell,
        update_shell as update_shell,
    )
    from urdf_frontend.fmi.shell_request import ShellRequest as ShellRequest

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
    "rosify",
    "update_shell",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "check": "check_model",
            "drift": "diff_interface",
            "interface": "Interface OpenModel Variable interface_of open_model",
            "model_description": "read_description read_fmu",
            "profiles": "FmiError GAZEBO_ACTUATOR GAZEBO_FLUID PROFILES Profile ROS2 Var profile_of",
            "ros_parameters": "apply_parameters rosify",
            "shell_request": "ShellRequest",
            "shell": "Shell complete_model make_shell update_shell",
        },
    )
