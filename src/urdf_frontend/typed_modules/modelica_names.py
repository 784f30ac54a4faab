"""Where the links and joints of a robot are in its Modelica package, as a module of Python names them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import define, field, frozen

from modelica_ast.library import ComponentInstance
from urdf_frontend.model import Robot
from urdf_frontend.package import Kind, RobotPackage
from urdf_frontend.typed import Axis
from urdf_frontend.typed_modules.axis_names import axis_of
from urdf_frontend.typed_modules.blueprint import ModelicaNames
from urdf_frontend.typed_modules.errors import TypesError
from urdf_frontend.typed_modules.parameter_names import parameters_of

_LISTED: Final = 5


@frozen
class Resolved:
    """The names; what of the robot is not in the package, and what of the package is not in the robot; notes."""

    names: ModelicaNames
    missing: tuple[str, ...]
    surplus: tuple[str, ...]
    notes: tuple[str, ...]


def resolve(package: RobotPackage, robot: Robot, model: str | None = None) -> Resolved:
    """Look up all parts of a robot in its package; `model` is the class that is simulated.

    PackageError if the package is not that of a robot, TypesError if the model has no component that is the robot.
    """
    return _Resolving(package, robot).resolved(model)


@define
class _Resolving:
    package: RobotPackage
    robot: Robot
    missing: list[str] = field(factory=list)
    notes: list[str] = field(factory=list)

    def resolved(self, model: str | None) -> Resolved:
        simulated, at = self._model(model)
        links = dict(self._parts("link", [link.name for link in self.robot.links]))
        joints = dict(self._parts("joint", [joint.name for joint in self.robot.joints]))
        names = ModelicaNames(
            self.package.full_name,
            self.package.robot_class,
            simulated,
            at,
            {urdf: component.path for urdf, component in links.items()},
            {urdf: component.path for urdf, component in joints.items()},
            dict(self._axes(joints)),
            {urdf: parameters_of(component) for urdf, component in links.items()},
            {urdf: parameters_of(component) for urdf, component in joints.items()},
        )
        return Resolved(names, tuple(self.missing), tuple(self._surplus()), tuple(self.notes))

    def _surplus(self) -> Iterator[str]:
        built = self.package.memory.table
        sides = (
            ("link", built.links, {link.name for link in self.robot.links}),
            ("joint", built.joints, {joint.name for joint in self.robot.joints}),
        )
        for kind, table, there in sides:
            for urdf in table:
                if urdf not in there:
                    yield f"the {kind} '{urdf}' of the package {self.package.full_name} is not in the URDF file"

    def _parts(self, kind: Kind, wanted: list[str]) -> Iterator[tuple[str, ComponentInstance]]:
        for urdf in wanted:
            part = self.package.get_part(kind, urdf)
            if part is None:
                self.missing.append(f"the {kind} '{urdf}' has no component in {self.package.robot_class}")
            else:
                yield urdf, part.component

    def _axes(self, joints: Mapping[str, ComponentInstance]) -> Iterator[tuple[str, Axis]]:
        for joint in self.robot.joints:
            if not joint.type.is_single or joint.name not in joints:
                continue
            component = joints[joint.name]
            found = axis_of(component, is_rotational=joint.type.is_rotational)
            if found is None:
                self.notes.append(
                    f"the joint '{joint.name}' has no angle or distance that is known: "
                    f"{component.path} is a {component.type_text}, which has no joint of the Standard Library"
                )
            else:
                yield joint.name, found

    def _model(self, model: str | None) -> tuple[str, str]:
        """The class to simulate, and the component of it that is the robot."""
        robot = self.package.robot_class
        if model == robot:
            return model, ""
        if model is not None:
            places = self.package.robots_in(model)
            if len(places) != 1:
                what = "no component" if not places else f"several components ({', '.join(places[:_LISTED])})"
                raise TypesError(f"{model} has {what} of the class {robot}: name another --model")
            return model, places[0]
        # The run model is what most people simulate; a test model has the robot at the same place.
        for found in sorted(self.package.models, key=lambda each: each.is_test):
            return found.name, found.robot
        return robot, ""
