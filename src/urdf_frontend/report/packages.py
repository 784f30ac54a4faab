"""The Modelica package of a robot as a report shows it: drawings, and the values that its records have now."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from modelica_ast import ModelicaError
from modelica_ast.drawing import Drawing, draw
from modelica_ast.library import Instance, instance, open_with_uses
from urdf_frontend.building import BuildOptions, build, write
from urdf_frontend.building.options import TEMPLATES
from urdf_frontend.names import NamesFileError, NameTable, load_names_file
from urdf_frontend.reader import ReadResult
from urdf_frontend.report.package_values import Value, values_of
from urdf_frontend.update.errors import UpdateError
from urdf_frontend.update.user_package import read_user_package

_NAMES: Final = Path("Resources", "urdf")


class PackageError(ModelicaError):
    """A package that can't be shown; the sentence says why and what to do."""


@frozen
class PackageView:
    """What a report shows of a package. `is_user_s` is False for one that was built for the report alone."""

    name: str  # the full name of the package
    robot_class: str
    is_user_s: bool
    diagram: Drawing
    icon: Drawing
    values: Mapping[tuple[str, str, str], Value]  # by 'link' or 'joint', its name in the URDF file, and the path

    @property
    def differing(self) -> list[tuple[tuple[str, str, str], Value]]:
        """The values that are not those of the URDF file."""
        return [(key, value) for key, value in self.values.items() if value.differs]


def view_package(folder: Path, urdf: ReadResult, libraries: Sequence[Path] = ()) -> PackageView:
    """Look at a package on the disk as it is now; PackageError if it is none of a robot."""
    try:
        package = read_user_package(folder)
    except UpdateError as wrong:
        raise PackageError(str(wrong)) from None
    names = _names(folder)
    # The library that the package is in: one folder up for each dot of its name.
    library = folder.resolve()
    for _ in range(package.full_name.count(".")):
        library = library.parent
    return _view(library, package.full_name, names, urdf, libraries, is_user_s=True)


def view_built(urdf: ReadResult, options: BuildOptions) -> PackageView:
    """Build a robot's package somewhere, look at it, and forget it; UrdfError or BuildError if it can't be built."""
    with tempfile.TemporaryDirectory() as place:
        built = build(urdf.usable_robot(), options)
        write(built, place)
        folder = Path(place, built.folder)
        return _view(folder, built.summary.package, _names(folder), urdf, (), is_user_s=False)


def _names(folder: Path) -> NameTable:
    files = sorted((folder / _NAMES).glob("*.names"))
    if len(files) != 1:
        raise PackageError(
            f"{folder / _NAMES} has {len(files)} .names files, and there must be one: it says which class is the "
            "robot and what its links and joints are called"
        )
    try:
        return load_names_file(files[0]).table
    except (NamesFileError, UnicodeDecodeError, OSError) as wrong:
        raise PackageError(f"{files[0]} can't be read: {wrong}") from None


def _view(
    library: Path, package: str, names: NameTable, urdf: ReadResult, named: Sequence[Path], *, is_user_s: bool
) -> PackageView:
    robot_class = f"{package}.{names.robot}"
    try:
        libraries = open_with_uses([library], also=[*named, TEMPLATES])
        whole: Instance = instance(libraries, robot_class)
        diagram = draw(libraries, robot_class, layer="diagram", id_prefix="diagram-")
        icon = draw(libraries, robot_class, layer="icon", name=names.robot, id_prefix="icon-")
    except ModelicaError as wrong:
        raise PackageError(f"{package}: {wrong}") from None
    return PackageView(package, robot_class, is_user_s, diagram, icon, values_of(whole, names, urdf))
