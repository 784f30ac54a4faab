"""The parameters of a model that a node of fmi_adapter can set, and those that it can't, with the reason."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, Final

from attrs import evolve, frozen

from modelica_ast.library import Libraries, instance
from modelica_ast.semantics import Instance, Modifier
from modelica_ast.tree import Expression, LiteralError, evaluate
from urdf_frontend.fmi.interface import Interface, Variable, elements_of, interface_of, sizes_of

# ---------------------------------------------------------------- rosify
# Names of variables as fmi_adapter gives them to ROS: those of topics and of parameters.

_OTHERS: Final = re.compile(rb"[^A-Za-z0-9_]")


def rosify(name: str) -> str:
    """The name in ROS: each byte that is not ASCII letter, digit or `_` becomes `_`; then the first `_` go.

    The adapter looks at the bytes of UTF-8, so `ü` becomes two `_`. The result may be empty, may start with a digit,
    and may be that of another variable too; the adapter notices none of this.
    """
    return _OTHERS.sub(b"_", name.encode("utf-8", "surrogatepass")).decode("ascii").lstrip("_")


def collisions(names: Iterable[str]) -> dict[str, list[str]]:
    """The names in ROS that several variables share, each with these."""
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        found.setdefault(rosify(name), []).append(name)
    return {shared: those for shared, those in found.items() if len(those) > 1}


# ---------------------------------------------------------------- ros parameters

# Parameters of the node itself, or of every node: none of them is one of the model.
OF_THE_NODE: Final = frozenset(
    {"fmu_path", "step_size", "update_period", "use_sim_time", "start_type_description_service"}
)


@frozen
class RosParameter:
    """A Real parameter with a value: one element if it is an array."""

    name: str  # in ROS
    fmi_name: str
    value: float
    variable: Variable


@frozen
class LeftOut:
    """A parameter that is not written, and why."""

    name: str
    reason: str
    variable: Variable


@frozen
class RosParameters:
    """All parameters of a model, as ROS sees them."""

    written: tuple[RosParameter, ...]
    left_out: tuple[LeftOut, ...]


def ros_parameters(interface: Interface) -> RosParameters:
    """What can be set: Real parameters whose values are written as numbers. The others are named with a reason."""
    written: list[RosParameter] = []
    left_out: list[LeftOut] = []
    for variable in interface.parameters:
        reason = _reason(variable)
        if reason is not None:
            left_out.append(LeftOut(variable.name, reason, variable))
            continue
        written += [
            RosParameter(rosify(element.name), element.name, float(element.start), variable)
            for element in elements_of(variable) or []
        ]
    shared = collisions([parameter.fmi_name for parameter in written])
    for parameter in list(written):
        reason = _name_reason(parameter, shared)
        if reason is not None:
            written.remove(parameter)
            left_out.append(LeftOut(parameter.fmi_name, reason, parameter.variable))
    return RosParameters(tuple(written), tuple(left_out))


# What a shell brings along: none of it is a value of the actuator.
_ADAPTORS: Final = (
    "Modelica.Mechanics.Rotational.Components.AngleToTorqueAdaptor",
    "Modelica.Mechanics.Translational.Components.GeneralPositionToForceAdaptor",
)
_GAIN: Final = "Modelica.Blocks.Math.Gain"


def tunable_interface(libraries: Libraries, model: str, *, nested: bool) -> Interface:
    """The variables that somebody may want to tune: nothing of the adaptor of a shell and of the gain for its sign.

    Those of components are among them if `nested` is true, and one level of them if the model has no parameters of its
    own: then it is a shell, or something like it, and what is tuned is in its middle. FmiError if a base class is not
    found.
    """
    found = interface_of(libraries, model, depth=None if nested else 0)
    if not nested and not found.parameters:
        found = interface_of(libraries, model, depth=1)
    found.refuse_missing_bases()
    helpers = _helpers_of(instance(libraries, model))
    kept = [each for each in found.variables if each.name.partition(".")[0] not in helpers]
    return evolve(found, variables=tuple(kept))


def _helpers_of(model: Instance) -> set[str]:
    """The adaptor of a shell, and the gain that turns the sign of what it measures."""
    adaptors = {name for name, each in model.components.items() if each.type_name in _ADAPTORS}
    gains = set()
    for each in model.connections:
        for one, other in ((each.left, each.right), (each.right, each.left)):
            name = other.partition(".")[0]
            component = model.components.get(name)
            if one.partition(".")[0] in adaptors and component is not None and component.type_name == _GAIN:
                gains.add(name)
    return adaptors | gains


def _reason(variable: Variable) -> str | None:
    """Why a parameter can't be set from ROS; None if it can be."""
    if variable.is_final:
        return "final"
    if variable.is_protected:
        return "protected"
    if variable.type != "Real":
        return f"of type {variable.type}, and fmi_adapter sets Real only"
    binding = variable.component.binding
    if binding is None and variable.start is None:
        return "without a value"
    if not is_number_in_source(variable):
        text = "" if binding is None else " ".join(binding.text.split())
        return f"an expression, {text}" if text else "an expression"
    elements = elements_of(variable)
    if elements is None:
        return "an array whose size is not known"
    if not all(_is_number(element.start) for element in elements):
        return "an array whose values are not all known"
    return None


def _name_reason(parameter: RosParameter, shared: dict[str, list[str]]) -> str | None:
    if not parameter.name:
        return "without a name in ROS"
    if parameter.name in OF_THE_NODE:
        return f"'{parameter.name}' in ROS, which is a parameter of the node"
    if parameter.name in shared:
        others = ", ".join(name for name in shared[parameter.name] if name != parameter.fmi_name)
        return f"'{parameter.name}' in ROS, and so is {others}"
    return None


def written_value(variable: Variable) -> Expression | None:
    """The expression of a parameter's value, or of a start value where there is no other; None without either."""
    modifier = value_modifier(variable)
    if modifier is None or modifier.member or not isinstance(modifier.value, Expression):
        return None
    return modifier.value


def value_modifier(variable: Variable) -> Modifier[Any] | None:
    """What sets the value of a parameter, or the start value where there is no other."""
    binding = variable.component.binding if variable.variability == "fixed" else None
    return binding if binding is not None else variable.component.attributes.get("start")


def is_number_in_source(variable: Variable) -> bool:
    """Is the value written as a number, or as an array of numbers?"""
    expression = written_value(variable)
    if expression is None:
        return False
    try:
        value = evaluate(expression)
    except LiteralError:
        return False
    todo = [value]
    while todo:
        each = todo.pop()
        if isinstance(each, list | tuple):
            todo += each
        elif not _is_number(each):
            return False
    return True


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_array(variable: Variable) -> bool:
    """Is it an array, or in an array of components?"""
    return bool(sizes_of(variable))
