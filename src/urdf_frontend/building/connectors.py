"""The connectors of a robot model, and which link or joint each of them belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from urdf_frontend.kinematics import Kinematics, follows
from urdf_frontend.model import Joint

ROOT_FRAME: Final = "frame_a"


def leaf_frames(kinematics: Kinematics) -> dict[str, str]:
    """The frames at the ends of a robot by the names of their links, in the order of the file."""
    return {leaf: f"frame_b[{number}]" for number, leaf in enumerate(kinematics.leaves, 1)}


def flanges(joints: Iterable[Joint]) -> Iterator[tuple[Joint, str, str]]:
    """(joint, its flange, its support) of all joints that can be driven, in the order of the file."""
    counts = {"rotational": 0, "translational": 0}
    for joint in joints:
        if joint.type.is_single and not follows(joint):
            kind = "rotational" if joint.type.is_rotational else "translational"
            counts[kind] += 1
            yield joint, f"{kind}_flange_a[{counts[kind]}]", f"{kind}_flange_b[{counts[kind]}]"
