"""Bodies of a robot."""

from __future__ import annotations

from attrs import frozen

from urdf_frontend.robot.geometry import Geometry, Material
from urdf_frontend.robot.items import Item, Number
from urdf_frontend.robot.poses import Origin


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
