"""One instant of a run against Pinocchio: where links are, what they feel, mass matrix and gravity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from attrs import frozen

from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import Joint
from urdf_frontend.names import NameTable
from urdf_frontend.verify.freedoms import Motion
from urdf_frontend.verify.measuring import LinkState, Sample
from urdf_frontend.verify.reference import GRAVITY, Array, PinocchioRobot, Positions
from urdf_frontend.verify.report import Kind, Tally
from urdf_frontend.verify.urdf_text import refused_limits

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
            assert joint is not None, "the free base is no single joint"
            given = {"dynamics.damping", "dynamics.friction", *_given(joint)}
            for name, value in self.reference.limits_of(joint.name, joint.type).items():
                found = parameters.get(f"{each.component}.jointParams.{name}")
                if isinstance(found, int | float) and name in given:
                    kind = Kind.LIMIT if name.startswith("limit") else Kind.FRICTION
                    self.tally.note(kind, f"{each.words}: {name.partition('.')[2]}", _relative(found, value))
        masses: dict[str, float] = {}
        for link, inertia in self.reference.inertias.items():
            component = self.names.link(link).component
            name = f"{component}.linkParams.inertial.mass"
            mass = added_masses.get(name, parameters.get(f"{component}.body.m", parameters.get(name, 0.0)))
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
    """The limits that the file gives, and Pinocchio takes: others are zero there."""
    names = {"lower", "upper", "effort", "velocity"}.difference(refused_limits(joint))
    return [f"limit.{name}" for name in names if getattr(joint.limit, name, None) is not None]
