"""Names for the links and joints of a URDF file in a package of the script, out of the way of what is there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from modelica_ast.generate import UserPackage
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.model import Robot
from urdf_frontend.names import Named, NameStyle, NameTable, make_names
from urdf_frontend.update.dlr.script_package import ScriptPackage, opened


def names_of(robots: list[Robot], package: ScriptPackage, kept: NameTable | None, user: UserPackage) -> NameTable:
    """The names of all links and joints of these robots: those in the package, else the kept ones, else new ones."""
    known = NameTable(
        package.model,
        _first(package.names.links, None if kept is None else kept.links),
        _first(package.names.joints, None if kept is None else kept.joints),
    )
    links = [link.name for robot in robots for link in robot.links]
    joints = [joint.name for robot in robots for joint in robot.joints]
    return make_names(
        package.model,
        links,
        joints,
        style=NameStyle.DLR,
        known=known,
        reserved=_taken(package, known, user),
    )


def names_to_keep(names: NameTable, kept: NameTable, robot: Robot) -> NameTable:
    """The names of one robot. Those that were kept stay: an instance that is renamed is no change of the URDF."""
    return NameTable(
        kept.robot,
        {link.name: kept.links.get(link.name, names.link(link.name)) for link in robot.links},
        {joint.name: kept.joints.get(joint.name, names.joint(joint.name)) for joint in robot.joints},
    )


def _first(one: Mapping[str, Named], other: Mapping[str, Named] | None) -> dict[str, Named]:
    return {**(other or {}), **one}


def _taken(package: ScriptPackage, known: NameTable, user: UserPackage) -> set[str]:
    """Components of the robot's model and files of classes that belong to no link or joint."""
    every = [*known.links.values(), *known.joints.values()]
    model = opened(user, package.model_file).find_class(package.model)
    taken = {component.name for component in model.components} - {named.component for named in every}
    classes = {name for named in every for name in (named.class_name, named.parameters)}
    files = [PurePosixPath(path) for path in user.modelica_files]
    return taken | {file.stem for file in files if str(file.parent) in {LINKS, JOINTS} and file.stem not in classes}
