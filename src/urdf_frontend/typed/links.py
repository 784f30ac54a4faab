"""Bodies, and what they look like. Lengths are in m, angles in rad, masses in kg."""

from __future__ import annotations

from typing import Final, Generic, TypeAlias

from urdf_frontend.typed.values import LinkT_co, Value

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
