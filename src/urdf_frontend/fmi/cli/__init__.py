"""`modelica-patch fmi`: the commands for FMUs. Importing it imports nothing heavy."""

from __future__ import annotations

from typing import Final

from modelica_ast.cli import Command

COMMAND: Final = Command("urdf_frontend.fmi.cli", "models as FMUs for ROS 2 and Gazebo")

# In the order in which the help lists them.
COMMANDS: Final = {
    "shell": Command(
        "urdf_frontend.fmi.cli.shell:Shell", "wrap a component as a model with the variables of a profile"
    ),
    "check": Command("urdf_frontend.fmi.cli.shell:Check", "a model against what Gazebo or ROS asks for, and its FMU"),
    "ros-params": Command(
        "urdf_frontend.fmi.cli.middleware:RosParams", "parameters of a model for ROS 2, and tuned ones back"
    ),
    "sdf": Command("urdf_frontend.fmi.cli.middleware:Sdf", "plugins that run FMUs at joints and links in Gazebo"),
    "migrate": Command("urdf_frontend.fmi.cli.shell:Migrate", "models of an older Standard Library to a newer one"),
}
