"""The robots of a package: their modules are imported when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from urdf_frontend.typed.discovery import RobotNotFoundError, load_robot
from urdf_frontend.typed.ids import RobotId
from urdf_frontend.typed.modelica import AnySkeleton

RobotT = TypeVar("RobotT", bound=RobotId)


class Registry(Generic[RobotT]):
    """Base of generated registries, which say of which class each robot is. A place is `module:NAME`."""

    def __init__(self, places: Mapping[RobotT, str], package: str | None) -> None:
        self._places = dict(places)
        self._package = package or None  # '' for a module that is in no package

    def __iter__(self) -> Iterator[RobotT]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def load(self, robot: RobotT | str) -> AnySkeleton:
        """The robot of an id or of its text; RobotNotFoundError names those that there are."""
        for known, place in self._places.items():
            if known == robot:
                return load_robot(place, self._package)
        raise RobotNotFoundError(f"there is no robot '{robot}'; there is {', '.join(self._places) or 'none'}")
