"""How a robot moves: where its links are and what its joints have as values, time after time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from urdf_frontend.model.poses import Pose

NO_ROOT: Final = "the robot has no root link, so nothing of it has a place"


class AnimationError(ValueError):
    """There is nothing to show; the sentence says why."""


@frozen
class Motion:
    """Poses of links and values of joints, one for each time.

    `floor` is the height of the ground in the world; None if nobody knows, and the robot stands on its lowest point.
    `notes` say what its viewer should know: joints that were not found, times that were left out.
    """

    title: str
    times: Sequence[float]
    poses: Mapping[str, Sequence[Pose]]
    values: Mapping[str, Sequence[tuple[float, ...]]]
    floor: float | None = None
    notes: tuple[str, ...] = ()
