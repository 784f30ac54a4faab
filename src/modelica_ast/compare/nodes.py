"""What a node of the tree is, as far as things depend on it."""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.green import Green
from modelica_ast.lexer import token_text
from modelica_ast.tables import KINDS

_ANNOTATION: Final = "annotation_clause"


def kind_of_node(green: Green) -> str:
    """The kind of a node, '' for a leaf."""
    return KINDS[green[0]] if isinstance(green, tuple) else ""


def is_annotation(green: Green) -> bool:
    """Is it an annotation, read or not?"""
    if isinstance(green, tuple):
        return KINDS[green[0]] == _ANNOTATION
    return green.endswith(")") and token_text(green).startswith("annotation")


def is_description(green: Green) -> bool:
    """Is it a string, or several that are joined?"""
    return kind_of_node(green) == "description_string" or (isinstance(green, str) and token_text(green)[:1] == '"')


def token_is(green: Green, text: str) -> bool:
    """Is it this token?"""
    return isinstance(green, str) and token_text(green) == text


def is_constructor(value: Any) -> bool:
    """Is it a call with named arguments alone, as records are made?"""
    if kind_of_node(value) != "function_call" or kind_of_node(value[2]) != "function_call_args":
        return False
    items = [part for part in value[2][2:-1] if not token_is(part, ",")]
    return bool(items) and all(kind_of_node(item) == "named_argument" for item in items)
