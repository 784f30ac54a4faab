"""Flanges: which connectors of a model a joint can be moved at, and how that is done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import evolve, frozen

from modelica_ast.foundation import NotFoundError, shown
from modelica_ast.library import Libraries, instance
from modelica_ast.semantics import ComponentInstance, Instance
from urdf_frontend.fmi.interface import Interface, interface_of
from urdf_frontend.fmi.profiles import GAZEBO_FLUID, FmiError
from urdf_frontend.fmi.shells.request import ACTUATOR_INPUT, ShellRequest, Signal, fits, signals_of, unit_note

_DEEPEST: Final = 2  # levels of components in which a connector can be connected to


@frozen
class FlangeKind:
    """A kind of flange: what its connectors are made of, and the template with the adaptor that moves it."""

    name: str
    potential: str
    flow: str
    template: str


ROTATIONAL: Final = FlangeKind("rotational", "phi", "tau", "Templates.RotationalActuator")
TRANSLATIONAL: Final = FlangeKind("translational", "s", "f", "Templates.TranslationalActuator")
_KINDS: Final = (ROTATIONAL, TRANSLATIONAL)


@frozen
class Flange:
    """A flange of a model."""

    path: str
    kind: FlangeKind
    component: ComponentInstance


def kind_of(component: ComponentInstance) -> FlangeKind | None:
    """What kind of flange a component is; None if it is not one.

    Connectors fit if their variables have the same names, so that is what is looked at, not the name of the class.
    """
    inside = component.components
    for kind in _KINDS:
        if set(inside) == {kind.potential, kind.flow} and inside[kind.flow].flow == "flow":
            return kind
    return None


def find_flange(model: Instance, path: str | None) -> Flange:
    """The flange of a path, or the only one that the model itself has; FmiError says what there is instead."""
    if path is None:
        own = [each for each in model.components.values() if each.is_present is not False and kind_of(each) is not None]
        if len(own) != 1:
            refuse_unknown_types(model)
            known = ", ".join(flanges_in(model)) or "none, so it can't drive a joint"
            raise FmiError(f"{model.name}: name the flange that drives the joint with --flange; there is {known}")
        path = own[0].path
    try:
        component = model.find(path)
    except NotFoundError as wrong:
        refuse_unknown_types(model)
        raise FmiError(f"{model.name}: {wrong} (its flanges: {', '.join(flanges_in(model)) or 'none'})") from None
    kind = kind_of(component)
    if kind is None:
        refuse_unknown_types(model)
        raise FmiError(
            f"{shown(component.file)}:{component.line}: '{path}' is a {component.type_text}, not "
            f"a flange of Rotational or Translational; there is {', '.join(flanges_in(model)) or 'none'}"
        )
    condition = component.condition
    if component.is_present is False and condition is not None:
        raise FmiError(
            f"{shown(component.file)}:{component.line}: '{path}' exists "
            f"only if {condition.text}: settle that in a model that extends this one"
        )
    if component.dimensions:
        raise FmiError(f"{shown(component.file)}:{component.line}: '{path}' is an array of flanges; a joint has one")
    return Flange(path, kind, component)


def refuse_unknown_types(model: Instance) -> None:
    """FmiError if a type is not found, for what is missing may be after it."""
    for component in model.components.values():
        if component.environment is None:
            raise FmiError(
                f"{shown(component.file)}:{component.line}: the type '{component.type_text}' of '{component.path}' is "
                "not found: is its library installed, in the version that `uses` asks for? "
                "modelica-patch convert brings models to another version"
            )


def flanges_in(model: Instance) -> list[str]:
    """The flanges that a shell can reach, those of the model itself first."""
    return sorted(_flanges(model), key=lambda path: path.count("."))


def _flanges(model: Instance) -> Iterator[str]:
    for component in model.walk(max_depth=_DEEPEST):
        if component.is_present is not False and kind_of(component) is not None:
            yield component.path


# ---------------------------------------------------------------- shell wanted
# What a request comes to for its model: its flange, its signals, the template that fits.

FLUID_TEMPLATE: Final = "Templates.FluidDynamics"
SIGNALS_TEMPLATE: Final = "Templates.Signals"
TORQUE: Final = "jointTorque"
MOMENT: Final = "fluidDynamicMoment_"


@frozen
class Wanted:
    """What a request comes to for its model."""

    request: ShellRequest
    model: Instance
    interface: Interface
    flange: Flange | None
    signals: tuple[Signal, ...]
    notes: tuple[str, ...]

    @property
    def template(self) -> str:
        """The template of the profile, for an actuator by the kind of its flange."""
        if self.flange is not None:
            return self.flange.kind.template
        return FLUID_TEMPLATE if self.request.profile.name == GAZEBO_FLUID.name else SIGNALS_TEMPLATE


def wanted_around(libraries: Libraries, request: ShellRequest) -> Wanted:
    """What a request comes to for a shell around its model; FmiError if the model is one itself."""
    own = interface_of(libraries, request.model)
    torque = own.get(TORQUE)
    if request.is_actuator and torque is not None and torque.causality == "output":
        raise FmiError(f"{torque.place}: {own.model} has '{TORQUE}' and needs no shell: complete it with --own")
    return wanted_inside(libraries, request)


def wanted_inside(libraries: Libraries, request: ShellRequest, *, needs_flange: bool = True) -> Wanted:
    """What a request comes to for the model itself."""
    if not request.profile.required:
        raise FmiError(f"the profile {request.profile.name} asks for no variables, so every model has them")
    model = instance(libraries, request.model)
    interface = interface_of(libraries, request.model, depth=1)
    interface.refuse_missing_bases()
    notes: list[str] = []
    if request.is_actuator:
        request = _with_input(request, interface, notes)
    elif request.flange is not None:
        raise FmiError(f"the profile {request.profile.name} has nothing that drives a joint: omit --flange")
    flange = find_flange(model, request.flange) if request.is_actuator and needs_flange else None
    signals = signals_of(request, interface)
    _refuse_missing(request, signals)
    notes += _namesakes(request, interface)
    for signal in signals:
        if signal.variable.component.environment is None:  # what it is is known by its name only, not how to lead it
            refuse_unknown_types(model)
        is_linear = flange is not None and flange.kind == TRANSLATIONAL
        unit = (signal.var.linear_unit if is_linear else None) or signal.var.unit
        note = unit_note(signal.variable, signal.var, unit)
        notes += [] if note is None else [note]
    return Wanted(request, model, interface, flange, tuple(signals), tuple(notes))


def _with_input(request: ShellRequest, interface: Interface, notes: list[str]) -> ShellRequest:
    """The request with what the controller drives, which need not be said if the model has one input."""
    if ACTUATOR_INPUT in request.signals or interface.get(ACTUATOR_INPUT) is not None:
        return request
    others = {*request.signals.values(), *request.held, *(var.name for var in request.profile.required)}
    free = [each.name for each in interface.inputs if each.type == "Real" and each.name not in others]
    if len(free) > 1:
        raise FmiError(f"{request.model}: say which input the controller drives with --input: {', '.join(free)}")
    if not free:
        notes.append(f"{request.model} has no input, so '{ACTUATOR_INPUT}' drives nothing")
        return request
    return evolve(request, signals={**request.signals, ACTUATOR_INPUT: free[0]})


def _namesakes(request: ShellRequest, interface: Interface) -> list[str]:
    """What to say of variables of the model that have a name of the profile and are something else."""
    found = []
    for var in request.profile.required:
        same = interface.get(var.name)
        if same is not None and var.name not in request.signals and not fits(same, var):
            found.append(
                f"{same.place}: '{var.name}' of the model does not have causality {var.causality} and type "
                f"{var.type}; it stays inside"
            )
    return found


def _refuse_missing(request: ShellRequest, signals: Sequence[Signal]) -> None:
    """FmiError for a variable that nothing of the model is; an adaptor gives those of an actuator."""
    if request.is_actuator:
        return
    led = {signal.var.name for signal in signals}
    missing = [var for var in request.profile.required if var.name not in led and not var.name.startswith(MOMENT)]
    if missing:
        names = ", ".join(var.name for var in missing)
        raise FmiError(
            f"{request.model}: say what these variables of {request.profile.name} are in the model, with --map "
            f"{missing[0].name}=NAME: {names}"
        )
