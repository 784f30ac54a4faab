"""Where the variables of a robot are in the result of a simulation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from attrs import field, frozen

from urdf_frontend.animation.motions import AnimationError
from urdf_frontend.model.joints import Joint, JointType
from urdf_frontend.model.robot import Robot
from urdf_frontend.names import NameTable, make_names
from urdf_frontend.names.table import robot_class

# What a joint's template calls its values: one name for each degree of freedom.
_POSITIONS: Final = {
    JointType.REVOLUTE: ("revolute.phi",),
    JointType.CONTINUOUS: ("revolute.phi",),
    JointType.PRISMATIC: ("prismatic.s",),
    JointType.PLANAR: ("planar.s_x", "planar.s_y", "planar.phi"),
}
_SPEEDS: Final = {
    JointType.REVOLUTE: ("revolute.w",),
    JointType.CONTINUOUS: ("revolute.w",),
    JointType.PRISMATIC: ("prismatic.v",),
    JointType.PLANAR: ("planar.v_x", "planar.v_y", "planar.w"),
    JointType.FLOATING: tuple(f"floating.{each}[{i}]" for each in ("v_rel_a", "w_rel_b") for i in (1, 2, 3)),
}
_RELATIVE_PLACE: Final = tuple(f"floating.r_rel_a[{i}]" for i in (1, 2, 3))
_RELATIVE_TURN: Final = tuple(f"floating.R_rel.T[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3))
_FRAME: Final = (
    *(f"r_0[{i}]" for i in (1, 2, 3)),
    *(f"R.T[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)),
)
_ROOT_FRAME: Final = "frame_a"
_NAMED: Final = 5  # joints in a message


class Recording(Protocol):
    """The result of a simulation: `modelica_ast.simulation.Result` is one."""

    @property
    def times(self) -> Sequence[float]:
        """The times, which never go back."""

    @property
    def names(self) -> Iterable[str]:
        """All variables."""

    def __getitem__(self, name: str) -> Sequence[float]:
        """The values of a variable, one for each time."""


class RecordingError(AnimationError):
    """A result that has no such robot; the sentence says what is missing."""


@frozen
class RobotRecording:
    """A robot in a result. Columns are lists of values, one for each time; None is what the result does not have."""

    recording: Recording = field(repr=False)
    robot: Robot = field(repr=False)
    names: NameTable = field(repr=False)
    instance: str  # the robot's component, `robot` or `cell.left`; empty if the robot itself was simulated
    _known: frozenset[str] = field(repr=False)

    @property
    def times(self) -> Sequence[float]:
        """The times of the result."""
        return self.recording.times

    def link_frame(self, link: str) -> list[Sequence[float]] | None:
        """Twelve columns: the place of a link's frame in the world, and the matrix from the world into it by rows."""
        return self._columns(self.names.link(link).component, (f"frame_a.{part}" for part in _FRAME))

    def root_frame(self) -> list[Sequence[float]] | None:
        """Likewise, the frame that the root link is in."""
        return self._columns("", (f"{_ROOT_FRAME}.{part}" for part in _FRAME))

    def positions(self, joint: Joint) -> list[Sequence[float]] | None:
        """An angle or a distance; three columns for a planar joint. Those of a floating one are its `free_motion`."""
        return self._of_joint(joint, _POSITIONS.get(joint.type, ()))

    def free_motion(self, joint: Joint) -> list[Sequence[float]] | None:
        """Twelve columns of a floating joint: where the child is for the parent, and the matrix into it by rows."""
        return self._of_joint(joint, (*_RELATIVE_PLACE, *_RELATIVE_TURN))

    def speeds(self, joint: Joint) -> list[Sequence[float]] | None:
        """As many columns as the joint has degrees of freedom."""
        return self._of_joint(joint, _SPEEDS.get(joint.type, ()))

    def drive(self, joint: Joint) -> Sequence[float] | None:
        """What the drive gives: a torque or a force, of a joint with one degree of freedom."""
        return self._effort(joint, "flange_a")

    def friction(self, joint: Joint) -> Sequence[float] | None:
        """What friction takes of it."""
        return self._effort(joint, "friction")

    def _effort(self, joint: Joint, part: str) -> Sequence[float] | None:
        if not joint.type.is_single:
            return None
        found = self._of_joint(joint, (f"{part}.{'tau' if joint.type.is_rotational else 'f'}",))
        return None if found is None else found[0]

    def _of_joint(self, joint: Joint, parts: Sequence[str]) -> list[Sequence[float]] | None:
        return self._columns(self.names.joint(joint.name).component, parts) if parts else None

    def _columns(self, component: str, parts: Iterable[str]) -> list[Sequence[float]] | None:
        wanted = [".".join(filter(None, (self.instance, component, part))) for part in parts]
        return [self.recording[name] for name in wanted] if self._known.issuperset(wanted) else None


def find_robot(recording: Recording, robot: Robot, names: NameTable, instance: str | None = None) -> RobotRecording:
    """The robot in a result. Without `instance`, it is where the variables of its joints and links are."""
    known = frozenset(recording.names)
    return RobotRecording(recording, robot, names, _find_instance(known, robot, names, instance), known)


def usual_names(robot: Robot) -> NameTable:
    """What the links and joints are called in a package that was built without further options."""
    links, joints = (link.name for link in robot.links), (joint.name for joint in robot.joints)
    return make_names(robot_class(robot.name), links, joints)


def robot_variables(known: Iterable[str], robot: Robot, names: NameTable, instance: str | None = None) -> list[str]:
    """The variables of a model that a `RobotRecording` has a use for; there may be twenty times as many others."""
    known = frozenset(known)
    place = _find_instance(known, robot, names, instance)
    paths = [f"{_ROOT_FRAME}.{part}" for part in _FRAME]
    paths += [f"{names.link(link.name).component}.frame_a.{part}" for link in robot.links for part in _FRAME]
    paths += [f"{names.joint(joint.name).component}.{part}" for joint in robot.joints for part in _joint_parts(joint)]
    wanted = (f"{place}.{path}" if place else path for path in paths)
    return [name for name in dict.fromkeys(wanted) if name in known]


def _joint_parts(joint: Joint) -> Iterator[str]:
    yield from _POSITIONS.get(joint.type, ())
    yield from _SPEEDS.get(joint.type, ())
    if joint.type is JointType.FLOATING:
        yield from (*_RELATIVE_PLACE, *_RELATIVE_TURN)
    if joint.type.is_single:
        effort = "tau" if joint.type.is_rotational else "f"
        yield from (f"flange_a.{effort}", f"friction.{effort}")


def _find_instance(known: frozenset[str], robot: Robot, names: NameTable, instance: str | None) -> str:
    missing = [joint.name for joint in robot.joints if joint.name not in names.joints]
    missing += [link.name for link in robot.links if link.name not in names.links]
    if missing:
        listed = ", ".join(f"'{name}'" for name in missing[:_NAMED])
        raise RecordingError(f"the package has no {listed}: it was built from another URDF file; update it first")
    found = Counter(_instances(known, robot, names))
    if instance is not None:
        if instance not in found:
            raise RecordingError(f"the result has no variables of this robot in '{instance}'{_elsewhere(found)}")
        return instance
    if not found:
        raise RecordingError(f"the result has no variables of this robot{_example(robot, names)}")
    most = max(found.values())
    best = [place for place, count in found.items() if count == most]
    if len(best) > 1:
        listed = ", ".join(sorted(best))
        raise RecordingError(f"the result has several such robots: {listed}; choose one of them with --instance")
    return best[0]


def _instances(known: Iterable[str], robot: Robot, names: NameTable) -> Iterator[str]:
    """Where a robot may be, once for each variable that says so: the first of each joint and link."""
    ends = {f".{named.component}.frame_a.{_FRAME[0]}" for named in names.links.values()}
    for joint in robot.joints:
        first = _RELATIVE_PLACE[0] if joint.type is JointType.FLOATING else _POSITIONS.get(joint.type, ("",))[0]
        if first:
            ends.add(f".{names.joint(joint.name).component}.{first}")
    for name in known:
        dotted = f".{name}"
        # A quoted name may have dots in it, so each place behind a dot can be the start of what is looked for.
        at = 0
        while at >= 0:
            if dotted[at:] in ends:
                yield dotted[1:at]
            at = dotted.find(".", at + 1)


def _example(robot: Robot, names: NameTable) -> str:
    for joint in robot.joints:
        if joint.type in _POSITIONS:
            return f", such as robot.{names.joint(joint.name).component}.{_POSITIONS[joint.type][0]}"
    return ""


def _elsewhere(found: Iterable[str]) -> str:
    return f"; there are some in {', '.join(repr(place) for place in sorted(found))}" if found else ""
