"""The motion of a robot as a simulation has computed it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from attrs import field, frozen

from modelica_ast.simulation import Result, Simulator
from urdf_frontend.motion.motions import NO_ROOT, AnimationError, LinkPlacer, Motion
from urdf_frontend.package import RobotPackage
from urdf_frontend.robot import (
    IDENTITY,
    Joint,
    JointType,
    Kinematics,
    NameStyle,
    NameTable,
    Pose,
    Robot,
    make_names,
    robot_class,
)

# ---------------------------------------------------------------- recording
# Where the variables of a robot are in the result of a simulation.

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
        return self._columns(self.names.link(link).path(f"frame_a.{part}") for part in _FRAME)

    def root_frame(self) -> list[Sequence[float]] | None:
        """Likewise, the frame that the root link is in."""
        return self._columns(f"{_ROOT_FRAME}.{part}" for part in _FRAME)

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
        return self._columns(map(self.names.joint(joint.name).path, parts)) if parts else None

    def _columns(self, paths: Iterable[str]) -> list[Sequence[float]] | None:
        wanted = [f"{self.instance}.{path}" if self.instance else path for path in paths]
        return [self.recording[name] for name in wanted] if self._known.issuperset(wanted) else None


def find_robot(recording: Recording, robot: Robot, names: NameTable, instance: str | None = None) -> RobotRecording:
    """The robot in a result. Without `instance`, it is where the variables of its joints and links are."""
    known = frozenset(recording.names)
    return RobotRecording(recording, robot, names, _find_instance(known, robot, names, instance), known)


def usual_names(robot: Robot, recording: Recording | None = None) -> NameTable:
    """What the links and joints are called in a package that was built without further options.

    A result may be of a package that was built when names were escaped: it has the names that it has more of.
    """
    links, joints = [link.name for link in robot.links], [joint.name for joint in robot.joints]
    name = robot_class(robot.name)
    usual, older = (make_names(name, links, joints, style=style) for style in (NameStyle.AS_IS, NameStyle.ESCAPED))
    if recording is None or usual == older:
        return usual
    known = frozenset(recording.names)
    return max((usual, older), key=lambda names: sum(1 for _ in _instances(known, robot, names)))


def robot_variables(known: Iterable[str], robot: Robot, names: NameTable, instance: str | None = None) -> list[str]:
    """The variables of a model that a `RobotRecording` has a use for; there may be twenty times as many others."""
    known = frozenset(known)
    place = _find_instance(known, robot, names, instance)
    paths = [f"{_ROOT_FRAME}.{part}" for part in _FRAME]
    paths += [names.link(link.name).path(f"frame_a.{part}") for link in robot.links for part in _FRAME]
    paths += [names.joint(joint.name).path(part) for joint in robot.joints for part in _joint_parts(joint)]
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
    ends = {f".{named.path(f'frame_a.{_FRAME[0]}')}" for named in names.links.values()}
    for joint in robot.joints:
        first = _RELATIVE_PLACE[0] if joint.type is JointType.FLOATING else _POSITIONS.get(joint.type, ("",))[0]
        if first:
            ends.add(f".{names.joint(joint.name).path(first)}")
    for name in known:
        dotted = f".{name}"
        # A quoted name may have dots in it, so each place after a dot can be the start of what is looked for.
        at = 0
        while at >= 0:
            if dotted[at:] in ends:
                yield dotted[1:at]
            at = dotted.find(".", at + 1)


def _example(robot: Robot, names: NameTable) -> str:
    for joint in robot.joints:
        if joint.type in _POSITIONS:
            return f", such as robot.{names.joint(joint.name).path(_POSITIONS[joint.type][0])}"
    return ""


def _elsewhere(found: Iterable[str]) -> str:
    return f"; there are some in {', '.join(repr(place) for place in sorted(found))}" if found else ""


# ---------------------------------------------------------------- recorded

MOST_FRAMES: Final = 1000
_STILL: Final = 1e-6  # metres: a root that moves less stands
_RECORDED_NAMED: Final = 8  # joints in a note

Columns = Sequence[Sequence[float]]


def recorded_motion(recording: RobotRecording, title: str, *, most_frames: int = MOST_FRAMES) -> Motion:
    """Take the motion out of a result.

    The frames of the links are in there as the model has computed them, whatever the model makes of the URDF file.
    Where the result does not have all of them, the joint values and the frame of the root say where the links are.
    """
    times = recording.times
    if len(times) == 0:
        raise RecordingError("the result has no times")
    kinematics = Kinematics.of(recording.robot)
    if not kinematics.roots:
        raise RecordingError(NO_ROOT)
    joints = kinematics.joint_order()
    columns = {joint.name: _joint_columns(recording, joint) for joint in joints if joint.type.degrees_of_freedom}
    lost = [name for name, found in columns.items() if found is None]
    found = {name: column for name, column in columns.items() if column is not None}
    frames = {link: recording.link_frame(link) for link in kinematics.order}
    complete = {link: frame for link, frame in frames.items() if frame is not None}
    root = recording.root_frame()
    if len(complete) < len(frames):
        complete = {}
    used = [*found.values(), *complete.values(), *([root] if root is not None else [])]
    rows, notes = _chosen_rows(times, used, most_frames)
    values = {
        joint.name: _joint_values(joint, found[joint.name], rows)
        if joint.name in found
        else [(0.0,) * joint.type.degrees_of_freedom] * len(rows)
        for joint in joints
    }
    if lost and not complete:
        notes.append(f"Not in the result, so shown at 0: {_listed(lost)}.")
    elif lost:
        notes.append(f"The result has no values of {_listed(lost)}; the links are where it says.")
    if complete:
        poses = {link: frame_poses(frame, rows) for link, frame in complete.items()}
    else:
        poses = _forward(kinematics, values, None if root is None else frame_poses(root, rows), len(rows))
    return Motion(
        title=title,
        times=[times[row] for row in rows],
        poses=poses,
        values=values,
        floor=0.0 if _is_moving([poses[link] for link in kinematics.roots]) else None,
        notes=tuple(notes),
    )


def _joint_columns(recording: RobotRecording, joint: Joint) -> Columns | None:
    return recording.free_motion(joint) if joint.type is JointType.FLOATING else recording.positions(joint)


def _joint_values(joint: Joint, columns: Columns, rows: Sequence[int]) -> list[tuple[float, ...]]:
    if joint.type is JointType.FLOATING:
        return [(*pose.translation, *pose.angles) for pose in frame_poses(columns, rows)]
    return [tuple(column[row] for column in columns) for row in rows]


def frame_poses(columns: Columns, rows: Sequence[int]) -> list[Pose]:
    """The poses of a frame. The matrix of a Modelica frame leads into it, so its columns are the rows of a pose."""
    x, y, z, a, b, c, d, e, f, g, h, i = columns
    return [Pose(((a[n], d[n], g[n]), (b[n], e[n], h[n]), (c[n], f[n], i[n])), (x[n], y[n], z[n])) for n in rows]


def _forward(
    kinematics: Kinematics, values: Mapping[str, Sequence[tuple[float, ...]]], root: Sequence[Pose] | None, count: int
) -> dict[str, list[Pose]]:
    placer = LinkPlacer(kinematics)
    poses: dict[str, list[Pose]] = {link: [] for link in kinematics.order}
    for n in range(count):
        placed = placer.place(
            {name: column[n] for name, column in values.items()}, IDENTITY if root is None else root[n]
        )
        for link, pose in placed.items():
            poses[link].append(pose)
    return poses


def _chosen_rows(times: Sequence[float], used: Sequence[Columns], most: int) -> tuple[list[int], list[str]]:
    """The rows that are shown: all up to where a value is not finite any more, or as many as a page can take."""
    notes: list[str] = []
    flat = [column for columns in used for column in columns]
    end = min((_first_bad(column, len(times)) for column in (times, *flat)), default=len(times))
    if end == 0:
        raise RecordingError("the result has values that are not finite from its first time on")
    if end < len(times):
        notes.append(f"The result is not finite from {times[end]:.6g} s on; it is shown up to there.")
    if end <= most:
        return list(range(end)), notes
    step = (end - 1) / (most - 1)
    notes.append(f"Of {end:,} times of the result {most:,} are shown.")
    return [round(count * step) for count in range(most)], notes


def _first_bad(column: Sequence[float], end: int) -> int:
    return next((row for row, value in enumerate(column) if not math.isfinite(value)), end)


def _is_moving(roots: Sequence[Sequence[Pose]]) -> bool:
    return any(math.dist(pose.translation, poses[0].translation) > _STILL for poses in roots for pose in poses)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _RECORDED_NAMED} more" if len(names) > _RECORDED_NAMED else ""
    return ", ".join(names[:_RECORDED_NAMED]) + more


# ---------------------------------------------------------------- simulating
# A simulation of a robot's package that keeps what can be seen and plotted.

_USUAL_SECONDS: Final = 1.0
_USUAL_TOLERANCE: Final = 1e-6


@frozen
class RunOptions:
    """What is simulated and how long. None is what the model's `experiment` annotation says, or the usual."""

    model: str | None = None
    instance: str | None = None
    stop: float | None = None
    step: float | None = None
    parameters: Mapping[str, Any] = field(factory=dict)
    timeout: float | None = None
    progress: Callable[[str, float], None] | None = None
    libraries: Sequence[Path] = ()  # libraries, or folders of them, that go before all others
    backend: str = "rumoca"  # or `omc`
    cache: bool = True  # may the result be that of an earlier call, and be kept for the next one?


def simulate_robot(package: RobotPackage, robot: Robot, options: RunOptions) -> Result:
    """Simulate a model of the package. SimulationError says what failed, RecordingError that the robot is not in it.

    PackageError if the package is not that of a robot.
    """
    names = package.names

    def wanted(known: Iterable[str]) -> list[str]:
        return robot_variables(known, robot, names, options.instance)

    return simulate_model(package.library_folder, package.model(options.model), wanted, options)


def simulate_model(
    folder: Path, name: str, wanted: Callable[[Iterable[str]], list[str]], options: RunOptions
) -> Result:
    """Simulate a model of the library in a folder, and keep what is wanted of its variables."""
    simulator = Simulator(
        [folder, *options.libraries],
        around=[folder],
        backend=options.backend,
        progress=options.progress,
        timeout=options.timeout,
        cache=options.cache,
        count=False,
    )
    with simulator:
        model = simulator.compile(name)
        variables = wanted(model.variables)
        said = model.experiment
        start = said.start or 0.0
        return model.run(
            start=start,
            stop=next(time for time in (options.stop, said.stop, start + _USUAL_SECONDS) if time is not None),
            step=said.step if options.step is None else options.step,
            tolerance=_USUAL_TOLERANCE if said.tolerance is None else said.tolerance,
            parameters=options.parameters,
            variables=variables,
        )
