"""Robots described in URDF, as Modelica packages. It uses only the public names of `modelica_ast`.

`read` makes a `Robot` of a file and says all that is wrong with it; `Kinematics` says how its links hang together.
`build` makes a Modelica package of it, and `write` puts that on the disk.
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
    "ReadResult",
    "Robot",
    "Severity",
    "UrdfError",
    "Visualisation",
    "build",
    "read",
    "validate",
    "write",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    _READING = ("checks", "codes", "diagnostics", "kinematics", "model", "reader")
    _BUILDING = ("building", "names")
    _OF_BUILDING = frozenset("BuildError BuildOptions BuiltPackage NameStyle Visualisation build write".split())

    def __getattr__(name: str) -> Any:
        """All is imported when first asked for: the command line, which names this package, should start fast."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib  # noqa: PLC0415  (start-up time)

        # Building needs the whole of `modelica_ast`: who only reads a robot does not pay for it.
        modules = _BUILDING if name in _OF_BUILDING else _READING
        for module in [importlib.import_module(f"{__name__}.{module}") for module in modules]:
            globals().update({key: value for key, value in vars(module).items() if key in __all__})
        return globals()[name]

    def __dir__() -> list[str]:
        return [*globals(), *__all__]
