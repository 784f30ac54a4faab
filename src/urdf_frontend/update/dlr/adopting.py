"""A package of URDFModelica's script is taken over: what its records have as the URDF file has it becomes base."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.generate import UpdateError, UserPackage
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.model import Robot
from urdf_frontend.reader import ReadResult
from urdf_frontend.update.adopting import Adoption, files_in_place
from urdf_frontend.update.dlr.fields import LIBRARY, Fields
from urdf_frontend.update.dlr.gone import DEFAULTS, fields_of
from urdf_frontend.update.dlr.keeping import script_files_to_keep
from urdf_frontend.update.dlr.making_versions import make_versions
from urdf_frontend.update.dlr.naming import names_of, names_to_keep
from urdf_frontend.update.dlr.part_versions import PartVersions
from urdf_frontend.update.dlr.record_texts import differing_values
from urdf_frontend.update.dlr.script_package import RECORDS, ScriptPackage, read_script_package
from urdf_frontend.update.dlr.structure import Role
from urdf_frontend.update.dlr.template_copies import TemplateCopies


def adopt_script_package(user: UserPackage, urdf: ReadResult, allowed: frozenset[str]) -> Adoption:
    """Work out its base; nothing is written, and no Modelica file changes.

    UpdateError if it is a package of another robot.
    """
    robot = urdf.usable_robot(allowed=allowed)
    package = read_script_package(user)
    roles = [(LINKS, link.name) for link in robot.links] + [(JOINTS, joint.name) for joint in robot.joints]
    known = {(LINKS, name) for name in package.names.links} | {(JOINTS, name) for name in package.names.joints}
    _refuse_strangers(user, len(roles), sum(role in known for role in roles))
    names = names_of([robot], package, None, user)
    fields = {role: _fields(robot, role) for role in roles}
    equal: list[str] = []
    edited: list[str] = []
    missing: list[str] = []
    values = []
    for role in roles:
        named = names.link(role[1]) if role[0] == LINKS else names.joint(role[1])
        path = f"{role[0]}/{named.parameters}.mo"
        if role not in known:
            missing.append(path)
            continue
        found = list(differing_values(user.text(path), path, RECORDS[role[0]], fields[role], DEFAULTS[role[0]]))
        values += found
        (edited if found else equal).append(path)
    kept = script_files_to_keep(user.full_name, names_to_keep(names, names, robot), urdf, allowed)
    # The first update would find the same; now is the time to say what it can't follow.
    notes = make_versions(PartVersions(user, package, names, robot, robot, fields, TemplateCopies(None))).notes
    return Adoption(
        user.full_name,
        user.folder,
        files_in_place(user, kept),
        tuple(equal),
        tuple(edited),
        tuple(missing),
        LIBRARY,
        tuple(values),
        (*notes, *_unknown(package, robot)),
    )


def _fields(robot: Robot, role: Role) -> Fields:
    found = fields_of(robot, role)
    assert found is not None, "it is one of this robot"
    return found


def _refuse_strangers(user: UserPackage, wanted: int, there: int) -> None:
    if 2 * there < wanted:
        raise UpdateError(
            f"{user.folder} is no package of this robot: of its {wanted} links and joints {there} have a record there"
        )


def _unknown(package: ScriptPackage, robot: Robot) -> Iterator[str]:
    for name in package.names.links:
        if robot.get_link(name) is None:
            yield f"the URDF has no link '{name}'; it is yours"
    for name in package.names.joints:
        if robot.get_joint(name) is None:
            yield f"the URDF has no joint '{name}'; it is yours"
