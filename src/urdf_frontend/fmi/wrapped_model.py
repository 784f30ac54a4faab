"""The model in the middle of a shell: at which of its connectors a joint can be moved, and how that is reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from attrs import define, evolve, frozen

from modelica_ast.edit import ClassHandle, ComponentHandle
from modelica_ast.foundation import NotFoundError, shown
from modelica_ast.library import Libraries, instance
from modelica_ast.semantics import ComponentInstance, Instance
from modelica_ast.tree import Reference, parse_reference
from urdf_frontend.fmi.interface import Interface, Variable, interface_of
from urdf_frontend.fmi.profiles import GAZEBO_FLUID, FmiError
from urdf_frontend.fmi.shell_body import Body, box_at, free_name
from urdf_frontend.fmi.shell_request import ACTUATOR_INPUT, ShellRequest, Signal, fits, signals_of, unit_note
from urdf_frontend.robot import KEYWORDS

# ---------------------------------------------------------------- flanges
# Flanges: which connectors of a model a joint can be moved at, and how that is done.


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


# ---------------------------------------------------------------- the model in the middle


_REACHED: Final = 2  # names that a connection can have: a component, and a connector of it
_MIDDLE: Final = (0, 60)
_HALF: Final = 20


@define
class Wrapped:
    """A component of the shell that is of the model, or of a class in the shell that extends it."""

    body: Body
    name: str
    model: Instance

    @classmethod
    def found_or_added(cls, body: Body, model: Instance) -> Wrapped:
        """The component that already exists, or a new one in the middle."""
        there = [name for name, each in body.known.items() if _is_of(each, model)]
        if there:
            return cls(body, there[0], model)
        own = model.name.rpartition(".")[2]
        wanted = own[0].lower() + own[1:]
        # A component can't be called like its class, nor like a keyword.
        if not own[0].isalpha() or wanted in {own, *KEYWORDS}:
            wanted = "wrapped"
        name = body.free_name(wanted)
        body.add(model.name, name, None, _first_sentence(model), box_at(*_MIDDLE, _HALF))
        return cls(body, name, model)

    @property
    def handle(self) -> ComponentHandle:
        """Its declaration."""
        return self.body.handle.find_component(self.name)

    def flange_end(self, flange: Flange) -> str:
        """What to connect to reach a flange of the model.

        A connection reaches connectors of the component only. A flange further inside is led out by a class in the
        shell that extends the model, for there it can be connected.
        """
        parts = path_of(flange.component)
        if len(parts) == 1 and not flange.component.is_protected:
            return f"{self.name}.{flange.path}"
        if len(parts) > _REACHED:
            raise refuse_deep(flange)
        return f"{self.name}.{self._led_out(flange)}"

    def _led_out(self, flange: Flange) -> str:
        opened = self._opened_class()
        for one, other in opened.connections:
            if flange.path in (one, other):
                return other if one == flange.path else one
        taken = {*self.model.components, *self.model.classes, *(each.name for each in opened.components)}
        name = free_name(flange.component.name, taken)
        assert flange.component.type_name is not None
        new = opened.add_component(flange.component.type_name, name, description="The flange that drives the joint")
        new.set_placement(box_at(100, 0, 10))
        opened.connect(flange.path, name)
        return name

    def _opened_class(self) -> ClassHandle:
        """The class in the shell that extends the model, added if it is not there."""
        shell = self.body.handle
        written = self.handle.type
        for inner in shell.classes:
            if inner.name.rpartition(".")[2] == written:
                return inner
        own = self.model.name.rpartition(".")[2]
        name = free_name(f"{own}WithFlange", self.body.names)
        shell.add_class(name, "model", description="The model with its flange led out", place="first")
        opened = shell.find_class(name)
        opened.add_extends(self.model.name)
        self.handle.set_type(name)
        return opened


def path_of(component: ComponentInstance) -> list[str]:
    """The names on the way to a component."""
    names = [component.name]
    around = component.parent
    while isinstance(around, ComponentInstance):
        names.insert(0, around.name)
        around = around.parent
    return names


def refuse_deep(flange: Flange) -> FmiError:
    """The error for a flange that no connection can reach."""
    component = flange.component
    while isinstance(component.parent, ComponentInstance):
        component = component.parent
    return FmiError(
        f"{shown(component.file)}:{component.line}: '{flange.path}' is "
        "too deep inside: a connection reaches only a component and its connectors: give the model a flange "
        "of its own and connect it there"
    )


def _is_of(component: ComponentInstance, model: Instance) -> bool:
    environment = component.environment
    wanted = model.environment.definition
    return environment is not None and any(part.definition == wanted for part in environment.ancestry())


def _first_sentence(model: Instance) -> str | None:
    definition = model.environment.definition
    description = getattr(definition, "description", None)
    return description.value or None if description is not None else None


# ---------------------------------------------------------------- shell leading
# Signals through a shell: from its inputs into the model, and from the model to its outputs.

_CONNECTORS: Final = "Modelica.Blocks.Interfaces."
_LEADABLE: Final = ("Real", "Integer", "Boolean")
_EDGE: Final = 120
_STEP: Final = 40


def add_variables(body: Body, request: ShellRequest) -> None:
    """Declare what a profile asks for and no template has; inputs are at the left, outputs at the right."""
    rows = {"input": 80, "output": 80}
    for var in request.profile.required:
        if var.causality == "parameter" or var.type not in _LEADABLE:
            raise FmiError(
                f"the profile {request.profile.name} asks for '{var.name}', {var.causality} of type {var.type}: a "
                f"shell leads inputs and outputs of the types {', '.join(_LEADABLE)} through"
            )
        row = rows[var.causality]
        rows[var.causality] -= _STEP
        if var.name in body.names:
            continue
        is_input = var.causality == "input"
        type_ = f"{_CONNECTORS}{var.type}{'Input' if is_input else 'Output'}"
        modifiers = {"unit": var.unit} if var.unit is not None and var.type == "Real" else None
        place = box_at(-_EDGE, row, 20) if is_input else box_at(_EDGE - 10, row, 10)
        body.add(type_, var.name, modifiers, var.description or None, place)


def lead_signals(body: Body, wrapped: Wrapped, signals: Iterable[Signal]) -> None:
    """Connect connectors.

    An input that is not a connector gets its value by a modifier, and an output takes it as its value.
    """
    values: dict[str, dict[int, Any]] = {}
    for signal in signals:
        end = f"{wrapped.name}.{signal.element.text}"
        if _is_there_already(body, signal, wrapped):
            continue
        if signal.is_connector and "." not in signal.element.path:
            source, sink = (signal.var.name, end) if signal.is_input else (end, signal.var.name)
            body.connect(source, sink, is_signal=True)
        elif signal.is_input:
            values.setdefault(signal.element.path, {})[signal.element.index or 0] = Reference(signal.var.name)
        else:
            set_output(body, signal.var.name, end)
    for path, elements in values.items():
        whole = elements[0] if 0 in elements else [elements[index] for index in sorted(elements)]
        wrapped.handle.set(path, whole)


def _is_there_already(body: Body, signal: Signal, wrapped: Wrapped) -> bool:
    if not signal.is_input:
        return body.is_driven(signal.var.name)
    whole = f"{wrapped.name}.{signal.element.path}"
    one = f"{wrapped.name}.{signal.element.text}"
    by_modifier = wrapped.handle.get(signal.element.path) is not None
    return (
        by_modifier
        or whole in body.driven
        or (signal.element.index is not None and one in body.driven)
        or (signal.element.index is None and body.is_driven(whole))
    )


def set_output(body: Body, name: str, value: str | int) -> None:
    """Give an output its value: what a name stands for, or a number."""
    try:
        output = body.handle.find_component(name)
    except NotFoundError:
        raise FmiError(
            f"'{name}' is inherited by {body.handle.name} and has no value there: give it one in the class that "
            "declares it"
        ) from None
    output.set("", parse_reference(value) if isinstance(value, str) else value)
    body.driven.add(name)


def hold_inputs(
    body: Body, wrapped: Wrapped, interface: Interface, signals: Iterable[Signal], request: ShellRequest
) -> list[str]:
    """Give the inputs of the model that no signal leads to the value that they start with; what to say of it."""
    led = {signal.element.path for signal in signals if signal.is_input}
    others = [each for each in interface.inputs if each.name not in led]
    known = {each.name for each in others}
    for name in request.held:
        if name not in known:
            what = "is driven by a variable of the profile" if name in led else "is not an input of the model"
            raise FmiError(f"'{name}' can't be held, because it {what}")
    notes = []
    for variable in others:
        if variable.component.binding is not None or variable.is_protected:
            continue
        if body.is_driven(f"{wrapped.name}.{variable.name}") or wrapped.handle.get(variable.name) is not None:
            continue
        value = request.held.get(variable.name, variable.start)
        if value is None:
            raise FmiError(_nothing_drives(variable, request))
        wrapped.handle.set(variable.name, value)
        written = wrapped.handle.get(variable.name)
        shown = value if written is None else written.text
        notes.append(f"the input '{variable.name}' of {interface.model} is held at {shown}")
    return notes


def _nothing_drives(variable: Variable, request: ShellRequest) -> str:
    return (
        f"{variable.place}: nothing drives the input '{variable.name}', and it has no start value: say which variable "
        f"of {request.profile.name} it is (--map), or give it a value (--hold)"
    )
