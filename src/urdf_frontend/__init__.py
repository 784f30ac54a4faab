"""Robots described in URDF, as Modelica packages. It uses only the public names of `modelica_ast`.

`read` makes a `Robot` of a file and says all that is wrong with it; `Kinematics` says how its links are connected.
`build` makes a Modelica package of it, and `write` puts that on the disk. `RobotPackage` says where all of it is in a
package that a user has changed since.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from modelica_ast.generate import BuildError
    from urdf_frontend.package import (
        BuildOptions,
        BuiltPackage,
        PackageError,
        RobotPackage,
        Visualisation,
        build,
        write,
    )
    from urdf_frontend.robot import Kinematics, NameStyle, Robot, RobotError
    from urdf_frontend.urdf import CODES, Code, Diagnostic, ReadResult, Severity, UrdfError, read, validate

__all__ = [
    "CODES",
    "BuildError",
    "BuildOptions",
    "BuiltPackage",
    "Code",
    "Diagnostic",
    "Kinematics",
    "NameStyle",
    "PackageError",
    "ReadResult",
    "Robot",
    "RobotError",
    "RobotPackage",
    "Severity",
    "UrdfError",
    "Visualisation",
    "build",
    "read",
    "validate",
    "write",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    # Building needs the whole of `modelica_ast`: who only reads a robot does not pay for it. Modules of robots import
    # `typed` from here, and must not even import the function that imports late.
    _MODULES = {
        "modelica_ast.generate": "BuildError",
        "package": "BuildOptions BuiltPackage PackageError RobotPackage Visualisation build write",
        "robot": "Kinematics NameStyle Robot RobotError",
        "urdf": "CODES Code Diagnostic ReadResult Severity UrdfError read validate",
    }

    def __getattr__(name: str) -> Any:
        if name not in __all__:  # `from urdf_frontend import typed` asks here first
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from modelica_ast.foundation import late_names  # noqa: PLC0415

        return late_names(__name__, _MODULES)[0](name)

    def __dir__() -> list[str]:
        return [*globals(), *__all__]


class _Moved:
    """Asks `aliases` for modules that have moved; nothing is imported for it before."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """What Python's import asks when no module is found."""
        if not name.startswith(f"{__name__}.") or name == f"{__name__}.aliases":
            return None
        from modelica_ast.foundation import Moved  # noqa: PLC0415
        from urdf_frontend.aliases import MOVED  # noqa: PLC0415

        return Moved(MOVED).find_spec(name, path, target)


sys.meta_path.append(_Moved())
