"""`modelica-patch`: the command line."""

from modelica_ast.cli.main import main

__all__ = ["main"]
