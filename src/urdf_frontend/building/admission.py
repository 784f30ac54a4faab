"""What is asked of a robot and of the options before anything is built from them: a package, or a record."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Protocol

from modelica_ast.generate import BuildError, Surroundings
from urdf_frontend.building.options import ALLOWABLE
from urdf_frontend.checks import validate
from urdf_frontend.codes import Severity
from urdf_frontend.diagnostics import UrdfError
from urdf_frontend.model import Robot
from urdf_frontend.names import NameTable, is_plain_identifier, plain_identifier
from urdf_frontend.names.reserved import FOR_ROBOTS
from urdf_frontend.names.table import robot_class

_MODELICA_VERSION: Final = re.compile(r"4\.[0-9]+\.[0-9]+")


class CommonOptions(Protocol):
    """The options that every kind of build has."""

    @property
    def name(self) -> str | None:
        """The package; None takes the robot's name."""

    @property
    def into(self) -> Path | None:
        """The folder that it is put in; None is the current one."""

    @property
    def modelica_version(self) -> str:
        """Of the Standard Library."""

    @property
    def allowed(self) -> frozenset[str]:
        """Codes of errors that do not stop the build."""

    @property
    def may_be_there(self) -> bool:
        """Is a package of this name in its place no error?"""

    @property
    def known_names(self) -> NameTable | None:
        """The names of an earlier package, which are kept."""


def admit(robot: Robot, options: CommonOptions) -> tuple[Surroundings, str]:
    """Where the package of a robot goes, and what it is called there.

    UrdfError with all errors of a robot that can't be built, BuildError if an option is wrong or the name is taken.
    """
    refuse_unusable(robot, options)
    surroundings = Surroundings.of(Path() if options.into is None else options.into)
    known = None if options.known_names is None else options.known_names.robot
    # A package that is there has its name already.
    name = known if known is not None and known == options.name else package_name(robot, options.name)
    surroundings.refuse_taken(name, may_be_there=options.may_be_there)
    return surroundings, name


def refuse_unusable(robot: Robot, options: CommonOptions) -> None:
    """UrdfError or BuildError if no package can be made of a robot with these options, wherever it goes."""
    _refuse_errors(robot, options.allowed)
    if not _MODELICA_VERSION.fullmatch(options.modelica_version):
        raise BuildError(f"the templates need Modelica 4.0.0 or a later 4.x.y, not '{options.modelica_version}'")


def package_name(robot: Robot, wanted: str | None) -> str:
    """The name that a user wants, or else one made from the robot's; BuildError if it can't be one."""
    if wanted is None:
        return robot_class(robot.name)
    free = plain_identifier(wanted, FOR_ROBOTS)
    if not is_plain_identifier(wanted) or free != wanted:
        raise BuildError(f"'{wanted}' can't be the name of the package; '{free}' can")
    return wanted


def _refuse_errors(robot: Robot, allowed: frozenset[str]) -> None:
    refused = sorted(allowed - ALLOWABLE)
    if refused:
        raise BuildError(f"'{refused[0]}' can't be allowed; what can be: {', '.join(sorted(ALLOWABLE))}")
    errors = [found for found in validate(robot) if found.severity is Severity.ERROR and found.code not in allowed]
    if errors:
        raise UrdfError(errors)
