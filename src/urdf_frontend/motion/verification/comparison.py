"""One instant of a run against Pinocchio: where links are, what they feel, mass matrix and gravity."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

import numpy as np
from attrs import frozen

from urdf_frontend.motion.verification.differences import Kind, Tally
from urdf_frontend.motion.verification.freedoms import Freedom, Motion, VerifyError, quaternion_of
from urdf_frontend.motion.verification.reference import GRAVITY, Array, PinocchioRobot, Positions
from urdf_frontend.robot import Joint, JointType, Kinematics, Named, NameTable

# ---------------------------------------------------------------- measuring
# What a run says at one instant: positions, velocities and accelerations of all freedoms, and what each link feels.

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
        self._links = names.links
        self._all = set(variables)
        self._parameters = parameters
        self.variables = list(dict.fromkeys(self._wanted()))
        # A vector is a variable by itself or by its elements, as the compiler likes it.
        missing = [each for each in self.variables if each not in self._all and each.partition("[")[0] not in self._all]
        if missing:
            raise VerifyError(
                f"the package has no variable {missing[0]}"
                + (f", and {len(missing) - 1} more are missing" if len(missing) > 1 else "")
                + ": a link needs its body, and a joint the joint itself, each of the class that its template has there"
            )

    def _wanted(self) -> Iterator[str]:
        for freedom in self._motion.freedoms:
            yield from (name for part in self._names_of(freedom) for name in part)
        for follower in self._motion.followers:
            yield follower.named.path(_SINGLE[follower.joint.type][0])
        for link in self._links.values():
            for name in (
                "frame_a.r_0",
                "frame_a.f",
                "frame_a.t",
                "body.a_0",
                "body.w_a",
                "body.z_a",
                "body.frame_a.r_0",
            ):
                yield from vector(link.path(name))
            for name in ("frame_a.R.T", "body.frame_a.R.T"):
                yield from matrix(link.path(name))

    def _names_of(self, freedom: Freedom) -> list[list[str]]:
        """The variables of its position, its velocity, its acceleration."""
        path = freedom.named.path
        if freedom.type.is_single:
            return [[path(name)] for name in _SINGLE[freedom.type]]
        if freedom.type is JointType.PLANAR:
            return [list(map(path, names)) for names in _PLANAR]
        at = path("floating")
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

        links = {name: self._link(named, numbers) for name, named in self._links.items()}
        positions: dict[str, Array] = {}
        velocities, accelerations = np.zeros(self._motion.size), np.zeros(self._motion.size)
        for freedom in self._motion.freedoms:
            place, speed, change = map(numbers, self._names_of(freedom))
            if freedom.type is JointType.FLOATING:
                place, speed, change = _in_moved_frame(freedom, place, speed, change, links)
            positions[freedom.name] = place
            velocities[freedom.span], accelerations[freedom.span] = speed, change
        followers = {
            each.name: columns[each.named.path(_SINGLE[each.joint.type][0])][index] for each in self._motion.followers
        }
        return Sample(time, positions, velocities, accelerations, followers, links)

    def _link(self, named: Named, numbers: Callable[[list[str]], Array]) -> LinkState:
        place, turn = numbers(vector(named.path("frame_a.r_0"))), numbers(matrix(named.path("frame_a.R.T")))
        turn = turn.reshape(3, 3).T
        body, body_turn = (
            numbers(vector(named.path("body.frame_a.r_0"))),
            numbers(matrix(named.path("body.frame_a.R.T"))),
        )
        body_turn = body_turn.reshape(3, 3).T
        to_link = turn.T @ body_turn
        turning = to_link @ numbers(vector(named.path("body.w_a")))
        spin = to_link @ numbers(vector(named.path("body.z_a")))
        arm = turn.T @ (place - body)  # from the body's frame to that of the link
        acceleration = turn.T @ numbers(vector(named.path("body.a_0")))
        acceleration = acceleration + np.cross(spin, arm) + np.cross(turning, np.cross(turning, arm))
        return LinkState(
            place=place,
            turn=turn,
            force=numbers(vector(named.path("frame_a.f"))),
            torque=numbers(vector(named.path("frame_a.t"))),
            acceleration=acceleration,
            turning=turning,
            spin=spin,
            body_place=body + body_turn @ self._centre(named),
        )

    def _centre(self, named: Named) -> Array:
        """Where the centre of mass is in the body's frame."""
        found = self._parameters.get(named.path("body.r_CM"), (0.0, 0.0, 0.0))
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


# ---------------------------------------------------------------- comparing

_LEAST_SHARE: Final = 1e-3  # of the robot's weight: forces on lighter links are measured by that


@frozen
class Comparison:
    """The robot of the URDF file, and where differences are noted."""

    kinematics: Kinematics
    motion: Motion
    names: NameTable
    reference: PinocchioRobot
    tally: Tally

    # ---------------------------------------------------------------- values

    def compare_values(self, parameters: Mapping[str, Any], added_masses: Mapping[str, float]) -> dict[str, float]:
        """Limits, friction and masses that the compiler has in the package's parameters; returns the masses."""
        for each in self.motion.single:
            joint = each.joint
            assert joint is not None, "the free base is not a single joint"
            given = {"dynamics.damping", "dynamics.friction", *_given(joint)}
            for name, value in self.reference.limits_of(joint.name, joint.type).items():
                found = parameters.get(each.named.path(f"jointParams.{name}"))
                if isinstance(found, int | float) and name in given:
                    kind = Kind.LIMIT if name.startswith("limit") else Kind.FRICTION
                    self.tally.note(kind, f"{each.words}: {name.partition('.')[2]}", _relative(found, value))
        masses: dict[str, float] = {}
        for link, inertia in self.reference.inertias.items():
            named = self.names.link(link)
            name = named.path("linkParams.inertial.mass")
            mass = added_masses.get(name, parameters.get(named.path("body.m"), parameters.get(name, 0.0)))
            masses[link] = float(mass)
            self.tally.note(Kind.LINK_MASS, f"link {link}", _relative(masses[link], inertia.mass))
        return masses

    def compare_total(self, masses: Mapping[str, float]) -> None:
        """The mass of all links."""
        expected = sum(inertia.mass for inertia in self.reference.inertias.values())
        self.tally.note(Kind.TOTAL_MASS, "all links", _relative(sum(masses.values()), expected))

    # ---------------------------------------------------------------- one instant

    def compare_places(self, sample: Sample) -> None:
        """Where the links are, where each is in the frame of the one above it, and where the masses are."""
        places = self.reference.places(sample.positions)
        size = max(1.0, *(float(np.linalg.norm(place.translation)) for place in places.values()))
        for link, state in sample.links.items():
            expected = places[link]
            self.tally.note(Kind.LINK_PLACE, f"link {link}", _apart(state.place, expected.translation) / size)
            self.tally.note(Kind.LINK_TURN, f"link {link}", _apart(state.turn, expected.rotation))
        for joint in self.kinematics.joint_order():
            above, below = sample.links[joint.parent], sample.links[joint.child]
            expected = places[joint.parent].actInv(places[joint.child])
            step = above.turn.T @ (below.place - above.place)
            turn = above.turn.T @ below.turn
            apart = max(_apart(step, expected.translation) / size, _apart(turn, expected.rotation))
            self.tally.note(Kind.JOINT, f"joint {joint.name}", apart)
        for follower in self.motion.followers:
            expected_value = follower.factor * sample.positions[follower.leader.name][0] + follower.shift
            apart = abs(sample.followers[follower.name] - expected_value)
            self.tally.note(Kind.FOLLOWER, follower.words, apart / max(1.0, abs(expected_value)))

    def compare_way(self, sample: Sample) -> None:
        """Where the links are in the midst of a motion: solvers let the length of a quaternion drift a little."""
        places = self.reference.places(sample.positions)
        size = max(1.0, *(float(np.linalg.norm(place.translation)) for place in places.values()))
        for link, state in sample.links.items():
            apart = _apart(state.place, places[link].translation) / size
            self.tally.note(Kind.WAY, f"link {link}", max(apart, _apart(state.turn, places[link].rotation)))

    def compare_centre(self, sample: Sample, masses: Mapping[str, float]) -> None:
        """The centre of mass, with the masses that the package has."""
        total, centre = self.reference.mass_and_centre(sample.positions)
        own = sum(masses.values())
        if not total or not own:
            return
        moment = sum((masses[link] * state.body_place for link, state in sample.links.items()), np.zeros(3))
        size = max(1.0, float(np.linalg.norm(centre)))
        self.tally.note(Kind.CENTRE, "all links", _apart(moment / own, centre) / size)

    def compare_forces(self, sample: Sample) -> None:
        """What each link needs for its own motion, which depends on its own mass and inertia alone."""
        weight = GRAVITY * sum(inertia.mass for inertia in self.reference.inertias.values())
        for link, state in sample.links.items():
            force, torque = _needed(state, self.reference.inertias[link])
            arm = max(float(np.linalg.norm(self.reference.inertias[link].lever)), 0.1)
            scale = max(float(np.linalg.norm(force)), _LEAST_SHARE * weight) or 1.0
            turning_scale = max(float(np.linalg.norm(torque)), scale * arm)
            apart = max(_apart(state.force, force) / scale, _apart(state.torque, torque) / turning_scale)
            self.tally.note(Kind.LINK_FORCE, f"link {link}", apart)

    def compare_dynamics(self, positions: Positions, forces: Array, samples: list[Sample]) -> None:
        """Mass matrix and gravity, from a sample at rest and one for each column of forces."""
        expected = self.reference.mass_matrix(positions)
        scale = np.sqrt(np.diag(expected))
        rest = samples[0].accelerations
        # Forces and accelerations are scaled so that the mass matrix has ones on its diagonal.
        gained = np.array([each.accelerations - rest for each in samples[1:]]).T * scale[:, None]
        found = (forces / scale[:, None]) @ np.linalg.pinv(gained)
        labels = self.motion.labels()
        apart = np.abs(found - expected / np.outer(scale, scale))
        row, column = np.unravel_index(int(np.argmax(apart)), apart.shape)
        both = labels[row] if row == column else f"{labels[row]}, {labels[column]}"
        self.tally.note(Kind.MASS_MATRIX, both, float(apart[row, column]))
        gravity = -found @ (rest * scale)
        self._note_worst(Kind.GRAVITY, gravity - self.reference.gravity(positions) / scale)

    def compare_balance(self, sample: Sample, slip_speeds: Array | None) -> None:
        """Mass times acceleration and all other forces are zero in free motion."""
        matrix = self.reference.mass_matrix(sample.positions)
        scale = np.sqrt(np.diag(matrix))
        forces = self.reference.forces(sample.positions, sample.velocities, slip_speeds)
        inertial = matrix @ sample.accelerations
        largest = max(1.0, float(np.max(np.abs(forces / scale))), float(np.max(np.abs(inertial / scale))))
        self._note_worst(Kind.BALANCE, (inertial + forces) / scale / largest)

    def _note_worst(self, kind: Kind, scaled: Array) -> None:
        """Forces, divided by the roots of what each freedom moves, so that gravity alone can't exceed the bound."""
        mass = sum(inertia.mass for inertia in self.reference.inertias.values())
        bound = GRAVITY * max(mass, 1e-12) ** 0.5 if kind is Kind.GRAVITY else 1.0
        worst = int(np.argmax(np.abs(scaled)))
        self.tally.note(kind, self.motion.labels()[worst], float(abs(scaled[worst])) / bound)


def _needed(state: LinkState, inertia: Any) -> tuple[Array, Array]:
    """The force and torque at a link's origin that its motion and its weight take."""
    weight = state.turn.T @ np.array([0.0, 0.0, -GRAVITY])
    lever = inertia.lever
    turning, spin = state.turning, state.spin
    centre = state.acceleration + np.cross(spin, lever) + np.cross(turning, np.cross(turning, lever))
    force = inertia.mass * (centre - weight)
    torque = inertia.inertia @ spin + np.cross(turning, inertia.inertia @ turning) + np.cross(lever, force)
    return force, torque


def _apart(one: Array, other: Array) -> float:
    return float(np.max(np.abs(one - other)))


def _relative(found: float, expected: float) -> float:
    if found == expected:
        return 0.0
    return abs(found - expected) / max(abs(found), abs(expected))


def _given(joint: Joint) -> list[str]:
    """The limits that count: Pinocchio has others too."""
    names = ("lower", "upper", "effort", "velocity")
    return [f"limit.{name}" for name in names if getattr(joint.effective_limit, name, None) is not None]
