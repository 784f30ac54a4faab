"""An update of a package that URDFModelica's script has made: the merge is the one of all packages."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from modelica_ast.generate import DataPlace, Generated, Plan, Update, UserPackage, Versions, work_out
from urdf_frontend.building import BuildOptions
from urdf_frontend.building.settings import allowed_of
from urdf_frontend.model import Link, Mesh, Robot
from urdf_frontend.names import NameTable
from urdf_frontend.reader import ReadResult
from urdf_frontend.update.dlr.fields import known_collision, known_visual, script_path
from urdf_frontend.update.dlr.keeping import script_files_to_keep
from urdf_frontend.update.dlr.making_versions import make_versions
from urdf_frontend.update.dlr.naming import names_of, names_to_keep
from urdf_frontend.update.dlr.part_versions import PartVersions
from urdf_frontend.update.dlr.renaming import Renamed, renamed_script_package
from urdf_frontend.update.dlr.template_copies import TemplateCopies, template_library
from urdf_frontend.update.keeping import Kept
from urdf_frontend.update.options import SIDE, WORD, UpdateOptions
from urdf_frontend.update.renaming import probable_renames
from urdf_frontend.update.urdf_values import UrdfValue, urdf_values

_SCHEMES = ("modelica://", "file://")


def update_script_package(kept: Kept, user: UserPackage, urdf: ReadResult, options: UpdateOptions) -> Update:
    """Work out what a new URDF file means for the package; nothing is written. It raises what `update` raises."""
    allowed = allowed_of(kept.file.options)
    robot = urdf.usable_robot(allowed=allowed)
    renamed = renamed_script_package(kept, user, options.renames, robot)
    copies = TemplateCopies(template_library(options.templates, user.folder))
    parts = _parts(renamed, robot, copies)
    values = script_values(urdf, parts.names)
    known = names_to_keep(parts.names, renamed.kept, robot)

    def place(file: str, path: str) -> DataPlace | None:
        found = values.get((file, path))
        return None if found is None else found.place

    plan = Plan(
        user=renamed.user,
        disk=user,
        side_car=kept.file,
        versions=make_versions(parts),
        generated=Generated({}, left_out=tuple(_left_out(renamed.old, robot, parts.names))),
        places=place,
        remember=lambda memory: {
            **dict.fromkeys(kept.older),
            **script_files_to_keep(kept.file.package, known, urdf, allowed, memory.conflicts),
        },
        word=WORD,
        side=SIDE,
        outside=renamed.outside,
        questions=() if options.no_renames else probable_renames(kept.robot, robot, options.renames),
    )
    return work_out(plan, options.decisions)


def _parts(renamed: Renamed, robot: Robot, copies: TemplateCopies) -> PartVersions:
    user, package, old = renamed.user, renamed.package, renamed.old
    names = names_of([old, robot], package, renamed.kept, user)
    return PartVersions(user, package, names, old, robot, renamed.old_fields, copies)


def script_values(urdf: ReadResult, names: NameTable) -> dict[tuple[str, str], UrdfValue]:
    """Where each value of a record stands in the URDF file, by the file and the path in URDFModelica's record."""
    assert urdf.robot is not None, "it is usable"
    links = tuple(map(_as_in_record, urdf.robot.links))
    found = urdf_values(evolve(urdf, robot=evolve(urdf.robot, links=links)), names, BuildOptions())
    return {(file, script_path(path)): value for (file, path), value in found.items()}


def base_of_script_package(kept: Kept, user: UserPackage) -> tuple[Versions, dict[tuple[str, str], UrdfValue]]:
    """What the kept URDF file has beside what the user has, and where it stands: for writing values back."""
    parts = _parts(renamed_script_package(kept, user, {}, kept.robot), kept.robot, TemplateCopies(None))
    return make_versions(parts), script_values(kept.urdf, parts.names)


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
