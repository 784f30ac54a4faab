"""Trees back to text."""

from __future__ import annotations

from modelica_ast.syntax import render as render_green
from modelica_ast.tree.base import Root, View


def render(tree: View) -> str:
    """The text of a tree or of a part of it, exactly: what stood before its first token included."""
    return render_green(tree.green)


def render_bytes(tree: Root) -> bytes:
    """The text of a file in the encoding that it was read in."""
    return render_green(tree.green).encode(tree.encoding)
