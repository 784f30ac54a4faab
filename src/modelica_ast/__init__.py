"""Modelica source as a lossless, typed tree: `render(parse(text)) == text`, byte for byte.

The views (`ClassDefinition`, `Component`, `ConnectEquation`, …) are in `modelica_ast.views`.
"""

from typing import TYPE_CHECKING, Any

from modelica_ast.errors import ModelicaError, ModelicaSyntaxError
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

if TYPE_CHECKING:
    from modelica_ast.literals import Constructor, LiteralError, Real, Reference, evaluate, literal
    from modelica_ast.oddities import Note, notes
    from modelica_ast.traverse import dump, find, find_all, walk

__all__ = [
    "Constructor",
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

if not TYPE_CHECKING:  # or else no misspelled name would be found

    def __getattr__(name: str) -> Any:
        """What needs all views is imported when first asked for: a script that only parses should start fast."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from modelica_ast import literals, oddities, traverse  # noqa: PLC0415

        for module in (literals, oddities, traverse):
            globals().update({key: value for key, value in vars(module).items() if key in __all__})
        return globals()[name]

    def __dir__() -> list[str]:
        return [*globals(), *__all__]
