"""What imports, types and `within` name, on green nodes."""

from __future__ import annotations

from typing import Any

from modelica_ast.green import Node, tokens
from modelica_ast.lexer import token_text
from modelica_ast.shape import child
from modelica_ast.tables import KINDS


def imported_name(clause: Node, name: str) -> list[str] | None:
    """The full name that a simple name stands for by an import clause; None if it does not bring this name."""
    renamed = child(clause, "name")
    if renamed is not None:  # as in `import C = A.B`
        return [word for word in tokens(renamed[1]) if word != "."] if token_text(clause[2]) == name else None
    words = import_words(clause)
    dotted = [word for word in words if word not in (".", ".*", "*", "{", "}")]
    listed = child(clause, "import_list")
    if listed is not None:
        for item in listed[1][1:]:
            alias = [token_text(part) for part in item[1:]] if type(item) is tuple else [token_text(item)]
            if alias[0] == name:
                return [*dotted, alias[-1]]
        return None
    if words[-1] in (".*", "*"):
        return [*dotted, name]
    return dotted if dotted[-1] == name else None


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


def clauses_of(composition: Node, kind: str) -> list[Node]:
    """All clauses of a kind that stand in the elements of a body."""
    parts = [[part] if KINDS[part[0]] == "element" else part[1:] for part in composition[1:]]
    elements = [e for group in parts for e in group if type(e) is tuple and KINDS[e[0]] == "element"]
    return [e[1] for e in elements if type(e[1]) is tuple and KINDS[e[1][0]] == kind]
