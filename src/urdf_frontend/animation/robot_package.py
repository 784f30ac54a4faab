"""The package of a robot as a simulation needs it: its full name, its models, the names of its links and joints."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from attrs import field, frozen

from modelica_ast import ModelicaError
from modelica_ast.edit import Document
from urdf_frontend.animation.motions import AnimationError
from urdf_frontend.model.robot import Robot
from urdf_frontend.names import NamesFileError, NameTable, load_names_file, make_names
from urdf_frontend.names.table import robot_class

_NAMES: Final = "Resources/urdf"
_PACKAGE_FILE: Final = "package.mo"
_MODELS: Final = ("Test", "Run")  # what is behind the robot's name; the first that exists is simulated


@frozen
class RobotPackage:
    """A package that was built from a URDF file."""

    folder: Path
    full_name: str
    name: str  # of the robot's model
    names: NameTable = field(repr=False)

    @property
    def library_folder(self) -> Path:
        """Where the library is that the package belongs to."""
        folder = self.folder.absolute()
        while (folder.parent / _PACKAGE_FILE).is_file():
            folder = folder.parent
        return folder.parent

    def model(self, wanted: str | None = None) -> str:
        """The full name of the model that is simulated: the test model, or the run model if there is no other.

        A wanted name without dots is a class of the package; one with dots is taken as it is.
        """
        if wanted is not None:
            return wanted if "." in wanted else f"{self.full_name}.{wanted}"
        for suffix in _MODELS:
            if (self.folder / f"{self.name}{suffix}.mo").is_file():
                return f"{self.full_name}.{self.name}{suffix}"
        raise AnimationError(f"{self.full_name} has no model {self.name}Test or {self.name}Run; name one with --model")


def read_robot_package(folder: Path) -> RobotPackage:
    """Look at a package; AnimationError says what it lacks."""
    found = sorted((folder / _NAMES).glob("*.names"))
    if len(found) != 1:
        count = len(found) or "no"
        raise AnimationError(f"{folder / _NAMES} has {count} .names files, and there must be one: build the robot anew")
    try:
        names = load_names_file(found[0]).table
        document = Document.open(folder / _PACKAGE_FILE)
    except (NamesFileError, ModelicaError) as wrong:
        raise AnimationError(str(wrong)) from None
    except (OSError, UnicodeDecodeError) as wrong:
        raise AnimationError(f"the package {folder} can't be read: {wrong}") from None
    if len(document.classes) != 1:
        raise AnimationError(f"{folder / _PACKAGE_FILE} has to define one class, the package")
    within = f"{document.within}." if document.within else ""
    return RobotPackage(folder, within + document.classes[0].name, found[0].stem, names)


def usual_names(robot: Robot) -> NameTable:
    """What the links and joints are called in a package that was built without further options."""
    links, joints = (link.name for link in robot.links), (joint.name for joint in robot.joints)
    return make_names(robot_class(robot.name), links, joints)
