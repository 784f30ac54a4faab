"""`modelica-patch urdf`: the commands that this package brings. Importing it imports nothing heavy."""

from typing import TYPE_CHECKING, Final

from modelica_ast.cli import Command
from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from urdf_frontend.cli.arguments import add_mesh_options as add_mesh_options
    from urdf_frontend.cli.motion import given_result as given_result, run_options as run_options
    from urdf_frontend.cli.reports import robot_errors as robot_errors

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "arguments": "add_mesh_options",
            "motion": "given_result run_options",
            "reports": "robot_errors",
        },
    )

COMMAND: Final = Command("urdf_frontend.cli.catalogue", "robots that are described in URDF")
