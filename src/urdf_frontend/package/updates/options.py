"""What a user can decide about the update of a robot's package."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import evolve, field, frozen

from modelica_ast.generate import (
    Decisions,
    NewerBaseError,
    NoBaseError,
    Report,
    SideCar,
    Update,
    UpdateError,
    digest,
    file_of_class,
    older_files,
    templates_digest,
    text_digest,
    untouched_files,
)
from urdf_frontend.package.builder.notes import leftovers
from urdf_frontend.package.builder.options import MODULAR, STYLE, BuildOptions, is_read_as_today, options_of
from urdf_frontend.package.builder.side_car import generator, urdf_path
from urdf_frontend.package.memory import PackageMemory, nameless
from urdf_frontend.package.robot_package import RobotPackage
from urdf_frontend.robot import Robot
from urdf_frontend.urdf import Packages, ReadResult

if TYPE_CHECKING:
    from modelica_ast.generate import Decide
    from urdf_frontend.package.updates.changes import Adoption
    from urdf_frontend.package.updates.export import Exported


WORD: Final = "URDF"  # what the data of these packages are called
SIDE: Final = "urdf"  # in options and in JSON


@frozen(kw_only=True)
class UpdateOptions:
    """What a user can decide.

    `prefer` says who wins where both changed a value, `user` or `urdf`, unless `decide` is asked for each. If nobody
    decides, the user's value stays, and the conflict is remembered. `renames` are links and joints that have another
    name now, by their old one; with `no_renames` no other one has. `prune` lets go of classes that stayed although the
    URDF has their links and joints no more. `templates` are those of the user's own, `packages` finds meshes of
    `package://`.
    """

    prefer: str | None = None
    decide: Decide | None = None
    renames: Mapping[str, str] = field(factory=dict)
    no_renames: bool = False
    prune: bool = False
    templates: Path | None = None
    packages: Packages | None = field(default=None, repr=False)

    @property
    def decisions(self) -> Decisions:
        """Those that the update of any package asks for."""
        return Decisions(prefer=self.prefer, decide=self.decide, prune=self.prune)


# ---------------------------------------------------------------- freshness
# Whether there is anything to update at all: the same URDF file, generator, templates and meshes as the last time.
#
# PERF: then what would be generated is what was generated, and nothing of it need be made or merged.


def nothing_new(
    package: RobotPackage, urdf: ReadResult, options: UpdateOptions, work_out: Callable[[], Update]
) -> Update | None:
    """The update that changes nothing, if that is known without a look at the classes; None if it is not.

    `work_out` is asked for the user's edits, if somebody wants to see them.
    """
    user, base = package.user, package.base
    side_car = base.side_car
    is_own = side_car.templates is not None and base.shown_file in user.files
    if options.renames or options.prune or not is_own:
        return None
    wanted = options_of(side_car.options, options.templates, base.shown_file)
    if not _is_as_generated(package, urdf, wanted):
        return None
    document = urdf.document
    wanted = evolve(wanted, urdf=None if document is None else document.path, packages=options.packages)
    robot = urdf.usable_robot(allowed=wanted.allowed)
    if not _has_names(robot, base) or not _has_same_meshes(robot, side_car, wanted):
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


def _is_as_generated(package: RobotPackage, urdf: ReadResult, options: BuildOptions) -> bool:
    """Would the same be generated from this file, for the same place? What somebody is still asked about is no."""
    user, name, side_car = package.user, package.base.name, package.base.side_car
    data = None if urdf.document is None else urdf.document.encode()
    same_file = text_digest(data or b"") == side_car.sources.get(f"{name}.urdf")
    kept = user.files.get(urdf_path(name))
    return (
        same_file
        and (kept == data or (kept is not None and text_digest(kept) == side_car.sources[f"{name}.urdf"]))
        and not side_car.conflicts
        and side_car.generator == generator()
        and is_read_as_today(side_car.options)
        and side_car.templates == templates_digest(options.templates)
        and side_car.package == user.full_name
        and not older_files(side_car, user)
        and all(file_of_class(user, path) is not None for part in side_car.kept for path in part.classes)
    )


def _has_names(robot: Robot, base: PackageMemory) -> bool:
    """Is there a name for each link and joint? If not, an update says what is damaged."""
    try:
        return nameless(robot, base.table) is None
    except NoBaseError:
        return False


def _has_same_meshes(robot: Robot, side_car: SideCar, options: BuildOptions) -> bool:
    """Are the files that the URDF names still what was copied?"""
    if not side_car.resources:
        return True
    from urdf_frontend.package.builder.resources import collect_resources  # noqa: PLC0415  (PERF: many robots have none)

    found = collect_resources(robot, side_car.package, options)
    names = {path.as_posix(): data for path, data in found.files.items()}
    return (
        not found.problems
        and {name: found.place(name) for name in side_car.resources} == dict(side_car.resources)
        and all(digest(path, data) == side_car.files.get(path) for path, data in names.items())
    )


# ---------------------------------------------------------------- kinds
# `update`, `export` and `adopt`: who has made a package decides how its base is found.

# PERF: the merge, and what knows packages of others, are loaded when there is something to do for them.


def update(folder: str | os.PathLike[str], urdf: ReadResult, options: UpdateOptions | None = None) -> Update:
    """Work out what a new URDF file means for the package in a folder; nothing is written.

    UpdateError if the package can't be updated (NoBaseError: because its base is lost), UrdfError and BuildError as
    `build` raises them.
    """
    options = UpdateOptions() if options is None else options
    package = RobotPackage.open(folder)

    def worked_out() -> Update:
        return _worked_out(package, urdf, options)

    return nothing_new(package, urdf, options, worked_out) or worked_out()


def _worked_out(package: RobotPackage, urdf: ReadResult, options: UpdateOptions) -> Update:
    _check_base(package)
    if package.base.is_of_script:
        from urdf_frontend.package.dlr.script_update import update_script_package  # noqa: PLC0415

        return update_script_package(package, urdf, options)
    from urdf_frontend.package.updates.changes import update_robot  # noqa: PLC0415

    return update_robot(package, urdf, options)


def export(folder: str | os.PathLike[str], *, templates: Path | None = None) -> Exported:
    """Write the values of a package back into the URDF text that it was made from; no file is touched."""
    from urdf_frontend.package.updates.export import export_robot  # noqa: PLC0415

    package = RobotPackage.open(folder)
    _check_base(package)
    if package.base.is_of_script:
        from urdf_frontend.package.dlr.script_update import export_script_package  # noqa: PLC0415

        return export_script_package(package)
    return export_robot(package, templates)


def adopt(
    folder: str | os.PathLike[str], urdf: ReadResult, options: BuildOptions, *, replace: bool = False
) -> Adoption:
    """Work out the base of a package that has none; `replace` one that is there. Nothing is written.

    The package may be one of URDFModelica's script. UpdateError if it has a base, or is not one of such a robot, or
    if the package or the URDF file lacks some of the other's links and joints; the last counts only without `replace`.
    """
    from urdf_frontend.package.dlr.script_package import is_script_package  # noqa: PLC0415
    from urdf_frontend.package.dlr.script_update import adopt_script_package  # noqa: PLC0415
    from urdf_frontend.package.updates.changes import adopt_robot  # noqa: PLC0415

    package = RobotPackage.open(folder)
    user = package.user  # what of it can't be read or written is said first
    if not replace and _has_base(package):
        raise UpdateError(
            f"{package.folder} has a base, and it is intact: update the package, or rewrite the base with --force"
        )
    if is_script_package(user):
        return adopt_script_package(user, urdf, options.allowed)
    return adopt_robot(package, urdf, options, force=replace)


def _check_base(package: RobotPackage) -> None:
    """NoBaseError if something of it is lost, damaged, or does not fit the rest; UpdateError if it is of modules."""
    base = package.base
    if base.options.get(STYLE) == MODULAR:
        raise UpdateError(
            f"{package.folder} was put together from modules, and follows its assembly: name that, ASSEMBLY.yaml, in "
            "place of a URDF file"
        )
    options_of(base.options, package.folder, base.file)  # so that what is wrong with an option is found here
    base.robot  # noqa: B018  (the same for the URDF file and the names)


def _has_base(package: RobotPackage) -> bool:
    try:
        _check_base(package)
    except NewerBaseError:
        raise
    except NoBaseError:
        return False
    return True
