"""All that a module is made from: the robot, the names of its members, and where its parts are in Modelica."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from attrs import frozen

from urdf_frontend.drawing.labels import short_name
from urdf_frontend.model import Robot
from urdf_frontend.typed import Axis, Source
from urdf_frontend.typed_modules.member_names import constant_prefix
from urdf_frontend.typed_modules.nodes import name


@frozen
class Parameter:
    """A parameter of a component: its path there, and the type of its values in Python (`float`, `bool`, `int`).

    An array of one dimension has a sequence of them.
    """

    path: str
    type: str
    is_array: bool = False


@frozen
class ModelicaNames:
    """What the parts of a robot are called in Modelica, by their names in URDF. `axes` are joints with an angle."""

    package: str
    robot: str
    model: str
    at: str
    links: Mapping[str, str]
    joints: Mapping[str, str]
    axes: Mapping[str, Axis]
    link_parameters: Mapping[str, tuple[Parameter, ...]]
    joint_parameters: Mapping[str, tuple[Parameter, ...]]


@frozen
class Blueprint:
    """`links` and `joints` are the members by the names in URDF, in the order of the file."""

    robot: Robot
    source: Source
    links: Mapping[str, str]
    joints: Mapping[str, str]
    modelica: ModelicaNames | None = None

    @property
    def prefix(self) -> str:
        """What its classes start with."""
        return self.source.prefix

    @property
    def constant(self) -> str:
        """The name of the robot itself, which its other constants start with."""
        return constant_prefix(self.prefix)

    @property
    def title(self) -> str:
        """The robot's name for docstrings, in which a backslash would be more than one character."""
        return short_name(self.robot.name or "").replace("\\", "/")

    @property
    def link_class(self) -> str:
        """The class of the ids of links."""
        return f"{self.prefix}LinkId"

    @property
    def joint_class(self) -> str:
        """The class of the ids of joints."""
        return f"{self.prefix}JointId"

    def link(self, urdf: str) -> ast.expr:
        """The id of a link."""
        return name(f"{self.link_class}.{self.links[urdf]}")

    def joint(self, urdf: str) -> ast.expr:
        """The id of a joint."""
        return name(f"{self.joint_class}.{self.joints[urdf]}")
