"""Meshes of modules that were copied once and are not found any more: their copies in the package serve on."""

from __future__ import annotations

from urllib.parse import unquote

from attrs import evolve, frozen

from urdf_frontend.building import BuildOptions
from urdf_frontend.modular.building import KEY, ModularPackage, resources_of_module
from urdf_frontend.modular.keeping import KeptAssembly
from urdf_frontend.modular.naming import MODULES, module_key
from urdf_frontend.modules import Assembly
from urdf_frontend.update.base_file import BaseFile
from urdf_frontend.update.other_files import LostSources, lost_sources
from urdf_frontend.update.user_package import UserPackage


@frozen
class _OfModule:
    """The base of one module."""

    file: BaseFile


def lost_meshes(kept: KeptAssembly, assembly: Assembly, options: BuildOptions) -> LostSources:
    """What they are called in Modelica, by class of the module and name."""
    found: dict[str, str] = {}
    refused: dict[str, None] = {}  # each once, however often its module is used
    for placed in assembly.tree.placed:
        name = kept.names.modules.get(module_key(placed))
        if name is None:
            continue
        file = evolve(kept.file, resources=resources_of_module(kept.file.resources, name))
        own = evolve(options, urdf=placed.module.path, packages=placed.module.packages)
        lost = lost_sources(_OfModule(file), own)
        found |= {f"{name}{KEY}{mesh}": place for mesh, place in lost.places.items()}
        refused |= dict.fromkeys(f"{placed.module.path.name}: {sentence}" for sentence in lost.refused)
    return LostSources(found, tuple(refused))


def with_mesh_copies(made: ModularPackage, lost: LostSources, user: UserPackage) -> ModularPackage:
    """What is generated now, with the copies that are in the package."""
    copies = {}
    for key, place in lost.places.items():
        path = f"{MODULES}/{key.partition(KEY)[0]}/{unquote(place.partition('//')[2].partition('/')[2])}"
        if path in user.files:
            copies[path] = user.files[path]
    summary = evolve(made.summary, left_out=(*made.summary.left_out, *lost.refused))
    return evolve(made, files={**copies, **made.files}, summary=summary)
