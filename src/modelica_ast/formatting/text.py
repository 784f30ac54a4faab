"""Text in, text out: the parts of formatting put together, and the proof that no token has changed."""

from __future__ import annotations

from typing import Final

from modelica_ast.errors import ModelicaError
from modelica_ast.formatting.breaks import planned
from modelica_ast.formatting.layout import Layout
from modelica_ast.formatting.options import Options
from modelica_ast.formatting.regions import line_end_of, pieces_of
from modelica_ast.formatting.slots import slots_of
from modelica_ast.green import Node, render
from modelica_ast.lexer import lex, token_text
from modelica_ast.reading import read
from modelica_ast.source import Source

DEFAULT: Final = Options()


def format_text(text: str, *, width: int = DEFAULT.width, indent: int = DEFAULT.indent) -> str:
    """Modelica in the layout of the Standard Library; see docs/formatting.md.

    Only what stands between tokens changes: no token does, and no comment but in its indentation. What is formatted
    stays as it is. ModelicaSyntaxError if it is no Modelica, annotations included.
    """
    return format_source(Source(text), width=width, indent=indent)


def format_source(source: Source, *, width: int = DEFAULT.width, indent: int = DEFAULT.indent) -> str:
    """The same for a text that knows where it came from, for the messages."""
    options = Options(width, indent)
    return format_tree(read(source, lazy=False).green, options)


def format_tree(root: Node, options: Options, chosen: Node | None = None) -> str:
    """The text of a tree in which no annotation is left unread; with `chosen`, only that node is formatted."""
    slots = slots_of(root, chosen)
    gaps = list(pieces_of(slots))
    line_end = line_end_of(render(root), gaps)
    formatted = Layout(slots, planned(slots, gaps), options, line_end).write()
    found = [token_text(leaf) for leaf, _ in lex(formatted, lazy=False)]
    if found != [slot.token for slot in slots]:
        at = next(index for index, (one, slot) in enumerate(zip(found, slots, strict=False)) if one != slot.token)
        raise ModelicaError(f"formatting would change '{slots[at].token}' to '{found[at]}': nothing is formatted")
    return formatted
