"""All that `fmi check` looks at: a model against a profile, and against the FMU that was made of it."""

from __future__ import annotations

from collections.abc import Mapping

from modelica_ast.library import Libraries
from urdf_frontend.fmi.check_codes import Difference
from urdf_frontend.fmi.check_description import diff_interface
from urdf_frontend.fmi.check_profile import check_kind, check_profile, check_ros_names
from urdf_frontend.fmi.interface import Interface, interface_of
from urdf_frontend.fmi.model_description import ModelDescription
from urdf_frontend.fmi.profiles import ROS2, Profile


def check_model(
    libraries: Libraries,
    model: str,
    *,
    profile: Profile | None = None,
    description: ModelDescription | None = None,
    variable_names: Mapping[str, str] | None = None,
) -> list[Difference]:
    """What is wrong with a model as an FMU: against a profile, against a description of its FMU, or both."""
    # The adapter for ROS has a name for each variable, also inside components, and FMUs have their parameters.
    interface = interface_of(libraries, model, depth=None)
    found = [_unresolved(interface, sentence) for sentence in interface.unresolved]
    if profile is not None:
        found += check_profile(interface, profile, variable_names)
    if description is not None:
        found += diff_interface(interface, description)
        if profile is not None:
            found += check_kind(description, profile)
            if profile.name == ROS2.name:
                found += check_ros_names(description, [variable.name for variable in interface.variables])
    return found


def _unresolved(interface: Interface, sentence: str) -> Difference:
    hint = "put the library that has it into MODELICAPATH"
    return Difference("fmi-unresolved", str(interface.file), interface.line, 1, sentence, hint=hint)
