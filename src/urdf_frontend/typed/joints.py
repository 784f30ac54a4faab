"""What connects bodies: a class for each type of joint, so that a type checker knows what a joint has.

Joint ── AxialJoint ── ScalarAxialJoint ── BoundedJoint ── RevoluteJoint, PrismaticJoint
  │          │                └── ContinuousJoint
  │          └── PlanarJoint
  └── NonAxialJoint ── FixedJoint, FloatingJoint
"""

from __future__ import annotations

from typing import Final, Generic

from urdf_frontend.typed.links import NOWHERE_ELSE, Origin, Triple
from urdf_frontend.typed.values import JointT_co, LinkT_co, Value

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
