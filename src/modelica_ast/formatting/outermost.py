"""Classes of a file's outermost package that stand as far left as the package itself.

The Standard Library has many of them: a file with one large package does not indent all of its lines for it. It stays
that way where the class is indented inside; a file without any indentation gets all of it.
"""

from __future__ import annotations

from typing import Any

from modelica_ast.green import Green, Node, first_leaf
from modelica_ast.lexer import split_leaf
from modelica_ast.tables import KINDS


def stands_left(element: Node) -> bool:
    """Is it a class that starts and ends at the left margin, with a body that is indented?"""
    if not _is_at_margin(element):
        return False
    specifier: Any = element
    for kind in ("class_definition", "long_class_specifier"):
        specifier = next((c for c in specifier[1:] if isinstance(c, tuple) and KINDS[c[0]] == kind), None)
        if specifier is None:
            return False
    *_, body, end, _ = specifier
    return _is_at_margin(end) and bool(first_leaf(body)) and not _is_at_margin(body)


def _is_at_margin(green: Green) -> bool:
    return split_leaf(first_leaf(green))[0].endswith("\n")
