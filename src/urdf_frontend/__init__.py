"""Robots described in URDF, as Modelica packages. It uses only the public names of `modelica_ast`.

`read` makes a `Robot` of a file and says all that is wrong with it; `Kinematics` says how its links hang together.
`build` makes a Modelica package of it, and `write` puts that on the disk. `RobotPackage` says where all of it is in a
package that a user has changed since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from urdf_frontend.building import BuildError, BuildOptions, BuiltPackage, Visualisation, build, write
    from urdf_frontend.checks import validate
    from urdf_frontend.codes import CODES, Code, Severity
    from urdf_frontend.diagnostics import Diagnostic, UrdfError
    from urdf_frontend.kinematics import Kinematics
    from urdf_frontend.model import Robot
    from urdf_frontend.names import NameStyle
    from urdf_frontend.package import PackageError, RobotPackage
    from urdf_frontend.reader import ReadResult, read

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
        "building": "BuildError BuildOptions BuiltPackage Visualisation build write",
        "checks": "validate",
        "codes": "CODES Code Severity",
        "diagnostics": "Diagnostic UrdfError",
        "kinematics": "Kinematics",
        "model": "Robot",
        "names": "NameStyle",
        "package": "PackageError RobotPackage",
        "reader": "ReadResult read",
    }

    def __getattr__(name: str) -> Any:
        if name not in __all__:  # `from urdf_frontend import typed` asks here first
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from modelica_ast.late_names import late_names  # noqa: PLC0415

        return late_names(__name__, _MODULES)[0](name)

    def __dir__() -> list[str]:
        return [*globals(), *__all__]
