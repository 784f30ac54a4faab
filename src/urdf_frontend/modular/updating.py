"""Assembling again: the package follows its assembly, and what its user wrote stays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import evolve, field, frozen

from modelica_ast.edit import Document
from urdf_frontend.building import BuildOptions
from urdf_frontend.modular.building import ModularPackage, modular_package
from urdf_frontend.modular.gone_modules import (
    edited_modules,
    gone_modules,
    is_in_module,
    used_modules,
    with_modules_that_stay,
)
from urdf_frontend.modular.interfaces import changed_numbers, connectors_of, gone_from, interface
from urdf_frontend.modular.keeping import KeptAssembly, files_to_keep, read_kept_assembly
from urdf_frontend.modular.lost_meshes import lost_meshes, with_mesh_copies
from urdf_frontend.modular.naming import MODULES
from urdf_frontend.modular.references import Dangling, dangling_elsewhere, dangling_in_robot, reroute
from urdf_frontend.modules import Assembly
from urdf_frontend.names import NameTable
from urdf_frontend.update.base_file import RememberedConflict
from urdf_frontend.update.conflicts import Side, UpdateConflict
from urdf_frontend.update.digests import digest
from urdf_frontend.update.errors import UpdateError
from urdf_frontend.update.generating import Generated
from urdf_frontend.update.merging import Decide, PackageMerge
from urdf_frontend.update.other_files import merged_other_files
from urdf_frontend.update.report import Report
from urdf_frontend.update.settings import options_of
from urdf_frontend.update.updating import FileUpdate, Update
from urdf_frontend.update.urdf_values import UrdfValue, urdf_values
from urdf_frontend.update.user_package import UserPackage, read_user_package
from urdf_frontend.update.versions import Versions, base_beside_ours, with_theirs


@frozen(kw_only=True)
class ReassemblyOptions:
    """What a user can decide. `reroutes` leads their connections from instances that are gone to others."""

    prefer: Side | None = None
    decide: Decide | None = None
    reroutes: Mapping[str, str] = field(factory=dict)
    templates: Path | None = None


@frozen
class Reassembly:
    """An update that was worked out and not written yet, and what becomes of the user's connections."""

    update: Update
    dangling: tuple[Dangling, ...]
    rerouted: tuple[str, ...]

    @property
    def needs_user(self) -> bool:
        """Is there something that only the user can decide?"""
        return bool(self.dangling or self.update.report.undecided)


def update_modular(
    folder: str | os.PathLike[str], assembly: Assembly, options: ReassemblyOptions | None = None
) -> Reassembly:
    """Work out what an assembly means for the package in a folder; nothing is written.

    UpdateError if the package can't be updated (NoBaseError: because its base is lost), UrdfError, ModuleError and
    BuildError if the assembly can't be built.
    """
    options = ReassemblyOptions() if options is None else options
    user = read_user_package(Path(folder).absolute())
    return _Reassembling(read_kept_assembly(user.folder), user, assembly, options).run()


class _Reassembling:
    """One update, step after step."""

    def __init__(self, kept: KeptAssembly, user: UserPackage, assembly: Assembly, options: ReassemblyOptions) -> None:
        self.kept = kept
        self.user = user
        self.assembly = assembly
        self.options = options
        self.build_options = options_of(kept.file.options, options.templates, f"{kept.name}.base")
        self.model_path = f"{kept.name}.mo"

    def run(self) -> Reassembly:
        kept, user = self.kept, self.user
        before = base_beside_ours(kept, user, lambda: self._base().files)
        made = self._made(before)
        gone = self._gone(made)
        before, rerouted = self._rerouted(before, made, gone)
        theirs = Generated(made.files, NameTable(kept.name, {}, {}), b"", made.resources, made.summary.left_out)
        versions = with_theirs(before, kept, user, theirs)
        merge, staying = self._merged(versions, made)
        others = merged_other_files(kept, user, theirs)
        new = self._texts(merge)
        place = versions.place(self.model_path)
        if rerouted and place not in new:  # nothing else was changed in it
            new[place] = user.encoded(place, before.ours[self.model_path])
        dangling = tuple(self._dangling(self._after(new), place, gone))
        still_gone = tuple(sorted({each.gone for each in dangling}))
        made = evolve(made, names=evolve(made.names, gone=still_gone))
        stays = {path for path in others.files if any(is_in_module(path, name) for name in staying)}
        new |= {path: data for path, data in others.files.items() if path not in stays}
        new |= self._files_to_keep(made, merge)
        report = Report(
            user.full_name,
            tuple(merge.taken()),
            tuple(each for each in merge.conflicts if each.decided is not None or not _is_told(each, dangling)),
            (*map(_stays, sorted(staying)), *versions.notes, *merge.kept, *others.kept),
            made.summary.left_out,
            tuple(changed_numbers(kept.names, made.names)),
            tuple(each for each in kept.file.conflicts if each in merge.still_open and not _is_told(each, dangling)),
            tuple(sorted(versions.place(path) for path in versions.changed)),
        )
        return Reassembly(Update(user.folder, tuple(self._file_updates(new)), report), dangling, rerouted)

    def _merged(self, versions: Versions, made: ModularPackage) -> tuple[PackageMerge, set[str]]:
        """All files merged, and the modules that stay although nothing of the assembly uses them.

        What the user's text still uses is seen when the generated uses are gone: then it is merged once more.
        """
        gone = gone_modules(self.kept.names, made.names)
        staying = edited_modules(gone, versions, self.user, {*self.kept.file.files, *versions.moved.values()})
        while True:
            merge = self._merge(with_modules_that_stay(versions, staying), made)
            after = self._after(self._texts(merge))
            texts = {path: after.text(path) for path in after.modelica_files} if gone else {}
            used = used_modules(gone, texts) - staying
            if not used:
                return merge, staying
            staying |= used

    def _merge(self, versions: Versions, made: ModularPackage) -> PackageMerge:
        options = self.options
        merge = PackageMerge(
            versions,
            [],
            NameTable(self.kept.name, {}, {}),
            self.kept.name,
            self._values(made),
            options.decide or (lambda _: options.prefer),
            self.kept.file.conflicts,
            options.prefer,
        )
        merge.run()
        return merge

    def _texts(self, merge: PackageMerge) -> dict[str, bytes | None]:
        """What was merged, as bytes; None for a file that goes."""
        encoded = self.user.encoded
        return {place: None if text is None else encoded(place, text) for place, text in merge.texts.items()}

    def _after(self, new: Mapping[str, bytes | None]) -> UserPackage:
        """The package as it will be."""
        files = {path: data for path, data in {**self.user.files, **new}.items() if data is not None}
        return evolve(self.user, files=files)

    # ------------------------------------------------------------ versions

    def _base(self) -> ModularPackage:
        """What was generated last time, generated again."""
        kept = self.kept
        options = evolve(self.build_options, known_resources=kept.file.resources)
        return modular_package(kept.assembly, kept.file.package, options, known=kept.names_of_kept_files)

    def _made(self, before: Versions) -> ModularPackage:
        """What would be generated today, out of the way of the user's names."""
        kept = self.kept
        lost = lost_meshes(kept, self.assembly, self.build_options)
        options: BuildOptions = evolve(self.build_options, known_resources=lost.places)
        made = modular_package(
            self.assembly, kept.file.package, options, known=kept.names, taken=frozenset(self._own_components(before))
        )
        return with_mesh_copies(made, lost, self.user)

    def _own_components(self, before: Versions) -> set[str]:
        """The components that the user has added to the robot's model."""
        generated = set(self.kept.names.components.values())
        text = before.ours.get(self.model_path)
        robot = None if text is None else Document(text).get_class(self.kept.name)
        return set() if robot is None else {component.name for component in robot.components} - generated

    def _gone(self, made: ModularPackage) -> list[str]:
        """Components and connectors that are gone now, or that the user refers to since they went."""
        kept = self.kept
        was = interface(kept.assembly.tree, kept.names_of_kept_files)
        return gone_from({*was, *kept.names.gone}, interface(self.assembly.tree, made.names))

    def _rerouted(self, before: Versions, made: ModularPackage, gone: list[str]) -> tuple[Versions, tuple[str, ...]]:
        if not self.options.reroutes or self.model_path not in before.ours:
            return before, ()
        routes, connectors = self._routes(made, gone)
        base = Document(before.base.get(self.model_path, "")).get_class(self.kept.name)
        generated = [] if base is None else base.connections
        found = reroute(before.ours[self.model_path], self.kept.name, generated, routes, connectors)
        return evolve(before, ours={**before.ours, self.model_path: found.text}), found.connections

    def _routes(self, made: ModularPackage, gone: list[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
        """The reroutes by components, and the connectors of those that they lead to."""
        here = {placed.name: placed for placed in self.assembly.tree.placed}
        routes: dict[str, str] = {}
        connectors: dict[str, list[str]] = {}
        for old, new in self.options.reroutes.items():
            component = self.kept.names.components.get(old, old)
            if component not in gone:
                why = "it is still in the assembly" if old in here else "the package had no such module"
                raise UpdateError(f"--reroute {old}={new}: nothing can be led away from '{old}', for {why}")
            if new not in here:
                raise UpdateError(f"--reroute {old}={new}: there is no '{new}'; there are {', '.join(here)}")
            routes[component] = made.names.component(here[new])
            connectors[routes[component]] = connectors_of(here[new], made.names)
        return routes, connectors

    def _values(self, made: ModularPackage) -> dict[tuple[str, str], UrdfValue]:
        """Where the module files have the values of all records."""
        found: dict[tuple[str, str], UrdfValue] = {}
        for placed in self.assembly.tree.placed:
            name = made.names.class_of(placed)
            values = urdf_values(placed.module.result, made.names.parts[name], self.build_options)
            found |= {(f"{MODULES}/{name}/{file}", path): value for (file, path), value in values.items()}
        return found

    # ------------------------------------------------------------ results

    def _dangling(self, after: UserPackage, place: str, gone: list[str]) -> Iterator[Dangling]:
        if not gone or place not in after.files:
            return
        yield from dangling_in_robot(after.text(place), self.kept.name, place, gone)
        for path in after.modelica_files:
            if path != place and not path.startswith(f"{MODULES}/"):
                yield from dangling_elsewhere(after.text(path), path, gone)

    def _files_to_keep(self, made: ModularPackage, merge: PackageMerge) -> dict[str, bytes | None]:
        kept, options = self.kept, self.build_options
        found = files_to_keep(made, self.assembly, options, kept.file.package, merge.still_open)
        changed: dict[str, bytes | None] = {path: data for path, data in found.items() if not self._has(path, data)}
        return changed | {path: None for path in kept.paths if path not in found}

    def _has(self, path: str, data: bytes) -> bool:
        """Is this file there? How lines end in it is nothing that an update changes."""
        here = self.user.files.get(path)
        return here is not None and digest("robot.names", here) == digest("robot.names", data)

    def _file_updates(self, new: Mapping[str, bytes | None]) -> Iterator[FileUpdate]:
        before = self.user.files
        for path, data in sorted(new.items()):
            if before.get(path) != data:
                yield FileUpdate(self.user.folder / path, before.get(path), data)


def _is_told(conflict: UpdateConflict | RememberedConflict, dangling: tuple[Dangling, ...]) -> bool:
    """Is it about a connection of the user's to something that is gone? Then it is told with its line."""
    return conflict.what == "connection" and conflict.path[-1] in {each.text for each in dangling}


def _stays(module: str) -> str:
    return f"the module '{module}' is not in the assembly any more; it stays, for you have changed or used it"
