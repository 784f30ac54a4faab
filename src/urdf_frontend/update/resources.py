"""Meshes that were copied once and are not found any more, or refused: their copies serve on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

from attrs import evolve, frozen

from modelica_ast.generate import Generated, UserPackage
from urdf_frontend.building import BuildOptions
from urdf_frontend.building.resources import check_source, not_copied
from urdf_frontend.meshes import MissingFileError, RefusedFileError

_SCHEME: Final = "modelica://"


@frozen
class LostSources:
    """Where the copies are of files that can't be copied again, and sentences about those that are refused."""

    places: dict[str, str]
    refused: tuple[str, ...]


def lost_sources(resources: Mapping[str, str], options: BuildOptions) -> LostSources:
    """Those of the files that were copied which can't be copied again."""
    lost: dict[str, str] = {}
    refused: list[str] = []
    for filename, place in resources.items():
        if not place.startswith(_SCHEME):
            continue
        try:
            check_source(filename, place, options)
        except MissingFileError:
            lost[filename] = place
        except RefusedFileError as error:
            lost[filename] = place
            refused.append(f"{not_copied(filename, str(error))}; the copy in the package stays as it is")
    return LostSources(lost, tuple(refused))


def with_copies(generated: Generated, lost: LostSources, user: UserPackage, package: str) -> Generated:
    """What is generated now, with the copies of lost files; `package` is the name that they were copied for."""
    paths = [_path(place, package) for place in lost.places.values()]
    copies = {path: user.files[path] for path in paths if path in user.files}
    return evolve(generated, files={**copies, **generated.files}, left_out=(*generated.left_out, *lost.refused))


def _path(place: str, package: str) -> str:
    """The path in a package of what is in it or in a package inside: `modelica://Arm.Modules.joint/Resources/a.stl`."""
    name, _, path = place.removeprefix(_SCHEME).partition("/")
    inside = name.removeprefix(package).strip(".").replace(".", "/")
    return f"{inside}/{unquote(path)}" if inside else unquote(path)
