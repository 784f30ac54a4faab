"""A link or joint of a package of the script that has a new name in the URDF file."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from modelica_ast.generate import Outside, UserPackage, renamed_package
from urdf_frontend.building import BuildOptions
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.model import Joint, LinkReference, Robot
from urdf_frontend.names import Named, NameStyle, NameTable
from urdf_frontend.update.dlr.fields import Fields
from urdf_frontend.update.dlr.gone import fields_of
from urdf_frontend.update.dlr.script_package import ScriptPackage, read_script_package
from urdf_frontend.update.dlr.structure import Role
from urdf_frontend.update.keeping import Kept
from urdf_frontend.update.renaming import names_in_package, renamed_parts


@frozen
class Renamed:
    """The package after its classes, components and files have followed; nothing is written.

    `old` is the robot of the last time, and `kept` are the names of that time, both with the new names. `old_fields` is
    what the records had for it, old names included: so a new name arrives in a record as any value does. `outside` are
    files of the library around the package: what is in them, and what will be.
    """

    user: UserPackage
    package: ScriptPackage
    old: Robot
    kept: NameTable
    old_fields: Mapping[Role, Fields]
    outside: Outside


def renamed_script_package(kept: Kept, user: UserPackage, renames: Mapping[str, str], robot: Robot) -> Renamed:
    """Rename what the user says; UpdateError if that can't be."""
    roles: dict[Role, Named] = {}  # what parts are called now, by their old names
    outside: Outside = {}
    if renames:
        options = BuildOptions(name_style=NameStyle.DLR)
        pairs = renamed_parts(kept, renames, robot, options)
        after = renamed_package(user, names_in_package(kept.name, pairs))
        user, outside = after.user, after.outside
        roles = {(package, old.urdf): new for package, old, new in pairs}
    # The records still have the old names in them.
    package = read_script_package(user)
    package = evolve(package, names=_translated(package.names, roles, keep_components=True))
    every = [(LINKS, link.name) for link in kept.robot.links] + [(JOINTS, joint.name) for joint in kept.robot.joints]
    fields = {(role[0], _new_name(role, roles)): _fields(kept.robot, role) for role in every}
    known = _translated(kept.names, roles, keep_components=False)
    return Renamed(user, package, _renamed_robot(kept.robot, roles), known, fields, outside)


def _fields(robot: Robot, role: Role) -> Fields:
    found = fields_of(robot, role)
    assert found is not None, "it is one of this robot"
    return found


def _new_name(role: Role, roles: Mapping[Role, Named]) -> str:
    return roles[role].urdf if role in roles else role[1]


def _translated(names: NameTable, roles: Mapping[Role, Named], *, keep_components: bool) -> NameTable:
    """Names by what the parts are called now. Components that a user has named keep that name, if they are to."""
    tables: dict[str, dict[str, Named]] = {LINKS: {}, JOINTS: {}}
    for package, table in ((LINKS, names.links), (JOINTS, names.joints)):
        for name, named in table.items():
            new = roles.get((package, name), named)
            tables[package][new.urdf] = evolve(new, component=named.component) if keep_components else new
    return NameTable(names.robot, tables[LINKS], tables[JOINTS])


def _renamed_robot(robot: Robot, roles: Mapping[Role, Named]) -> Robot:
    """The robot as if its parts had always had their new names."""
    if not roles:
        return robot
    links = [evolve(link, name=_new_name((LINKS, link.name), roles)) for link in robot.links]
    return evolve(robot, links=tuple(links), joints=tuple(_renamed_joint(joint, roles) for joint in robot.joints))


def _renamed_joint(joint: Joint, roles: Mapping[Role, Named]) -> Joint:
    mimic = joint.mimic
    return evolve(
        joint,
        name=_new_name((JOINTS, joint.name), roles),
        parent_reference=_renamed_end(joint.parent_reference, roles),
        child_reference=_renamed_end(joint.child_reference, roles),
        mimic=None if mimic is None else evolve(mimic, joint=_new_name((JOINTS, mimic.joint), roles)),
    )


def _renamed_end(end: LinkReference | None, roles: Mapping[Role, Named]) -> LinkReference | None:
    return None if end is None else evolve(end, link=_new_name((LINKS, end.link), roles))
