"""The robots of a package: their modules are imported when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Generic, TypeVar

from urdf_frontend.typed.modelica import AnySkeleton
from urdf_frontend.typed.skeleton import Skeleton
from urdf_frontend.typed.values import RobotId

# ---------------------------------------------------------------- discovery
# Robots of other packages, by entry points.
#
# A package says in its pyproject.toml
#
# [project.entry-points."urdf_frontend.robots"] panda = "my_robots.panda:PANDA"

GROUP: Final = "urdf_frontend.robots"


class RobotNotFoundError(LookupError):
    """There is no robot of that name, or what is there is none; the sentence says which."""


def robot_names() -> list[str]:
    """The names of all robots that installed packages bring; none of them is imported."""
    from importlib.metadata import entry_points  # noqa: PLC0415  (takes longer to import than all the rest)

    return sorted({entry.name for entry in entry_points(group=GROUP)})


def find_robot(name: str) -> AnySkeleton:
    """The robot of a name; RobotNotFoundError names those that there are, or says why it can't be loaded."""
    from importlib.metadata import entry_points  # noqa: PLC0415  (as above)

    found = sorted({entry.value for entry in entry_points(group=GROUP, name=name)})
    if not found:
        known = ", ".join(robot_names()) or "none"
        raise RobotNotFoundError(f"there is no robot '{name}' in the entry points {GROUP}; there is {known}")
    if len(found) > 1:
        raise RobotNotFoundError(f"there are several robots '{name}': {', '.join(found)}")
    return load_robot(found[0])


def load_robot(place: str, package: str | None = None) -> AnySkeleton:
    """The robot of a place, `module:NAME`; a module that starts with a dot is one of `package`."""
    from importlib import import_module  # noqa: PLC0415  (only who asks for a robot by its name needs it)

    module, _, name = place.partition(":")
    try:
        robot = getattr(import_module(module, package), name)
    except (ImportError, AttributeError) as wrong:
        raise RobotNotFoundError(f"the robot of {place} can't be loaded: {wrong}") from wrong
    if not isinstance(robot, Skeleton):
        raise RobotNotFoundError(f"{place} is not a robot, but a {type(robot).__name__}")
    return robot


# ---------------------------------------------------------------- registry

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
