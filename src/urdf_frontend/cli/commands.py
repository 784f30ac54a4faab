"""The commands of `modelica-patch urdf`, in the order in which the help lists them."""

from __future__ import annotations

from typing import Final

from modelica_ast.cli.commands import Command

COMMANDS: Final = {
    "check": Command("urdf_frontend.cli.check", "what is wrong with a robot, its tree, where its links are"),
    "build": Command("urdf_frontend.cli.build", "a Modelica package of a robot"),
    "update": Command("urdf_frontend.cli.update", "a package follows its URDF file and keeps what you wrote"),
    "status": Command("urdf_frontend.cli.status", "how a package and a URDF file differ"),
    "adopt": Command("urdf_frontend.cli.adopt", "make a package ready for updates that has lost its base"),
    "export": Command("urdf_frontend.cli.export", "the URDF file with the values of a package"),
    "record": Command("urdf_frontend.cli.record", "a robot as one record, for generic robots"),
}
