"""From an assembly to all files of its package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, Final

from attrs import evolve, field, frozen

from modelica_ast.generate import (
    CLONE,
    ORDER_FILE,
    PACKAGE_FILE,
    BuildError,
    Templates,
    order_file,
    package_document,
)
from urdf_frontend.modules import package_models as models
from urdf_frontend.modules.assembly import Assembly
from urdf_frontend.modules.module_file import Module
from urdf_frontend.modules.package_models import ModularRobot, ModuleModel, flange_of
from urdf_frontend.modules.package_names import (
    MODULES_PACKAGE,
    ModularNames,
    Outlet,
    driven_joints,
    links_inside,
    make_modular_names,
    modular_names_json,
    open_ends,
    outlets_of,
    virtual_link_at,
)
from urdf_frontend.modules.structure import Placed, Tree
from urdf_frontend.package import (
    JOINTS,
    LINKS,
    TEMPLATE,
    BuildOptions,
    BuiltPackage,
    Parts,
    PartValues,
    Resources,
    Scaffold,
    Summary,
    class_file,
    collect_resources,
    inner_package,
    leftovers,
    motion_notes,
    named_files,
    package_name,
    part_files,
    surroundings_of,
    table,
)
from urdf_frontend.robot import Kinematics, NameTable, Robot

# ---------------------------------------------------------------- documentation
# The pages of a robot that is made of modules: which modules there are, and how they hang together.
#
# The tables have no numbers but those of flanges and ends: values are in the records of the modules.


def package_info(title: str, tree: Tree, names: ModularNames, package: str) -> str:
    """The page of the package, as HTML."""
    head = ("Instance", "Module", "Hangs on", "Ends of the robot", "Flanges of the robot")
    lines = [
        "<html>",
        f"<p>The <strong>{_text(title)}</strong>, put together from modules: each is a model between",
        "connectors, and the robot has them connected one after the other.</p>",
        *table(head, _instance_rows(tree, names, package)),
        "</html>",
    ]
    return "\n".join(lines)


def robot_info(package: str) -> str:
    """The page of the robot's model."""
    lines = (
        "<html>",
        "<p>All modules of the robot, connected as its assembly says.",
        f'<a href="modelica://{package}">The page of the package</a> lists them, and says which frame and which flange',
        "belongs to which of them.</p>",
        "</html>",
    )
    return "\n".join(lines)


def module_info(module: Module, names: NameTable, package: str) -> str:
    """The page of a module's package, and of its model."""
    links = (_linked(name, f"{package}.Links.{named.class_name}") for name, named in names.links.items())
    frames = [(outlet.frame, _what(outlet)) for outlet in outlets_of(module)]
    for joint in driven_joints(module):
        component = names.joint(joint.name).component
        pair = " and ".join(flange_of(component, side) for side in "ab")
        frames.append((pair, f"axis and support of the {joint.type.value} joint {_text(joint.name)}"))
    inside = ", ".join(link for link, name in zip(links, names.links, strict=True) if _is_inside(name, module))
    lines = [
        "<html>",
        f"<p>The module <strong>{_text(module.path.stem)}</strong>, made from its URDF file.",
        "<code>frame_a</code> is its input connector.</p>",
        *table(("Connector", "Meaning"), [(_text(frame), what) for frame, what in frames]),
        f"<p>Links: {inside or 'none'}.</p>",
        "</html>",
    ]
    return "\n".join(lines)


def _is_inside(link: str, module: Module) -> bool:
    is_virtual = any(outlet.is_connector and outlet.link == link for outlet in outlets_of(module))
    return not is_virtual and not (module.has_empty_input and link == module.root_link)


def _what(outlet: Outlet) -> str:
    return f"{'output connector' if outlet.is_connector else 'frame of the link'} {_text(outlet.key)}"


def _instance_rows(tree: Tree, names: ModularNames, package: str) -> Iterator[tuple[str, ...]]:
    ends: dict[str, list[str]] = {}
    for placed, key in open_ends(tree):
        ends.setdefault(placed.name, []).append(f"frame_b[{names.ends[placed.name, key]}]")
    for placed in tree.placed:
        class_name = names.class_of(placed)
        yield (
            _text(names.component(placed)),
            _linked(class_name, f"{package}.{MODULES_PACKAGE}.{class_name}"),
            _text(_parent(placed, tree, names)),
            ", ".join(ends.get(placed.name, ())),
            ", ".join(_flanges(placed, names)),
        )


def _parent(placed: Placed, tree: Tree, names: ModularNames) -> str:
    if placed.parent is None or placed.port is None:
        return "frame_a"
    parent = tree.placed[placed.parent]
    frame = next(outlet.frame for outlet in outlets_of(parent.module) if outlet.key == placed.port.joint)
    return f"{names.component(parent)}.{frame}"


def _flanges(placed: Placed, names: ModularNames) -> Iterable[str]:
    for joint in driven_joints(placed.module):
        key = (placed.name, joint.name)
        if joint.type.is_rotational:
            yield f"rotational_flange_a[{names.rotational[key]}]"
        else:
            yield f"translational_flange_a[{names.translational[key]}]"


def _linked(name: str, class_name: str) -> str:
    return f'<a href="modelica://{class_name}">{_text(name)}</a>'


def _text(text: str) -> str:
    return escape(" ".join(text.split()))


# ---------------------------------------------------------------- module files
# All files of a module: its package with links and joints as a robot's package has them, and its model.


@frozen
class ModuleFiles:
    """Makes the files. `package` is the full name of the module's package, `ends` are virtual links that are shown."""

    templates: Templates
    module: Module
    names: NameTable
    package: str
    resources: Resources
    options: BuildOptions
    ends: frozenset[str]

    def files(self) -> Iterator[tuple[str, bytes]]:
        """With their paths in the folder of the module."""
        name = self.names.robot
        title = f"module {' '.join(self.module.path.stem.split())}"
        info = module_info(self.module, self.names, self.package)
        within = self.package.rpartition(".")[0]
        yield PACKAGE_FILE, package_document(name, f"The {title}", within=within, info=info).text.encode()
        parts = self._parts()
        wanted = self._wanted_classes()
        shown = (part for part in parts.classes() if part.name in wanted[part.package])
        yield from part_files(shown, title, self.package, lambda _, part: part.make())
        yield ORDER_FILE, order_file([LINKS, JOINTS, name])
        document = ModuleModel(self.templates, self.module, self.names, parts.parameters).document()
        document.find_class(CLONE).set_annotation("Documentation.info", info)
        yield f"{name}.mo", class_file(document, name, f"The {title}", self.package, {})
        for path, data in self.resources.files.items():
            yield path.as_posix(), data

    def _parts(self) -> Parts:
        values = PartValues(self.templates.name, self.resources.place)
        return Parts(self.module.robot, self.names, self.package, self.templates, values, self.options)

    def _wanted_classes(self) -> Mapping[str, frozenset[str]]:
        links = [self.names.link(link.name) for link in links_inside(self.module)]
        links += [self.names.link(link) for link in sorted(self.ends)]
        joints = self.names.joints.values()
        return {
            LINKS: frozenset(name for named in links for name in (named.class_name, named.parameters)),
            JOINTS: frozenset(name for named in joints for name in (named.class_name, named.parameters)),
        }


# ---------------------------------------------------------------- building

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
    surroundings = surroundings_of(options)
    name = modular_name(assembly, options.name, surroundings.folder)
    surroundings.refuse_taken(name)
    made = modular_package(assembly, surroundings.full_name(name), options)
    notes = motion_notes(Kinematics.of(assembly.to_urdf().robot), stationary=options.stationary)
    summary = evolve(made.summary, notes=(*notes, *made.summary.notes))
    scaffold = _scaffold(assembly, made.full_name, options)
    return scaffold.built(surroundings, made.files, NameTable(name, {}, {}), summary), made


def modular_name(assembly: Assembly, wanted: str | None, folder: Path) -> str:
    """What the package of an assembly is called in a folder; BuildError if it can't be."""
    name = package_name(Robot(name=assembly.robot), wanted, folder)
    if name == MODULES_PACKAGE:
        raise BuildError(f"a robot of modules can't be called {MODULES_PACKAGE}, which is a package in it: use --name")
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
        classes = self.scaffold.require(modules, {models.TEMPLATE: models.HANDED})
        self.names = make_modular_names(
            assembly,
            self.scaffold.name,
            options,
            known=known,
            reserved=self.scaffold.reserved(TEMPLATE, models.TEMPLATE),
            reserved_classes=classes,
            taken=taken,
        )
        self.robot = ModularRobot(self.scaffold.templates, self.tree, self.names, options)

    def package(self) -> ModularPackage:
        return ModularPackage(self.full_name, dict(self._files()), self.names, self._resource_table(), self._summary())

    def _files(self) -> Iterator[tuple[str, bytes]]:
        scaffold = self.scaffold
        info = package_info(scaffold.title, self.tree, self.names, self.full_name)
        yield from scaffold.package(info, [MODULES_PACKAGE])
        yield from inner_package(MODULES_PACKAGE, self._classes.values(), scaffold.title, self.full_name)
        for module, class_name in self._classes.items():
            for path, data in self._module_files(module, class_name).files():
                yield f"{MODULES_PACKAGE}/{class_name}/{path}", data
        yield f"{scaffold.name}.mo", scaffold.robot_file(self.robot.document(), robot_info(self.full_name))
        yield from scaffold.run_and_test(self.robot.counts())

    def _module_files(self, module: Module, class_name: str) -> ModuleFiles:
        return ModuleFiles(
            self.scaffold.templates,
            module,
            self.names.parts[class_name],
            f"{self.full_name}.{MODULES_PACKAGE}.{class_name}",
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
            found[name] = collect_resources(self._shown(module), f"{self.full_name}.{MODULES_PACKAGE}.{name}", options)
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
