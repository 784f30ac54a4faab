"""The commands of `modelica-patch urdf`, in the order in which the help lists them."""

from __future__ import annotations

from typing import Final

from modelica_ast.cli.commands import Command

COMMANDS: Final = {
    "check": Command("urdf_frontend.cli.check", "what is wrong with a robot, its tree, where its links are"),
    "build": Command("urdf_frontend.cli.build", "a Modelica package of a robot"),
    "record": Command("urdf_frontend.cli.record", "a robot as one record, for generic robots"),
}
