"""A robot to the text of its module, new or in place of an old one, with the names of its parts in Modelica."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import define, evolve, field, frozen

from modelica_ast.semantics import ComponentInstance
from modelica_ast.tree import ComponentReference, find_all
from urdf_frontend.package import Kind, Part, RobotPackage, flange_inside, joints_inside
from urdf_frontend.robot import Robot
from urdf_frontend.typed import Axis, Source
from urdf_frontend.typed_modules.blueprint import (
    Blueprint,
    ModelicaNames,
    Parameter,
    TypesError,
    class_prefix,
    member_names,
)
from urdf_frontend.typed_modules.layout import RUNTIME, joined_texts, text_line, text_of
from urdf_frontend.typed_modules.python_text import ExistingModule, spliced, with_roles
from urdf_frontend.typed_modules.statements import PYTHONS, statements_of

# ---------------------------------------------------------------- names in Modelica
# Where the links and joints of a robot are in its Modelica package, as a module of Python names them.

# ---------------------------------------------------------------- axis names
# The names of a joint's angle or distance, speed, torque or force, from the parts that its model is made of.

# What the Standard Library calls the angle or distance, the speed, the torque or force of a joint.
_ROTATIONAL: Final = ("revolute", "phi", "w", "tau")
_TRANSLATIONAL: Final = ("prismatic", "s", "v", "f")


def axis_of(part: Part, *, is_rotational: bool) -> Axis | None:
    """The names of a joint's component; None if it does not have exactly one joint of the Standard Library inside."""
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
# What a link looks like is not a matter of simulation, and no two links have the same of it.
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
        # PERF: what is declared tells. A prefix that a type brings would need the types of all that is not a parameter.
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

_LISTED_PLACES: Final = 5


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
                    f"the joint '{joint.name}' has no known angle or distance: "
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
                what = "no component" if not places else f"several components ({', '.join(places[:_LISTED_PLACES])})"
                raise TypesError(f"{model} has {what} of the class {robot}: name another --model")
            return model, places[0]
        # The run model is what most people simulate; a test model has the robot at the same place.
        for found in sorted(self.package.models, key=lambda each: each.is_test):
            return found.name, found.robot
        return robot, ""


# ---------------------------------------------------------------- modules
# A robot to the text of its module, new or in place of an old one.

_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LISTED_PARTS: Final = 3


@frozen
class ModuleOptions:
    """What is asked for. `output` is where the module will be; None is standard output."""

    urdf: Path
    output: Path | None = None
    prefix: str | None = None
    python: str | None = None
    package: Path | None = None  # the folder of the Modelica package
    model: str | None = None
    arguments: tuple[str, ...] = ()  # of xacro


@frozen
class MadeModule:
    """The module as bytes, what it was made from, and what is worth knowing."""

    data: bytes
    plan: Blueprint
    notes: tuple[str, ...]


def make_module(robot: Robot, options: ModuleOptions, old: ExistingModule | None = None) -> MadeModule:
    """Make the module of a robot; what `old` has besides the generated statements stays, byte for byte.

    TypesError if the package lacks parts of the robot, or if a name can't be what it is asked to be; PackageError if
    the package is not that of a robot.
    """
    plan, resolved = blueprint_of(robot, options, old)
    if resolved is not None and resolved.missing:
        more = f", and {len(resolved.missing) - _LISTED_PARTS} more" if len(resolved.missing) > _LISTED_PARTS else ""
        what = ", ".join(resolved.missing[:_LISTED_PARTS])
        raise TypesError(f"{what}{more}: bring the package up to date first, `modelica-patch urdf update`")
    left_out = [
        f"the transmission '{each.name or ''}' drives '{joint.name}', which is not a joint of the robot: left out"
        for each in robot.transmissions
        for joint in each.joints
        if joint.name not in plan.joints
    ]
    notes = (*left_out, *(resolved.notes if resolved is not None else ()))
    return MadeModule(_data(plan, old), plan, notes)


def blueprint_of(
    robot: Robot, options: ModuleOptions, old: ExistingModule | None = None
) -> tuple[Blueprint, Resolved | None]:
    """What a module is made from, and what was found of the robot in its Modelica package, if it has one.

    If parts of the robot are missing there, the blueprint goes without Modelica.
    """
    package = None if options.package is None else RobotPackage.open(options.package)
    resolved = None if package is None else resolve(package, robot, options.model)
    links = member_names("link", (link.name for link in robot.links), None if old is None else old.link_members)
    joints = member_names("joint", (each.name for each in robot.joints), None if old is None else old.joint_members)
    plan = Blueprint(robot, _source(robot, options, package), links, joints)
    if resolved is not None and not resolved.missing:
        plan = evolve(plan, modelica=resolved.names)
    return plan, resolved


def _source(robot: Robot, options: ModuleOptions, package: RobotPackage | None) -> Source:
    prefix = class_prefix(robot.name) if options.prefix is None else options.prefix
    if options.prefix is not None and not _PREFIX.fullmatch(prefix):
        raise TypesError(f"'{prefix}' can't be what classes start with: take letters and digits, a letter first")
    python = options.python or PYTHONS[0]
    if python not in PYTHONS:
        raise TypesError(f"modules are made for Python {' or '.join(PYTHONS)}, not for '{python}'")
    return Source(
        _seen_from(options.output, options.urdf),
        prefix,
        python,
        options.arguments,
        None if package is None else package.full_name,
        None if options.package is None else _seen_from(options.output, options.package),
        options.model,
    )


def _seen_from(output: Path | None, path: Path) -> str:
    """A path as the module's folder sees it, so that both can be moved together."""
    folder = Path() if output is None else output.parent
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return path.absolute().as_posix()


def _imports() -> list[ast.stmt]:
    return [ast.Import([ast.alias("typing")]), ast.ImportFrom("urdf_frontend", [ast.alias(RUNTIME)], 0)]


def _data(plan: Blueprint, old: ExistingModule | None) -> bytes:
    statements = statements_of(plan)
    if old is not None:
        new = with_roles(statements, plan.prefix)
        text = spliced(old.python, old.statements, new, _imports())
        return old.python.encode(text)
    description = (
        f"The robot {plan.title}, with typed names for its links and joints.\n\n"
        "`modelica-patch urdf types` has made this file. It replaces what it has made, and leaves alone all else that\n"
        "you write here. Members of the enumerations keep the names that you give them.\n"
    )
    typing_import, runtime_import = _imports()
    texts = [text_of(text_line(description)), text_of(typing_import), text_of(runtime_import)]
    return joined_texts([*texts, *(text_of(each.node) for each in statements)]).encode()
