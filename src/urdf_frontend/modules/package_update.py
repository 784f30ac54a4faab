"""Assembling again: the package follows its assembly, and what its user wrote stays."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from attrs import evolve, field, frozen

from modelica_ast.edit import Document
from modelica_ast.generate import (
    BuildError,
    DataPlace,
    Decide,
    Decisions,
    Generated,
    Memory,
    Memory as NextMemory,
    NoBaseError,
    Part,
    Places,
    Plan,
    Update,
    UpdateError,
    UserPackage,
    Versions,
    text_digest,
    versions_of,
    work_out,
)
from urdf_frontend.modules.assembly import Assembly, assembly_yaml
from urdf_frontend.modules.module_file import Module, ModuleError
from urdf_frontend.modules.package import (
    KEY,
    ModularPackage,
    build_modular,
    modular_name,
    modular_package,
    resources_of_module,
)
from urdf_frontend.modules.package_models import flange_of
from urdf_frontend.modules.package_names import (
    MODULES_PACKAGE,
    ModularNames,
    changed_numbers,
    driven_joints,
    is_instance,
    links_inside,
    modular_names_of,
    module_key,
    outlets_of,
)
from urdf_frontend.modules.structure import Placed, Tree
from urdf_frontend.package import (
    FOLDER,
    MODULAR,
    ROOT_FRAME,
    SIDE,
    STYLE,
    BuildOptions,
    BuiltPackage,
    Exported,
    LostSources,
    PackageMemory,
    RobotPackage,
    UpdateOptions,
    build,
    bytes_of,
    exported,
    gone_parts,
    is_read_as_today,
    last_copies,
    lost_sources,
    named_files,
    options_of,
    read_memory,
    side_car_of,
    side_car_path,
    update,
    urdf_values,
    with_base,
    with_copies,
)
from urdf_frontend.robot import NameTable
from urdf_frontend.urdf import ReadResult, UrdfError, read

# ---------------------------------------------------------------- interfaces
# What a user can refer to in the models of a robot and of its modules: what of it is gone, and led elsewhere.


def model_of(module: str) -> str:
    """The file of the model of a module, by its class."""
    return f"{MODULES_PACKAGE}/{module}/{module}.mo"


def connectors_of(placed: Placed, names: ModularNames) -> list[str]:
    """The connectors of an instance."""
    return _connectors(placed.module, names.parts[names.class_of(placed)])


def _connectors(module: Module, parts: NameTable) -> list[str]:
    joints = [parts.joint(joint.name).component for joint in driven_joints(module)]
    flanges = [flange_of(joint, side) for joint in joints for side in "ab"]
    return [ROOT_FRAME, *(outlet.frame for outlet in outlets_of(module)), *flanges]


def _inside(module: Module, parts: NameTable) -> dict[str, str]:
    """What a module has inside, by its name there, and what each of it is."""
    found = dict.fromkeys(_connectors(module, parts), "connector")
    found |= {parts.joint(joint.name).component: "joint" for joint in module.robot.joints}
    return found | {parts.link(link.name).component: "link" for link in links_inside(module)}


# ---------------------------------------------------------------- what is gone


def gone_from_robot(before: tuple[Tree, ModularNames], now: tuple[Tree, ModularNames]) -> Iterator[Part]:
    """Components of the robot that are gone, and what those that are still there have no more."""
    there = set(now[1].components.values())
    for key, component in before[1].components.items():
        if component not in there:
            yield Part("module" if is_instance(key) else "component", key.partition("/")[0], (), component)
    today = _elements(*now)
    for element, what in _elements(*before).items():
        if element not in today and element.partition(".")[0] in there:
            yield Part(what, element, (), element)


def _elements(tree: Tree, names: ModularNames) -> dict[str, str]:
    return {
        f"{names.component(placed)}.{name}": what
        for placed in tree.placed
        for name, what in _inside(placed.module, names.parts[names.class_of(placed)]).items()
    }


def gone_from_modules(before: tuple[Tree, ModularNames], now: tuple[Tree, ModularNames]) -> Iterator[Part]:
    """Links, joints and connectors that the modules have no more that are still used."""
    modules = [{names.class_of(placed): placed.module for placed in tree.placed} for tree, names in (before, now)]
    for name in modules[0].keys() & modules[1].keys():
        old, new = before[1].parts[name], now[1].parts[name]
        for part in gone_parts(old, new, f"{MODULES_PACKAGE}/{name}/"):
            yield evolve(part, name=f"{name}.{part.name}", model=model_of(name))
        for connector in sorted({*_connectors(modules[0][name], old)} - {*_connectors(modules[1][name], new)}):
            yield Part("connector", f"{name}.{connector}", (), connector, model_of(name))


# ---------------------------------------------------------------- what is led elsewhere

# A connection as an update has commented it out, over several lines if it is drawn.
_COMMENTED: Final = re.compile(
    r"// (?P<text>connect\((?P<one>[^,()\n]+),(?P<other>[^,()\n]+)\)(?:[^;\n]*\n[^\S\n]*//)*[^;\n]*;)"
)


@frozen
class Rerouted:
    """The text with other ends of connections, and each of them in words."""

    text: str
    connections: tuple[str, ...]


@frozen
class Routes:
    """Where connections are led: new components by old ones, and the connectors of each new one."""

    components: Mapping[str, str]
    connectors: Mapping[str, Collection[str]]

    def new_end(self, end: str) -> str | None:
        """The end that one is led to; None if it stays where it is."""
        component, _, connector = end.strip().partition(".")
        new = self.components.get(component)
        if new is None or connector.split("[", 1)[0].split(".", 1)[0] not in self.connectors[new]:
            return None
        return f"{new}.{connector}"


def is_commented_out(text: str, component: str) -> bool:
    """Is there a connection of a component that an update has commented out?"""
    ends = (end.strip() for found in _COMMENTED.finditer(text) for end in (found["one"], found["other"]))
    return any(end.startswith(f"{component}.") for end in ends)


def reroute(text: str, model: str, generated: Collection[tuple[str, str]], routes: Routes) -> Rerouted:
    """Lead the user's connections from old components to new ones, those that were commented out too.

    `generated` are connections that are not the user's.
    """
    document = Document(_COMMENTED.sub(lambda found: _back(found, routes), text))
    robot = document.get_class(model)
    if robot is None:
        return Rerouted(text, ())
    done = []
    with document.transaction():
        for pair in robot.connections:
            if pair in generated:
                continue
            ends = list(pair)
            for number, end in enumerate(pair):
                new = routes.new_end(end)
                if new is not None:
                    robot.reconnect(ends[1 - number], end, new)
                    ends[number] = new
            if tuple(ends) != pair:
                done.append(f"connect({pair[0]}, {pair[1]}) is connect({ends[0]}, {ends[1]}) now")
    return Rerouted(document.text, tuple(done))


def _back(found: re.Match[str], routes: Routes) -> str:
    is_led = any(routes.new_end(found[end]) is not None for end in ("one", "other"))
    return re.sub(r"\n([^\S\n]*)// ?", r"\n\1", found["text"]) if is_led else found[0]


# ---------------------------------------------------------------- keeping
# What a package of modules keeps for its updates: its side-car, and beside it the assembly and the module files.

_MODULES: Final = "modules"


@frozen
class KeptAssembly:
    """What was assembled last time. `assembly` has the kept module files, `paths` are those of all that is kept."""

    base: PackageMemory
    names: ModularNames
    assembly: Assembly
    paths: frozenset[str]

    @property
    def names_of_kept_files(self) -> ModularNames:
        """The names for the kept assembly, which calls module files by their classes."""
        return _with_kept_uses(self.names)


def _with_kept_uses(names: ModularNames) -> ModularNames:
    return evolve(names, modules={_kept_use(name): name for name in names.modules.values()})


def _kept_use(class_name: str) -> str:
    return f"{_MODULES}/{class_name}.urdf"


def files_to_keep(
    made: ModularPackage, assembly: Assembly, options: BuildOptions, package: str, memory: NextMemory | None = None
) -> dict[str, bytes]:
    """All of it, by the paths in the package. `package` is the full name that it was generated for."""
    name = made.names.robot
    sources = _sources(assembly, made.names)
    facts = side_car_of(made, evolve(options, own_connectors=False), package=package)
    if memory is not None:
        facts = evolve(facts, before=memory.before, conflicts=memory.conflicts, kept=memory.kept)
    side_car = evolve(
        facts,
        options={**facts.options, STYLE: MODULAR},
        sources={use: text_digest(data) for use, data in sources.items()},
    )
    kept = {f"{FOLDER}/{use}": data for use, data in sources.items()}
    return {**kept, side_car_path(name): side_car.text.encode()}


def _sources(assembly: Assembly, names: ModularNames) -> dict[str, bytes]:
    """The assembly with the module files beside it, by their paths in the folder of the kept files."""
    tree = assembly.tree
    instances = tuple(evolve(each.instance, use=_kept_use(names.class_of(each)), srdf=None) for each in tree.placed)
    found = {f"{names.robot}.yaml": assembly_yaml(assembly.robot, instances).encode()}
    for placed in tree.placed:
        document = placed.module.result.document
        assert document is not None, "it was read"
        found[_kept_use(names.class_of(placed))] = document.encode()
    return found


def with_modular_base(
    built: BuiltPackage, made: ModularPackage, assembly: Assembly, options: BuildOptions
) -> BuiltPackage:
    """A built package with what its updates need."""
    kept = files_to_keep(made, assembly, options, made.full_name)
    return evolve(built, files={**built.files, **{built.folder / path: data for path, data in kept.items()}})


def kept_assembly(base: PackageMemory) -> KeptAssembly:
    """What a package has kept; NoBaseError if something of it is lost, damaged, or does not fit the rest."""
    folder, name, side_car, file = base.folder, base.name, base.side_car, base.file
    options_of(side_car.options, folder, file)  # so that what is wrong with an option is found here
    try:
        names = modular_names_of(side_car.names)
    except ValueError as wrong:
        raise NoBaseError(f"{file}: the names are damaged: {wrong}") from None
    uses = [f"{name}.yaml", *dict.fromkeys(map(_kept_use, names.modules.values()))]
    for use in uses:
        path = folder / FOLDER / use
        if text_digest(bytes_of(path)) != side_car.sources.get(use):
            raise NoBaseError(f"{path} is not the file that the package was made from: it was changed")
    assembly = _read_assembly(folder / FOLDER / f"{name}.yaml")
    if not is_read_as_today(side_car.options):
        for module in assembly.modules:
            module.read_as_written()
    _refuse_missing(assembly, _with_kept_uses(names), file)
    paths = [*(f"{FOLDER}/{use}" for use in uses), *base.older, base.shown_file]
    return KeptAssembly(base, names, assembly, frozenset(paths))


def _read_assembly(path: Path) -> Assembly:
    try:
        assembly = Assembly.load(path)
        assembly.tree  # noqa: B018  (it reads the module files)
    except (ModuleError, UrdfError) as wrong:
        raise NoBaseError(f"what {path.parent} keeps can't be read: {wrong}") from None
    return assembly


def _refuse_missing(assembly: Assembly, names: ModularNames, file: str) -> None:
    for placed in assembly.tree.placed:
        if placed.name not in names.components or module_key(placed) not in names.modules:
            raise NoBaseError(f"{file}: the names are damaged: there is none for '{placed.name}'")


# ---------------------------------------------------------------- updating

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
    """An update that was worked out and not written yet, and the user's connections that were led elsewhere."""

    update: Update
    rerouted: tuple[str, ...]


def update_modular(
    folder: str | os.PathLike[str], assembly: Assembly, options: ReassemblyOptions | None = None
) -> Reassembly:
    """Work out what an assembly means for the package in a folder; nothing is written.

    UpdateError if the package can't be updated (NoBaseError: because its base is lost), UrdfError, ModuleError and
    BuildError if the assembly can't be built.
    """
    options = ReassemblyOptions() if options is None else options
    package = RobotPackage.open(folder)
    return _Reassembling(kept_assembly(package.base), package.user, assembly, options).run()


class _Reassembling:
    """One update, step after step."""

    def __init__(self, kept: KeptAssembly, user: UserPackage, assembly: Assembly, options: ReassemblyOptions) -> None:
        self.kept = kept
        self.disk = user
        self.assembly = assembly
        self.options = options
        self.build_options = options_of(kept.base.side_car.options, options.templates, kept.base.shown_file)
        self.model_path = f"{kept.base.name}.mo"

    def run(self) -> Reassembly:
        before = versions_of(self.kept.base.side_car, self.disk, lambda: self._base)
        lost = self._lost_meshes()
        made = self._made(before, lost)
        user, rerouted = self._rerouted(before, made)
        decisions = Decisions(prefer=self.options.prefer, decide=self.options.decide, prune=self.options.prune)
        return Reassembly(work_out(self._plan(user, made, lost), decisions), rerouted)

    def _plan(self, user: UserPackage, made: ModularPackage, lost: LostSources) -> Plan:
        kept = self.kept
        anew = Generated(made.files, made.resources, made.summary.left_out)
        generated = with_copies(anew, lost, user, kept.base.side_car.package)
        made = evolve(made, files=generated.files)
        versions = versions_of(kept.base.side_car, user, lambda: self._base, generated)
        before, now = (kept.assembly.tree, kept.names_of_kept_files), (self.assembly.tree, made.names)
        return Plan(
            user=user,
            disk=self.disk,
            side_car=kept.base.side_car,
            versions=versions,
            generated=generated,
            places=self._places(made),
            remember=lambda memory: self._remembered(made, memory),
            word=WORD,
            source="URDF",
            side=SIDE,
            models=(self.model_path, *map(model_of, dict.fromkeys(made.names.modules.values()))),
            gone=(
                *self._gone_modules(made),
                *gone_from_robot(before, now),
                *gone_from_modules(before, now),
            ),
            suggestions=tuple(changed_numbers(kept.names, made.names)),
        )

    # ------------------------------------------------------------ versions

    @cached_property
    def _base(self) -> Mapping[str, bytes]:
        """What was generated last time, generated again."""
        kept = self.kept
        side_car, names = kept.base.side_car, kept.names_of_kept_files
        options = evolve(self.build_options, known_resources=side_car.resources)
        files = modular_package(kept.assembly, side_car.package, options, known=names).files
        named = (
            f"{names.class_of(each)}{KEY}{file}"
            for each in kept.assembly.tree.placed
            for file in named_files(each.module.robot)
        )
        return last_copies(side_car.resources, named, self.disk, side_car.package) | dict(files)

    def _made(self, before: Versions, lost: LostSources) -> ModularPackage:
        """What would be generated today, out of the way of the user's names."""
        kept = self.kept
        options = evolve(self.build_options, known_resources=lost.places)
        taken = frozenset(self._own_components(before))
        return modular_package(self.assembly, kept.base.side_car.package, options, known=kept.names, taken=taken)

    def _lost_meshes(self) -> LostSources:
        """Meshes that were copied once and can't be copied again, by class of the module and name."""
        names, resources = self.kept.names, self.kept.base.side_car.resources
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
        robot = None if text is None else Document(text).get_class(self.kept.base.name)
        return set() if robot is None else {component.name for component in robot.components} - generated

    def _places(self, made: ModularPackage) -> Places:
        """Where the module files have the values of all records."""
        found: dict[tuple[str, str], DataPlace] = {}
        for placed in self.assembly.tree.placed:
            name = made.names.class_of(placed)
            values = urdf_values(placed.module.result, made.names.parts[name], self.build_options)
            found |= {(f"{MODULES_PACKAGE}/{name}/{file}", path): value.place for (file, path), value in values.items()}
        return lambda file, path: found.get((file, path))

    # ------------------------------------------------------------ what is gone

    def _gone_modules(self, made: ModularPackage) -> Iterator[Part]:
        """The modules that no instance uses any more: each with all files of its package, the user's too."""
        gone = set(self.kept.names.modules.values()) - set(made.names.modules.values())
        files = sorted({*self.kept.base.side_car.files, *self.disk.files})
        for name in sorted(gone):
            yield Part("module", name, tuple(path for path in files if path.startswith(f"{MODULES_PACKAGE}/{name}/")))

    def _rerouted(self, before: Versions, made: ModularPackage) -> tuple[UserPackage, tuple[str, ...]]:
        """The user's package with connections led elsewhere, and each of them in words."""
        user, path = self.disk, self.model_path
        if not self.options.reroutes or path not in before.ours:
            return user, ()
        routes = self._routes(made, before.ours[path])
        base = Document(before.base.get(path, "")).get_class(self.kept.base.name)
        generated = [] if base is None else base.connections
        found = reroute(before.ours[path], self.kept.base.name, generated, routes)
        place = before.place(path)
        files = {**user.files, place: user.encoded(place, found.text)} if found.connections else user.files
        return evolve(user, files=files), found.connections

    def _routes(self, made: ModularPackage, text: str) -> Routes:
        """The reroutes by components, and the connectors of those that they lead to."""
        here = {placed.name: placed for placed in self.assembly.tree.placed}
        routes: dict[str, str] = {}
        connectors: dict[str, list[str]] = {}
        for old, new in self.options.reroutes.items():
            component = self.kept.names.components.get(old, old)
            is_known = old in self.kept.names.components or is_commented_out(text, component)
            if old in here or not is_known:
                why = "it is still in the assembly" if old in here else "the package had no such module"
                raise UpdateError(f"--reroute {old}={new}: nothing can be led away from '{old}', because {why}")
            if new not in here:
                raise UpdateError(f"--reroute {old}={new}: there is no '{new}'; there are {', '.join(here)}")
            routes[component] = made.names.component(here[new])
            connectors[routes[component]] = connectors_of(here[new], made.names)
        return Routes(routes, connectors)

    # ------------------------------------------------------------ results

    def exported_modules(self) -> tuple[ExportedModule, ...]:
        """The module files with the values that their records have now."""
        kept, names = self.kept, self.kept.names_of_kept_files
        versions = versions_of(kept.base.side_car, self.disk, lambda: self._base)
        modules = {names.class_of(placed): placed.module for placed in kept.assembly.tree.placed}
        found: list[ExportedModule] = []
        for use, name in kept.names.modules.items():
            values = urdf_values(modules[name].result, names.parts[name], self.build_options)
            own = {(f"{MODULES_PACKAGE}/{name}/{file}", path): value for (file, path), value in values.items()}
            # What is set at a component of the robot is not a value of a module; it is told with the first one.
            models = (model_of(name),) if found else (model_of(name), self.model_path)
            result = modules[name].result
            assert result.document is not None, "it was read"
            found.append(ExportedModule(use, result.document.encode(), exported(result, models, versions, own)))
        return tuple(found)

    def _remembered(self, made: ModularPackage, memory: Memory) -> dict[str, bytes | None]:
        kept = files_to_keep(made, self.assembly, self.build_options, self.kept.base.side_car.package, memory)
        return {**dict.fromkeys(self.kept.paths), **kept}


# ---------------------------------------------------------------- exporting


@frozen
class ExportedModule:
    """A module file with the values of the package.

    `use` is how the assembly names it; `source` what was in it when the package was made, expanded if it is of xacro.
    """

    use: str
    source: bytes
    exported: Exported


def export_modular(folder: str | os.PathLike[str], *, templates: Path | None = None) -> tuple[ExportedModule, ...]:
    """Write the values of a package back into the texts of its module files; no file is touched."""
    package = RobotPackage.open(folder)
    kept = kept_assembly(package.base)
    options = ReassemblyOptions(templates=templates)
    return _Reassembling(kept, package.user, kept.assembly, options).exported_modules()


# ---------------------------------------------------------------- assembling
# An assembly into a library: a new package, or the one that is there brought up to date.

Style = Literal["modular", "flat"]
_FLAT: Final = "flat"


@frozen
class Assembling:
    """What becomes of an assembly: a new package or an update of one, the other is None."""

    style: Style
    new: BuiltPackage | None
    again: Reassembly | None


def assemble_into(
    assembly: Assembly,
    into: Path,
    *,
    style: Style | None = None,
    build_options: BuildOptions | None = None,
    options: ReassemblyOptions | None = None,
) -> Assembling:
    """Work out the package of an assembly in a folder; nothing is written.

    `style` is that of the package if it already exists, or else `modular`. The name and what else a build is told are
    in `build_options`; a package that is there keeps what it was built with.
    """
    wanted = evolve(build_options or BuildOptions(), into=into)
    options = ReassemblyOptions() if options is None else options
    name = modular_name(assembly, wanted.name, into)
    folder = into / name
    if not (folder / "package.mo").is_file():
        return _new(assembly, style or MODULAR, wanted, options)
    there: Style = MODULAR if is_modular(folder) else _FLAT
    if style is not None and style != there:
        raise UpdateError(f"{folder} is there in the style '{there}': remove it, or choose another name with --name")
    return Assembling(there, None, assemble_again(folder, assembly, options))


def assemble_again(
    folder: str | os.PathLike[str], assembly: Assembly, options: ReassemblyOptions | None = None
) -> Reassembly:
    """Work out what an assembly means for a package of either style; nothing is written."""
    options = ReassemblyOptions() if options is None else options
    if is_modular(folder):
        return update_modular(folder, assembly, options)
    return _update_flat(Path(folder), assembly, options)


def is_modular(folder: str | os.PathLike[str]) -> bool:
    """Has a package a class for each module? NoBaseError if its side-car is lost or damaged."""
    return read_memory(Path(folder)).options.get(STYLE) == MODULAR


def _new(assembly: Assembly, style: Style, wanted: BuildOptions, options: ReassemblyOptions) -> Assembling:
    if options.reroutes:
        raise BuildError("--reroute is for a package that already exists, and there is none")
    if style == MODULAR:
        built, made = build_modular(assembly, wanted)
        return Assembling(style, with_modular_base(built, made, assembly, wanted), None)
    urdf = assembled_urdf(assembly)
    own = evolve(wanted, urdf=_urdf_path(assembly))
    return Assembling(style, with_base(build(urdf.usable_robot(), own), urdf, own), None)


def _update_flat(folder: Path, assembly: Assembly, options: ReassemblyOptions) -> Reassembly:
    if options.reroutes:
        raise UpdateError("--reroute is for the style 'modular'; a flat package keeps what you have used")
    wanted = UpdateOptions(
        prefer=options.prefer,
        decide=options.decide,
        no_renames=True,  # the assembly says what its modules are called
        prune=options.prune,
        templates=options.templates,
    )
    return Reassembly(update(folder, assembled_urdf(assembly), wanted), ())


def assembled_urdf(assembly: Assembly) -> ReadResult:
    """The assembled robot as if it were a file beside the assembly: its paths count from there."""
    return read(assembly.to_urdf().data, path=_urdf_path(assembly))


def _urdf_path(assembly: Assembly) -> Path:
    return assembly.folder / f"{Path(assembly.file).stem}.urdf"
