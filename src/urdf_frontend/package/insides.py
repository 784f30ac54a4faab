"""What is inside of a link or joint, whatever its user calls it: the joint itself, the body, the flanges, the values.

The templates have a name for each of them, `revolute` or `body`. A component with this name and of the class that the
templates have there is that one; else the class tells, and of several the one that reads the record of values. What
tells a flange or a start value from others is what the joint itself does with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, Literal

from modelica_ast.foundation import NotFoundError
from modelica_ast.semantics import ComponentInstance
from modelica_ast.tree import ComponentReference, View, find_all
from urdf_frontend.package.builder.options import TEMPLATES
from urdf_frontend.package.builder.part_models import JOINT_PARAMETERS as JOINT_VALUES, LINK_PARAMETERS as LINK_VALUES

Kind = Literal["link", "joint"]
_MULTIBODY: Final = "Modelica.Mechanics.MultiBody"
_FLANGES: Final = tuple(f"Modelica.Mechanics.{kind}.Interfaces.Flange_{{}}" for kind in ("Rotational", "Translational"))
_JOINTS: Final = {
    "revolute": f"{_MULTIBODY}.Joints.Revolute",
    "prismatic": f"{_MULTIBODY}.Joints.Prismatic",
    "planar": f"{_MULTIBODY}.Joints.Planar",
    "floating": f"{_MULTIBODY}.Joints.FreeMotion",
}
_BODY: Final = f"{_MULTIBODY}.Parts.Body"
_FRICTION: Final = ("Joints.RotationalFriction", "Joints.TranslationalFriction")
_ENDS: Final = {"flange_a": "axis", "flange_b": "support"}  # what of the joint itself a flange is connected to
# The modifiers of the joint itself that read the parameters of the start.
_STARTS: Final = {
    "revolute": {"phi.start": "q_start", "w.start": "qd_start"},
    "prismatic": {"s.start": "q_start", "v.start": "qd_start"},
    "planar": {"s_x.start": "s_start", "phi.start": "phi_start", "v_x.start": "v_start", "w.start": "w_start"},
    "floating": {
        "r_rel_a.start": "r_start",
        "angles_start": "rpy_start",
        "v_rel_a.start": "v_start",
        "w_rel_a_start": "w_start",
    },
}


def class_of(component: ComponentInstance) -> str:
    """The full name of a component's class, as it is written if it is not found."""
    return component.type_name or component.type_text.lstrip(".")


def is_of(component: ComponentInstance, class_name: str) -> bool:
    """Is a component of a class, or of one that inherits from it? The class itself need not be there."""
    if class_of(component) == class_name or class_name in component.unresolved_bases:
        return True
    try:
        return component.is_a(class_name)
    except NotFoundError:
        return False


def joints_inside(component: ComponentInstance, values: str | None) -> dict[str, str]:
    """The joint itself in a joint's component, by what the templates call it; '' is that component as a whole.

    Where there are several of a kind, none counts.
    """
    # PERF: classes are looked up only if something was renamed.
    as_built = {role: role for role in _JOINTS if role in component.components}
    if len(as_built) == 1 and all(class_of(component.components[role]) == _JOINTS[role] for role in as_built):
        return as_built
    whole = next((role for role in _JOINTS if is_of(component, _JOINTS[role])), None)
    if whole is not None:
        return {whole: ""}  # the user took a joint of the Standard Library for it
    found = ((role, _named_inside(component, role, (class_name,), values)) for role, class_name in _JOINTS.items())
    return {role: name for role, name in found if name is not None}


def flange_inside(component: ComponentInstance, joint: str, flange: str) -> str | None:
    """The connector of a joint's component that is `flange_a` or `flange_b`; None if there is none."""
    if not joint:
        return _ENDS[flange]
    as_built = component.components.get(flange)
    # PERF: the connections are looked at only if something was renamed.
    if as_built is not None and class_of(as_built) in {each.format(flange[-1]) for each in _FLANGES}:
        return flange
    classes = {each.format(side) for each in _FLANGES for side in "ab"}
    end = f"{joint}.{_ENDS[flange]}"
    for connection in component.connections:
        for one, other in ((connection.left, connection.right), (connection.right, connection.left)):
            connector = component.components.get(other)
            if one == end and connector is not None and class_of(connector) in classes:
                return other
    return None


def inside_of(component: ComponentInstance, kind: Kind, values: str | None, templates: str) -> dict[str, str]:
    """What is called otherwise inside of a link or joint: the name of now by that in the templates.

    `values` is its record, `templates` the name of their library. What is not there is not in it.
    """
    found: dict[str, str | None] = {LINK_VALUES if kind == "link" else JOINT_VALUES: values}
    if kind == "link":
        found["body"] = _named_inside(component, "body", (_BODY,), values)
    else:
        friction = [f"{library}.{each}" for library in (templates, TEMPLATES.name) for each in _FRICTION]
        # PERF: most joints have none, and nobody inherits from it.
        if any(class_of(each) in friction for each in component.components.values()):
            found["friction"] = _named_inside(component, "friction", friction, values)
        for role, joint in joints_inside(component, values).items():
            found[role] = joint
            found |= {flange: flange_inside(component, joint, flange) for flange in _ENDS}
            found |= dict(_starts(component, role, joint))
    return {role: name for role, name in found.items() if name is not None and name != role}


def is_inside_as_built(kind: Kind, components: Mapping[str, str]) -> bool:
    """Is what is inside of a class certainly called as in the templates? `components` are those that it declares."""
    if kind == "link":
        return components.get("body") == _BODY
    roles = [role for role, class_name in _JOINTS.items() if components.get(role) == class_name]
    ends = _ENDS if roles[:1] in (["revolute"], ["prismatic"]) else ()
    return all({*_STARTS[role].values(), *ends} <= components.keys() for role in roles) and bool(roles)


def _named_inside(component: ComponentInstance, role: str, classes: Collection[str], values: str | None) -> str | None:
    inside = component.components
    # PERF: classes are looked up only if something was renamed.
    if role in inside and class_of(inside[role]) in classes:
        return role
    found = [each for each in inside.values() if any(is_of(each, class_name) for class_name in classes)]
    if len(found) > 1:
        found = [each for each in found if any(values in _read(each, path) for path in each.modifiers)]
    return found[0].name if len(found) == 1 else None


def _starts(component: ComponentInstance, role: str, joint: str) -> Iterator[tuple[str, str]]:
    """The parameters of the start, by the modifiers of the joint itself."""
    if joint:
        inner = component.components[joint]
        for path, start in _STARTS[role].items():
            names = _read(inner, path) & component.components.keys()
            if len(names) == 1:
                yield start, names.pop()


def _read(component: ComponentInstance, path: str) -> set[str]:
    """The components that the modifiers of a path name."""
    return {name for modifier in component.modifiers_of(path) for name in _names_in(modifier.value)}


def _names_in(value: object) -> Iterator[str]:
    if isinstance(value, View):
        yield from (reference.parts[0] for reference in find_all(value, ComponentReference))
