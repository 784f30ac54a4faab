"""`modelica-patch recipe`: what authors of recipes need."""

from __future__ import annotations

from modelica_ast.cli.catalogue import Command

COMMANDS = {
    "test": Command("modelica_ast.cli.commands.recipe_test", "run the before/after cases of recipes"),
}
