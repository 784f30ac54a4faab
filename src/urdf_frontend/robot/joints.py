"""What connects the bodies of a robot."""

from __future__ import annotations

import enum
import math
from typing import Final

from attrs import frozen

from urdf_frontend.robot.items import Item, Number, Origin, Triple, Vector

_X_AXIS: Final = (1.0, 0.0, 0.0)


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
    """How far, how fast and how hard. The last three are URDF 1.2."""

    lower: Number | None = None
    upper: Number | None = None
    effort: Number | None = None
    velocity: Number | None = None
    acceleration: Number | None = None
    deceleration: Number | None = None
    jerk: Number | None = None


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
    def direction(self) -> Triple:
        """The axis with length one; x where the file does not say, and where it says zero, which is an error."""
        unit = _X_AXIS if self.axis is None else self.axis.unit
        return _X_AXIS if unit is None else unit
