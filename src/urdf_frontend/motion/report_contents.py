"""What a report is about, gathered: the robot, all that is wrong with it, its package, its verification."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from modelica_ast.drawing import Drawing, draw
from modelica_ast.files import NOWHERE
from modelica_ast.foundation import ModelicaError
from modelica_ast.generate import UpdateError, refuse_linked_folders
from urdf_frontend.package import (
    JOINTS,
    LINKS,
    BuildOptions,
    BuiltPackage,
    Kind,
    PackageError,
    RobotPackage,
    UnreadablePackageError,
    build,
    build_models,
    urdf_values,
)
from urdf_frontend.robot import Kinematics, Number, Robot, follows, last_name
from urdf_frontend.urdf import Diagnostic, Packages, ReadResult, Severity, check_meshes, cross_check, in_order

if TYPE_CHECKING:
    from urdf_frontend.motion.verification.differences import Verification


# ---------------------------------------------------------------- package values
# The values of links and joints, in the URDF file and in a package.

GONE: Final = "gone"
_ROUNDING: Final = 1e-12


@frozen
class Value:
    """A value of a link or joint: what the URDF file says, and what the package has, as texts."""

    urdf: str
    package: str
    differs: bool
    line: int  # in the URDF file


def values_of(package: RobotPackage, urdf: ReadResult) -> dict[tuple[str, str, str], Value]:
    """All numbers that the URDF file gives, by 'link' or 'joint', the name there, and the path in its record."""
    if urdf.robot is None or urdf.document is None:
        return {}
    names = package.memory.table
    if any(link.name not in names.links for link in urdf.robot.links) or any(
        joint.name not in names.joints for joint in urdf.robot.joints
    ):
        return {}  # the package is of another robot, or of an older file: nothing can be compared name by name
    owners: dict[str, tuple[Kind, str]] = {
        **{f"{LINKS}/{named.parameters}.mo": ("link", name) for name, named in names.links.items()},
        **{f"{JOINTS}/{named.parameters}.mo": ("joint", name) for name, named in names.joints.items()},
    }
    found: dict[tuple[str, str, str], Value] = {}
    for (file, path), value in urdf_values(urdf, names, package.options).items():
        if not value.numbers:
            continue
        kind, name = owners[file]
        place = package.get_value(kind, name, path)
        number = None if place is None else place.value
        text = GONE if place is None else _text(number, place.binding.text if place.binding is not None else "")
        differs = number is None or not _is_same(value.numbers, number)
        found[kind, name, path] = Value(_urdf_text(value.numbers), text, differs, value.place.line)
    return found


def _urdf_text(numbers: Sequence[Number]) -> str:
    return " ".join(number.text for number in numbers)


def _text(value: Any, written: str) -> str:
    """A value as the URDF file would write it; as it is written in Modelica if it is not known."""
    if value is None:
        return " ".join(written.split()) or "not given"
    return " ".join(map(_number_text, value)) if isinstance(value, list) else _number_text(value)


def _number_text(value: Any) -> str:
    return str(getattr(value, "text", value))


def _is_same(numbers: Sequence[Number], value: Any) -> bool:
    values = value if isinstance(value, list) else [value]
    if len(values) != len(numbers) or not all(isinstance(each, int | float) for each in values):
        return False
    pairs = zip(numbers, values, strict=True)
    return all(math.isclose(number.value, each, rel_tol=_ROUNDING, abs_tol=_ROUNDING) for number, each in pairs)


# ---------------------------------------------------------------- packages
# The Modelica package of a robot as a report shows it: drawings, and the values that its records have now.


Values = Mapping[tuple[str, str, str], Value]  # by 'link' or 'joint', its name in the URDF file, and the path


@frozen(slots=False)
class PackageView:
    """What a report shows of a package. `is_user_s` is False for one that was built for the report alone."""

    name: str  # the full name of the package
    robot_class: str
    is_user_s: bool
    diagram: Drawing
    icon: Drawing
    _find_values: Callable[[], Values]

    @cached_property
    def values(self) -> Values:
        """All numbers that the URDF file gives."""
        return self._find_values()

    @property
    def differing(self) -> list[tuple[tuple[str, str, str], Value]]:
        """The values that are not those of the URDF file."""
        return [(key, value) for key, value in self.values.items() if value.differs]


def view_package(folder: Path, urdf: ReadResult, libraries: Sequence[Path] = ()) -> PackageView:
    """Look at a package on the disk as it is now; PackageError if it is not that of a robot, or has linked folders."""
    try:
        refuse_linked_folders(folder)
    except UpdateError as wrong:
        raise UnreadablePackageError(str(wrong)) from None
    package = RobotPackage.open(folder, libraries=libraries)
    return _view(package, package.robot_class, lambda: values_of(package, urdf), is_user_s=True)


def view_built(urdf: ReadResult, options: BuildOptions) -> PackageView:
    """Build a robot's package in memory and look at it; UrdfError or BuildError if it can't be built."""
    built = build_models(urdf.usable_robot(), options)
    package = _in_memory(built)

    def values() -> Values:
        return values_of(_in_memory(build(urdf.usable_robot(), options)), urdf)

    return _view(package, f"{package.full_name}.{built.names.robot}", values, is_user_s=False)


def _in_memory(built: BuiltPackage) -> RobotPackage:
    return RobotPackage.open(NOWHERE / built.folder, files={NOWHERE / path: data for path, data in built.files.items()})


def _view(
    package: RobotPackage, robot_class: str, find_values: Callable[[], Values], *, is_user_s: bool
) -> PackageView:
    try:
        diagram = draw(package.libraries, robot_class, layer="diagram", id_prefix="diagram-")
        icon = draw(package.libraries, robot_class, layer="icon", name=last_name(robot_class), id_prefix="icon-")
    except ModelicaError as wrong:
        raise PackageError(f"{package.full_name}: {wrong}") from None
    return PackageView(package.full_name, robot_class, is_user_s, diagram, icon, find_values)


# ---------------------------------------------------------------- contents


@frozen
class ReportContents:
    """One robot. The package and the verification are there if somebody asked for them."""

    file: str  # as the reader of the page knows it
    urdf: ReadResult
    diagnostics: tuple[Diagnostic, ...]
    kinematics: Kinematics | None
    package: PackageView | None
    package_problem: str  # why there is no package to show
    verification: Verification | None
    verification_problem: str  # why there is none, though somebody asked for it

    @property
    def robot(self) -> Robot | None:
        """What could be read."""
        return self.urdf.robot

    @property
    def errors(self) -> int:
        """How many diagnostics are errors."""
        return sum(found.severity is Severity.ERROR for found in self.diagnostics)

    @property
    def title(self) -> str:
        """The name of the robot, or of its file."""
        return (self.robot.name if self.robot is not None else None) or Path(self.file).name


def gather(
    file: Path,
    urdf: ReadResult,
    *,
    packages: Packages | None = None,
    package: PackageView | None = None,
    package_problem: str = "",
    verification: Verification | None = None,
    verification_problem: str = "",
) -> ReportContents:
    """Check a robot once more in every way, and put everything about it together."""
    diagnostics = [*urdf.diagnostics, *cross_check(urdf)]
    if urdf.robot is not None:
        diagnostics += check_meshes(urdf.robot, packages, urdf=file).diagnostics
    kinematics = None if urdf.robot is None else Kinematics.of(urdf.robot)
    return ReportContents(
        str(file),
        urdf,
        in_order(diagnostics),
        kinematics,
        package,
        package_problem,
        verification,
        verification_problem,
    )


def total_mass(robot: Robot) -> float:
    """The sum of all masses."""
    inertials = [link.inertial for link in robot.links if link.inertial is not None]
    return math.fsum(inertial.mass.value for inertial in inertials if inertial.mass is not None)


def degrees_of_freedom(robot: Robot) -> int:
    """How many numbers say how the robot stands; joints that follow others add none."""
    return sum(joint.type.degrees_of_freedom for joint in robot.joints if not follows(joint))


def joints_by_type(robot: Robot) -> dict[str, int]:
    """How many joints there are of each type, in the order of the file."""
    return dict(Counter(joint.type_text or joint.type.value for joint in robot.joints))
