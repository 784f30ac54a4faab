"""Where the links are, time after time: forward kinematics that computes only what has moved."""

from __future__ import annotations

from collections.abc import Mapping

from urdf_frontend.kinematics import Kinematics, motion
from urdf_frontend.model.joints import Joint
from urdf_frontend.model.poses import IDENTITY, Pose


class LinkPlacer:
    """Gives the poses that `Kinematics.forward` gives for the same values.

    PERF: a joint that has not moved since the last time keeps its pose, and so do the links behind it; then the very
    same `Pose` is given again. Followers of other joints need values too: nothing is worked out for them here.
    """

    def __init__(self, kinematics: Kinematics) -> None:
        self._order = kinematics.order
        self._joints = {link: kinematics.joint_above(link) for link in kinematics.order}
        self._origins = {link: _origin(joint) for link, joint in self._joints.items()}
        self._values: dict[str, tuple[float, ...]] = {}
        self._steps: dict[str, Pose] = {}
        self._poses: dict[str, Pose] = {}

    def place(self, values: Mapping[str, tuple[float, ...]], root: Pose = IDENTITY) -> dict[str, Pose]:
        """The pose of each link at these joint values, seen from where the root's pose is seen."""
        poses: dict[str, Pose] = {}
        for link in self._order:
            joint = self._joints[link]
            if joint is None:
                same = self._poses.get(link) == root
                poses[link] = self._poses[link] if same else root
                continue
            value = values[joint.name]
            has_moved = self._values.get(link) != value
            if has_moved:
                self._values[link] = value
                self._steps[link] = self._origins[link] @ motion(joint, value)
            parent = poses[joint.parent]
            if has_moved or parent is not self._poses[joint.parent]:
                poses[link] = parent @ self._steps[link]
            else:
                poses[link] = self._poses[link]
        self._poses = poses
        return poses


def _origin(joint: Joint | None) -> Pose:
    return IDENTITY if joint is None or joint.origin is None else joint.origin.pose
