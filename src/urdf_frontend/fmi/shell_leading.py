"""Signals through a shell: from its inputs into the model, and from the model to its outputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from modelica_ast import Reference, parse_reference
from modelica_ast.edit import NotFoundError
from urdf_frontend.fmi.errors import FmiError
from urdf_frontend.fmi.interface import Interface, Variable
from urdf_frontend.fmi.shell_body import Body, box_at
from urdf_frontend.fmi.shell_request import ShellRequest
from urdf_frontend.fmi.shell_signals import Signal
from urdf_frontend.fmi.shell_wrapped import Wrapped

_CONNECTORS: Final = "Modelica.Blocks.Interfaces."
_LEADABLE: Final = ("Real", "Integer", "Boolean")
_EDGE: Final = 120
_STEP: Final = 40


def add_variables(body: Body, request: ShellRequest) -> None:
    """Declare what a profile asks for and no template has; inputs stand at the left, outputs at the right."""
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
    """Connect connectors; an input that is none gets its value by a modifier, and an output takes it as its value."""
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
            what = "is driven by a variable of the profile" if name in led else "is no input of the model"
            raise FmiError(f"'{name}' can't be held, for it {what}")
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
