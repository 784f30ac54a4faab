"""What the same generator has made of a robot before: a class whose inputs are the same is not made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import define, field, frozen

from modelica_ast.generate import Templates
from urdf_frontend.building.options import BuildOptions
from urdf_frontend.building.part_values import PartValues
from urdf_frontend.building.parts import Parts
from urdf_frontend.building.robot_model import RobotModel
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import Robot
from urdf_frontend.names import NameTable


@frozen
class PreviousBuild:
    """A build with the same options and templates, for the same package.

    `files` has what is known of its files, by their paths in the package with `/`. `resources` says what files of the
    URDF were called in Modelica.
    """

    robot: Robot
    names: NameTable
    resources: Mapping[str, str]
    files: Mapping[str, bytes] = field(repr=False)


@define
class KnownFiles:
    """The files of a previous build with their inputs; `reused` grows."""

    files: Mapping[str, tuple[str, bytes]] = field(factory=dict)
    reused: set[str] = field(factory=set)

    def made(self, path: str, inputs: str, make: Callable[[], bytes]) -> bytes:
        """The file of the previous build if it was made from the same inputs, or else a new one."""
        known = self.files.get(path)
        if known is None or known[0] != inputs:
            return make()
        self.reused.add(path)
        return known[1]


def known_files(
    previous: PreviousBuild | None, name: str, full_name: str, templates: Templates, options: BuildOptions
) -> KnownFiles:
    """What is known; nothing without a previous build."""
    if previous is None:
        return KnownFiles()
    places = previous.resources
    values = PartValues(templates.name, lambda filename: places.get(filename, filename))
    parts = Parts(previous.robot, previous.names, full_name, templates, values, options)
    inputs = {f"{part.package}/{part.name}.mo": part.inputs for part in parts.classes()}
    model = RobotModel(templates, Kinematics.of(previous.robot), previous.names, parts.parameters)
    inputs[f"{name}.mo"] = model_inputs(model, robot_title(previous.robot, name))
    return KnownFiles({path: (inputs[path], data) for path, data in previous.files.items() if path in inputs})


def robot_title(robot: Robot, name: str) -> str:
    """What the descriptions of a robot's classes call it; `name` is that of its package."""
    return f"robot {' '.join((robot.name or name).split())}"


def model_inputs(model: RobotModel, title: str) -> str:
    """All that the file of the robot's model depends on but the templates."""
    return f"{title}\n{model.inputs}"
