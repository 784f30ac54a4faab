"""Static rules of Modelica, and the check that finds where they are broken."""

from modelica_ast.library.shelf import open_with_uses
from modelica_ast.rules.checking import check_document, check_libraries
from modelica_ast.rules.findings import Finding
from modelica_ast.rules.table import RULES, Rule

__all__ = ["RULES", "Finding", "Rule", "check_document", "check_libraries", "open_with_uses"]
