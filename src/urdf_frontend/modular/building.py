"""From an assembly to all files of its package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from attrs import evolve, field, frozen

from modelica_ast.generate import Surroundings
from urdf_frontend.building import BuildError, BuildOptions, BuiltPackage, Summary
from urdf_frontend.building.admission import package_name
from urdf_frontend.building.leftovers import leftovers
from urdf_frontend.building.motion_notes import motion_notes
from urdf_frontend.building.resources import Resources, collect_resources, named_files
from urdf_frontend.building.robot_model import TEMPLATE
from urdf_frontend.building.scaffold import Scaffold, inner_package
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import Robot
from urdf_frontend.modular import module_model
from urdf_frontend.modular.documentation import package_info, robot_info
from urdf_frontend.modular.module_files import ModuleFiles
from urdf_frontend.modular.naming import (
    MODULES,
    ModularNames,
    make_modular_names,
    modular_names_json,
    open_ends,
    virtual_link_at,
)
from urdf_frontend.modular.outlets import links_inside
from urdf_frontend.modular.robot_model import ModularRobot
from urdf_frontend.modules import Assembly, Module
from urdf_frontend.modules.placing import Tree
from urdf_frontend.names import NameTable

KEY: Final = "\n"  # between a module's class and the name of a file, where resources of all modules are in one table


@frozen
class ModularPackage:
    """A package that was worked out: its files by their paths in its folder, with `/`.

    `resources` says what files of the URDF are called in Modelica, by class of the module and name.
    """

    full_name: str
    files: Mapping[str, bytes] = field(repr=False)
    names: ModularNames
    resources: Mapping[str, str]
    summary: Summary

    @property
    def plain_names(self) -> dict[str, Any]:
        """The names as the side-car has them."""
        return modular_names_json(self.names)


def modular_package(
    assembly: Assembly,
    full_name: str,
    options: BuildOptions,
    *,
    known: ModularNames | None = None,
    taken: frozenset[str] = frozenset(),
) -> ModularPackage:
    """All files of a package of this full name; nothing is written.

    `known` are names that stay. `taken` are names of the user's own components in the robot's model. `options.
    known_resources` has keys like those of `ModularPackage.resources`.
    """
    return _Build(assembly, full_name, options, known, taken).package()


def build_modular(assembly: Assembly, options: BuildOptions | None = None) -> tuple[BuiltPackage, ModularPackage]:
    """A new package, for the folder that the options name, and what its updates must know; nothing is written."""
    options = BuildOptions() if options is None else options
    surroundings = Surroundings.of(Path() if options.into is None else options.into)
    name = modular_name(assembly, options.name)
    surroundings.refuse_taken(name)
    made = modular_package(assembly, surroundings.full_name(name), options)
    notes = motion_notes(Kinematics.of(assembly.to_urdf().robot), stationary=options.stationary)
    summary = evolve(made.summary, notes=(*made.summary.notes, *notes))
    scaffold = _scaffold(assembly, made.full_name, options)
    return scaffold.built(surroundings, made.files, NameTable(name, {}, {}), summary), made


def modular_name(assembly: Assembly, wanted: str | None) -> str:
    """What the package of an assembly is called; BuildError if it can't be."""
    name = package_name(Robot(name=assembly.robot), wanted)
    if name == MODULES:
        raise BuildError(f"a robot of modules can't be called {MODULES}, which is a package in it: use --name")
    return name


def _scaffold(assembly: Assembly, full_name: str, options: BuildOptions) -> Scaffold:
    return Scaffold(full_name, f"robot {' '.join(assembly.robot.split())}", options)


class _Build:
    """One build, step after step."""

    def __init__(
        self,
        assembly: Assembly,
        full_name: str,
        options: BuildOptions,
        known: ModularNames | None,
        taken: frozenset[str],
    ) -> None:
        self.tree: Tree = assembly.tree
        self.full_name = full_name
        self.options = options
        self.scaffold = _scaffold(assembly, full_name, options)
        modules = (module.robot for module in assembly.modules)
        self.scaffold.require(modules, {module_model.TEMPLATE: module_model.HANDED})
        self.names = make_modular_names(
            assembly,
            self.scaffold.name,
            options,
            known=known,
            reserved=self.scaffold.reserved(TEMPLATE, module_model.TEMPLATE),
            taken=taken,
        )
        self.robot = ModularRobot(self.scaffold.templates, self.tree, self.names, options)

    def package(self) -> ModularPackage:
        return ModularPackage(self.full_name, dict(self._files()), self.names, self._resource_table(), self._summary())

    def _files(self) -> Iterator[tuple[str, bytes]]:
        scaffold = self.scaffold
        info = package_info(scaffold.title, self.tree, self.names, self.full_name)
        yield from scaffold.package(info, [MODULES])
        yield from inner_package(MODULES, self._classes.values(), scaffold.title, self.full_name)
        for module, class_name in self._classes.items():
            for path, data in self._module_files(module, class_name).files():
                yield f"{MODULES}/{class_name}/{path}", data
        yield f"{scaffold.name}.mo", scaffold.robot_file(self.robot.document(), robot_info(self.full_name))
        yield from scaffold.run_and_test(self.robot.counts())

    def _module_files(self, module: Module, class_name: str) -> ModuleFiles:
        return ModuleFiles(
            self.scaffold.templates,
            module,
            self.names.parts[class_name],
            f"{self.full_name}.{MODULES}.{class_name}",
            self._resources[class_name],
            self.options,
            self._ends(module),
        )

    # ------------------------------------------------------------ modules and their meshes

    @cached_property
    def _classes(self) -> dict[Module, str]:
        """The distinct modules with their classes, in the order of their first use."""
        return {placed.module: self.names.class_of(placed) for placed in self.tree.placed}

    @cached_property
    def _resources(self) -> dict[str, Resources]:
        found = {}
        for module, name in self._classes.items():
            own = resources_of_module(self.options.known_resources, name)
            options = evolve(self.options, urdf=module.path, packages=module.packages, known_resources=own)
            found[name] = collect_resources(self._shown(module), f"{self.full_name}.{MODULES}.{name}", options)
        return found

    def _shown(self, module: Module) -> Robot:
        """The module without virtual links that nobody sees."""
        ends = self._ends(module)
        links = (*links_inside(module), *(link for link in module.robot.links if link.name in ends))
        return evolve(module.robot, links=links)

    def _ends(self, module: Module) -> frozenset[str]:
        """The virtual links that are shown, at open ends of the robot."""
        ends = [(placed, key) for placed, key in open_ends(self.tree) if placed.module is module]
        found = (virtual_link_at(placed, key, self.options) for placed, key in ends)
        return frozenset(link for link in found if link is not None)

    def _resource_table(self) -> dict[str, str]:
        """All files that the modules name; those that were not copied keep their names."""
        if not self.options.copy_meshes:
            return {}
        return {
            f"{class_name}{KEY}{name}": self._resources[class_name].place(name)
            for module, class_name in self._classes.items()
            for name in named_files(self._shown(module))
        }

    def _summary(self) -> Summary:
        counts = self.robot.counts()
        left_out = [
            f"{module.path.name}: {sentence}"
            for module, class_name in self._classes.items()
            for sentence in (*leftovers(module.robot), *self._resources[class_name].problems)
        ]
        driven = counts.numRotationalJoints + counts.numTranslationalJoints
        return Summary(
            package=self.full_name,
            links=counts.numLinks,
            joints=driven + counts.numMimicJoints + counts.numOtherJoints,
            driven=driven,
            followers=counts.numMimicJoints,
            left_out=tuple(left_out),
            notes=(self.scaffold.templates_note,),
        )


def resources_of_module(table: Mapping[str, str], class_name: str) -> dict[str, str]:
    """Those of one module, by what its URDF file calls them."""
    head = f"{class_name}{KEY}"
    return {name.removeprefix(head): place for name, place in table.items() if name.startswith(head)}
