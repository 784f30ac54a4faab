"""The model that is simulated: the user's robot in an empty world, with drives that can push each of its joints.

The robot with its drives extends the user's class, so that drives can be connected with joints. It is in a model
with the world, for no model may have a world and look for one outside. Both are made of `probe.mo` by the verbs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from attrs import frozen

from modelica_ast.edit import ClassHandle, Document, NewComponent, NewConnection
from modelica_ast.tree import Reference
from urdf_frontend.motion.verification.freedoms import Freedom, Motion, about
from urdf_frontend.motion.verification.reference import Array, PinocchioRobot, Positions, Start
from urdf_frontend.robot import JointType, plane_of

_PACKAGE: Final = "RobotProbe"
MODEL: Final = f"{_PACKAGE}.Probe"
ROBOT: Final = "robot"  # the component of the robot in it
STEP: Final = 1e-9  # seconds between two pulses: nothing moves in so short a time
_TEMPLATE: Final = Path(__file__).parent / "probe.mo"
_FLOATING: Final = "UrdfRobots.Joints.Floating"
_PARAMETER: Final = ("parameter",)
# The parameters of values and of speeds at the start, with the sizes of those that are vectors.
_FIELDS: Final = {
    JointType.PLANAR: ((("s_start", 2), ("phi_start", 0)), (("v_start", 2), ("w_start", 0))),
    JointType.FLOATING: ((("r_start", 3), ("rpy_start", 3)), (("v_start", 3), ("w_start", 3))),
}
_PUSH: Final = 10.0  # the acceleration that a pulse should give, in rad/s2 or m/s2


@frozen
class Pulse:
    """The drive of one freedom. `turn` is the number of its first instant; at 0 nothing pushes."""

    freedom: Freedom
    component: str
    turn: int

    @property
    def is_frame(self) -> bool:
        """Does it push the frames of a joint, in six directions?"""
        return not self.freedom.type.is_single

    @property
    def is_base(self) -> bool:
        """Does it push the base of the robot, which is not a joint of it?"""
        return self.freedom.joint is None

    @property
    def count(self) -> int:
        """How many instants it takes."""
        return 6 if self.is_frame else 1

    @property
    def type(self) -> str:
        """Its class."""
        if self.is_frame:
            return "FramePulses"
        return "RotationalPulse" if self.freedom.type.is_rotational else "TranslationalPulse"

    def scalar(self, part: str, index: int) -> str:
        """The parameter of the probe that is one number of a start value; a compiled model takes no elements."""
        return f"{self.component}_{part}{index + 1}"

    def scalars(self) -> list[str]:
        """All of these parameters."""
        indices = range(self.freedom.size) if self.is_frame else ()
        return [self.scalar(part, index) for part in ("value", "speed") for index in indices]

    def starts(self) -> Iterator[tuple[str, Any]]:
        """The start values of its joint by their names, as references to these parameters."""
        if not self.is_frame:
            return
        for part, fields in zip(("value", "speed"), _FIELDS[self.freedom.type], strict=True):
            at = 0
            for name, size in fields:
                numbers = [Reference(self.scalar(part, at + i)) for i in range(size or 1)]
                yield name, numbers if size else numbers[0]
                at += len(numbers)


def free_name(wanted: str, taken: Collection[str]) -> str:
    """A name that nothing of the robot has."""
    while wanted in taken:
        wanted += "_"
    return wanted


def make_pulses(motion: Motion, taken: Collection[str]) -> list[Pulse]:
    """A drive for each freedom."""
    pulses, turn = [], 1
    for number, freedom in enumerate(motion.freedoms, 1):
        pulses.append(Pulse(freedom, free_name(f"probePulse{number}", taken), turn))
        turn += pulses[-1].count
    return pulses


def make_probe(robot_class: str, pulses: list[Pulse]) -> str:
    """The text of the model."""
    document = Document.open(_TEMPLATE)
    probe, robot = document.find_class(MODEL), document.find_class(f"{_PACKAGE}.DrivenRobot")
    bases = [pulse for pulse in pulses if pulse.is_base]
    inside = [pulse for pulse in pulses if not pulse.is_base]
    with document.transaction():
        starts = {each.freedom.named.path(name): value for each in inside for name, value in each.starts()}
        robot.add_extends(f".{robot_class}", starts)  # from the top: the user's package may be called as anything here
        _add_pulses(robot, inside)
        _add_pulses(probe, bases)
        probe.add_components([NewComponent(_FLOATING, each.freedom.component, dict(each.starts())) for each in bases])
        # The robot stands on the base, and the base in the world.
        holders = ["world", *(each.freedom.component for each in bases)]
        held = [*(f"{each.freedom.component}.frame_a" for each in bases), f"{ROBOT}.frame_a"]
        ends = zip(holders, held, strict=True)
        probe.connect_all([NewConnection(f"{holder}.frame_b", frame) for holder, frame in ends])
    return document.text


def _add_pulses(model: ClassHandle, pulses: list[Pulse]) -> None:
    """The drives, the numbers that their joints start at, and their connections."""
    numbers = [number for pulse in pulses for number in pulse.scalars()]
    model.add_components([NewComponent("Real", name, {"": 0.0}, prefixes=_PARAMETER) for name in numbers])
    model.add_components(
        [NewComponent(each.type, each.component, {"turn": each.turn, "step": STEP}) for each in pulses]
    )
    model.connect_all([NewConnection(one, other) for pulse in pulses for one, other in _ends(pulse)])


def _ends(pulse: Pulse) -> Iterator[tuple[str, str]]:
    kind = "frame" if pulse.is_frame else "flange"
    for side in "ab":
        yield f"{pulse.component}.{kind}_{side}", pulse.freedom.named.path(f"{kind}_{side}")


def start_parameters(pulses: list[Pulse], start: Start) -> dict[str, float]:
    """The parameters that let a run start there."""
    found: dict[str, float] = {}
    for pulse in pulses:
        freedom = pulse.freedom
        values, speeds = start.values[freedom.name], start.speeds[freedom.name]
        if not pulse.is_frame:
            found |= {
                freedom.named.path("q_start"): float(values[0]),
                freedom.named.path("qd_start"): float(speeds[0]),
            }
            continue
        for part, numbers in (("value", values), ("speed", speeds)):
            found |= {pulse.scalar(part, index): float(number) for index, number in enumerate(numbers)}
    return found


@frozen
class Pushes:
    """What all pulses do at a configuration: parameters, and the force on each freedom at each instant, in columns."""

    parameters: dict[str, float]
    forces: Array


def make_pushes(pulses: list[Pulse], reference: PinocchioRobot, positions: Positions) -> Pushes:
    """Pulses as strong as the masses ask for."""
    inertias = np.diag(reference.mass_matrix(positions))
    columns = sum(pulse.count for pulse in pulses)
    forces = np.zeros((len(inertias), columns))
    parameters: dict[str, float] = {}
    for pulse in pulses:
        freedom, at = pulse.freedom, pulse.turn - 1
        if not pulse.is_frame:
            strength = _PUSH * float(inertias[freedom.first])
            parameters[f"{pulse.component}.{'torque' if freedom.type.is_rotational else 'force'}"] = strength
            forces[freedom.first, at] = strength
            continue
        lines = 3 if freedom.type is JointType.FLOATING else 2
        own = inertias[freedom.span]
        force, torque = _PUSH * float(np.mean(own[:lines])), _PUSH * float(np.mean(own[lines:]))
        parameters |= {f"{pulse.component}.force": force, f"{pulse.component}.torque": torque}
        forces[freedom.span, at : at + 6] = _directions(freedom, positions) * np.array([force] * 3 + [torque] * 3)
    return Pushes(parameters, forces)


def _directions(freedom: Freedom, positions: Positions) -> Array:
    """What unit forces and torques along the axes of the moved link do to the velocities of its joint."""
    if freedom.type is JointType.FLOATING:
        return np.eye(6)
    assert freedom.joint is not None, "the free base is floating"
    normal = freedom.joint.direction
    turn = about(normal, float(positions[freedom.name][2]))
    rows = np.zeros((3, 6))
    for row, direction in enumerate(plane_of(normal)):
        rows[row, :3] = np.asarray(direction) @ turn
    rows[2, 3:] = normal
    return rows
