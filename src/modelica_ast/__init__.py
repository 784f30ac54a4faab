"""Modelica source as a lossless, typed tree: `render(parse(text)) == text`, byte for byte.

The views (`ClassDefinition`, `Component`, `ConnectEquation`, …) are in `modelica_ast.views`.
"""

from modelica_ast.errors import ModelicaError, ModelicaSyntaxError
from modelica_ast.literals import LiteralError, Real, Reference, evaluate, literal
from modelica_ast.notes import Note, notes
from modelica_ast.parse import (
    parse,
    parse_annotation,
    parse_argument,
    parse_class,
    parse_element,
    parse_equation,
    parse_expression,
    parse_file,
    parse_modification,
    parse_name,
    parse_reference,
    parse_statement,
)
from modelica_ast.render import render, render_bytes
from modelica_ast.source import Position, Source, Span
from modelica_ast.traverse import dump, find, find_all, walk

__all__ = [
    "LiteralError",
    "ModelicaError",
    "ModelicaSyntaxError",
    "Note",
    "Position",
    "Real",
    "Reference",
    "Source",
    "Span",
    "dump",
    "evaluate",
    "find",
    "find_all",
    "literal",
    "notes",
    "parse",
    "parse_annotation",
    "parse_argument",
    "parse_class",
    "parse_element",
    "parse_equation",
    "parse_expression",
    "parse_file",
    "parse_modification",
    "parse_name",
    "parse_reference",
    "parse_statement",
    "render",
    "render_bytes",
    "walk",
]
