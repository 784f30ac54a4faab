"""What a run says at one instant: positions, velocities and accelerations of all freedoms, and what each link feels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

import numpy as np
from attrs import frozen

from urdf_frontend.model import JointType
from urdf_frontend.names import NameTable
from urdf_frontend.verify.errors import VerifyError
from urdf_frontend.verify.freedoms import Freedom, Motion
from urdf_frontend.verify.reference import Array
from urdf_frontend.verify.rotations import quaternion_of

# The variables of positions, velocities and accelerations in the joints of the templates.
_SINGLE: Final = {
    JointType.REVOLUTE: ("revolute.phi", "revolute.w", "revolute.a"),
    JointType.CONTINUOUS: ("revolute.phi", "revolute.w", "revolute.a"),
    JointType.PRISMATIC: ("prismatic.s", "prismatic.v", "prismatic.a"),
}
_PLANAR: Final = (
    ("planar.s_x", "planar.s_y", "planar.phi"),
    ("planar.v_x", "planar.v_y", "planar.w"),
    ("planar.a_x", "planar.a_y", "planar.wd"),
)


@frozen
class LinkState:
    """A link at one instant. The place is in the world; the rest is in the axes of the link, at its origin."""

    place: Array  # where its origin is
    turn: Array  # columns are its axes
    force: Array  # on the link
    torque: Array
    acceleration: Array  # of its origin
    turning: Array  # angular velocity
    spin: Array  # angular acceleration
    body_place: Array  # where its centre of mass is, in the world


@frozen
class Sample:
    """The robot at one instant."""

    time: float
    positions: dict[str, Array]
    velocities: Array
    accelerations: Array
    followers: dict[str, float]
    links: dict[str, LinkState]


class Measuring:
    """Which variables of a compiled probe say what."""

    def __init__(
        self, motion: Motion, names: NameTable, variables: Collection[str], parameters: Mapping[str, object]
    ) -> None:
        self._motion = motion
        self._links = {urdf: named.component for urdf, named in names.links.items()}
        self._all = set(variables)
        self._parameters = parameters
        self.variables = list(dict.fromkeys(self._wanted()))
        # A vector is a variable by itself or by its elements, as the compiler likes it.
        missing = [each for each in self.variables if each not in self._all and each.partition("[")[0] not in self._all]
        if missing:
            raise VerifyError(
                f"the package has no variable {missing[0]}"
                + (f", and {len(missing) - 1} more are missing" if len(missing) > 1 else "")
                + ": links and joints are compared by the components that the templates have"
            )

    def _wanted(self) -> Iterator[str]:
        for freedom in self._motion.freedoms:
            yield from (name for part in self._names_of(freedom) for name in part)
        for follower in self._motion.followers:
            yield f"{follower.component}.{_SINGLE[follower.joint.type][0]}"
        for component in self._links.values():
            for name in (
                "frame_a.r_0",
                "frame_a.f",
                "frame_a.t",
                "body.a_0",
                "body.w_a",
                "body.z_a",
                "body.frame_a.r_0",
            ):
                yield from vector(f"{component}.{name}")
            for name in ("frame_a.R.T", "body.frame_a.R.T"):
                yield from matrix(f"{component}.{name}")

    def _names_of(self, freedom: Freedom) -> list[list[str]]:
        """The variables of its position, its velocity, its acceleration."""
        at = freedom.component
        if freedom.type.is_single:
            return [[f"{at}.{name}"] for name in _SINGLE[freedom.type]]
        if freedom.type is JointType.PLANAR:
            return [[f"{at}.{name}" for name in names] for names in _PLANAR]
        at = f"{at}.floating"
        return [
            [*vector(f"{at}.r_rel_a"), *matrix(f"{at}.R_rel.T")],
            [*vector(f"{at}.v_rel_a"), *vector(f"{at}.w_rel_b")],
            vector(f"{at}.a_rel_a"),
        ]

    def samples(self, times: list[float], column: Callable[[str], list[float]]) -> list[Sample]:
        """All instants of a run."""
        columns = {name: column(name) for name in self.variables}
        return [self._sample(index, time, columns) for index, time in enumerate(times)]

    def _sample(self, index: int, time: float, columns: Mapping[str, list[float]]) -> Sample:
        def numbers(names: list[str]) -> Array:
            return np.array([columns[name][index] for name in names])

        links = {name: self._link(component, numbers) for name, component in self._links.items()}
        positions: dict[str, Array] = {}
        velocities, accelerations = np.zeros(self._motion.size), np.zeros(self._motion.size)
        for freedom in self._motion.freedoms:
            place, speed, change = map(numbers, self._names_of(freedom))
            if freedom.type is JointType.FLOATING:
                place, speed, change = _in_moved_frame(freedom, place, speed, change, links)
            positions[freedom.name] = place
            velocities[freedom.span], accelerations[freedom.span] = speed, change
        followers = {
            each.name: columns[f"{each.component}.{_SINGLE[each.joint.type][0]}"][index]
            for each in self._motion.followers
        }
        return Sample(time, positions, velocities, accelerations, followers, links)

    def _link(self, component: str, numbers: Callable[[list[str]], Array]) -> LinkState:
        place, turn = numbers(vector(f"{component}.frame_a.r_0")), numbers(matrix(f"{component}.frame_a.R.T"))
        turn = turn.reshape(3, 3).T
        body, body_turn = (
            numbers(vector(f"{component}.body.frame_a.r_0")),
            numbers(matrix(f"{component}.body.frame_a.R.T")),
        )
        body_turn = body_turn.reshape(3, 3).T
        to_link = turn.T @ body_turn
        turning = to_link @ numbers(vector(f"{component}.body.w_a"))
        spin = to_link @ numbers(vector(f"{component}.body.z_a"))
        arm = turn.T @ (place - body)  # from the body's frame to that of the link
        acceleration = turn.T @ numbers(vector(f"{component}.body.a_0"))
        acceleration = acceleration + np.cross(spin, arm) + np.cross(turning, np.cross(turning, arm))
        return LinkState(
            place=place,
            turn=turn,
            force=numbers(vector(f"{component}.frame_a.f")),
            torque=numbers(vector(f"{component}.frame_a.t")),
            acceleration=acceleration,
            turning=turning,
            spin=spin,
            body_place=body + body_turn @ self._centre(component),
        )

    def _centre(self, component: str) -> Array:
        """Where the centre of mass is in the body's frame."""
        found = self._parameters.get(f"{component}.body.r_CM", (0.0, 0.0, 0.0))
        return np.asarray(found, dtype=float).reshape(3)


def _in_moved_frame(
    freedom: Freedom, place: Array, speed: Array, change: Array, links: Mapping[str, LinkState]
) -> tuple[Array, Array, Array]:
    """The motion of a floating joint as the reference has it: along the axes of the moved frame, which turn, too."""
    turn = place[3:].reshape(3, 3)  # from the joint's frame into the moved one
    line, turning = turn @ speed[:3], speed[3:]
    change = turn @ change - np.cross(turning, line)
    # How fast the turning changes is what the two links tell, because not every compiler keeps that derivative.
    child = links[freedom.child]
    spin = child.spin
    if freedom.joint is not None:
        parent = links[freedom.joint.parent]
        between = child.turn.T @ parent.turn
        spin = spin - between @ parent.spin + np.cross(turning, between @ parent.turning)
    position = np.concatenate([place[:3], quaternion_of(turn.T)])
    return position, np.concatenate([line, turning]), np.concatenate([change, spin])


def vector(name: str) -> list[str]:
    """The three elements of a vector."""
    return [f"{name}[{i}]" for i in (1, 2, 3)]


def matrix(name: str) -> list[str]:
    """The nine elements of a matrix, row after row."""
    return [f"{name}[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)]
