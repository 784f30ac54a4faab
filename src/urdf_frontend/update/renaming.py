"""A link or joint that has a new name in the URDF: the user's classes, components and files follow before the merge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import evolve, frozen

from modelica_ast import ModelicaError
from modelica_ast.edit import NotFoundError
from modelica_ast.library import Libraries, rename
from urdf_frontend.building import BuildOptions
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.model import Robot
from urdf_frontend.names import Named, NameTable, make_names
from urdf_frontend.update.digests import digest, is_modelica
from urdf_frontend.update.errors import UpdateError
from urdf_frontend.update.keeping import Kept
from urdf_frontend.update.user_package import UserPackage
from urdf_frontend.update.versions import rebuilt_base, untouched_files


@frozen
class RenamedPackage:
    """A package after its links and joints were renamed; nothing is written.

    `known` are the names by what the new URDF file calls things. `outside` are files of the library around the package
    that refer to what was renamed: what is in them, and what will be.
    """

    kept: Kept
    user: UserPackage
    known: NameTable
    outside: Mapping[Path, tuple[bytes | None, bytes | None]]


def renamed_package(
    kept: Kept, user: UserPackage, renames: Mapping[str, str], robot: Robot, options: BuildOptions
) -> RenamedPackage:
    """Rename; UpdateError if a name is not what it should be, or if something else has the new one."""
    if not renames:
        return RenamedPackage(kept, user, kept.names, {})
    pairs = renamed_parts(kept, renames, robot, options)
    untouched = untouched_files(kept, user)
    after, outside = renamed_files(kept, user, pairs)
    names = NameTable(kept.names.robot, dict(kept.names.links), dict(kept.names.joints))
    known = NameTable(kept.names.robot, dict(kept.names.links), dict(kept.names.joints))
    paths: dict[str, str] = {}
    for package, old, new in pairs:
        for table, urdf in ((names, old.urdf), (known, new.urdf)):
            side = table.links if package == LINKS else table.joints
            assert isinstance(side, dict)
            del side[old.urdf]
            side[urdf] = evolve(new, urdf=urdf)
        paths[f"{package}/{old.class_name}.mo"] = f"{package}/{new.class_name}.mo"
        paths[f"{package}/{old.parameters}.mo"] = f"{package}/{new.parameters}.mo"
    moved = {paths.get(path, path): found for path, found in kept.file.files.items()}
    kept = evolve(kept, names=names, file=evolve(kept.file, files=moved))
    base = rebuilt_base(kept, options).files
    # What the user did not touch is as it would have been generated under the new name.
    fresh = {paths.get(path, path) for path in untouched if is_modelica(path)} & base.keys()
    files = {**after, **{path: base[path] for path in fresh}}
    recorded = {path: digest(path, base[path]) if path in fresh else found for path, found in moved.items()}
    kept = evolve(kept, file=evolve(kept.file, files=recorded))
    return RenamedPackage(kept, evolve(user, files=files), known, outside)


def renamed_parts(
    kept: Kept, renames: Mapping[str, str], robot: Robot, options: BuildOptions
) -> list[tuple[str, Named, Named]]:
    """(package, old names, new names) of each part that is renamed."""
    sides = {
        LINKS: (kept.names.links, [link.name for link in robot.links]),
        JOINTS: (kept.names.joints, [joint.name for joint in robot.joints]),
    }
    found: list[tuple[str, str, str]] = []
    for old, new in renames.items():
        fitting = [
            (package, old, new)
            for package, (before, now) in sides.items()
            if old in before and old not in now and new in now and new not in before
        ]
        if not fitting:
            raise UpdateError(_why_not(old, new, sides))
        found += fitting
    gone = {(package, old) for package, old, _ in found}
    table = make_names(
        kept.names.robot,
        (link.name for link in robot.links),
        (joint.name for joint in robot.joints),
        style=options.name_style,
        known=NameTable(
            kept.names.robot,
            {name: named for name, named in kept.names.links.items() if (LINKS, name) not in gone},
            {name: named for name, named in kept.names.joints.items() if (JOINTS, name) not in gone},
        ),
    )
    return [
        (package, sides[package][0][old], table.link(new) if package == LINKS else table.joint(new))
        for package, old, new in found
    ]


def _why_not(old: str, new: str, sides: Mapping[str, tuple[Mapping[str, Named], list[str]]]) -> str:
    start = f"--rename {old}={new}: "
    if not any(old in before for before, _ in sides.values()):
        return f"{start}the package has no link or joint '{old}'"
    if not any(new in now for _, now in sides.values()):
        return f"{start}the URDF file has no link or joint '{new}'"
    if any(old in before and old in now for before, now in sides.values()):
        return f"{start}the URDF file still has '{old}', so it was not renamed"
    return f"{start}there is a '{new}' in the package already, or one is a link and the other a joint"


def renamed_files(
    kept: Kept, user: UserPackage, pairs: list[tuple[str, Named, Named]]
) -> tuple[dict[str, bytes], dict[Path, tuple[bytes | None, bytes | None]]]:
    """The files of the package after the renaming, and those outside of it that change."""
    root = user.folder
    while (root.parent / "package.mo").is_file():
        root = root.parent
    try:
        libraries = Libraries([root])
        for package, old, new in pairs:
            inside = f"{user.full_name}.{package}"
            _rename(libraries, f"{user.full_name}.{kept.name}.{old.component}", new.component)
            _rename(libraries, f"{inside}.{old.class_name}", new.class_name)
            _rename(libraries, f"{inside}.{old.parameters}", new.parameters)
    except (ModelicaError, OSError) as wrong:
        raise UpdateError(f"the package can't follow the new names: {wrong}") from None
    files = dict(user.files)
    outside: dict[Path, tuple[bytes | None, bytes | None]] = {}
    assert libraries.workspace is not None, "a library is open"
    folder = user.folder.resolve()
    for write in libraries.workspace.writes():
        if not write.path.is_relative_to(folder):
            outside[write.path] = (write.expected, write.new)
        elif write.new is None:
            files.pop(write.path.relative_to(folder).as_posix(), None)
        else:
            files[write.path.relative_to(folder).as_posix()] = write.new
    return files, outside


def _rename(libraries: Libraries, name: str, new: str) -> None:
    try:
        rename(libraries, name, new)
    except NotFoundError:
        return  # the user has given it a name of their own, which stays
