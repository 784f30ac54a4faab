"""What moves: the joints that have a motion of their own, and those that follow them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from urdf_frontend.kinematics import Kinematics, follows
from urdf_frontend.model import Joint, JointType
from urdf_frontend.names import NameTable

FREE_BASE: Final = "probeBase"  # the component, if nothing of the robot has this name
BASE_WORDS: Final = "the free base"


@frozen
class Freedom:
    """A joint that moves by itself, or the free base. `first` is the place of its velocities among those of all."""

    name: str  # in the URDF file
    component: str
    type: JointType
    first: int
    child: str  # the link that it moves
    joint: Joint | None  # None for the free base

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
    component: str
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
            freedoms.append(Freedom(free_base, free_base, JointType.FLOATING, 0, kinematics.roots[0], None))
            first = 6
        for joint in kinematics.joint_order():
            if joint.type.degrees_of_freedom and not follows(joint):
                component = names.joint(joint.name).component
                freedoms.append(Freedom(joint.name, component, joint.type, first, joint.child, joint))
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
        yield Follower(joint.name, names.joint(joint.name).component, joint, leaders[at.name], factor, shift)
