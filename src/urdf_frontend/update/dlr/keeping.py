"""What a package of URDFModelica's script keeps for its updates: the same two files as one of this project.

There are no digests, for it is not known what the script has written. The base of a value is what the kept URDF file
has; whatever is not a value of the URDF file is the user's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from modelica_ast.generate import RememberedConflict, SideCar
from urdf_frontend.building import BuildOptions
from urdf_frontend.building.settings import settings_of
from urdf_frontend.building.side_car import generator, kept_files, names_json
from urdf_frontend.names import NameStyle, NameTable
from urdf_frontend.reader import ReadResult
from urdf_frontend.update.dlr.fields import LIBRARY

_ORIGIN: Final = "origin"


def is_of_script(side_car: SideCar) -> bool:
    """Is it the side-car of a package that the script has made?"""
    return side_car.options.get(_ORIGIN) == LIBRARY


def script_files_to_keep(
    package: str,
    names: NameTable,
    urdf: ReadResult,
    allowed: frozenset[str],
    conflicts: Iterable[RememberedConflict] = (),
) -> dict[str, bytes]:
    """The files, by their paths in the package; `names.robot` is what they are called."""
    assert urdf.robot is not None, "it is usable"
    options = BuildOptions(name_style=NameStyle.DLR, copy_meshes=False, allowed=allowed)
    side_car = SideCar(
        generator=generator(),
        package=package,
        sources={},
        options={**settings_of(options, LIBRARY), _ORIGIN: LIBRARY},
        files={},
        names=names_json(urdf.robot.name, names),
        conflicts=tuple(conflicts),
    )
    return kept_files(side_car, names.robot, urdf)
