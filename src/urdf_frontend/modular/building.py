"""From an assembly to all files of its package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from attrs import evolve, field, frozen

from urdf_frontend.building import BuildError, BuildOptions, BuiltPackage, Summary
from urdf_frontend.building.admission import package_name
from urdf_frontend.building.class_files import RUN, TEST_SUFFIX, class_file, own_models
from urdf_frontend.building.joint_models import JointKind
from urdf_frontend.building.leftovers import leftovers
from urdf_frontend.building.link_models import needed_components
from urdf_frontend.building.motion_notes import motion_notes
from urdf_frontend.building.packages import order_file, package_document
from urdf_frontend.building.parts import link_kind, link_template, shown_collisions, shown_visuals
from urdf_frontend.building.resources import Resources, collect_resources, named_files
from urdf_frontend.building.robot_model import TEMPLATE, needed_icons, needed_mimics
from urdf_frontend.building.run_models import ROBOT, TEST, run_model, run_template, testing_model
from urdf_frontend.building.surroundings import ORDER_FILE, PACKAGE_FILE, Surroundings
from urdf_frontend.building.templates import CLONE, Templates
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import Robot
from urdf_frontend.modular import module_model
from urdf_frontend.modular.documentation import package_info, robot_info
from urdf_frontend.modular.module_files import ModuleFiles
from urdf_frontend.modular.naming import MODULES, ModularNames, make_modular_names, open_ends, virtual_link_at
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
    files = {Path(name, path): data for path, data in made.files.items()}
    changed: dict[Path, bytes] = {}
    for path, (old, new) in surroundings.changed_files(name, uses_of(options)).items():
        files[path] = new
        changed[path] = old
    notes = motion_notes(Kinematics.of(assembly.to_urdf().robot), stationary=options.stationary)
    summary = evolve(made.summary, notes=(*made.summary.notes, *notes))
    return BuiltPackage(name, Path(name), files, changed, NameTable(name, {}, {}), summary), made


def modular_name(assembly: Assembly, wanted: str | None) -> str:
    """What the package of an assembly is called; BuildError if it can't be."""
    name = package_name(Robot(name=assembly.robot), wanted)
    if name == MODULES:
        raise BuildError(f"a robot of modules can't be called {MODULES}, which is a package in it: use --name")
    return name


def uses_of(options: BuildOptions) -> dict[str, str]:
    """The libraries that a package needs, with their versions."""
    templates = Templates.open(options.templates)
    own = {} if templates.version is None else {templates.name: templates.version}
    return {"Modelica": options.modelica_version, **own}


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
        self.assembly = assembly
        self.tree: Tree = assembly.tree
        self.parent, _, self.name = full_name.rpartition(".")
        self.full_name = full_name
        self.options = options
        self.templates = Templates.open(options.templates)
        self._require_templates()
        declared = {
            component.name
            for template in (TEMPLATE, module_model.TEMPLATE)
            for component in self.templates.clone(template).find_class(CLONE).components
        }
        self.names = make_modular_names(
            assembly,
            self.name,
            options,
            known=known,
            reserved=declared | {self.templates.name, full_name.split(".", 1)[0]},
            taken=taken,
        )
        self.robot = ModularRobot(self.templates, self.tree, self.names, options)

    def _require_templates(self) -> None:
        """Say all that is missing before anything is made."""
        options = self.options
        wanted: dict[str, dict[str, None]] = {
            TEMPLATE: {},
            module_model.TEMPLATE: dict.fromkeys(module_model.HANDED),
            run_template(stationary=options.stationary): {ROBOT: None},
            TEST: {},
        }
        for module in self.assembly.modules:
            for link in module.robot.links:
                kind = link_kind(shown_visuals(link), shown_collisions(link, options))
                wanted.setdefault(link_template(options), {}).update(dict.fromkeys(needed_components(kind)))
            for joint in module.robot.joints:
                joint_kind = JointKind.of(joint)
                wanted.setdefault(joint_kind.template, {}).update(dict.fromkeys(joint_kind.needed_components))
            for mimic in needed_mimics(module.robot):
                wanted.setdefault(mimic, {}).update({"master": None, "mimic": None})
        self.templates.require(wanted)
        self.templates.require(dict.fromkeys(needed_icons(self.templates, stationary=options.stationary), ()))

    def package(self) -> ModularPackage:
        return ModularPackage(self.full_name, dict(self._files()), self.names, self._resource_table(), self._summary())

    # ------------------------------------------------------------ files

    def _files(self) -> Iterator[tuple[str, bytes]]:
        info = package_info(self._title, self.tree, self.names, self.full_name)
        document = package_document(
            self.name,
            f"The {self._title}",
            within=self.parent or None,
            info=info,
            uses=None if self.parent else uses_of(self.options),
        )
        yield PACKAGE_FILE, document.text.encode()
        run, test = self.name + RUN, self.name + TEST_SUFFIX
        yield ORDER_FILE, order_file([MODULES, self.name, run, test])
        modules = package_document(MODULES, f"Modules of the {self._title}", within=self.full_name)
        yield f"{MODULES}/{PACKAGE_FILE}", modules.text.encode()
        yield f"{MODULES}/{ORDER_FILE}", order_file(self._classes.values())
        for module, class_name in self._classes.items():
            for path, data in self._module_files(module, class_name).files().items():
                yield f"{MODULES}/{class_name}/{path}", data
        yield from self._model_files(run, test)

    def _module_files(self, module: Module, class_name: str) -> ModuleFiles:
        return ModuleFiles(
            self.templates,
            module,
            self.names.parts[class_name],
            f"{self.full_name}.{MODULES}.{class_name}",
            self._resources[class_name],
            self.options,
            self._ends(module),
        )

    def _model_files(self, run: str, test: str) -> Iterator[tuple[str, bytes]]:
        stationary, title = self.options.stationary, self._title
        links = own_models(self.templates, self.full_name, self.name, stationary=stationary)
        robot = self.robot.document()
        robot.find_class(CLONE).set_annotation("Documentation.info", robot_info(self.full_name))
        yield f"{self.name}.mo", class_file(robot, self.name, f"The {title}", self.full_name, links)
        running = run_model(self.templates, self.name, stationary=stationary)
        yield f"{run}.mo", class_file(running, run, f"The {title} in a world", self.full_name, links)
        testing = testing_model(self.templates, run, self.robot.counts())
        yield (
            f"{test}.mo",
            class_file(testing, test, f"The {title}, its joints moved to and fro", self.full_name, links),
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

    # ------------------------------------------------------------ words

    @cached_property
    def _title(self) -> str:
        return f"robot {' '.join(self.assembly.robot.split())}"

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
            notes=(f"it uses {self.templates.name}, which is in {self.options.templates}",),
        )


def resources_of_module(table: Mapping[str, str], class_name: str) -> dict[str, str]:
    """Those of one module, by what its URDF file calls them."""
    head = f"{class_name}{KEY}"
    return {name.removeprefix(head): place for name, place in table.items() if name.startswith(head)}
