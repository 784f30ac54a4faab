"""What the classes and components of a robot's package come from, for the messages of compilers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urdf_frontend.package.robot_package import RobotPackage


def origin_of(library: Path, class_name: str, component: str) -> str | None:
    """`joint 'elbow' of arm.urdf` for a class, or a component of the robot, that was made of it; else None."""
    # PERF: this module is imported for every model that is compiled, and asked only if something is wrong with one.
    from urdf_frontend.package.memory import PackageError, remembers  # noqa: PLC0415
    from urdf_frontend.package.robot_package import RobotPackage  # noqa: PLC0415

    names = class_name.split(".")
    for length in range(len(names), 0, -1):  # a robot can be a package inside a library
        folder = library.joinpath(*names[1:length])
        if remembers(folder):
            try:
                package = RobotPackage.open(folder)
                told = _origin(package, ".".join([package.full_name, *names[length:]]), component)
            except PackageError:
                continue  # the commands that are about the package say so; a compiler's message is not the place for it
            if told is not None:
                return f"{told} of {package.memory.urdf.name}"
    return None


def _origin(package: RobotPackage, class_name: str, component: str) -> str | None:
    parts = [*package.parts("link"), *package.parts("joint")]
    for part in parts:
        is_it = class_name == package.robot_class and component == part.component.name
        if is_it or _is_in(class_name, part.class_name):
            return f"{part.kind} {part.urdf!r}"
    for part in parts:
        if _is_in(class_name, part.values_class):
            return f"{part.kind} {part.urdf!r}"
    return None


def _is_in(class_name: str, around: str) -> bool:
    """Is it the class, or one inside of it?"""
    return class_name == around or class_name.startswith(f"{around}.")
