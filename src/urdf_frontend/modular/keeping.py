"""What a package of modules keeps for its updates: the assembly, the module files, the names, the side-car."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from modelica_ast.files import read_regular
from urdf_frontend.building import BuildOptions, BuiltPackage
from urdf_frontend.building.templates import Templates
from urdf_frontend.diagnostics import UrdfError, reason_of
from urdf_frontend.modular.building import ModularPackage
from urdf_frontend.modular.names_file import names_text, read_names
from urdf_frontend.modular.naming import ModularNames, module_key
from urdf_frontend.modules import Assembly, ModuleError
from urdf_frontend.modules.assembly_file import assembly_yaml
from urdf_frontend.update.base_file import BaseFile, RememberedConflict, read_base_file
from urdf_frontend.update.digests import digest
from urdf_frontend.update.errors import NoBaseError
from urdf_frontend.update.keeping import FOLDER, MODULAR, STYLE, base_path, generator
from urdf_frontend.update.settings import options_of, settings_of

_MODULES: Final = "modules"


@frozen
class KeptAssembly:
    """What was kept last time. `assembly` has the kept module files, `names` know them by their kept paths as well."""

    name: str
    file: BaseFile
    names: ModularNames
    assembly: Assembly
    paths: frozenset[str]  # of all that is kept, in the package

    @property
    def names_of_kept_files(self) -> ModularNames:
        """The names for the kept assembly, which calls module files by their classes."""
        return evolve(self.names, modules={_kept_use(name): name for name in self.names.modules.values()})


def files_to_keep(
    made: ModularPackage,
    assembly: Assembly,
    options: BuildOptions,
    package: str,
    conflicts: Iterable[RememberedConflict] = (),
) -> dict[str, bytes]:
    """All of it, by the paths in the package. `package` is the full name that it was generated for."""
    names = made.names
    kept = {f"{FOLDER}/{path}": data for path, data in _sources(assembly, names).items()}
    templates = Templates.open(options.templates)
    base = BaseFile(
        generator(),
        package,
        _digest(kept),
        {**settings_of(options, templates.name), STYLE: MODULAR},
        made.resources,
        {path: digest(path, data) for path, data in made.files.items()},
        tuple(conflicts),
        templates.digest(),
    )
    return {
        **kept,
        _names_path(names.robot): names_text(names).encode(),
        base_path(names.robot): base.text.encode(),
    }


def _sources(assembly: Assembly, names: ModularNames) -> dict[str, bytes]:
    """The assembly with the module files beside it, by their paths in the folder of the kept files."""
    tree = assembly.tree
    instances = tuple(evolve(each.instance, use=_kept_use(names.class_of(each)), srdf=None) for each in tree.placed)
    found = {f"{names.robot}.yaml": assembly_yaml(assembly.robot, instances).encode()}
    for placed in tree.placed:
        document = placed.module.result.document
        assert document is not None, "it was read"
        found[_kept_use(names.modules[module_key(placed)])] = document.encode()
    return found


def _kept_use(class_name: str) -> str:
    return f"{_MODULES}/{class_name}.urdf"


def _names_path(name: str) -> str:
    return f"{FOLDER}/{name}.modules"


def _digest(sources: dict[str, bytes]) -> str:
    return digest("all.urdf", b"".join(data for _, data in sorted(sources.items())))


def with_modular_base(
    built: BuiltPackage, made: ModularPackage, assembly: Assembly, options: BuildOptions
) -> BuiltPackage:
    """A built package with what its updates need."""
    kept = files_to_keep(made, assembly, options, made.full_name)
    return evolve(built, files={**built.files, **{built.folder / path: data for path, data in kept.items()}})


def find_base(folder: Path) -> tuple[Path, BaseFile] | None:
    """The side-car of a package, whoever has made it; None if there is none, NoBaseError if it can't be read."""
    found = sorted((folder / FOLDER).glob("*.base"))
    if len(found) != 1:
        return None
    try:
        return found[0], read_base_file(read_regular(found[0]).decode(), str(found[0]))
    except OSError as wrong:
        raise NoBaseError(f"{found[0]} can't be read: {reason_of(wrong)}") from None
    except UnicodeDecodeError:
        raise NoBaseError(f"{found[0]} is no UTF-8 text") from None


def read_kept_assembly(folder: Path) -> KeptAssembly:
    """What a package has kept; NoBaseError if something of it is lost, damaged, or fits not the rest."""
    found = find_base(folder)
    if found is None:
        raise NoBaseError(f"{folder / FOLDER} has no .base file, or several: it is not known what was generated last")
    path, base = found
    options_of(base.options, path, str(path))  # so that what is wrong with an option is found here
    name = path.stem
    try:
        names = read_names(read_regular(folder / _names_path(name)).decode(), str(folder / _names_path(name)))
        uses = [f"{name}.yaml", *dict.fromkeys(map(_kept_use, names.modules.values()))]
        sources = {f"{FOLDER}/{use}": read_regular(folder / FOLDER / use) for use in uses}
        assembly = Assembly.load(folder / FOLDER / f"{name}.yaml")
        assembly.tree  # noqa: B018  (it reads the module files)
    except OSError as wrong:
        raise NoBaseError(f"{wrong.filename} can't be read: {reason_of(wrong)}") from None
    except (UnicodeDecodeError, ModuleError, UrdfError) as wrong:
        raise NoBaseError(f"what {folder / FOLDER} keeps can't be read: {wrong}") from None
    if _digest(sources) != base.urdf:
        raise NoBaseError(f"{folder / FOLDER}: the assembly or a module was changed since the package was made from it")
    paths = frozenset([*sources, _names_path(name), base_path(name)])
    return KeptAssembly(name, base, names, assembly, paths)
