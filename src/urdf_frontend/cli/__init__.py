"""`modelica-patch urdf`: the commands that this package brings. Importing it imports nothing heavy."""

from __future__ import annotations

from typing import Final

from modelica_ast.cli.commands import Command

COMMAND: Final = Command("urdf_frontend.cli.commands", "robots that are described in URDF")
