"""Formatting as an edit of a document: one step that can be undone."""

from __future__ import annotations

from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.index import Index
from modelica_ast.edit.methods import Editable
from modelica_ast.edit.surgery import node_of
from modelica_ast.edit.working import Working
from modelica_ast.formatting.options import Options
from modelica_ast.formatting.text import DEFAULT, format_tree
from modelica_ast.green import Node, render
from modelica_ast.reading import read
from modelica_ast.source import Source


def format_document(document: Editable, *, width: int = DEFAULT.width, indent: int = DEFAULT.indent) -> None:
    """Format all of a document, as one step; ModelicaSyntaxError if one of its annotations can't be read."""
    _format(document, None, Options(width, indent))


def format_class(document: Editable, name: str, *, width: int = DEFAULT.width, indent: int = DEFAULT.indent) -> None:
    """Format one class of a document with the comments above it, as one step; NotFoundError names the nearest.

    All else stays as it is. The class is indented as deep as it is nested.
    """
    _format(document, name, Options(width, indent))


def _format(document: Editable, name: str | None, options: Options) -> None:
    # Annotations too: a document has not read them yet.
    root = read(Source(render(document.work.root), document.work.file), lazy=False).green
    chosen = None if name is None else _declaration(root, name)
    new = read(Source(format_tree(root, options, chosen))).green
    document.edit(ExactEditor.take, new, is_proved=True)


def _declaration(root: Node, name: str) -> Node:
    """The class of a name with its prefixes and its semicolon."""
    holder = Working(root, Index()).find_class(name).parent
    assert holder is not None
    return node_of(holder)
