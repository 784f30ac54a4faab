"""`modelica-patch constraints`: the commands for constrained objects. Importing it imports nothing heavy."""

from __future__ import annotations

from typing import Final

from modelica_ast.cli import Command

_MODELS: Final = "urdf_frontend.constraints.cli.models"
COMMAND: Final = Command("urdf_frontend.constraints.cli", "objects that are bound and released while a model runs")

# In the order in which the help lists them.
COMMANDS: Final = {
    "sync": Command(f"{_MODELS}:Sync", "number the objects of a model, and wire them"),
    "check": Command(f"{_MODELS}:Check", "what is wrong with IDs, counts, inputs and frames"),
    "add": Command(f"{_MODELS}:Add", "put an object on a frame of a model"),
    "pairs": Command(f"{_MODELS}:Pairs", "how many pairs of objects are looked at"),
    "from-urdf": Command(
        "urdf_frontend.constraints.cli.cells:FromUrdf", "a cell of robots, holders and tools, from a YAML file"
    ),
}
