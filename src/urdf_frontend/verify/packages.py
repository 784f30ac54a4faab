"""The package that is compared: its class, its names, and whether its robot stands or moves about."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from urdf_frontend.model import Robot
from urdf_frontend.names import NamesFile, NamesFileError, load_names_file
from urdf_frontend.update.user_package import read_user_package
from urdf_frontend.verify.errors import VerifyError

_FOLDER = Path("Resources", "urdf")


@frozen
class RobotPackage:
    """A package on the disk."""

    full_name: str
    library: Path  # the folder of the library that it is in, or its own
    names: NamesFile

    @property
    def robot_class(self) -> str:
        """The class of the robot."""
        return f"{self.full_name}.{self.names.table.robot}"

    @property
    def is_stationary(self) -> bool:
        """Is the root link fixed to the world?"""
        return self.names.options.get("stationary", "true") == "true"


def read_package(folder: Path, robot: Robot) -> RobotPackage:
    """Look at a package; VerifyError if it lacks something of the robot."""
    package = read_user_package(folder)
    found = sorted((folder / _FOLDER).glob("*.names"))
    if len(found) != 1:
        raise VerifyError(
            f"{folder / _FOLDER} has {len(found)} .names files, and there must be one: it says what the links and "
            "joints are called"
        )
    try:
        names = load_names_file(found[0])
    except (NamesFileError, UnicodeDecodeError) as wrong:
        raise VerifyError(str(wrong)) from None
    table = names.table
    for kind, items, known in (("link", robot.links, table.links), ("joint", robot.joints, table.joints)):
        _refuse_others(kind, {item.name for item in items}, set(known), package.full_name)
    top = folder.resolve()
    for _ in range(package.full_name.count(".")):
        top = top.parent
    return RobotPackage(package.full_name, top, names)


def _refuse_others(kind: str, wanted: set[str], known: set[str], package: str) -> None:
    """VerifyError if the file and the package do not have the same links, or the same joints."""
    for there, missing, words in (
        (f"the package {package}", wanted - known, "bring it up to date with modelica-patch urdf update"),
        ("the URDF file", known - wanted, f"the package {package} was made from another one"),
    ):
        if missing:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise VerifyError(f"{there} has no {kind} '{min(missing)}'{more}: {words}")
