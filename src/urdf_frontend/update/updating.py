"""`update`: the URDF file has changed, the package follows, and what its user wrote stays."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import evolve, field, frozen

from modelica_ast.edit import Workspace
from urdf_frontend.meshes import Packages
from urdf_frontend.model import Robot
from urdf_frontend.names import NameTable
from urdf_frontend.reader import ReadResult
from urdf_frontend.update.conflicts import Side
from urdf_frontend.update.digests import digest
from urdf_frontend.update.errors import UnreadableError
from urdf_frontend.update.generating import Generated
from urdf_frontend.update.gone_parts import gone_parts, parts_that_stay
from urdf_frontend.update.keeping import Kept, files_to_keep, read_kept
from urdf_frontend.update.merging import Decide, PackageMerge
from urdf_frontend.update.new_names import names_without_clashes
from urdf_frontend.update.other_files import lost_sources, merged_other_files, with_copies
from urdf_frontend.update.renaming import renamed_package
from urdf_frontend.update.report import Report
from urdf_frontend.update.settings import options_of
from urdf_frontend.update.suggestions import rename_suggestions
from urdf_frontend.update.unchanged import Generating
from urdf_frontend.update.urdf_values import urdf_values
from urdf_frontend.update.user_package import UserPackage, read_user_package
from urdf_frontend.update.versions import base_and_ours, with_theirs


@frozen(kw_only=True)
class UpdateOptions:
    """What a user can decide.

    `prefer` says who wins where both changed a value, unless `decide` is asked for each. If nobody decides, the user's
    value stays, and the conflict is remembered. `renames` are links and joints that have another name now, by their old
    one. `templates` are those of the user's own, `packages` finds meshes of `package://`.
    """

    prefer: Side | None = None
    decide: Decide | None = None
    renames: Mapping[str, str] = field(factory=dict)
    templates: Path | None = None
    packages: Packages | None = field(default=None, repr=False)


@frozen
class FileUpdate:
    """What becomes of a file: None is one that is not there."""

    path: Path
    old: bytes | None = field(repr=False)
    new: bytes | None = field(repr=False)


@frozen
class Update:
    """An update that was worked out and not written yet."""

    folder: Path
    files: tuple[FileUpdate, ...]
    report: Report

    def save(self) -> None:
        """Write all files, or none; UnreadableError if one has changed since it was read."""
        save_updates(self.folder, self.files)


def save_updates(folder: Path, files: Iterable[FileUpdate]) -> None:
    """Write files of a package, and of the library around it: all, or none."""
    wanted = list(files)
    if not wanted:
        return
    workspace = Workspace(os.path.commonpath([folder, *(file.path.parent for file in wanted)]))
    for file in wanted:
        if workspace.others.there(file.path) != file.old:
            raise UnreadableError(f"{file.path} has changed since it was read: start again")
        workspace.others.write(file.path, file.new)
    workspace.save()


def update(folder: str | os.PathLike[str], urdf: ReadResult, options: UpdateOptions | None = None) -> Update:
    """Work out what a new URDF file means for the package in a folder; nothing is written.

    UpdateError if the package can't be updated (NoBaseError: because its base is lost), UrdfError and BuildError as
    `build` raises them.
    """
    options = UpdateOptions() if options is None else options
    user = read_user_package(Path(folder).absolute())
    kept = read_kept(user.folder)
    return _Updating(kept, user, urdf, options).update()


class _Updating:
    """One update, step after step."""

    def __init__(self, kept: Kept, user: UserPackage, urdf: ReadResult, options: UpdateOptions) -> None:
        self.before = user
        self.urdf = urdf
        self.options = options
        document = urdf.document
        self.build_options = evolve(
            options_of(kept.file.options, options.templates, f"{kept.name}.base"),
            urdf=None if document is None else document.path,
            packages=options.packages,
        )
        self.robot: Robot = urdf.usable_robot(allowed=self.build_options.allowed)
        self.renamed = renamed_package(kept, user, options.renames, self.robot, self.build_options)
        self.kept = self.renamed.kept
        self.user = self.renamed.user

    def update(self) -> Update:
        kept, user = self.kept, self.user
        theirs = self._generated(self.renamed.known)
        before = base_and_ours(kept, user, self.build_options, theirs.as_before)
        versions = with_theirs(before, kept, user, theirs)
        gone = gone_parts(self.renamed.known, theirs.names)
        staying = parts_that_stay(kept, versions, user, gone)
        prefer = self.options.prefer
        merge = PackageMerge(
            versions,
            staying,
            kept.names,
            kept.name,
            urdf_values(self.urdf, theirs.names, self.build_options),
            self.options.decide or (lambda _: prefer),
            kept.file.conflicts,
            prefer,
        )
        merge.run()
        others = merged_other_files(kept, user, theirs)
        new: dict[str, bytes | None] = {
            place: None if text is None else user.encoded(place, text) for place, text in merge.texts.items()
        }
        new |= others.files
        new |= self._files_to_keep(theirs, merge)
        return Update(
            user.folder,
            tuple(self._file_updates(new)),
            Report(
                user.full_name,
                tuple(merge.taken()),
                tuple(merge.conflicts),
                (*(_stays(part.what, part.named.urdf) for part in staying), *versions.notes, *merge.kept, *others.kept),
                theirs.left_out,
                tuple(rename_suggestions(kept.robot, self.robot, self.options.renames)),
                tuple(each for each in kept.file.conflicts if each in merge.still_open),
                tuple(sorted(versions.place(path) for path in versions.changed)),
            ),
        )

    def _generated(self, known: NameTable) -> Generated:
        """What would be generated today, out of the way of the user's names."""
        lost = lost_sources(self.kept, self.build_options)
        options = evolve(self.build_options, known_names=known, known_resources=lost.places)
        generating = Generating(self.kept, self.user, self.robot)
        theirs = generating.generate(options)
        free = names_without_clashes(self.kept, known, theirs.names, self.robot, self.user, options)
        if free is not theirs.names:
            theirs = generating.generate(evolve(options, known_names=free))
        return with_copies(theirs, lost, self.user)

    def _files_to_keep(self, theirs: Generated, merge: PackageMerge) -> Mapping[str, bytes]:
        kept = self.kept
        found = files_to_keep(theirs, kept.file.package, kept.name, self.urdf, self.build_options, merge.still_open)
        return {path: data for path, data in found.items() if not self._has(path, data)}

    def _has(self, path: str, data: bytes) -> bool:
        """Is this file there? How lines end in it is nothing that an update changes."""
        here = self.user.files.get(path)
        return here is not None and digest("robot.names", here) == digest("robot.names", data)

    def _file_updates(self, new: Mapping[str, bytes | None]) -> list[FileUpdate]:
        """What is different at the end from what is on the disk, renamed files too."""
        before = self.before.files
        after = {path: data for path, data in {**self.user.files, **new}.items() if data is not None}
        found = [
            FileUpdate(self.user.folder / path, before.get(path), after.get(path))
            for path in sorted({*before, *after})
            if before.get(path) != after.get(path)
        ]
        return found + [FileUpdate(path, old, data) for path, (old, data) in sorted(self.renamed.outside.items())]


def _stays(what: str, name: str) -> str:
    return f"the {what} '{name}' is not in the URDF any more; it stays, for you have changed or used it"
