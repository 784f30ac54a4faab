"""What a package of modules keeps for its updates: its side-car, and beside it the assembly and the module files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from modelica_ast.generate import Memory, NoBaseError, SideCar, text_digest
from urdf_frontend.building import BuildOptions, BuiltPackage
from urdf_frontend.building.settings import MODULAR, STYLE, options_of
from urdf_frontend.building.side_car import FOLDER, bytes_of, side_car_of, side_car_path
from urdf_frontend.diagnostics import UrdfError
from urdf_frontend.modular.building import ModularPackage
from urdf_frontend.modular.naming import ModularNames, modular_names_of, module_key
from urdf_frontend.modules import Assembly, ModuleError
from urdf_frontend.modules.assembly_file import assembly_yaml
from urdf_frontend.package.memory import find_side_car
from urdf_frontend.package.older import BASE, MODULES, older_files

_MODULES: Final = "modules"


@frozen
class KeptAssembly:
    """What was kept last time. `assembly` has the kept module files, `paths` are those of all that is kept."""

    name: str
    file: SideCar
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
    made: ModularPackage, assembly: Assembly, options: BuildOptions, package: str, memory: Memory | None = None
) -> dict[str, bytes]:
    """All of it, by the paths in the package. `package` is the full name that it was generated for."""
    name = made.names.robot
    sources = _sources(assembly, made.names)
    facts = side_car_of(made, options, package=package)
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


def read_kept_assembly(folder: Path) -> KeptAssembly:
    """What a package has kept; NoBaseError if something of it is lost, damaged, or does not fit the rest."""
    name, side_car = find_side_car(folder)
    file = str(folder / side_car_path(name))
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
    _refuse_missing(assembly, _with_kept_uses(names), file)
    older = [path.name for ending in (BASE, MODULES) for path in older_files(folder, ending)]
    paths = [f"{FOLDER}/{each}" for each in (*uses, *older)]
    return KeptAssembly(name, side_car, names, assembly, frozenset([*paths, side_car_path(name)]))


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
