"""The parameters of a model that a node of fmi_adapter can set, and those that it can't, with the reason."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from attrs import evolve, frozen

from modelica_ast.foundation import EditError, nearest
from modelica_ast.library import Libraries, instance
from modelica_ast.semantics import Instance, Modifier
from modelica_ast.tree import Array, Expression, LiteralError, Matrix, evaluate, literal
from urdf_frontend.fmi.interface import Interface, Variable, chain_of, elements_of, interface_of, sizes_of
from urdf_frontend.fmi.parameter_files import Entry, NodeParameters
from urdf_frontend.fmi.profiles import FmiError

# ---------------------------------------------------------------- parameters


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


# ---------------------------------------------------------------- tuned values
# Values that were tuned in a file of ROS parameters, back in the model: one number each, and no other byte.


@frozen
class Applied:
    """A value that was brought back."""

    name: str  # in the model
    line: int  # of the file of parameters
    old: float
    new: float


@frozen
class NotApplied:
    """A value that was not, and why."""

    name: str  # in ROS
    line: int
    reason: str


@frozen
class ApplyReport:
    """What became of the parameters of a file."""

    applied: tuple[Applied, ...]
    not_applied: tuple[NotApplied, ...]
    unchanged: int  # those that were equal


@frozen
class _Target:
    """An element of a variable, by its name in ROS."""

    name: str
    index: int  # among the elements of the variable
    value: object
    variable: Variable


def apply_parameters(libraries: Libraries, model: str, node: NodeParameters) -> ApplyReport:
    """Set the values of a node in a model. The libraries are changed in memory, all values or none; save them then."""
    interface = interface_of(libraries, model, depth=None)
    targets = _targets(interface)
    changes: list[tuple[_Target, Entry, float]] = []
    refused: list[NotApplied] = []
    unchanged = 0
    for entry in node.parameters:
        name = entry.path[-1]
        if name in OF_THE_NODE:
            continue
        reason, target = _decided(name, entry, targets)
        if reason is not None or target is None:
            refused.append(NotApplied(name, entry.line, reason or ""))
            continue
        assert entry.number is not None
        if entry.number == target.value:
            unchanged += 1
        else:
            changes.append((target, entry, entry.number))
    if changes:
        with libraries.transaction():
            refused += _Writing(libraries, model, changes).write()
            left = {each.name for each in refused}
            changes = [change for change in changes if change[1].path[-1] not in left]
            _prove(libraries, model, changes)
    applied = [
        Applied(target.name, entry.line, float(target.value), value)
        for target, entry, value in changes
        if isinstance(target.value, int | float)
    ]
    return ApplyReport(tuple(applied), tuple(sorted(refused, key=lambda each: each.line)), unchanged)


def _targets(interface: Interface) -> dict[str, list[_Target]]:
    found: dict[str, list[_Target]] = {}
    for variable in interface.variables:
        if variable.variability == "constant":
            continue
        for index, element in enumerate(elements_of(variable) or []):
            found.setdefault(rosify(element.name), []).append(_Target(element.name, index, element.start, variable))
    return found


def _decided(name: str, entry: Entry, targets: dict[str, list[_Target]]) -> tuple[str | None, _Target | None]:
    """Why a value can't be brought back, or where to."""
    found = targets.get(name, [])
    if not found:
        return f"the model has no such variable{nearest(name, targets)}", None
    if len(found) > 1:
        return f"it may mean {' or '.join(target.name for target in found)}", None
    target = found[0]
    variable = target.variable
    if entry.number is None:
        return "its value is not a finite number", None
    if variable.is_final:
        return f"'{target.name}' is final ({variable.place})", None
    if variable.is_protected:
        return f"'{target.name}' is protected ({variable.place})", None
    if variable.type != "Real":
        return f"'{target.name}' is of type {variable.type}, and fmi_adapter sets Real only ({variable.place})", None
    if not is_number_in_source(variable):
        expression = written_value(variable)
        what = "has no value" if expression is None else f"is an expression, {' '.join(expression.text.split())}"
        return f"'{target.name}' {what} ({variable.place})", None
    if not isinstance(target.value, int | float):
        return f"the value of '{target.name}' in the model is not known ({variable.place})", None
    return None, target


class _Writing:
    """The edits of one model: numbers that are in its own class are replaced, for others a modifier is set."""

    def __init__(self, libraries: Libraries, model: str, changes: Sequence[tuple[_Target, Entry, float]]) -> None:
        self._libraries = libraries
        self._model = model
        self._changes = changes
        self._handle = libraries.find_class(model)
        self._file = libraries.entry_of(model)[1].path

    def write(self) -> list[NotApplied]:
        replacements: list[dict[str, object]] = []
        others: list[tuple[_Target, Entry, float]] = []
        for target, entry, value in self._changes:
            number = _number_of(written_value(target.variable), target)
            if number is not None and self._is_own(target.variable):
                place = number.position
                new = literal(value).text
                replacements.append({"line": place.line, "column": place.column, "old": number.text, "new": new})
            else:
                others.append((target, entry, value))
        refused = [reason for target, entry, _ in others if (reason := self._refusal(target, entry)) is not None]
        left = {each.name for each in refused}
        document = self._libraries.document_at(self._file)
        if replacements:
            document.apply([{"op": "replace_text", "replacements": replacements}])
        for target, entry, value in others:
            if entry.path[-1] not in left:
                self._set_modifier(target.variable, value)
        return refused

    def _is_own(self, variable: Variable) -> bool:
        """Is the value written in the model itself, not in a class that other components use too?"""
        modifier = value_modifier(variable)
        return modifier is not None and modifier.scope.full_name == self._model

    def _refusal(self, target: _Target, entry: Entry) -> NotApplied | None:
        if is_array(target.variable):
            reason = f"'{target.name}' has no number of its own in {self._model}: write the array there first"
            return NotApplied(entry.path[-1], entry.line, f"{reason} ({target.variable.place})")
        return None

    def _set_modifier(self, variable: Variable, value: float) -> None:
        component = variable.component
        is_start = component.binding is None or variable.variability != "fixed"
        first, *rest = (part.name for part in chain_of(variable))
        path = [*rest, "start"] if is_start else rest
        try:
            if self._handle.get_component(first) is not None:
                self._handle.find_component(first).set(".".join(path), value)
            else:
                self._handle.set_extends_modifier(self._base_of(first), ".".join([first, *path]), value)
        except EditError as wrong:
            raise FmiError(f"'{variable.name}' can't be set in {self._model}: {wrong}") from None

    def _base_of(self, name: str) -> str:
        """The base class, as it is written, that brings a component."""
        root = instance(self._libraries, self._model)
        for base in root.environment.bases:
            if base.environment is not None and base.environment.member(name) is not None:
                return str(base.type)
        raise FmiError(f"no base class of {self._model} has '{name}'")


def _number_of(expression: Expression | None, target: _Target) -> Expression | None:
    """The number of an element in the expression of an array; None if one number stands for all elements."""
    if expression is None:
        return None
    numbers: list[Expression] = []
    todo = [expression]
    while todo:
        each = todo.pop()
        if isinstance(each, Array):
            todo += reversed(each.items)
        elif isinstance(each, Matrix):
            todo += reversed([item for row in each.rows for item in row.items])
        else:
            numbers.append(each)
    count = len(elements_of(target.variable) or [])
    return numbers[target.index] if len(numbers) == count else None


def _prove(libraries: Libraries, model: str, changes: Sequence[tuple[_Target, Entry, float]]) -> None:
    """Read the model again: each value must be there now; raised inside a transaction, this takes all back."""
    interface = interface_of(libraries, model, depth=None)
    variables = {variable.name: variable for variable in interface.variables}
    for target, _, value in changes:
        elements = elements_of(variables[target.variable.name]) or []
        if elements[target.index].start != value:
            raise FmiError(f"'{target.name}' would not be {value} in {model} after it was set")
