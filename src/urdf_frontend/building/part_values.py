"""The values of links and joints, as fields of their parameter records. What the URDF file does not say is no field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import frozen

from modelica_ast import Constructor, Reference
from urdf_frontend.building.values import constructor, given, given_reals, real_of, reals
from urdf_frontend.model import (
    Box,
    Capsule,
    Collision,
    Cylinder,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Link,
    Mesh,
    Origin,
    Sphere,
    Visual,
)

# Records that are fields of a link or joint have a line for each of their own fields.
_INNER_LINES: Final = 6
_INNER_LINES_OF_COMPONENT: Final = 4
GEOMETRY_KINDS: Final = {Box: "box", Cylinder: "cylinder", Capsule: "capsule", Sphere: "sphere", Mesh: "mesh"}
_JOINT_TYPES: Final = {type_: type_.value for type_ in JointType} | {JointType.FIXED: "fixedJoint"}


def geometry_kind(geometry: Geometry | None) -> str | None:
    """The name of its kind in the template library; None for a shape that URDF does not define."""
    return GEOMETRY_KINDS.get(type(geometry)) if geometry is not None else None


@frozen
class PartValues:
    """Makes the values.

    `library` is the name of the template library, `resource` says what a mesh or texture is called in the package.
    """

    library: str
    resource: Callable[[str], str]

    # ------------------------------------------------------------ links

    def link(self, link: Link, visuals: list[Visual], collisions: list[Collision]) -> dict[str, Any]:
        """The fields that `Records.Link` has: the first visual and the first collision."""
        return given(
            {
                "name": link.name,
                "inertial": None if link.inertial is None else self._inertial(link.inertial),
                "visual": self.visual(visuals[0], _INNER_LINES) if visuals else None,
                "collision": self.collision(collisions[0], _INNER_LINES) if collisions else None,
            }
        )

    def more_of_link(self, visuals: list[Visual], collisions: list[Collision]) -> dict[str, Constructor]:
        """The fields that a link with several visuals or collisions adds: `visual2`, …"""
        lines = _INNER_LINES_OF_COMPONENT
        more = {numbered("visual", n): self.visual(each, lines) for n, each in enumerate(visuals[1:], 2)}
        more |= {numbered("collision", n): self.collision(each, lines) for n, each in enumerate(collisions[1:], 2)}
        return more

    def visual(self, visual: Visual, indent: int) -> Constructor:
        """What a link looks like."""
        fields = {
            "name": visual.name,
            "origin": self._origin(visual.origin),
            "geometry": self._geometry(visual.geometry),
            "material": self._material(visual),
        }
        return Constructor(self._record("Visual"), given(fields), indent)

    def collision(self, collision: Collision, indent: int) -> Constructor:
        """What a link bumps into others with."""
        fields = {
            "name": collision.name,
            "origin": self._origin(collision.origin),
            "geometry": self._geometry(collision.geometry),
        }
        return Constructor(self._record("Collision"), given(fields), indent)

    def _inertial(self, inertial: Inertial) -> Constructor | None:
        inertia = inertial.inertia
        tensor: dict[str, Any] = {}
        if inertia is not None:
            tensor = given_reals(
                ixx=inertia.ixx, ixy=inertia.ixy, ixz=inertia.ixz, iyy=inertia.iyy, iyz=inertia.iyz, izz=inertia.izz
            )
        fields = {
            "origin": self._origin(inertial.origin),
            **given_reals(mass=inertial.mass),
            "inertia": constructor(self._record("Inertia"), tensor),
        }
        return constructor(self._record("Inertial"), given(fields), _INNER_LINES)

    def _origin(self, origin: Origin | None) -> Constructor | None:
        if origin is None:
            return None
        turned = None if origin.rpy is None else reals(origin.rpy)
        if origin.quat_xyzw is not None:  # the records have angles
            turned = [real_of(angle) for angle in origin.angles]
        fields = {"xyz": None if origin.xyz is None else reals(origin.xyz), "rpy": turned}
        return constructor(self._record("Origin"), given(fields))

    def _geometry(self, geometry: Geometry | None) -> Constructor:
        kind = geometry_kind(geometry)
        assert kind is not None, "shapes of other kinds are left out before"
        fields: dict[str, Any | None] = {"geometryType": Reference(f"{self.library}.Types.GeometryType.{kind}")}
        match geometry:
            case Box(size=size):
                fields["size"] = None if size is None else reals(size)
            case Cylinder(radius=radius, length=length) | Capsule(radius=radius, length=length):
                fields |= given_reals(radius=radius, length=length)
            case Sphere(radius=radius):
                fields |= given_reals(radius=radius)
            case Mesh(filename=filename, scale=scale):
                fields |= {"filename": self.resource(filename), "scale": None if scale is None else reals(scale)}
        return Constructor(self._record("Geometry"), given(fields))

    def _material(self, visual: Visual) -> Constructor | None:
        look = visual.look if visual.look is not None else visual.material
        if look is None:
            return None
        colour = None
        if look.colour is not None:
            written = look.colour.rgba
            in_range = all(0.0 <= value <= 1.0 for value in written.values)
            colour = reals(written) if in_range else [real_of(value) for value in look.colour.clamped]
        texture = None if look.texture is None else look.texture.filename
        fields = {"name": look.name, "rgba": colour, "texture": self.resource(texture) if texture else None}
        return constructor(self._record("Material"), given(fields))

    # ------------------------------------------------------------ joints

    def joint(self, joint: Joint) -> dict[str, Any]:
        """The fields that `Records.Joint` has."""
        axis = None if joint.axis is None else joint.axis.xyz
        return given(
            {
                "name": joint.name,
                "jointType": Reference(f"{self.library}.Types.JointType.{_JOINT_TYPES[joint.type]}"),
                "origin": self._origin(joint.origin),
                "axis": None if axis is None else reals(axis),
                "parent": joint.parent,
                "child": joint.child,
                **{name: constructor(self._record(record), fields) for name, record, fields in _parts(joint)},
            }
        )

    def _record(self, name: str) -> str:
        return f"{self.library}.Records.{name}"


def numbered(side: str, number: int) -> str:
    """`visual`, `visual2`, `visual3`, …"""
    return side if number == 1 else f"{side}{number}"


def _parts(joint: Joint) -> list[tuple[str, str, Mapping[str, Any]]]:
    """(field, record, its fields) of what a joint has besides its place."""
    limit, dynamics, mimic, safety = joint.limit, joint.dynamics, joint.mimic, joint.safety
    found: list[tuple[str, str, Mapping[str, Any]]] = []
    if joint.calibration is not None:
        known = given_reals(rising=joint.calibration.rising, falling=joint.calibration.falling)
        found.append(("calibration", "Calibration", known))
    if dynamics is not None:
        found.append(("dynamics", "Dynamics", given_reals(damping=dynamics.damping, friction=dynamics.friction)))
    if limit is not None:
        bounds = given_reals(lower=limit.lower, upper=limit.upper, effort=limit.effort, velocity=limit.velocity)
        motion = given_reals(acceleration=limit.acceleration, deceleration=limit.deceleration, jerk=limit.jerk)
        found.append(("limit", "Limit", bounds | motion))
    if mimic is not None:
        fields = {"joint": mimic.joint, **given_reals(multiplier=mimic.multiplier, offset=mimic.offset)}
        found.append(("mimic", "Mimic", fields))
    if safety is not None:
        soft = given_reals(softLowerLimit=safety.soft_lower_limit, softUpperLimit=safety.soft_upper_limit)
        gains = given_reals(kPosition=safety.k_position, kVelocity=safety.k_velocity)
        found.append(("safetyController", "SafetyController", soft | gains))
    return found
