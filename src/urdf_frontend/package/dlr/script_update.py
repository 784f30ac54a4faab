"""Packages of URDFModelica's script follow their URDF file: taken over, renamed, updated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve, frozen

from modelica_ast.generate import Generated, Outside, Plan, Update, UserPackage, renamed_package, work_out
from urdf_frontend.package.builder.options import BuildOptions, allowed_of
from urdf_frontend.package.builder.part_models import JOINTS, LINKS
from urdf_frontend.package.dlr.part_classes import (
    DEFAULTS,
    LIBRARY,
    RECORDS,
    Fields,
    Role,
    TemplateCopies,
    differing_values,
    fields_of,
    known_collision,
    known_visual,
    script_path,
    template_library,
)
from urdf_frontend.package.dlr.script_package import (
    ScriptPackage,
    names_of,
    names_to_keep,
    read_script_package,
    script_files_to_keep,
)
from urdf_frontend.package.dlr.versions import PartVersions, make_versions
from urdf_frontend.package.robot_package import RobotPackage
from urdf_frontend.package.updates.changes import Adoption, files_in_place, refuse_strangers
from urdf_frontend.package.updates.export import Exported, UrdfValue, exported, places_of, urdf_values
from urdf_frontend.package.updates.options import SIDE, WORD, UpdateOptions
from urdf_frontend.package.updates.renames import names_in_package, probable_renames, renamed_parts
from urdf_frontend.robot import Joint, Link, LinkReference, Mesh, Named, NameStyle, NameTable, Robot
from urdf_frontend.urdf import ReadResult

_SCHEMES = ("modelica://", "file://")


def update_script_package(package: RobotPackage, urdf: ReadResult, options: UpdateOptions) -> Update:
    """Work out what a new URDF file means for the package; nothing is written. It raises what `update` raises."""
    kept, user = package.base, package.user
    allowed = allowed_of(kept.options)
    robot = urdf.usable_robot(allowed=allowed)
    renamed = renamed_script_package(package, options.renames, robot)
    copies = TemplateCopies(template_library(options.templates, user.folder))
    parts = _parts(renamed, robot, copies)
    known = names_to_keep(parts.names, renamed.kept, robot)
    versions = make_versions(parts)
    files = {path: user.files.get(path, b"") for path in parts.generated}  # their names count
    plan = Plan(
        user=renamed.user,
        disk=user,
        side_car=evolve(kept.side_car, files={}),  # it has none, unless a stranger has written them
        versions=versions,
        generated=Generated(files, left_out=tuple(_left_out(renamed.old, robot, parts.names))),
        places=places_of(script_values(urdf, parts.names)),
        remember=lambda memory: {
            **dict.fromkeys(kept.older),
            **script_files_to_keep(kept.side_car.package, known, urdf, allowed, memory.conflicts, memory.kept),
        },
        word=WORD,
        side=SIDE,
        models=(renamed.package.model_file,),
        numbered=(),  # the models with the robot in them are versions like its own
        gone=tuple(parts.gone),
        attention=tuple(parts.attention),
        outside=renamed.outside,
        questions=() if options.no_renames else probable_renames(kept.robot, robot, options.renames),
    )
    return work_out(plan, options.decisions)


def _parts(renamed: Renamed, robot: Robot, copies: TemplateCopies) -> PartVersions:
    user, package, old = renamed.user, renamed.package, renamed.old
    names = names_of([old, robot], package, renamed.kept, user)
    return PartVersions(user, package, names, old, robot, renamed.old_fields, copies)


def script_values(urdf: ReadResult, names: NameTable) -> dict[tuple[str, str], UrdfValue]:
    """Where each value of a record is in the URDF file, by the file and the path in URDFModelica's record."""
    assert urdf.robot is not None, "it is usable"
    links = tuple(map(_as_in_record, urdf.robot.links))
    found = urdf_values(evolve(urdf, robot=evolve(urdf.robot, links=links)), names, BuildOptions())
    return {(file, script_path(path)): value for (file, path), value in found.items()}


def export_script_package(package: RobotPackage) -> Exported:
    """Write the values of the package back into the URDF text that it was adopted with."""
    base = package.base
    renamed = renamed_script_package(package, {}, base.robot)
    parts = _parts(renamed, base.robot, TemplateCopies(None))
    model = renamed.package.model_file
    return exported(base.read, (model,), make_versions(parts), script_values(base.read, parts.names))


def _as_in_record(link: Link) -> Link:
    """A link with the visual and the collision that its record has."""
    visual, collision = known_visual(link), known_collision(link)
    return evolve(
        link,
        visuals=() if visual is None else (visual,),
        collisions=() if collision is None else (collision,),
    )


def _left_out(before: Robot, now: Robot, names: NameTable) -> Iterator[str]:
    """What the records of URDFModelica have no place for, and meshes that it will not find."""
    for link in now.links:
        shapes = ((link.visuals, known_visual(link), "visual"), (link.collisions, known_collision(link), "collision"))
        for every, taken, what in shapes:
            if every and taken is None:
                yield f"link '{link.name}': its {what} elements; URDFModelica has no shapes of their kind"
            elif len(every) > 1:
                yield f"link '{link.name}': {len(every) - 1} of {len(every)} {what} elements; a record has one"
            geometry = None if taken is None else taken.geometry
            is_new = before.get_link(link.name) is None
            if is_new and isinstance(geometry, Mesh) and not geometry.filename.startswith(_SCHEMES):
                record = names.link(link.name).parameters
                yield f"the mesh {geometry.filename} is not copied; {record} names it as the URDF does"


# ---------------------------------------------------------------- renames


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


def renamed_script_package(robot_package: RobotPackage, renames: Mapping[str, str], robot: Robot) -> Renamed:
    """Rename what the user says; UpdateError if that can't be."""
    kept, user = robot_package.base, robot_package.user
    roles: dict[Role, Named] = {}  # what parts are called now, by their old names
    outside: Outside = {}
    if renames:
        options = BuildOptions(name_style=NameStyle.DLR)
        pairs = renamed_parts(robot_package, renames, robot, options)
        after = renamed_package(user, names_in_package(kept.table.robot, pairs))
        user, outside = after.user, after.outside
        roles = {(package, old.urdf): new for package, old, new in pairs}
    # The records still have the old names in them.
    package = read_script_package(user)
    package = evolve(package, names=_translated(package.names, roles, keep_components=True))
    fields = {(role[0], _new_name(role, roles)): found for role, found in fields_of(kept.robot).items()}
    known = _translated(kept.table, roles, keep_components=False)
    return Renamed(user, package, _renamed_robot(kept.robot, roles), known, fields, outside)


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


# ---------------------------------------------------------------- packages that are taken over


def adopt_script_package(user: UserPackage, urdf: ReadResult, allowed: frozenset[str]) -> Adoption:
    """Work out its base; nothing is written, and no Modelica file changes.

    UpdateError if it is a package of another robot.
    """
    robot = urdf.usable_robot(allowed=allowed)
    package = read_script_package(user)
    fields = fields_of(robot)
    known = {(LINKS, name) for name in package.names.links} | {(JOINTS, name) for name in package.names.joints}
    there, wanted = sum(role in known for role in fields), len(fields)
    refuse_strangers(user, there, wanted, f"of its {wanted} links and joints {there} have a record there")
    names = names_of([robot], package, None, user)
    equal: list[str] = []
    edited: list[str] = []
    missing: list[str] = []
    values = []
    for role in fields:
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


def _unknown(package: ScriptPackage, robot: Robot) -> Iterator[str]:
    for name in package.names.links:
        if robot.get_link(name) is None:
            yield f"the URDF has no link '{name}'; it is yours"
    for name in package.names.joints:
        if robot.get_joint(name) is None:
            yield f"the URDF has no joint '{name}'; it is yours"
