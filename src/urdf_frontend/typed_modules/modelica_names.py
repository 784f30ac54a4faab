"""Where the links and joints of a robot are in its Modelica package, as a module of Python names them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import define, field, frozen

from modelica_ast.semantics import ComponentInstance
from modelica_ast.tree import ComponentReference, find_all
from urdf_frontend.package import Kind, Part, RobotPackage, flange_inside, joints_inside
from urdf_frontend.robot import Robot
from urdf_frontend.typed import Axis
from urdf_frontend.typed_modules.blueprint import ModelicaNames, Parameter, TypesError

# ---------------------------------------------------------------- axis names
# The names of a joint's angle or distance, speed, torque or force, from the parts that its model is made of.

# What the Standard Library calls the angle or distance, the speed, the torque or force of a joint.
_ROTATIONAL: Final = ("revolute", "phi", "w", "tau")
_TRANSLATIONAL: Final = ("prismatic", "s", "v", "f")


def axis_of(part: Part, *, is_rotational: bool) -> Axis | None:
    """The names of a joint's component; None if it has not one joint of the Standard Library inside."""
    role, q, qd, force = _ROTATIONAL if is_rotational else _TRANSLATIONAL
    joint = joints_inside(part.component, None if part.values is None else part.values.name).get(role)
    if joint is None:
        return None
    path = part.component.path
    inner = f"{path}.{joint}" if joint else path
    flange = flange_inside(part.component, joint, "flange_a")
    if flange is None:
        return Axis(f"{inner}.{q}", f"{inner}.{qd}", f"{inner}.{force}")
    driven = f"{path}.{flange}" if joint else inner
    return Axis(f"{inner}.{q}", f"{inner}.{qd}", f"{driven}.{force}", f"{path}.{flange}")


# ---------------------------------------------------------------- parameter names
# The parameters of a component that a simulation can be given: numbers and truth values, its own and its records'.

_TYPES: Final = {"Real": "float", "Integer": "int", "Boolean": "bool"}
_UNITS: Final = "Modelica.Units."
# What a link looks like is no matter of simulation, and no two links have the same of it.
_LOOKS: Final = ("visual", "collision")


def parameters_of(component: ComponentInstance) -> tuple[Parameter, ...]:
    """All of them, in the order of the declarations; those of records by their paths, if the model reads them."""
    found: list[Parameter] = []
    start = len(component.path) + 1
    read: frozenset[str] | None = None
    todo = list(reversed(component.components.values()))
    while todo:
        current = todo.pop()
        path = current.path[start:]
        # PERF: what is declared tells. A prefix that a type brings would need the types of all that is no parameter.
        prefixes = current.member.prefixes
        is_parameter = "parameter" in prefixes or (current.parent is not component and "constant" not in prefixes)
        if not is_parameter or current.is_final or current.is_protected or current.is_outer:
            continue
        type_ = _type_of(current)
        if type_ is not None and len(current.dimensions) <= 1:
            if current.parent is not component:
                read = _read_paths(component) if read is None else read
                if not _is_read(path, read):
                    continue
            found.append(Parameter(path, type_, bool(current.dimensions)))
        elif type_ is None and current.end_type is None and not current.dimensions:
            todo += [each for each in reversed(current.components.values()) if not each.name.startswith(_LOOKS)]
    return tuple(found)


def _type_of(component: ComponentInstance) -> str | None:
    """The type of its values in Python; None if it has none (a record, a text, an enumeration)."""
    if component.end_type is not None:
        return _TYPES.get(component.end_type)
    # Without the Standard Library its units are not found; all of them are numbers.
    return "float" if component.type_text.lstrip(".").startswith(_UNITS) else None


def _read_paths(component: ComponentInstance) -> frozenset[str]:
    """All that the component's class refers to, and those that it inherits from."""
    parts = () if component.environment is None else component.environment.ancestry()
    definitions = [part.definition for part in parts if part.definition is not None]
    references = (found for definition in definitions for found in find_all(definition, ComponentReference))
    return frozenset(".".join(found.parts) for found in references)


def _is_read(path: str, read: frozenset[str]) -> bool:
    """Is it referred to, or something that it is inside of?"""
    parts = path.split(".")
    return any(".".join(parts[:length]) in read for length in range(1, len(parts) + 1))


# ---------------------------------------------------------------- modelica names

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
            {urdf: part.component.path for urdf, part in links.items()},
            {urdf: part.component.path for urdf, part in joints.items()},
            dict(self._axes(joints)),
            {urdf: parameters_of(part.component) for urdf, part in links.items()},
            {urdf: parameters_of(part.component) for urdf, part in joints.items()},
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

    def _parts(self, kind: Kind, wanted: list[str]) -> Iterator[tuple[str, Part]]:
        for urdf in wanted:
            part = self.package.get_part(kind, urdf)
            if part is None:
                self.missing.append(f"the {kind} '{urdf}' has no component in {self.package.robot_class}")
            else:
                yield urdf, part

    def _axes(self, joints: Mapping[str, Part]) -> Iterator[tuple[str, Axis]]:
        for joint in self.robot.joints:
            if not joint.type.is_single or joint.name not in joints:
                continue
            part = joints[joint.name]
            found = axis_of(part, is_rotational=joint.type.is_rotational)
            if found is None:
                component = part.component
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
