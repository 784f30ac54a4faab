"""Search and rewrite with metavariables, on the tree: blanks, line breaks and comments don't matter."""

from modelica_ast.patterns.constraints import Where, parse_where
from modelica_ast.patterns.errors import PatternError
from modelica_ast.patterns.matches import Capture, Match
from modelica_ast.patterns.pattern import Pattern
from modelica_ast.patterns.rewriting import rewrite

__all__ = ["Capture", "Match", "Pattern", "PatternError", "Where", "parse_where", "rewrite"]
