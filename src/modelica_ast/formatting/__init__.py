"""A formatter for Modelica, for those who ask for one: tokens and comments stay, the layout between them changes."""

from modelica_ast.formatting.documents import format_class, format_document
from modelica_ast.formatting.options import Options
from modelica_ast.formatting.text import format_source, format_text

__all__ = ["Options", "format_class", "format_document", "format_source", "format_text"]
