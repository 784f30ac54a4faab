"""What a shell is asked to be: which model, for which profile, and what of the model is which variable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import Factory, frozen

from modelica_ast.foundation import nearest
from urdf_frontend.fmi.interface import Interface, Variable
from urdf_frontend.fmi.profiles import GAZEBO_ACTUATOR, FmiError, Profile, Var

ACTUATOR_INPUT: Final = "actuatorInput"
_AXES: Final = ("x", "y", "z")
_PATH: Final = re.compile(r"(?P<name>[^\[\]]+)(?:\[(?P<index>[1-9][0-9]*)\])?")


@frozen
class ShellRequest:
    """Paths are names inside the model, `shaft.flange_b`; a signal may be an element of an array, `v[1]`."""

    model: str  # the full name of its class
    profile: Profile
    flange: str | None = None
    signals: Mapping[str, str] = Factory(dict)  # variable of the profile -> path
    held: Mapping[str, float] = Factory(dict)  # input of the model that nothing drives -> its value

    @property
    def is_actuator(self) -> bool:
        """Does the profile ask for what an adaptor at a flange gives?"""
        return self.profile.name == GAZEBO_ACTUATOR.name


@frozen
class Element:
    """A path, and which element of the array that it leads to; None for a scalar."""

    path: str
    index: int | None

    @property
    def text(self) -> str:
        """As it is written."""
        return self.path if self.index is None else f"{self.path}[{self.index}]"


def element_of(written: str) -> Element:
    """`v[1]` in its parts; FmiError if it is not a path."""
    found = _PATH.fullmatch(written.strip())
    if found is None:
        raise FmiError(f"'{written}' is not a path of a variable: write a name, `source.u`, or an element, `v[1]`")
    return Element(found["name"], None if found["index"] is None else int(found["index"]))


def axis_signals(variable: str, written: str, interface: Interface) -> Iterator[tuple[str, str]]:
    """(`variable_x`, path) for three axes: of an array of three, or of three names with commas between them."""
    names: Sequence[str] = [name.strip() for name in written.split(",")]
    if len(names) == 1:
        found = interface.find(names[0])
        if found.dimensions != (len(_AXES),):
            raise FmiError(f"{found.place}: '{names[0]}' is not an array of three; or name three variables: a,b,c")
        names = [f"{names[0]}[{index}]" for index in range(1, len(_AXES) + 1)]
    if len(names) != len(_AXES):
        raise FmiError(f"'{written}' is neither one array of three nor three names with commas between them")
    for axis, name in zip(_AXES, names, strict=True):
        yield f"{variable}_{axis}", name


# ---------------------------------------------------------------- shell signals
# Signals: which variable of a model is which variable of a profile.

# What an output of a shell can be read from, and an input lead to.
_READABLE: Final = ("output", "local")


@frozen
class Signal:
    """A variable of a profile, and the variable of the model that it is, or an element of it."""

    var: Var
    element: Element
    variable: Variable

    @property
    def is_input(self) -> bool:
        """Does it go into the model?"""
        return self.var.causality == "input"

    @property
    def is_connector(self) -> bool:
        """Can it be connected? A plain variable gets, or is, a value instead."""
        environment = self.variable.component.environment
        for part in environment.ancestry() if environment is not None else ():
            if getattr(part.definition, "class_kind", "").endswith("connector"):
                return True
        return False


def signals_of(request: ShellRequest, interface: Interface) -> list[Signal]:
    """All signals: those that the request names, and variables of the model that are called as the profile says."""
    known = [var.name for var in request.profile.required]
    for name in request.signals:
        if name not in known:
            raise FmiError(f"the profile {request.profile.name} has no variable '{name}'{nearest(name, known)}")
    return list(_signals(request, interface))


def _signals(request: ShellRequest, interface: Interface) -> Iterator[Signal]:
    for var in request.profile.required:
        written = request.signals.get(var.name)
        if written is None:
            same = interface.get(var.name)
            if same is not None and fits(same, var):
                yield Signal(var, Element(var.name, None), same)
            continue
        element = element_of(written)
        variable = interface.find(element.path)
        _check_element(element, variable)
        _check_signal(variable, var, request.profile)
        yield Signal(var, element, variable)


def fits(variable: Variable, var: Var) -> bool:
    """Is a variable of the kind that a profile asks for?"""
    return (variable.causality, variable.type) == (var.causality, var.type) and not variable.dimensions


def check_variable(variable: Variable, var: Var, profile: Profile) -> None:
    """FmiError if a variable has the name that a profile asks for, and is something else."""
    if fits(variable, var):
        return
    raise FmiError(
        f"{variable.place}: '{variable.name}' is {_described(variable)}, and {profile.name} asks for "
        f"{_with_article(var.causality)} of type {var.type}: rename it (modelica-patch rename), or say which variable "
        f"it is (--map {var.name}=NAME; the SDF file then needs variable_names)"
    )


def unit_note(variable: Variable, var: Var, unit: str | None) -> str | None:
    """What to say if the units of a variable and of a profile are known and differ."""
    if unit is None or variable.unit is None or variable.unit == unit:
        return None
    return f"{variable.place}: the unit of '{variable.name}' is {variable.unit}, and '{var.name}' is in {unit}"


def _check_signal(variable: Variable, var: Var, profile: Profile) -> None:
    fits = (variable.causality in _READABLE) if var.causality == "output" else variable.causality == var.causality
    if not fits or variable.type != var.type:
        raise FmiError(
            f"{variable.place}: '{variable.name}' is {_described(variable)}; '{var.name}' of "
            f"{profile.name} must be {_with_article(var.causality)} of type {var.type}"
        )


def _check_element(element: Element, variable: Variable) -> None:
    if element.index is None:
        if variable.dimensions:
            raise FmiError(f"{variable.place}: '{element.path}' is an array: name an element of it, {element.path}[1]")
        return
    size = variable.dimensions[0] if len(variable.dimensions) == 1 else 0
    if size is not None and element.index > size:
        what = f"an array of {size}" if size else "not a vector"
        raise FmiError(f"{variable.place}: there is no {element.text}, for '{element.path}' is {what}")


def _described(variable: Variable) -> str:
    array = "an array, " if variable.dimensions else ""
    return f"{array}{_with_article(variable.causality)} of type {variable.type}"


def _with_article(causality: str) -> str:
    word = {"local": "local variable", "calculatedParameter": "calculated parameter"}.get(causality, causality)
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
