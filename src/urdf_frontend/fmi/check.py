"""All that `fmi check` looks at: a model against a profile, and against the FMU that was made of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import evolve

from modelica_ast.foundation import nearest
from modelica_ast.library import Libraries
from urdf_frontend.fmi.drift import Difference, diff_interface, shown_causality
from urdf_frontend.fmi.interface import WHERE_LIBRARIES_ARE, Interface, Variable, interface_of
from urdf_frontend.fmi.model_description import ModelDescription
from urdf_frontend.fmi.profiles import PROFILES, ROS2, FmiError, Profile, Var
from urdf_frontend.fmi.ros_parameters import collisions, rosify

# ---------------------------------------------------------------- check profile
# The interface of a model against a profile: is there all that Gazebo or ROS asks for?

_DIGITS: Final = "0123456789"
_CO_SIMULATION: Final = "CoSimulation"


def check_profile(
    interface: Interface, profile: Profile, variable_names: Mapping[str, str] | None = None
) -> list[Difference]:
    """What a profile asks for and a model does not have, and what its program can't take.

    `variable_names` maps names of the profile to those of the model, as `<variable_names>` of gazebo-fmi does.
    """
    renamed = dict(variable_names or {})
    for name in renamed:
        if profile.get(name) is None:
            known = [wanted.name for wanted in profile.required]
            raise FmiError(f"the profile {profile.name} asks for no '{name}'{nearest(name, known)}")
    found: list[Difference] = []
    is_linear = _is_linear(interface, profile, renamed)
    asked = {renamed.get(wanted.name, wanted.name) for wanted in profile.required}
    for wanted in profile.required:
        unit = wanted.linear_unit if is_linear and wanted.linear_unit else wanted.unit
        found += _required(interface, evolve(wanted, name=renamed.get(wanted.name, wanted.name), unit=unit), asked)
    for variable in [*interface.inputs, *interface.outputs]:
        if variable.type not in profile.types and variable.name not in asked:
            found.append(_wrong_type(variable, profile))
    if profile.required:  # else every input is somebody's topic
        found += [_nobody_sets(each, profile) for each in interface.inputs if _is_left_alone(each, asked)]
    if profile.name == ROS2.name:
        found += _ros_names(interface)
    return found


def check_kind(description: ModelDescription, profile: Profile) -> list[Difference]:
    """Can the profile's program run this FMU? fmi_adapter and gazebo-fmi take FMI 2.0 for co-simulation."""
    if profile.name not in PROFILES:
        return []
    found = []
    place = (description.file, description.line, description.column)
    if not description.version.startswith("2."):
        message = f"the FMU is of FMI {description.version}, but {profile.name} needs FMI 2.0"
        found.append(Difference("fmi-kind", *place, message, hint="export it as FMI 2.0"))
    if _CO_SIMULATION not in description.kinds:
        kinds = " and ".join(description.kinds) or "nothing"
        message = f"the FMU is for {kinds}, but {profile.name} needs {_CO_SIMULATION}"
        found.append(Difference("fmi-kind", *place, message, hint="export it for co-simulation, 'cs'"))
    return found


def check_ros_names(description: ModelDescription, known: Iterable[str] = ()) -> list[Difference]:
    """Names of an FMU that ROS can't tell apart or does not take; those among `known` have been looked at."""
    places = {each.name: (description.file, each.line, each.column) for each in description.variables}
    seen = set(known)
    return _ros_findings(places, [name for name in places if name not in seen], places)


def _required(interface: Interface, wanted: Var, asked: set[str]) -> list[Difference]:
    name, unit = wanted.name, wanted.unit
    variable = interface.get(name)
    if variable is None:
        # What has a use already is not meant.
        free = [each for each in interface.variables if each.name not in asked]
        known = [each.name for each in free if each.causality == wanted.causality]
        what = f"{wanted.causality} '{name}' ({wanted.type}" + (f", {unit})" if unit else ")")
        message = f"{interface.model} has no {what}"
        hint = f"add it with 'fmi shell', or map another name to it in SDF: <variable_names>{nearest(name, known)}"
        return [Difference("fmi-missing", str(interface.file), interface.line, 1, message, name, hint)]
    place = (str(variable.file), variable.line, 1)
    found = []
    if variable.causality != wanted.causality:
        message = f"'{name}' is {shown_causality(variable.causality)}, but must be {shown_causality(wanted.causality)}"
        found.append(Difference("fmi-causality", *place, message, name))
    if variable.type != wanted.type:
        message = f"'{name}' is of type {variable.type}, but must be {wanted.type}"
        found.append(Difference("fmi-type", *place, message, name))
    if variable.dimensions:
        found.append(Difference("fmi-size", *place, f"'{name}' is an array, but must be a scalar", name))
    if variable.unit is not None and unit is not None and variable.unit != unit:
        found.append(Difference("fmi-unit", *place, f"'{name}' is in {variable.unit}, but must be in {unit}", name))
    return found


def _is_linear(interface: Interface, profile: Profile, renamed: Mapping[str, str]) -> bool:
    """Does it slide? So it does if more of its units are those of a joint that slides."""
    votes = 0
    for wanted in profile.required:
        variable = interface.get(renamed.get(wanted.name, wanted.name))
        if variable is not None and variable.unit is not None and wanted.linear_unit is not None:
            votes += (variable.unit == wanted.linear_unit) - (variable.unit == wanted.unit)
    return votes > 0


def _wrong_type(variable: Variable, profile: Profile) -> Difference:
    is_ros = profile.name == ROS2.name
    by = "fmi_adapter skips it" if is_ros else f"{profile.name} takes {' and '.join(profile.types)} only"
    message = f"the {variable.causality} '{variable.name}' is of type {variable.type}: {by}"
    return Difference(
        "ros-type" if is_ros else "fmi-type", str(variable.file), variable.line, 1, message, variable.name
    )


def _is_left_alone(variable: Variable, asked: set[str]) -> bool:
    return variable.name not in asked and variable.start is None


def _nobody_sets(variable: Variable, profile: Profile) -> Difference:
    message = f"nothing sets the input '{variable.name}', which {profile.name} does not know, and it has no start value"
    return Difference("fmi-no-start", str(variable.file), variable.line, 1, message, variable.name)


def _ros_names(interface: Interface) -> list[Difference]:
    places = {variable.name: (str(variable.file), variable.line, 1) for variable in interface.variables}
    return _ros_findings(places, list(places), places)


def _ros_findings(
    places: Mapping[str, tuple[str, int, int]], looked_at: Iterable[str], all_names: Iterable[str]
) -> list[Difference]:
    """The adapter declares a parameter for each variable, so every name counts."""
    found = []
    looked = set(looked_at)
    for shared, names in collisions(all_names).items():
        if not shared or looked.isdisjoint(names):
            continue
        last = next(name for name in reversed(names) if name in looked)
        others = ", ".join(f"'{name}' ({places[name][0]}:{places[name][1]})" for name in names if name != last)
        message = f"'{last}' is '{shared}' in ROS, and so is {others}"
        found.append(Difference("ros-collision", *places[last], message, last, "rename one of them"))
    for name in looked_at:
        ros = rosify(name)
        if not ros or ros[0] in _DIGITS:
            message = f"'{name}' is '{ros}' in ROS, where names start with a letter"
            found.append(Difference("ros-name", *places[name], message, name, "rename it"))
    return found


# ---------------------------------------------------------------- check


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
    found = [
        Difference("fmi-base", str(each.file), each.line, each.column, each.message, hint=WHERE_LIBRARIES_ARE)
        for each in interface.missing_bases
    ]
    found += [_unresolved(interface, sentence) for sentence in interface.unresolved]
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
    place = str(interface.file), interface.line, 1
    return Difference("fmi-unresolved", *place, sentence, hint=WHERE_LIBRARIES_ARE)
