"""A robot as a Modelica package: classes cloned from templates, and what they need around them."""

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from modelica_ast.generate import BuildError
    from urdf_frontend.building.assembly import build
    from urdf_frontend.building.options import BuildOptions, Visualisation
    from urdf_frontend.building.previous import PreviousBuild
    from urdf_frontend.building.result import BuiltPackage, Summary
    from urdf_frontend.building.writing import write
else:
    # PERF: who only wants to know an error or the options must not wait for the builder.
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "assembly": "build",
            "modelica_ast.generate": "BuildError",
            "options": "BuildOptions Visualisation",
            "previous": "PreviousBuild",
            "result": "BuiltPackage Summary",
            "writing": "write",
        },
    )

__all__ = ["BuildError", "BuildOptions", "BuiltPackage", "PreviousBuild", "Summary", "Visualisation", "build", "write"]
