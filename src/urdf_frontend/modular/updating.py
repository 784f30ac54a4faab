"""Assembling again: the package follows its assembly, and what its user wrote stays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from attrs import evolve, field, frozen

from modelica_ast.edit import Document
from modelica_ast.generate import (
    DataPlace,
    Decide,
    Decisions,
    Generated,
    Memory,
    Part,
    Places,
    Plan,
    RememberedConflict,
    Update,
    UpdateConflict,
    UpdateError,
    UserPackage,
    Versions,
    read_user_package,
    versions_of,
    work_out,
)
from urdf_frontend.building.settings import options_of
from urdf_frontend.building.side_car import side_car_path
from urdf_frontend.modular.building import KEY, ModularPackage, modular_package, resources_of_module
from urdf_frontend.modular.interfaces import changed_numbers, connectors_of, gone_from, interface
from urdf_frontend.modular.keeping import KeptAssembly, files_to_keep, read_kept_assembly
from urdf_frontend.modular.naming import MODULES, module_key
from urdf_frontend.modular.references import Dangling, dangling_elsewhere, dangling_in_robot, reroute
from urdf_frontend.modules import Assembly
from urdf_frontend.update.options import SIDE
from urdf_frontend.update.resources import LostSources, lost_sources, with_copies
from urdf_frontend.update.urdf_values import urdf_values

WORD: Final = "assembly"  # what the data of these packages are called


@frozen(kw_only=True)
class ReassemblyOptions:
    """What a user can decide.

    `reroutes` leads their connections from instances that are gone to others. `prune` lets go of modules that stayed
    although the assembly has them no more.
    """

    prefer: str | None = None
    decide: Decide | None = None
    reroutes: Mapping[str, str] = field(factory=dict)
    prune: bool = False
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
        return bool(self.dangling or self.update.report.needs_user)


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
        self.disk = user
        self.assembly = assembly
        self.options = options
        self.build_options = options_of(kept.file.options, options.templates, side_car_path(kept.name))
        self.model_path = f"{kept.name}.mo"
        self.dangling: tuple[Dangling, ...] = ()

    def run(self) -> Reassembly:
        before = versions_of(self.kept.file, self.disk, lambda: self._base)
        lost = self._lost_meshes()
        made = self._made(before, lost)
        gone = self._gone(made)
        user, rerouted = self._rerouted(before, made, gone)
        decisions = Decisions(prefer=self.options.prefer, decide=self.options.decide, prune=self.options.prune)
        update = work_out(self._plan(user, made, gone, lost), decisions)
        return Reassembly(self._without_told(update), self.dangling, rerouted)

    def _plan(self, user: UserPackage, made: ModularPackage, gone: list[str], lost: LostSources) -> Plan:
        kept = self.kept
        anew = Generated(made.files, made.resources, made.summary.left_out)
        generated = with_copies(anew, lost, user, kept.file.package)
        made = evolve(made, files=generated.files)
        versions = versions_of(kept.file, user, lambda: self._base, generated)
        place = versions.place(self.model_path)
        return Plan(
            user=user,
            disk=self.disk,
            side_car=kept.file,
            versions=versions,
            generated=generated,
            places=self._places(made),
            remember=lambda memory: self._remembered(made, memory, place, gone),
            word=WORD,
            source="URDF",
            side=SIDE,
            model=self.model_path,
            gone=tuple(self._gone_modules(made)),
            takes_out=False,
            suggestions=tuple(changed_numbers(kept.names, made.names)),
        )

    # ------------------------------------------------------------ versions

    @cached_property
    def _base(self) -> Mapping[str, bytes]:
        """What was generated last time, generated again."""
        kept = self.kept
        options = evolve(self.build_options, known_resources=kept.file.resources)
        return modular_package(kept.assembly, kept.file.package, options, known=kept.names_of_kept_files).files

    def _made(self, before: Versions, lost: LostSources) -> ModularPackage:
        """What would be generated today, out of the way of the user's names."""
        kept = self.kept
        options = evolve(self.build_options, known_resources=lost.places)
        taken = frozenset(self._own_components(before))
        return modular_package(self.assembly, kept.file.package, options, known=kept.names, taken=taken)

    def _lost_meshes(self) -> LostSources:
        """Meshes that were copied once and can't be copied again, by class of the module and name."""
        names, resources = self.kept.names, self.kept.file.resources
        found: dict[str, str] = {}
        refused: dict[str, None] = {}  # each once, however often its module is used
        for placed in self.assembly.tree.placed:
            name = names.modules.get(module_key(placed))
            if name is None:
                continue
            own = evolve(self.build_options, urdf=placed.module.path, packages=placed.module.packages)
            lost = lost_sources(resources_of_module(resources, name), own)
            found |= {f"{name}{KEY}{mesh}": place for mesh, place in lost.places.items()}
            refused |= dict.fromkeys(f"{placed.module.path.name}: {sentence}" for sentence in lost.refused)
        return LostSources(found, tuple(refused))

    def _own_components(self, before: Versions) -> set[str]:
        """The components that the user has added to the robot's model."""
        generated = set(self.kept.names.components.values())
        text = before.ours.get(self.model_path)
        robot = None if text is None else Document(text).get_class(self.kept.name)
        return set() if robot is None else {component.name for component in robot.components} - generated

    def _places(self, made: ModularPackage) -> Places:
        """Where the module files have the values of all records."""
        found: dict[tuple[str, str], DataPlace] = {}
        for placed in self.assembly.tree.placed:
            name = made.names.class_of(placed)
            values = urdf_values(placed.module.result, made.names.parts[name], self.build_options)
            found |= {(f"{MODULES}/{name}/{file}", path): value.place for (file, path), value in values.items()}
        return lambda file, path: found.get((file, path))

    # ------------------------------------------------------------ what is gone

    def _gone_modules(self, made: ModularPackage) -> Iterator[Part]:
        """The modules that no instance uses any more: each with all files of its package, the user's too."""
        gone = set(self.kept.names.modules.values()) - set(made.names.modules.values())
        files = sorted({*self.kept.file.files, *self.disk.files})
        for name in sorted(gone):
            yield Part("module", name, tuple(path for path in files if path.startswith(f"{MODULES}/{name}/")))

    def _gone(self, made: ModularPackage) -> list[str]:
        """Components and connectors that are gone now, or that the user refers to since they went."""
        kept = self.kept
        was = interface(kept.assembly.tree, kept.names_of_kept_files)
        return gone_from({*was, *kept.names.gone}, interface(self.assembly.tree, made.names))

    def _rerouted(self, before: Versions, made: ModularPackage, gone: list[str]) -> tuple[UserPackage, tuple[str, ...]]:
        """The user's package with connections led elsewhere, and each of them in words."""
        user, path = self.disk, self.model_path
        if not self.options.reroutes or path not in before.ours:
            return user, ()
        routes, connectors = self._routes(made, gone)
        base = Document(before.base.get(path, "")).get_class(self.kept.name)
        generated = [] if base is None else base.connections
        found = reroute(before.ours[path], self.kept.name, generated, routes, connectors)
        place = before.place(path)
        files = {**user.files, place: user.encoded(place, found.text)} if found.connections else user.files
        return evolve(user, files=files), found.connections

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

    # ------------------------------------------------------------ results

    def _remembered(self, made: ModularPackage, memory: Memory, place: str, gone: list[str]) -> dict[str, bytes | None]:
        """The files for the next time, which has to know what the user refers to although it is gone."""
        self.dangling = tuple(self._dangling(memory.after, place, gone))
        still_gone = tuple(sorted({each.gone for each in self.dangling}))
        made = evolve(made, names=evolve(made.names, gone=still_gone))
        kept = files_to_keep(made, self.assembly, self.build_options, self.kept.file.package, memory)
        return {**dict.fromkeys(self.kept.paths), **kept}

    def _dangling(self, after: UserPackage, place: str, gone: list[str]) -> Iterator[Dangling]:
        if not gone or place not in after.files:
            return
        yield from dangling_in_robot(after.text(place), self.kept.name, place, gone)
        for path in after.modelica_files:
            if path != place and not path.startswith(f"{MODULES}/"):
                yield from dangling_elsewhere(after.text(path), path, gone)

    def _without_told(self, update: Update) -> Update:
        """What is told about dangling connections is not told as a conflict too."""
        report, told = update.report, {each.text for each in self.dangling}
        conflicts = tuple(each for each in report.conflicts if each.decided is not None or not _is_told(each, told))
        open_ = tuple(each for each in report.open if not _is_told(each, told))
        return evolve(update, report=evolve(report, conflicts=conflicts, open=open_))


def _is_told(conflict: UpdateConflict | RememberedConflict, told: set[str]) -> bool:
    """Is it about a connection of the user's to something that is gone? Then it is told with its line."""
    return conflict.what == "connection" and conflict.path[-1] in told
