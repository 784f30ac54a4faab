"""The Modelica package of a robot as a report shows it: drawings, and the values that its records have now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from modelica_ast import ModelicaError
from modelica_ast.drawing import Drawing, draw
from modelica_ast.files import NOWHERE
from modelica_ast.generate import UpdateError, refuse_linked_folders
from urdf_frontend.building import BuildOptions, build
from urdf_frontend.package import PackageError, RobotPackage
from urdf_frontend.reader import ReadResult
from urdf_frontend.report.package_values import Value, values_of


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
    """Look at a package on the disk as it is now; PackageError if it is none of a robot, or has linked folders."""
    try:
        refuse_linked_folders(folder)
    except UpdateError as wrong:
        raise PackageError(str(wrong)) from None
    return _view(RobotPackage.open(folder, libraries=libraries), urdf, is_user_s=True)


def view_built(urdf: ReadResult, options: BuildOptions) -> PackageView:
    """Build a robot's package in memory and look at it; UrdfError or BuildError if it can't be built."""
    built = build(urdf.usable_robot(), options)
    files = {NOWHERE / path: data for path, data in built.files.items()}
    return _view(RobotPackage.open(NOWHERE / built.folder, files=files), urdf, is_user_s=False)


def _view(package: RobotPackage, urdf: ReadResult, *, is_user_s: bool) -> PackageView:
    robot_class = package.robot_class
    try:
        diagram = draw(package.libraries, robot_class, layer="diagram", id_prefix="diagram-")
        icon = draw(package.libraries, robot_class, layer="icon", name=package.names.robot, id_prefix="icon-")
    except ModelicaError as wrong:
        raise PackageError(f"{package.full_name}: {wrong}") from None
    return PackageView(package.full_name, robot_class, is_user_s, diagram, icon, values_of(package, urdf))
