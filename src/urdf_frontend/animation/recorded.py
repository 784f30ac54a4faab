"""The motion of a robot as a simulation has computed it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from urdf_frontend.animation.motions import NO_ROOT, Motion
from urdf_frontend.animation.placing import LinkPlacer
from urdf_frontend.animation.recording import RecordingError, RobotRecording
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model.joints import Joint, JointType
from urdf_frontend.model.poses import IDENTITY, Pose

MOST_FRAMES: Final = 1000
_STILL: Final = 1e-6  # metres: a root that moves less stands
_NAMED: Final = 8  # joints in a note

Columns = Sequence[Sequence[float]]


def recorded_motion(recording: RobotRecording, title: str, *, most_frames: int = MOST_FRAMES) -> Motion:
    """Take the motion out of a result.

    The frames of the links are in there as the model has computed them, whatever the model makes of the URDF file.
    Where the result has not all of them, the joint values and the frame of the root say where the links are.
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
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
