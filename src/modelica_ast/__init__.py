"""Modelica source as a lossless, typed tree: `render(parse(text)) == text`, byte for byte.

The views (`ClassDefinition`, `Component`, `ConnectEquation`, …) are in `modelica_ast.tree`.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import MOVED, VERSION, accept, late_names

if TYPE_CHECKING:
    from modelica_ast.foundation import (
        ModelicaError as ModelicaError,
        ModelicaSyntaxError as ModelicaSyntaxError,
        Position as Position,
        Source as Source,
        Span as Span,
    )
    from modelica_ast.tree import (
        Constructor as Constructor,
        LiteralError as LiteralError,
        Note as Note,
        Real as Real,
        Reference as Reference,
        dump as dump,
        evaluate as evaluate,
        find as find,
        find_all as find_all,
        literal as literal,
        notes as notes,
        parse as parse,
        parse_annotation as parse_annotation,
        parse_argument as parse_argument,
        parse_class as parse_class,
        parse_element as parse_element,
        parse_equation as parse_equation,
        parse_expression as parse_expression,
        parse_file as parse_file,
        parse_modification as parse_modification,
        parse_name as parse_name,
        parse_reference as parse_reference,
        parse_statement as parse_statement,
        render as render,
        render_bytes as render_bytes,
        walk as walk,
    )

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
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "foundation": "ModelicaError ModelicaSyntaxError Position Source Span",
            "tree": (
                "Constructor LiteralError Note Real Reference dump evaluate find find_all literal "
                "notes parse parse_annotation parse_argument parse_class parse_element parse_equation "
                "parse_expression parse_file parse_modification parse_name parse_reference "
                "parse_statement render render_bytes walk"
            ),
        },
    )


__version__ = VERSION

accept(MOVED)
