"""The model of a joint: a clone of the template of its type, with the limits, stops and friction that it has."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from modelica_ast.edit import Document
from modelica_ast.generate import CLONE, Templates
from urdf_frontend.building.reducing import drop_components, drop_equations
from urdf_frontend.kinematics import follows
from urdf_frontend.model import Joint, JointType
from urdf_frontend.model.fields import values_of

PARAMETERS: Final = "jointParams"
LIMITS: Final = ("lower", "upper", "effort", "velocity")
_BOUNDS: Final = ("lower", "upper")
_TEMPLATES: Final = {
    JointType.FIXED: "Joints.Fixed",
    JointType.REVOLUTE: "Joints.Revolute",
    JointType.CONTINUOUS: "Joints.Continuous",
    JointType.PRISMATIC: "Joints.Prismatic",
    JointType.PLANAR: "Joints.Planar",
    JointType.FLOATING: "Joints.Floating",
}


@frozen
class JointKind:
    """What two joints have in common if their models differ in names only."""

    type: JointType
    limits: tuple[str, ...]
    has_friction: bool
    is_follower: bool

    @classmethod
    def of(cls, joint: Joint) -> JointKind:
        """The kind of a joint. What a type of joint has no use for does not count."""
        if not joint.type.is_single:
            return cls(joint.type, (), has_friction=False, is_follower=False)
        limits = () if joint.limit is None else tuple(n for n in LIMITS if getattr(joint.limit, n) is not None)
        has_friction = joint.dynamics is not None and any(values_of(joint.dynamics))
        return cls(joint.type, limits, has_friction=has_friction, is_follower=follows(joint))

    @property
    def template(self) -> str:
        """The class that it is cloned from."""
        return _TEMPLATES[self.type]

    @property
    def needed_components(self) -> list[str]:
        """The components that its template must have."""
        found = [PARAMETERS]
        if self.type.is_single:
            found += ["flange_a", "flange_b"]
        if self.has_friction:
            found.append("friction")
        if self.is_follower:
            found.append("startFixed")
        return found


def joint_model(templates: Templates, kind: JointKind) -> Document:
    """A model for all joints of a kind, still without its name."""
    return templates.kept(kind, lambda: _reduced(templates, kind))


def _reduced(templates: Templates, kind: JointKind) -> Document:
    document = templates.clone(kind.template)
    clone = document.find_class(CLONE)
    with document.transaction():
        for limit in LIMITS:
            if limit not in kind.limits:
                drop_equations(clone, f"{PARAMETERS}.limit.{limit}")
        if kind.type.is_single and not kind.has_friction:
            drop_components(clone, ["friction"])
        if not set(kind.limits) & set(_BOUNDS):
            drop_components(clone, ["endStop"])
        if kind.is_follower:  # its motion is that of the joint that it follows
            clone.find_component("startFixed").set("", value=False)
    return document
