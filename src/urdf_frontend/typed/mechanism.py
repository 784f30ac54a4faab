"""Bodies and what connects them. Lengths are in m, angles in rad, masses in kg."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, dataclass_transform

# ---------------------------------------------------------------- values
# Immutable values that cost nothing to import: a robot's module is imported by every script that uses it.
#
# attrs and dataclasses write methods when a class is made, which takes longer than all the rest of this package.


@dataclass_transform(frozen_default=True)
class Value:
    """Base of classes that are nothing but their annotated fields; what a field is set to there is its default."""

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # A field that a subclass annotates again, to say more of its type, keeps its place.
        cls._fields = tuple(dict.fromkeys((*cls._fields, *cls.__annotations__)))

    def __init__(self, *values: Any, **named: Any) -> None:
        fields = self._fields
        given = dict(zip(fields, values, strict=False))
        if len(values) > len(fields) or not named.keys() <= set(fields[len(values) :]):
            raise TypeError(f"the fields of {type(self).__name__} are {', '.join(fields)}")
        given |= named
        try:
            complete = {name: given[name] if name in given else getattr(type(self), name) for name in fields}
        except AttributeError as missing:
            raise TypeError(f"{type(self).__name__} needs a value for '{missing.name}'") from None
        self.__dict__.update(complete)
        self._check()

    def _check(self) -> None:
        """ValueError where the fields do not fit each other; for subclasses."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__.values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({fields})"


# ---------------------------------------------------------------- ids
# Names of links, joints and robots that a type checker knows.
#
# A name is equal to its text, as members of StrEnum are. So a link and a joint that URDF calls alike are equal too:
# what holds both keeps them apart.


class LinkId(StrEnum):
    """Base of the links of a robot: a member for each, its value is the name in URDF."""


class JointId(StrEnum):
    """Base of the joints of a robot: a member for each, its value is the name in URDF."""


class RobotId(StrEnum):
    """Base of the robots of a registry: a member for each, its value is what it is asked for by."""


LinkT = TypeVar("LinkT", bound=LinkId)
JointT = TypeVar("JointT", bound=JointId)
LinkT_co = TypeVar("LinkT_co", bound=LinkId, covariant=True)
JointT_co = TypeVar("JointT_co", bound=JointId, covariant=True)
# The joints that have one angle or distance in Modelica: a `Literal` of some of them.
AxisT = TypeVar("AxisT", bound=JointId)

# ---------------------------------------------------------------- source
# What a generated module was made from, so that it can be made again and checked without asking again.


class Source(Value):
    """Paths are as seen from the folder of the module; what was not given is None."""

    urdf: str
    prefix: str
    python: str
    arguments: tuple[str, ...] = ()  # of xacro, NAME=VALUE
    package: str | None = None  # by its full name
    folder: str | None = None  # of that package
    model: str | None = None


# ---------------------------------------------------------------- links
# Bodies, and what they look like. Lengths are in m, angles in rad, masses in kg.


Triple: TypeAlias = tuple[float, float, float]
Colour: TypeAlias = tuple[float, float, float, float]

_ZERO: Final = (0.0, 0.0, 0.0)


class Origin(Value):
    """Where a frame sits in the frame above it: position, and roll, pitch, yaw about fixed axes."""

    xyz: Triple = _ZERO
    rpy: Triple = _ZERO


NOWHERE_ELSE: Final = Origin()


class Inertia(Value):
    """The inertia tensor about the centre of mass, in kg.m2."""

    ixx: float
    ixy: float
    ixz: float
    iyy: float
    iyz: float
    izz: float


class Box(Value):
    """A box around its origin."""

    size: Triple


class Cylinder(Value):
    """A cylinder along z, its middle in the origin."""

    radius: float
    length: float


class Capsule(Value):
    """A cylinder along z with half a ball at either end, which `length` does not count."""

    radius: float
    length: float


class Sphere(Value):
    """A ball around its origin."""

    radius: float


class Mesh(Value):
    """A shape from a file, named as the URDF names it."""

    filename: str
    scale: Triple = (1.0, 1.0, 1.0)


class OtherShape(Value):
    """A shape that URDF does not define: the name of its element."""

    tag: str


Shape: TypeAlias = Box | Cylinder | Capsule | Sphere | Mesh | OtherShape


class Material(Value):
    """A look: colour as red, green, blue and alpha from 0 to 1, an image file."""

    name: str | None = None
    rgba: Colour | None = None
    texture: str | None = None


class Visual(Value):
    """What a link looks like, or a part of that."""

    shape: Shape | None
    origin: Origin = NOWHERE_ELSE
    material: Material | None = None
    name: str | None = None


class Collision(Value):
    """What a link bumps into others with, or a part of that."""

    shape: Shape | None
    origin: Origin = NOWHERE_ELSE
    name: str | None = None


class Link(Value, Generic[LinkT_co]):
    """A rigid body. `origin` is its centre of mass; one without mass has the mass 0."""

    id: LinkT_co
    mass: float = 0.0
    origin: Origin = NOWHERE_ELSE
    inertia: Inertia | None = None
    visuals: tuple[Visual, ...] = ()
    collisions: tuple[Collision, ...] = ()

    @property
    def name(self) -> str:
        """Its name in URDF."""
        return self.id.value


# ---------------------------------------------------------------- joints
# What connects bodies: a class for each type of joint, so that a type checker knows what a joint has.
#
# Joint ── AxialJoint ── ScalarAxialJoint ── BoundedJoint ── RevoluteJoint, PrismaticJoint
#   │          │                └── ContinuousJoint
#   │          └── PlanarJoint
#   └── NonAxialJoint ── FixedJoint, FloatingJoint


_INFINITE: Final = float("inf")


class Limits(Value):
    """How hard and how fast: in N.m or N, rad/s or m/s and so on. What URDF does not limit is infinite."""

    effort: float = _INFINITE
    velocity: float = _INFINITE
    acceleration: float = _INFINITE
    deceleration: float = _INFINITE
    jerk: float = _INFINITE


class PositionLimits(Limits):
    """And how far, in rad or m."""

    lower: float = -_INFINITE
    upper: float = _INFINITE


class Dynamics(Value):
    """Friction of the joint itself: viscous, and dry."""

    damping: float = 0.0
    friction: float = 0.0


class Mimic(Value, Generic[JointT_co]):
    """The joint follows another one: `multiplier * other + offset`."""

    joint: JointT_co
    multiplier: float = 1.0
    offset: float = 0.0


class Calibration(Value):
    """Reference positions for calibrating the joint."""

    rising: float | None = None
    falling: float | None = None
    reference_position: float | None = None


class Safety(Value):
    """Soft limits, and the gains of the controller that keeps the joint within them."""

    soft_lower_limit: float | None = None
    soft_upper_limit: float | None = None
    k_position: float | None = None
    k_velocity: float | None = None


_FREE: Final = Limits()
_FREE_POSITION: Final = PositionLimits()
_NO_FRICTION: Final = Dynamics()


class Joint(Value, Generic[LinkT_co, JointT_co]):
    """Connects a child to its parent. `origin` is the joint's frame in the frame of the parent."""

    id: JointT_co
    parent: LinkT_co
    child: LinkT_co
    origin: Origin = NOWHERE_ELSE

    @property
    def name(self) -> str:
        """Its name in URDF."""
        return self.id.value


class AxialJoint(Joint[LinkT_co, JointT_co]):
    """A joint with an axis, in its own frame and of length one."""

    axis: Triple = (1.0, 0.0, 0.0)


class ScalarAxialJoint(AxialJoint[LinkT_co, JointT_co]):
    """A joint whose position is one number: an angle or a distance."""

    limits: Limits = _FREE
    dynamics: Dynamics = _NO_FRICTION
    mimic: Mimic[JointT_co] | None = None
    calibration: Calibration | None = None
    safety: Safety | None = None

    @property
    def effort(self) -> float:
        """The largest torque or force of its drive."""
        return self.limits.effort

    @property
    def velocity(self) -> float:
        """Its largest speed."""
        return self.limits.velocity


class BoundedJoint(ScalarAxialJoint[LinkT_co, JointT_co]):
    """A joint that has an end on either side."""

    limits: PositionLimits = _FREE_POSITION

    @property
    def lower(self) -> float:
        """Its smallest position."""
        return self.limits.lower

    @property
    def upper(self) -> float:
        """Its largest position."""
        return self.limits.upper


class RevoluteJoint(BoundedJoint[LinkT_co, JointT_co]):
    """Turns about its axis, between two angles."""


class ContinuousJoint(ScalarAxialJoint[LinkT_co, JointT_co]):
    """Turns about its axis without an end."""


class PrismaticJoint(BoundedJoint[LinkT_co, JointT_co]):
    """Slides along its axis, between two positions."""


class PlanarJoint(AxialJoint[LinkT_co, JointT_co]):
    """Moves in the plane orthogonal to its axis, and turns in it."""


class NonAxialJoint(Joint[LinkT_co, JointT_co]):
    """A joint without an axis."""


class FixedJoint(NonAxialJoint[LinkT_co, JointT_co]):
    """Does not move."""


class FloatingJoint(NonAxialJoint[LinkT_co, JointT_co]):
    """Moves freely."""


# ---------------------------------------------------------------- transmissions
# Motors that drive joints.


class Actuator(Value):
    """A motor of a transmission."""

    name: str
    hardware_interfaces: tuple[str, ...] = ()
    mechanical_reduction: float | None = None


class TransmissionJoint(Value, Generic[JointT_co]):
    """A joint of a transmission."""

    id: JointT_co
    hardware_interfaces: tuple[str, ...] = ()
    mechanical_reduction: float | None = None


class Transmission(Value, Generic[JointT_co]):
    """Motors and the joints that they drive."""

    name: str | None
    type: str | None
    joints: tuple[TransmissionJoint[JointT_co], ...] = ()
    actuators: tuple[Actuator, ...] = ()
    mechanical_reduction: float | None = None
