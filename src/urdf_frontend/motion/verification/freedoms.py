"""What moves: the joints that have a motion of their own, and those that follow them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from urdf_frontend.robot import Joint, JointType, Kinematics, Named, NameTable, RobotError, follows

FREE_BASE: Final = "probeBase"  # the component, if nothing of the robot has this name
BASE_WORDS: Final = "the free base"


@frozen
class Freedom:
    """A joint that moves by itself, or the free base. `first` is the place of its velocities among those of all."""

    name: str  # in the URDF file
    named: Named
    type: JointType
    first: int
    child: str  # the link that it moves
    joint: Joint | None  # None for the free base

    @property
    def component(self) -> str:
        """What it is called in the robot's model."""
        return self.named.component

    @property
    def size(self) -> int:
        """How many velocities it has."""
        return self.type.degrees_of_freedom

    @property
    def span(self) -> slice:
        """Its velocities among those of all."""
        return slice(self.first, self.first + self.size)

    @property
    def words(self) -> str:
        """What a message calls it."""
        return BASE_WORDS if self.joint is None else f"joint {self.name}"

    def words_of(self, index: int) -> str:
        """What a message calls one of its directions."""
        if self.size == 1:
            return self.words
        labels = "x y z about-x about-y about-z" if self.type is JointType.FLOATING else "first second turn"
        return f"{self.words} ({labels.split()[index]})"


@frozen
class Follower:
    """A joint that follows a freedom, directly or through others: `factor * leader + shift`."""

    name: str
    named: Named
    joint: Joint
    leader: Freedom
    factor: float
    shift: float

    @property
    def type(self) -> JointType:
        """How it moves."""
        return self.joint.type

    @property
    def words(self) -> str:
        """What a message calls it."""
        return f"joint {self.name}"


@frozen
class Motion:
    """All that moves of a robot."""

    freedoms: tuple[Freedom, ...]
    followers: tuple[Follower, ...]

    @classmethod
    def of(cls, kinematics: Kinematics, names: NameTable, free_base: str | None) -> Motion:
        """What moves of a robot; `free_base` is the component that lets its root move, if one does."""
        freedoms: list[Freedom] = []
        first = 0
        if free_base is not None:
            named = Named(free_base, "", free_base)
            freedoms.append(Freedom(free_base, named, JointType.FLOATING, 0, kinematics.roots[0], None))
            first = 6
        for joint in kinematics.joint_order():
            if joint.type.degrees_of_freedom and not follows(joint):
                freedoms.append(Freedom(joint.name, names.joint(joint.name), joint.type, first, joint.child, joint))
                first += joint.type.degrees_of_freedom
        return cls(tuple(freedoms), tuple(_followers(kinematics, names, freedoms)))

    @property
    def size(self) -> int:
        """How many velocities there are."""
        return sum(freedom.size for freedom in self.freedoms)

    @property
    def single(self) -> list[Freedom | Follower]:
        """All joints with an axis that one number places, those that follow too."""
        every: list[Freedom | Follower] = [*self.freedoms, *self.followers]
        return [each for each in every if each.type.is_single]

    def labels(self) -> list[str]:
        """What a message calls each velocity."""
        return [freedom.words_of(index) for freedom in self.freedoms for index in range(freedom.size)]


def _followers(kinematics: Kinematics, names: NameTable, freedoms: list[Freedom]) -> Iterator[Follower]:
    leaders = {freedom.name: freedom for freedom in freedoms if freedom.joint is not None}
    for joint in kinematics.joint_order():
        if not follows(joint):
            continue
        factor, shift, at = 1.0, 0.0, joint
        # A robot that is checked has no circle of followers.
        while at.name not in leaders and at.mimic is not None:
            factor, shift = factor * at.mimic.factor, factor * at.mimic.shift + shift
            found = kinematics.robot.get_joint(at.mimic.joint)
            assert found is not None, "a robot that is checked has all leaders"
            at = found
        yield Follower(joint.name, names.joint(joint.name), joint, leaders[at.name], factor, shift)


# ---------------------------------------------------------------- rotations
# Rotations as matrices and quaternions (x, y, z, w). A matrix turns what is written in the moved frame.

Array = npt.NDArray[np.float64]


def rotation_of_rpy(angles: Array) -> Array:
    """The rotation of roll, pitch and yaw: about x, then y, then z, all of them fixed."""
    roll, pitch, yaw = angles
    return about((0, 0, 1), yaw) @ about((0, 1, 0), pitch) @ about((1, 0, 0), roll)


def about(axis: npt.ArrayLike, angle: float) -> Array:
    """The rotation about a unit vector."""
    skew = cross_matrix(np.asarray(axis, dtype=float))
    turned: Array = np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew
    return turned


def cross_matrix(vector: Array) -> Array:
    """The matrix of the cross product with a vector."""
    x, y, z = vector
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=float)


def quaternion_of(rotation: Array) -> Array:
    """The quaternion of a rotation, by its largest element, so that none is divided by something small."""
    trace = float(np.trace(rotation))
    squares = np.array([*(1 + 2 * np.diag(rotation) - trace), 1 + trace])
    largest = int(np.argmax(squares))
    r = rotation
    rows = np.array(
        [
            [squares[0], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
            [r[0, 1] + r[1, 0], squares[1], r[1, 2] + r[2, 1], r[0, 2] - r[2, 0]],
            [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], squares[2], r[1, 0] - r[0, 1]],
            [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], squares[3]],
        ]
    )
    found: Array = rows[largest] / np.linalg.norm(rows[largest])
    return found


def rotation_of_quaternion(quaternion: Array) -> Array:
    """The rotation of a quaternion of any length."""
    *vector, scalar = quaternion / np.linalg.norm(quaternion)
    skew = cross_matrix(np.array(vector))
    turned: Array = np.eye(3) + 2 * scalar * skew + 2 * skew @ skew
    return turned


def quaternion_rate(quaternion: Array, turning: Array) -> Array:
    """How fast a quaternion changes at an angular velocity in the moved frame."""
    x, y, z, w = quaternion
    p, q, r = turning
    return 0.5 * np.array([w * p + y * r - z * q, w * q + z * p - x * r, w * r + x * q - y * p, -x * p - y * q - z * r])


# ---------------------------------------------------------------- errors
# What can stop a comparison before there is anything to compare.


class VerifyError(RobotError):
    """A robot and a package that can't be compared; the sentence says why and what to do."""


# ---------------------------------------------------------------- options
# How a package is compared.

# PERF: the time to compile a robot, and to prepare each of its runs, grows with more than the square of its links. An
# arm with seven joints is compared as a whole; one with a gripper takes less than half the time in two parts.
LINKS_AT_ONCE: Final = 8
# PERF: a run costs as much as the compilation. The free motions go through many more configurations.
CONFIGURATIONS: Final = 1


@frozen(kw_only=True)
class VerifyOptions:
    """All options; each has a default.

    `free_base` lets the root link move freely; None does as the package was built. `seconds` is the longest free
    motion, 0 for none. A robot with more links than `links_at_once` is compared in parts of at most this many; 0 is for
    the whole robot, however large. `libraries` are folders in which the package's libraries are looked for first.
    `backend` is the compiler, `rumoca` or `omc`. `timeout` is in seconds, for each compilation and for each run.
    `progress` is called with how many of the steps are done, `doing` with what is being done, and for how long. With
    `cache=False` nothing of earlier comparisons is used, and nothing of this one is kept.
    """

    configurations: int = CONFIGURATIONS
    seed: int = 0
    seconds: float = 1.0
    free_base: bool | None = None
    links_at_once: int = LINKS_AT_ONCE
    libraries: tuple[Path, ...] = ()
    backend: str = "rumoca"
    timeout: float | None = None
    cache: bool = True
    progress: Callable[[int, int], None] | None = field(default=None, repr=False)
    doing: Callable[[str, float], None] | None = field(default=None, repr=False)
