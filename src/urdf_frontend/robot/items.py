"""What all parts of a robot have in common: errors, places, positions; what the format does not know is kept."""

from __future__ import annotations

import enum
import math
from typing import Final

from attrs import field, frozen

from modelica_ast.foundation import ModelicaError


class RobotError(ModelicaError):
    """Base of all errors that `urdf_frontend` raises on purpose."""


# ---------------------------------------------------------------- places
# Where something is in a URDF file: for messages, and for writing a value back into the very same bytes.


@frozen(order=True)
class Span:
    """From the first character to after the last, as offsets in the text of the file."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The characters themselves."""
        return text[self.start : self.end]


@frozen
class Place:
    """Line and column count from 1. Namespaces do not count in the XPath: it has the names as they are written.

    `file` is where they are if that is not the file of the robot: xacro makes one text of several files. The span is in
    the text that it makes.
    """

    line: int
    column: int
    xpath: str
    span: Span
    file: str = ""

    def __str__(self) -> str:
        return f"line {self.line} of {self.file}" if self.file else f"line {self.line}"


NOWHERE: Final = Place(0, 0, "", Span(0, 0))  # the place of what was made by a program

# ---------------------------------------------------------------- items


class Standing(enum.Enum):
    """How an element stands to URDF that has no meaning where it is."""

    FOREIGN = "foreign"  # URDF does not define it
    REPEATED = "repeated"  # another one, before it, counts
    MISPLACED = "misplaced"  # URDF has it inside of other elements


@frozen(kw_only=True)
class Extension:
    """An element without a meaning in URDF, as the very text of the file.

    Most are of other programs: gazebo, ros2_control, sensor, drake:….
    """

    tag: str  # as written, with its prefix
    text: str
    standing: Standing = Standing.FOREIGN
    place: Place = field(default=NOWHERE, eq=False)


@frozen(kw_only=True)
class OtherAttribute:
    """An attribute that URDF does not define for its element."""

    name: str  # as written, with its prefix
    value: str
    place: Place = field(default=NOWHERE, eq=False)


@frozen(kw_only=True)
class Comment:
    """A comment: its text between `<!--` and `-->`, and the XPaths of what is around it and of what follows it."""

    text: str
    inside: str
    before: str | None  # None: it is the last thing inside its element
    place: Place = field(default=NOWHERE, eq=False)


@frozen(kw_only=True)
class Item:
    """Base of all parts of a robot.

    Two parts are equal if they say the same; where they are does not count.
    """

    extensions: tuple[Extension, ...] = ()
    other_attributes: tuple[OtherAttribute, ...] = ()
    place: Place = field(default=NOWHERE, eq=False, repr=False)


# ---------------------------------------------------------------- numbers
# Numbers that keep what their author wrote, so that 0.10 stays 0.10.


@frozen
class Number:
    """A finite number: the text of the file, its value, and where the text is.

    The span is None if no single stretch of the file is this number: it was made by a program, or its value is
    written elsewhere (alpha of a colour that has three numbers).
    """

    text: str
    value: float
    span: Span | None = field(default=None, eq=False, repr=False)

    @classmethod
    def of(cls, value: float) -> Number:
        """A number with the shortest text that reads back equal."""
        return cls(repr(float(value)), float(value))


@frozen
class Vector:
    """Numbers of one attribute: `xyz`, `rpy`, `size`, `rgba`. The place is that of the attribute's value."""

    numbers: tuple[Number, ...]
    place: Place = field(default=NOWHERE, eq=False, repr=False)

    @classmethod
    def of(cls, *values: float) -> Vector:
        """A vector with the shortest texts that read back equal."""
        return cls(tuple(Number.of(value) for value in values))

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers as floats."""
        return tuple(number.value for number in self.numbers)

    @property
    def text(self) -> str:
        """The numbers as they are written, one blank between them."""
        return " ".join(number.text for number in self.numbers)


# ---------------------------------------------------------------- poses
# Positions and orientations as plain floats.

Triple = tuple[float, float, float]
Rotation = tuple[Triple, Triple, Triple]  # by rows

_UPRIGHT: Final = 1e-12  # what is left of the cosine of a right angle


@frozen
class Pose:
    """A frame seen from another one: a point p of it is at `rotation · p + translation` there."""

    rotation: Rotation
    translation: Triple

    def __matmul__(self, inner: Pose) -> Pose:
        """The frame `inner`, which is given in this one, seen from where this one is seen."""
        columns = tuple(zip(*inner.rotation, strict=True))
        rows = tuple(tuple(_dot(row, column) for column in columns) for row in self.rotation)
        return Pose(rows, self.point(inner.translation))  # type: ignore[arg-type]  # three rows of three

    def point(self, point: Triple) -> Triple:
        """Where a point of this frame is."""
        x, y, z = self.direction(point)
        return x + self.translation[0], y + self.translation[1], z + self.translation[2]

    def direction(self, direction: Triple) -> Triple:
        """A direction of this frame, turned but not moved."""
        first, second, third = self.rotation
        return _dot(first, direction), _dot(second, direction), _dot(third, direction)

    @property
    def matrix(self) -> tuple[tuple[float, float, float, float], ...]:
        """The homogeneous 4 x 4 matrix, by rows."""
        rows = [(*row, at) for row, at in zip(self.rotation, self.translation, strict=True)]
        return (*rows, (0.0, 0.0, 0.0, 1.0))

    @property
    def angles(self) -> Triple:
        """Roll, pitch and yaw of the rotation. Straight up or down roll and yaw turn about one axis; yaw is 0 then."""
        rows = self.rotation
        level = math.hypot(rows[0][0], rows[1][0])
        pitch = math.atan2(-rows[2][0], level)
        if level < _UPRIGHT:
            return math.atan2(-rows[1][2], rows[1][1]), pitch, 0.0
        return math.atan2(rows[2][1], rows[2][2]), pitch, math.atan2(rows[1][0], rows[0][0])


IDENTITY: Final = Pose(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), (0.0, 0.0, 0.0))


def _dot(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def rotation_of_rpy(roll: float, pitch: float, yaw: float) -> Rotation:
    """Roll about x, then pitch about y, then yaw about z, all about axes that stay where they are."""
    sr, cr = math.sin(roll), math.cos(roll)
    sp, cp = math.sin(pitch), math.cos(pitch)
    sy, cy = math.sin(yaw), math.cos(yaw)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def rotation_of_quaternion(x: float, y: float, z: float, w: float) -> Rotation:
    """The rotation of a quaternion of any length but zero, which turns nothing."""
    length = math.hypot(x, y, z, w)
    if length == 0.0:
        return IDENTITY.rotation
    x, y, z, w = x / length, y / length, z / length, w / length
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )


def rotation_about(axis: Triple, angle: float) -> Rotation:
    """The rotation by an angle about an axis of length one."""
    x, y, z = axis
    s, c = math.sin(angle), math.cos(angle)
    t = 1 - c
    return (
        (t * x * x + c, t * x * y - s * z, t * x * z + s * y),
        (t * x * y + s * z, t * y * y + c, t * y * z - s * x),
        (t * x * z - s * y, t * y * z + s * x, t * z * z + c),
    )


# ---------------------------------------------------------------- origins
# Where a part sits in the frame of its link or joint.

_ZERO: Final = (0.0, 0.0, 0.0)


@frozen(kw_only=True)
class Origin(Item):
    """`<origin>`: None is what the file does not say. `quat_xyzw` is URDF 1.1 and goes before `rpy`."""

    xyz: Vector | None = None
    rpy: Vector | None = None
    quat_xyzw: Vector | None = None

    @property
    def translation(self) -> Triple:
        """`xyz`, or zeros."""
        if self.xyz is None:
            return _ZERO
        x, y, z = self.xyz.values
        return x, y, z

    @property
    def turn(self) -> Vector | None:
        """`rpy`, or what it would be for the quaternion."""
        return self.rpy if self.quat_xyzw is None else Vector.of(*self.angles)

    @property
    def angles(self) -> Triple:
        """Roll, pitch and yaw, of the quaternion too, or zeros."""
        if self.quat_xyzw is not None:
            return self.pose.angles
        if self.rpy is None:
            return _ZERO
        roll, pitch, yaw = self.rpy.values
        return roll, pitch, yaw

    @property
    def pose(self) -> Pose:
        """Rotation and translation."""
        if self.quat_xyzw is not None:
            x, y, z, w = self.quat_xyzw.values
            return Pose(rotation_of_quaternion(x, y, z, w), self.translation)
        if self.rpy is not None:
            return Pose(rotation_of_rpy(*self.angles), self.translation)
        return Pose(IDENTITY.rotation, self.translation)
