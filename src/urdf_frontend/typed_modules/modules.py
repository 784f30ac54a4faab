"""A robot to the text of its module, new or in the place of an old one."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from urdf_frontend.package import RobotPackage
from urdf_frontend.robot import Robot
from urdf_frontend.typed import Source
from urdf_frontend.typed_modules.blueprint import Blueprint, TypesError, class_prefix, member_names
from urdf_frontend.typed_modules.layout import RUNTIME, joined_texts, text_line, text_of
from urdf_frontend.typed_modules.modelica_names import Resolved, resolve
from urdf_frontend.typed_modules.python_text import ExistingModule, spliced, with_roles
from urdf_frontend.typed_modules.statements import PYTHONS, statements_of

_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LISTED: Final = 3


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
        more = f", and {len(resolved.missing) - _LISTED} more" if len(resolved.missing) > _LISTED else ""
        what = ", ".join(resolved.missing[:_LISTED])
        raise TypesError(f"{what}{more}: bring the package up to date first, `modelica-patch urdf update`")
    left_out = [
        f"the transmission '{each.name or ''}' drives '{joint.name}', which is no joint of the robot: left out"
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
