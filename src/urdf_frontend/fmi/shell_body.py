"""The class that becomes a shell: what is already there stays, what is missing is added.

An end that is driven is left alone, whatever drives it: that is how a second run keeps what the user has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import define, field

from modelica_ast.edit import ClassHandle, ComponentHandle
from modelica_ast.graphics import Color, Extent, Line, Placement, Point, Transformation
from modelica_ast.semantics import ComponentInstance, Instance
from modelica_ast.tree import ComponentReference, ConnectEquation, ElementModification, find_all

SIGNAL_COLOR: Final = Color(0, 0, 127)
Number = int | float


@define
class Body:
    """A class with what is known of it: all its components, inherited ones too, and what is driven in it."""

    handle: ClassHandle
    known: dict[str, ComponentInstance] = field(factory=dict)  # by name; what was just cloned is not among them
    driven: set[str] = field(factory=set)
    pairs: list[tuple[str, str]] = field(factory=list)

    @classmethod
    def of_clone(cls, handle: ClassHandle) -> Body:
        """A class that nobody but this package has written."""
        return cls(handle, driven={end for pair in handle.connections for end in pair}, pairs=handle.connections)

    @classmethod
    def of_user(cls, handle: ClassHandle, model: Instance) -> Body:
        """A class of the user, with what it inherits."""
        pairs = [(each.left, each.right) for each in model.connections]
        driven = {end for pair in pairs for end in pair} | set(_in_equations(model))
        driven |= {name for name, each in model.components.items() if each.binding is not None}
        return cls(handle, dict(model.components), driven, pairs)

    @property
    def names(self) -> set[str]:
        """All names that are taken."""
        own = {component.name for component in self.handle.components}
        return {*self.known, *own, *(each.name.rpartition(".")[2] for each in self.handle.classes)}

    def free_name(self, wanted: str) -> str:
        """A name that is not taken: the wanted one, or with a number."""
        return free_name(wanted, self.names)

    def type_of(self, name: str) -> str | None:
        """The full name of a component's type; None if there is no such component."""
        if name in self.known:
            return self.known[name].type_name or self.known[name].type_text
        own = self.handle.get_component(name)
        return None if own is None else own.type

    def is_driven(self, end: str) -> bool:
        """Is something connected to an end, or to an element of it, or does it have a value?"""
        return end in self.driven or any(each.startswith(f"{end}[") for each in self.driven)

    def partners_of(self, end: str) -> list[str]:
        """What is connected to an end."""
        return [two for one, two in self.pairs if one == end] + [one for one, two in self.pairs if two == end]

    # ------------------------------------------------------------ what is added

    def copy_component(self, template: ComponentHandle, name: str, lower: Number) -> None:
        """Declare a component as a template does, lower in the diagram than there."""
        found = template.placement
        placement = None if found is None else _lowered(found, lower)
        self.add(template.type, name, modifiers_of(template), template.description, placement)

    def add(
        self,
        type_: str,
        name: str,
        modifiers: Mapping[str, Any] | None,
        description: str | None,
        placement: Placement | None,
        dimensions: Iterable[int] = (),
    ) -> ComponentHandle:
        """Declare a component."""
        new = self.handle.add_component(
            type_, name, modifiers, description=description, dimensions=list(dimensions), section="public"
        )
        if placement is not None:
            new.set_placement(placement)
        return new

    def connect(self, source: str, sink: str, *, is_signal: bool) -> None:
        """Add a connection with a line."""
        self.handle.connect(source, sink)
        if is_signal and self.handle.get_line(source, sink) is not None:
            self.handle.set_line(source, sink, Line(color=SIGNAL_COLOR))
        self.driven |= {source, sink}
        self.pairs.append((source, sink))


def modifiers_of(component: ComponentHandle) -> dict[str, Any]:
    """The modifiers of a component with plain values, as `add_component` takes them."""
    arguments = component.view.arguments
    items = arguments.items if arguments is not None else []
    return {str(item.name): item.value for item in items if isinstance(item, ElementModification)}


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """The wanted name, or the first one with a number that is not taken."""
    names = set(taken)
    number = 2
    found = wanted
    while found in names:
        found, number = f"{wanted}{number}", number + 1
    return found


def lowest_edge(handle: ClassHandle) -> Number | None:
    """The lower edge of all that is placed in a diagram; None if nothing is."""
    placements = [component.placement for component in handle.components]
    transformations = [each.transformation for each in placements if each is not None]
    boxes = [each.box for each in transformations if isinstance(each, Transformation)]
    return min((box.bottom for box in boxes if box is not None), default=None)


def box_at(x: Number, y: Number, half: Number) -> Placement:
    """A square around a point."""
    extent = Extent(Point(x - half, y - half), Point(x + half, y + half))
    return Placement(transformation=Transformation(extent=extent))


def _lowered(placement: Placement, lower: Number) -> Placement:
    transformation = placement.transformation
    if not isinstance(transformation, Transformation) or not isinstance(transformation.extent, Extent):
        return placement
    return Placement(transformation=Transformation(extent=transformation.extent.moved(0, -lower)))


def _in_equations(model: Instance) -> Iterable[str]:
    """All that the equations of a class and of its bases name, connections left out."""
    for part in model.environment.ancestry():
        for equation in getattr(part.definition, "equations", ()):
            if not isinstance(equation, ConnectEquation):
                for reference in find_all(equation, ComponentReference):
                    yield str(reference)
