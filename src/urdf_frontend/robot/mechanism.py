"""Bodies of a robot: their masses, their shapes, and what these look like; and what connects them."""

from __future__ import annotations

import enum
import math
from typing import Any, ClassVar, Final

from attrs import evolve, frozen

from urdf_frontend.robot.items import Item, Number, Origin, Triple, Vector

# ---------------------------------------------------------------- links


# ---------------------------------------------------------------- shapes
# Shapes, and what they look like.


@frozen(kw_only=True)
class Box(Item):
    """A box around its origin."""

    tag: ClassVar[str] = "box"
    size: Vector | None


@frozen(kw_only=True)
class Cylinder(Item):
    """A cylinder along z, its middle in the origin."""

    tag: ClassVar[str] = "cylinder"
    radius: Number | None
    length: Number | None


@frozen(kw_only=True)
class Capsule(Item):
    """URDF 1.1: a cylinder along z with half a ball at either end, which `length` does not count."""

    tag: ClassVar[str] = "capsule"
    radius: Number | None
    length: Number | None


@frozen(kw_only=True)
class Sphere(Item):
    """A ball around its origin."""

    tag: ClassVar[str] = "sphere"
    radius: Number | None


@frozen(kw_only=True)
class Mesh(Item):
    """A shape from a file, named as the URDF names it (`package://…`); `urdf_frontend.urdf` finds it."""

    tag: ClassVar[str] = "mesh"
    filename: str
    scale: Vector | None = None

    @property
    def scales(self) -> tuple[float, float, float]:
        """The factors along x, y and z; ones if the file says nothing."""
        if self.scale is None:
            return (1.0, 1.0, 1.0)
        x, y, z = self.scale.values
        return x, y, z


@frozen(kw_only=True)
class OtherGeometry(Item):
    """A shape that URDF does not define (ellipsoid, plane …), as the very text of the file."""

    tag: str
    text: str


Geometry = Box | Cylinder | Capsule | Sphere | Mesh | OtherGeometry


@frozen(kw_only=True)
class Colour(Item):
    """Red, green, blue and alpha: as written, and `clamped` to what there is, from 0 to 1."""

    rgba: Vector

    @property
    def shown(self) -> Vector:
        """As written, if that is a colour; clamped otherwise."""
        return self.rgba if self.clamped == self.rgba.values else Vector.of(*self.clamped)

    @property
    def clamped(self) -> tuple[float, float, float, float]:
        """All four within 0 and 1."""
        red, green, blue, alpha = (min(max(value, 0.0), 1.0) for value in self.rgba.values)
        return red, green, blue, alpha


@frozen(kw_only=True)
class Texture(Item):
    """An image file, named as the URDF names it."""

    filename: str


@frozen(kw_only=True)
class Material(Item):
    """A colour, a texture, or only the name of a material that is defined elsewhere in the file."""

    name: str | None
    colour: Colour | None = None
    texture: Texture | None = None

    @property
    def is_definition(self) -> bool:
        """Does it say what it looks like, or only what it is called?"""
        return self.colour is not None or self.texture is not None


# ---------------------------------------------------------------- links
# Bodies of a robot.


@frozen(kw_only=True)
class Inertia(Item):
    """The inertia tensor about the centre of mass, in the axes of the inertial frame."""

    ixx: Number | None
    ixy: Number | None
    ixz: Number | None
    iyy: Number | None
    iyz: Number | None
    izz: Number | None

    @property
    def values(self) -> tuple[float, float, float, float, float, float]:
        """ixx, ixy, ixz, iyy, iyz, izz; zero where the file says nothing."""
        terms = (self.ixx, self.ixy, self.ixz, self.iyy, self.iyz, self.izz)
        ixx, ixy, ixz, iyy, iyz, izz = (0.0 if term is None else term.value for term in terms)
        return ixx, ixy, ixz, iyy, iyz, izz


@frozen(kw_only=True)
class Inertial(Item):
    """Mass, centre of mass and inertia."""

    origin: Origin | None = None
    mass: Number | None = None
    inertia: Inertia | None = None


@frozen(kw_only=True)
class Visual(Item):
    """What a link looks like, or a part of that.

    `material` is what is written here; `look` is the definition that it leads to, here or elsewhere in the file.
    """

    name: str | None = None
    origin: Origin | None = None
    geometry: Geometry | None = None
    material: Material | None = None
    look: Material | None = None

    @property
    def look_or_material(self) -> Material | None:
        """The definition; what is written, where that leads to none."""
        return self.material if self.look is None else self.look


@frozen(kw_only=True)
class Collision(Item):
    """What a link bumps into others with, or a part of that."""

    name: str | None = None
    origin: Origin | None = None
    geometry: Geometry | None = None


@frozen(kw_only=True)
class Link(Item):
    """A rigid body. `is_implicit`: the file only refers to it, as some do to a link `world`."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Visual, ...] = ()
    collisions: tuple[Collision, ...] = ()
    is_implicit: bool = False

    @property
    def parts(self) -> tuple[Visual | Collision, ...]:
        """All visuals, then all collisions."""
        return (*self.visuals, *self.collisions)


# ---------------------------------------------------------------- joints


_X_AXIS: Final = (1.0, 0.0, 0.0)
_NOTHING: Final = Number("0", 0.0)


class JointType(enum.Enum):
    """How a joint moves. UNKNOWN is a type that URDF does not define; `Joint.type_text` says which."""

    REVOLUTE = "revolute"
    CONTINUOUS = "continuous"
    PRISMATIC = "prismatic"
    FIXED = "fixed"
    FLOATING = "floating"
    PLANAR = "planar"
    UNKNOWN = "unknown"

    @property
    def is_rotational(self) -> bool:
        """One angle says where it is."""
        return self in {JointType.REVOLUTE, JointType.CONTINUOUS}

    @property
    def is_single(self) -> bool:
        """One number says where it is: an angle or a distance."""
        return self.is_rotational or self is JointType.PRISMATIC

    @property
    def is_bounded(self) -> bool:
        """Does it have ends? Then it needs a `<limit>`."""
        return self in {JointType.REVOLUTE, JointType.PRISMATIC}

    @property
    def has_axis(self) -> bool:
        """Does `<axis>` mean something?"""
        return self.is_single or self is JointType.PLANAR

    @property
    def degrees_of_freedom(self) -> int:
        """How many numbers say where it is."""
        return {JointType.FLOATING: 6, JointType.PLANAR: 3}.get(self, int(self.is_single))


@frozen(kw_only=True)
class Axis(Item):
    """`<axis>`: None where the element has no `xyz`."""

    xyz: Vector | None

    @property
    def unit(self) -> Triple | None:
        """The direction with length one; None for a zero vector."""
        if self.xyz is None:
            return _X_AXIS
        length = math.hypot(*self.xyz.values)
        if length == 0.0 or math.isinf(length):
            return None
        x, y, z = (value / length for value in self.xyz.values)
        return x, y, z


@frozen(kw_only=True)
class Limit(Item):
    """How far, how fast and how hard, as the file says it. The last three are URDF 1.2.

    `Joint.effective_limit` says what counts of it. A literal one counts as it is written.
    """

    lower: Number | None = None
    upper: Number | None = None
    effort: Number | None = None
    velocity: Number | None = None
    acceleration: Number | None = None
    deceleration: Number | None = None
    jerk: Number | None = None
    is_literal: bool = False

    @property
    def magnitudes(self) -> dict[str, Number | None]:
        """The limits that can't be negative."""
        names = ("effort", "velocity", "acceleration", "deceleration", "jerk")
        return {name: getattr(self, name) for name in names}

    @property
    def ends(self) -> tuple[Number, Number]:
        """The lower and the upper end: what is left out is 0."""
        return self.lower or _NOTHING, self.upper or _NOTHING


@frozen(kw_only=True)
class Dynamics(Item):
    """Friction of the joint itself."""

    damping: Number | None = None
    friction: Number | None = None


@frozen(kw_only=True)
class Mimic(Item):
    """This joint follows another one: `multiplier * other + offset`."""

    joint: str
    multiplier: Number | None = None
    offset: Number | None = None

    @property
    def factor(self) -> float:
        """`multiplier`, or 1."""
        return 1.0 if self.multiplier is None else self.multiplier.value

    @property
    def shift(self) -> float:
        """`offset`, or 0."""
        return 0.0 if self.offset is None else self.offset.value


@frozen(kw_only=True)
class Calibration(Item):
    """Reference positions for calibrating the joint."""

    rising: Number | None = None
    falling: Number | None = None
    reference_position: Number | None = None


@frozen(kw_only=True)
class Safety(Item):
    """`<safety_controller>`: soft limits and the gains that keep the joint within them."""

    soft_lower_limit: Number | None = None
    soft_upper_limit: Number | None = None
    k_position: Number | None = None
    k_velocity: Number | None = None


@frozen(kw_only=True)
class LinkReference(Item):
    """`<parent>` or `<child>`."""

    link: str


@frozen(kw_only=True)
class Joint(Item):
    """Connects a child to its parent. The child's frame is the joint's frame, moved by the joint.

    `parent` and `child` are names of links. A robot that was read without errors has both, and no UNKNOWN type.
    """

    name: str
    type: JointType
    type_text: str = ""
    parent_reference: LinkReference | None = None
    child_reference: LinkReference | None = None
    origin: Origin | None = None
    axis: Axis | None = None
    limit: Limit | None = None
    dynamics: Dynamics | None = None
    mimic: Mimic | None = None
    calibration: Calibration | None = None
    safety: Safety | None = None

    @property
    def parent(self) -> str:
        """The name of the link that it is attached to; empty where the file does not say, which is an error."""
        return "" if self.parent_reference is None else self.parent_reference.link

    @property
    def child(self) -> str:
        """The name of the link that it moves; empty where the file does not say, which is an error."""
        return "" if self.child_reference is None else self.child_reference.link

    @property
    def effective_limit(self) -> Limit | None:
        """What counts of the limit, as ROS tools read it: an end that is left out is 0.

        What contradicts itself does not count: ends in the wrong order, and a negative effort or velocity.
        """
        limit = self.limit
        if limit is None or limit.is_literal:
            return limit
        counted: dict[str, Any] = {
            name: None for name, number in limit.magnitudes.items() if number is not None and number.value < 0
        }
        if self.type.is_bounded:
            lower, upper = limit.ends
            are_ordered = lower.value <= upper.value
            counted |= {"lower": lower if are_ordered else None, "upper": upper if are_ordered else None}
        return evolve(limit, **counted)

    @property
    def as_written(self) -> Joint:
        """The joint with a limit that counts as it is written."""
        limit = self.limit
        if limit is None or limit == self.effective_limit:
            return self
        return evolve(self, limit=evolve(limit, is_literal=True))

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The ends between which it moves; None if it has none."""
        limit = self.effective_limit if self.type.is_bounded else None
        if limit is None or limit.lower is None or limit.upper is None:
            return None
        return limit.lower.value, limit.upper.value

    @property
    def direction(self) -> Triple:
        """The axis with length one; x where the file does not say, and where it says zero, which is an error."""
        unit = _X_AXIS if self.axis is None else self.axis.unit
        return _X_AXIS if unit is None else unit
