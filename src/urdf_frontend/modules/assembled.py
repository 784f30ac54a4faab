"""What an assembly gives: a URDF text, and what became of each module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from attrs import frozen

from urdf_frontend.model import Robot
from urdf_frontend.modules.module_file import Module
from urdf_frontend.reader import ReadResult, read


@frozen
class AssembledInstance:
    """One module in the robot.

    `link_names` and `joint_names` lead from names of the module's URDF to those of the robot. A virtual link that was
    left out leads to the first link of the module in its place. `links` and `joints` are those of the robot that came
    from this module. `ports` has what hangs on each output connector, by its joint in the module: the name of an
    instance, or None for an open end.
    """

    name: str
    position: int  # counted from 1; 0 for what is attached
    module: Module
    is_attached: bool
    parent: str | None
    port: str | None  # the output connector of the parent, as its module calls it
    rotation: float
    link_names: Mapping[str, str]
    joint_names: Mapping[str, str]
    links: tuple[str, ...]
    joints: tuple[str, ...]
    ports: Mapping[str, str | None]

    def as_json(self) -> dict[str, Any]:
        """The fields by their names, for `json`."""
        return {
            "name": self.name,
            "position": self.position,
            "module": str(self.module.path),
            "attached": self.is_attached,
            "parent": self.parent,
            "port": self.port,
            "rotation": self.rotation,
            "link_names": dict(self.link_names),
            "joint_names": dict(self.joint_names),
            "links": list(self.links),
            "joints": list(self.joints),
            "ports": dict(self.ports),
        }


@frozen
class AssembledRobot:
    """The URDF as bytes, and the SRDF if a module has one. `copies` are the files of the ROS package by their sources.

    `problems` has a sentence for each mesh that was not found.
    """

    name: str
    data: bytes
    srdf: bytes | None
    instances: tuple[AssembledInstance, ...]
    copies: Mapping[PurePosixPath, Path]
    problems: tuple[str, ...]

    @property
    def text(self) -> str:
        """The URDF."""
        return self.data.decode("utf-8")

    @cached_property
    def result(self) -> ReadResult:
        """The robot as `urdf_frontend.read` sees it."""
        return read(self.data)

    @property
    def robot(self) -> Robot:
        """The robot; UrdfError if the modules make none."""
        return self.result.usable_robot()

    def get_instance(self, name: str) -> AssembledInstance | None:
        """An instance by its name."""
        return next((each for each in self.instances if each.name == name), None)
