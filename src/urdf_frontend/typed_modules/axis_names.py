"""The names of a joint's angle or distance, speed, torque or force, from the parts that its model is made of."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from modelica_ast.edit import NotFoundError
from modelica_ast.library import ComponentInstance
from urdf_frontend.typed import Axis

_JOINTS: Final = "Modelica.Mechanics.MultiBody.Joints"
_FLANGES: Final = ("Flange_a", "Flange_b")


@frozen
class _Kind:
    """What the Standard Library calls things of a joint that turns, or of one that slides."""

    joint: str
    q: str
    qd: str
    force: str
    flanges: str


_ROTATIONAL: Final = _Kind(f"{_JOINTS}.Revolute", "phi", "w", "tau", "Modelica.Mechanics.Rotational.Interfaces")
_TRANSLATIONAL: Final = _Kind(f"{_JOINTS}.Prismatic", "s", "v", "f", "Modelica.Mechanics.Translational.Interfaces")


def axis_of(component: ComponentInstance, *, is_rotational: bool) -> Axis | None:
    """The names of a joint's component; None if it has not one joint of the Standard Library inside."""
    kind = _ROTATIONAL if is_rotational else _TRANSLATIONAL
    if _is_joint(component, kind):  # the user took a joint of the Standard Library for it
        inner, flange = component.path, f"{component.path}.axis"
        return Axis(f"{inner}.{kind.q}", f"{inner}.{kind.qd}", f"{inner}.{kind.force}", flange)
    found = [each for each in component.components.values() if _is_joint(each, kind)]
    if len(found) != 1:
        return None
    inner = found[0].path
    flange_component = _flange(component, found[0].name, kind)
    q, qd = f"{inner}.{kind.q}", f"{inner}.{kind.qd}"
    if flange_component is None:
        return Axis(q, qd, f"{inner}.{kind.force}")
    return Axis(q, qd, f"{flange_component}.{kind.force}", flange_component)


def _is_joint(component: ComponentInstance, kind: _Kind) -> bool:
    if (component.type_name or component.type_text).lstrip(".") == kind.joint:
        return True
    try:
        return component.is_a(kind.joint)
    except NotFoundError:
        return False  # the Standard Library is not there, so only the name of the type can tell


def _flange(component: ComponentInstance, joint: str, kind: _Kind) -> str | None:
    """The connector of the joint's model that is connected to the axis of the joint inside."""
    types = {f"{kind.flanges}.{flange}" for flange in _FLANGES}
    axis = f"{joint}.axis"
    for connection in component.connections:
        for one, other in ((connection.left, connection.right), (connection.right, connection.left)):
            flange = component.components.get(other)
            if one == axis and flange is not None and (flange.type_name or flange.type_text).lstrip(".") in types:
                return flange.path
    return None
