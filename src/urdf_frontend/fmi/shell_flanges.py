"""Flanges: which connectors of a model a joint can be moved at, and how that is done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from modelica_ast.edit import NotFoundError
from modelica_ast.library import ComponentInstance, Instance
from urdf_frontend.fmi.errors import FmiError
from urdf_frontend.fmi.places import shown

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
    """What kind of flange a component is; None if it is none.

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
            f"{shown(component.file)}:{component.line}: '{path}' is a {component.type_text}, no flange of Rotational "
            f"or Translational; there is {', '.join(flanges_in(model)) or 'none'}"
        )
    condition = component.condition
    if component.is_present is False and condition is not None:
        raise FmiError(
            f"{shown(component.file)}:{component.line}: '{path}' is there only if {condition.text}: see to that in a "
            "model that extends this one"
        )
    if component.dimensions:
        raise FmiError(f"{shown(component.file)}:{component.line}: '{path}' is an array of flanges; a joint has one")
    return Flange(path, kind, component)


def refuse_unknown_types(model: Instance) -> None:
    """FmiError if a type is not found, for what is missing may be behind it."""
    for component in model.components.values():
        if component.environment is None:
            raise FmiError(
                f"{shown(component.file)}:{component.line}: the type '{component.type_text}' of '{component.path}' is "
                "not found: is the library installed that it is of, in the version that is used (`uses`)? "
                "modelica-patch fmi migrate brings models to another version"
            )


def flanges_in(model: Instance) -> list[str]:
    """The flanges that a shell can reach, those of the model itself first."""
    return sorted(_flanges(model), key=lambda path: path.count("."))


def _flanges(model: Instance) -> Iterator[str]:
    for component in model.walk(max_depth=_DEEPEST):
        if component.is_present is not False and kind_of(component) is not None:
            yield component.path
