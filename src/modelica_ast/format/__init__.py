"""A formatter for Modelica, for those who ask for one: tokens and comments stay, the layout between them changes.

Start with `slots`: one walk over the tree gives each token its place, level, open brackets and wishes for blanks.
`breaks` decides which gaps end a line and where a long one can be broken, `layout` writes. All that is decided from
the old text (kept line ends, alignment) is true of the new one too; so formatting twice is formatting once.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.format.layout import (
        Options as Options,
        format_class as format_class,
        format_document as format_document,
        format_source as format_source,
        format_text as format_text,
    )

__all__ = ["Options", "format_class", "format_document", "format_source", "format_text"]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "layout": "Options format_class format_document format_source format_text",
        },
    )
