"""What imports, types and `within` name, on green nodes."""

from __future__ import annotations

from typing import Any

from modelica_ast.green import Node, tokens
from modelica_ast.lexer import token_text
from modelica_ast.shape import child
from modelica_ast.tables import KINDS


def import_words(clause: Node) -> list[str]:
    """The tokens of an import behind its keyword, up to its description and annotation; a list of names left out."""
    others = [child(clause, "description_string"), child(clause, "annotation_clause")]
    places = {found[0] for found in others if found is not None}
    return [token_text(p) for i, p in enumerate(clause) if i > 1 and i not in places and type(p) is str]


def type_parts(node: Any) -> tuple[list[str], bool]:
    """The type that a clause names, in its parts, and whether it starts with a dot."""
    found = child(node, "type_specifier")
    assert found is not None
    words = tokens(found[1])
    return [word for word in words if word != "."], words[0] == "."


def modifier_parts(argument: Node) -> list[str]:
    """The name of a modifier, in its parts."""
    found = child(argument, "name")
    assert found is not None
    return [word for word in tokens(found[1]) if word != "."]


def within_parts(root: Node) -> list[str]:
    """The package that a file says it is in, in its parts."""
    for part in root[1:]:
        if type(part) is tuple and KINDS[part[0]] == "within_clause":
            return [word for word in tokens(part)[1:-1] if word != "."]
    return []
