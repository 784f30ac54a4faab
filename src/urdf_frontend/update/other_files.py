"""Drawings and meshes: files that can't be merged. The user's stays if it was changed, or else the new one comes."""

from __future__ import annotations

from urllib.parse import unquote

from attrs import evolve, frozen

from urdf_frontend.building import BuildOptions
from urdf_frontend.building.resources import check_source, not_copied
from urdf_frontend.meshes import MissingFileError, RefusedFileError
from urdf_frontend.update.digests import digest, is_modelica
from urdf_frontend.update.generating import Generated
from urdf_frontend.update.keeping import WithBase
from urdf_frontend.update.user_package import UserPackage

_SCHEME = "modelica://"


@frozen
class OtherFiles:
    """What becomes of them: bytes, or None for one that goes; and sentences about those that stay."""

    files: dict[str, bytes | None]
    kept: list[str]


def merged_other_files(kept: WithBase, user: UserPackage, theirs: Generated) -> OtherFiles:
    """Decide about each by its digests."""
    result = OtherFiles({}, [])
    for path in sorted({*kept.file.files, *theirs.files}):
        if is_modelica(path):
            continue
        before = kept.file.files.get(path)
        here = digest(path, user.files[path]) if path in user.files else None
        there = digest(path, theirs.files[path]) if path in theirs.files else None
        if there in (here, before):
            continue
        if here == before:
            result.files[path] = theirs.files.get(path)
        elif here is None:
            result.kept.append(f"{path}: you removed it, so the new one is left out")
        else:
            result.kept.append(f"{path}: you changed it, so it stays as it is")
    return result


@frozen
class LostSources:
    """Where the copies are of files that can't be copied again, and sentences about those that are refused."""

    places: dict[str, str]
    refused: tuple[str, ...]


def lost_sources(kept: WithBase, options: BuildOptions) -> LostSources:
    """The meshes that were copied once and are not found any more, or refused: the copies serve on."""
    lost: dict[str, str] = {}
    refused: list[str] = []
    for filename, place in kept.file.resources.items():
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


def with_copies(theirs: Generated, lost: LostSources, user: UserPackage) -> Generated:
    """What is generated now, with the copies of lost files that are in the package."""
    paths = [unquote(place.removeprefix(_SCHEME).partition("/")[2]) for place in lost.places.values()]
    copies = {path: user.files[path] for path in paths if path in user.files}
    return evolve(theirs, files={**copies, **theirs.files}, left_out=(*theirs.left_out, *lost.refused))
