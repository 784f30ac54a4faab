"""`modelica-patch constraints`: the commands for constrained objects. Importing it imports nothing heavy."""

from __future__ import annotations

from typing import Final

from modelica_ast.cli import Command

COMMAND: Final = Command(
    "urdf_frontend.constraints.cli.catalogue", "objects that are bound while a model runs: their IDs"
)
