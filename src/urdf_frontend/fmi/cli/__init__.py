"""`modelica-patch fmi`: the commands for FMUs. Importing it imports nothing heavy."""

from __future__ import annotations

from typing import Final

from modelica_ast.cli import Command

COMMAND: Final = Command("urdf_frontend.fmi.cli.catalogue", "models as FMUs for ROS 2 and Gazebo")
