"""Take out of a clone what its link or joint does not need: components, their connections, what only they used."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from modelica_ast import find_all
from modelica_ast.edit import ClassHandle
from modelica_ast.views import Annotation, ComponentReference, View


def drop_components(clone: ClassHandle, names: Collection[str]) -> None:
    """Remove components with their connections, and the parameters that nothing uses any more without them."""
    declared = {component.name: component for component in clone.components}
    gone = [name for name in declared if name in set(names)]
    if not gone:
        return
    used = {reference for name in gone for reference in _first_names(declared[name].view)}
    for one, other in clone.connections:
        if {first_name(one), first_name(other)} & set(gone):
            clone.disconnect(one, other)
    for name in gone:
        clone.find_component(name).remove()
    _drop_unused_parameters(clone, used - set(gone))


def drop_equations(clone: ClassHandle, reference: str) -> None:
    """Remove the equations, assertions for the most part, that refer to this name."""
    for equation in clone.view.equations:
        if any(str(found) == reference for found in find_all(equation, ComponentReference)):
            clone.remove_equation(equation.text)


def first_name(reference: str) -> str:
    """The component that a connector belongs to: `body` for `body.frame_a`."""
    return reference.split(".", 1)[0].split("[", 1)[0]


def _drop_unused_parameters(clone: ClassHandle, candidates: set[str]) -> None:
    still_used = set(_first_names(clone.view))
    for component in clone.components:
        if component.name in candidates - still_used and "parameter" in component.prefixes:
            component.remove()


def _first_names(view: View) -> Iterator[str]:
    """The first names of all references, except for those in annotations: a dialog uses no parameter."""
    for reference in find_all(view, ComponentReference):
        if not any(isinstance(around, Annotation) for around in reference.ancestors):
            yield first_name(str(reference))
