"""Whether there is anything to update at all: the same URDF file, generator, templates and meshes as the last time.

PERF: then what would be generated is what was generated, and nothing of it need be made or merged.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from modelica_ast.generate import (
    Report,
    SideCar,
    Update,
    UserPackage,
    digest,
    older_files,
    templates_digest,
    text_digest,
    untouched_files,
)
from urdf_frontend.building.leftovers import leftovers
from urdf_frontend.building.options import BuildOptions
from urdf_frontend.building.resources import collect_resources
from urdf_frontend.building.settings import options_of
from urdf_frontend.building.side_car import generator, names_of, side_car_path, urdf_path
from urdf_frontend.model import Robot
from urdf_frontend.package.memory import find_side_car
from urdf_frontend.reader import ReadResult
from urdf_frontend.update.keeping import nameless
from urdf_frontend.update.options import SIDE, UpdateOptions


def nothing_new(
    user: UserPackage, urdf: ReadResult, options: UpdateOptions, work_out: Callable[[], Update]
) -> Update | None:
    """The update that changes nothing, if that is known without a look at the classes; None if it is not.

    `work_out` is asked for the user's edits, if somebody wants to see them.
    """
    name, side_car = find_side_car(user.folder)
    is_own = side_car.templates is not None and side_car_path(name) in user.files
    if options.renames or options.prune or not is_own:
        return None
    wanted = options_of(side_car.options, options.templates, side_car_path(name))
    if not _is_as_generated(name, side_car, user, urdf, wanted):
        return None
    document = urdf.document
    wanted = evolve(wanted, urdf=None if document is None else document.path, packages=options.packages)
    robot = urdf.usable_robot(allowed=wanted.allowed)
    if not _has_names(robot, side_car) or not _has_same_meshes(robot, side_car, wanted):
        return None
    edited = sorted({*side_car.files} - untouched_files(side_car, user))
    report = Report(
        user.full_name,
        taken=(),
        conflicts=(),
        kept=(),
        left_out=tuple(leftovers(robot)),
        suggestions=(),
        edited=tuple(edited),
        stayed=side_car.kept,
        side=SIDE,
        find_edits=(lambda: work_out().report.edits) if edited else tuple,
    )
    return Update(user.folder, (), report)


def _is_as_generated(name: str, side_car: SideCar, user: UserPackage, urdf: ReadResult, options: BuildOptions) -> bool:
    """Would the same be generated from this file, for the same place? What somebody is still asked about is no."""
    data = None if urdf.document is None else urdf.document.encode()
    same_file = text_digest(data or b"") == side_car.sources.get(f"{name}.urdf")
    kept = user.files.get(urdf_path(name))
    return (
        same_file
        and (kept == data or (kept is not None and text_digest(kept) == side_car.sources[f"{name}.urdf"]))
        and not side_car.conflicts
        and side_car.generator == generator()
        and side_car.templates == templates_digest(options.templates)
        and side_car.package == user.full_name
        and not older_files(side_car, user)
        and all(path in user.files for part in side_car.kept for path in part.classes)
    )


def _has_names(robot: Robot, side_car: SideCar) -> bool:
    """Is there a name for each link and joint? If not, an update says what is damaged."""
    try:
        return nameless(robot, names_of(side_car.names)) is None
    except ValueError:
        return False


def _has_same_meshes(robot: Robot, side_car: SideCar, options: BuildOptions) -> bool:
    """Are the files that the URDF names still what was copied?"""
    if not side_car.resources:
        return True
    found = collect_resources(robot, side_car.package, options)
    names = {path.as_posix(): data for path, data in found.files.items()}
    return (
        not found.problems
        and {name: found.place(name) for name in side_car.resources} == dict(side_car.resources)
        and all(digest(path, data) == side_car.files.get(path) for path, data in names.items())
    )
