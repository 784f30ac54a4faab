"""`modelica-patch urdf`: the commands that this package brings. Importing it imports nothing heavy."""

from typing import TYPE_CHECKING, Final

from modelica_ast.cli import Command
from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from urdf_frontend.cli.arguments import add_mesh_options as add_mesh_options
    from urdf_frontend.cli.motion import given_result as given_result, simulated as simulated
    from urdf_frontend.cli.reports import robot_errors as robot_errors

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "arguments": "add_mesh_options",
            "motion": "given_result simulated",
            "reports": "robot_errors",
        },
    )

COMMAND: Final = Command("urdf_frontend.cli", "robots that are described in URDF")

# In the order in which the help lists them.
COMMANDS: Final = {
    "check": Command("urdf_frontend.cli.check", "what is wrong with a robot, its tree, where its links are"),
    "build": Command("urdf_frontend.cli.build:Build", "a Modelica package of a robot"),
    "update": Command("urdf_frontend.cli.update:Update", "a package follows its URDF file and keeps what you wrote"),
    "status": Command("urdf_frontend.cli.update:Status", "how a package and a URDF file differ"),
    "adopt": Command("urdf_frontend.cli.update:Adopt", "restore what updates of a package need"),
    "export": Command("urdf_frontend.cli.build:Export", "the URDF file with the values of a package"),
    "report": Command("urdf_frontend.cli.report:Report", "all about a robot on one page"),
    "verify": Command("urdf_frontend.cli.report:Verify", "simulate a package and compare it with Pinocchio"),
    "animate": Command("urdf_frontend.cli.motion:Animate", "see a robot move, in a browser"),
    "plot": Command(
        "urdf_frontend.cli.motion:Plot", "plots of joints, speeds and torques, and where they leave their limits"
    ),
    "record": Command("urdf_frontend.cli.build:Record", "a robot as one record, for generic robots"),
    "types": Command("urdf_frontend.cli.types", "a Python module with typed names of links and joints"),
    "assemble": Command("urdf_frontend.cli.assemble:Assemble", "a robot from modules: URDF, meshes, a ROS package"),
    "split": Command("urdf_frontend.cli.assemble:Split", "a robot cut into modules"),
}
