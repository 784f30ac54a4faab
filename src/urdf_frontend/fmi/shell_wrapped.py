"""The model in the middle of a shell, and how its flange is reached."""

from __future__ import annotations

from typing import Final

from attrs import define

from modelica_ast.edit import ClassHandle, ComponentHandle
from modelica_ast.library import ComponentInstance, Instance
from urdf_frontend.fmi.errors import FmiError
from urdf_frontend.fmi.places import shown
from urdf_frontend.fmi.shell_body import Body, box_at, free_name
from urdf_frontend.fmi.shell_flanges import Flange
from urdf_frontend.names.reserved import KEYWORDS

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
        """The component that is there already, or a new one in the middle."""
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
        f"{shown(component.file)}:{component.line}: '{flange.path}' is too far inside, for a connection reaches a "
        "component and its connectors: give the model a flange of its own and connect it there"
    )


def _is_of(component: ComponentInstance, model: Instance) -> bool:
    environment = component.environment
    wanted = model.environment.definition
    return environment is not None and any(part.definition == wanted for part in environment.ancestry())


def _first_sentence(model: Instance) -> str | None:
    definition = model.environment.definition
    description = getattr(definition, "description", None)
    return description.value or None if description is not None else None
