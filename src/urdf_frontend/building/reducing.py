"""Take out of a clone what its link or joint does not need: components, their connections, what only they used."""

from __future__ import annotations

from collections.abc import Collection

from modelica_ast import find_all
from modelica_ast.edit import ClassHandle
from modelica_ast.views import Annotation, Component, ComponentReference, ConnectEquation


def drop_components(clone: ClassHandle, names: Collection[str]) -> None:
    """Remove components with their connections, and the parameters that nothing uses any more without them."""
    remove_components(clone, [*names, *parameters_only_of(clone, names)])


def remove_components(clone: ClassHandle, names: Collection[str]) -> None:
    """Remove components with their connections; a name that is not declared is none of theirs."""
    gone = {component.name for component in clone.view.components} & set(names)
    clone.disconnect_all([both for both in clone.connections if gone & set(map(first_name, both))])
    clone.remove_components(gone)


def parameters_only_of(clone: ClassHandle, names: Collection[str]) -> list[str]:
    """The parameters that nothing would use any more without some components and their connections."""
    gone = set(names)
    theirs, others = set(), set()
    for reference in find_all(clone.view, ComponentReference):
        around = list(reference.ancestors)
        if any(isinstance(each, Annotation) for each in around):
            continue  # a dialog uses no parameter
        if any(isinstance(each, Component) and each.name in gone for each in around):
            theirs.add(first_name(str(reference)))
        elif not any(isinstance(each, ConnectEquation) and _touches(each, gone) for each in around):
            others.add(first_name(str(reference)))
    idle = theirs - others - gone
    return [each.name for each in clone.components if each.name in idle and "parameter" in each.prefixes]


def drop_equations(clone: ClassHandle, reference: str) -> None:
    """Remove the equations, assertions for the most part, that refer to this name."""
    for equation in clone.view.equations:
        if any(str(found) == reference for found in find_all(equation, ComponentReference)):
            clone.remove_equation(equation.text)


def first_name(reference: str) -> str:
    """The component that a connector belongs to: `body` for `body.frame_a`."""
    return reference.split(".", 1)[0].split("[", 1)[0]


def _touches(connection: ConnectEquation, components: set[str]) -> bool:
    return first_name(str(connection.left)) in components or first_name(str(connection.right)) in components
