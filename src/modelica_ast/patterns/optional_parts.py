"""What may stand beside what a pattern says.

A pattern of a declaration, a modifier, an equation or a class says what must be there. What Modelica allows beside it
(prefixes, dimensions, modifiers, a value, a condition, a description, an annotation) may be there as well, and stays
when the rest is rewritten. Expressions have no such parts: they match as they are.
"""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.green import Green, symbol
from modelica_ast.shape import accepted, child

_DESCRIBED: Final = ("description_string", "annotation_clause")
_MODIFIED: Final = ("class_modification", *_DESCRIBED)
_DECLARED: Final = ("array_subscripts", "modification", *_DESCRIBED)

# Node kind -> the children that may be there without being asked for, by their names in the grammar.
OPTIONAL_PARTS: Final[dict[str, tuple[str, ...]]] = {
    "element": ("constraining_clause",),
    "component_clause": ("type_prefix", "array_subscripts"),
    "component_clause1": ("type_prefix", "array_subscripts"),
    "component_declaration": (*_DECLARED, "condition_attribute"),
    "component_declaration1": _DECLARED,
    "modification": ("class_modification",),
    "element_modification": ("EACH", "FINAL", "modification", "description_string"),
    "element_redeclaration": ("EACH", "FINAL", "REPLACEABLE", "constraining_clause"),
    "element_replaceable": ("EACH", "FINAL", "constraining_clause"),
    "constraining_clause": _MODIFIED,
    "extends_clause": _MODIFIED,
    "import_clause": _DESCRIBED,
    "class_definition": ("ENCAPSULATED",),
    "long_class_specifier": ("class_modification", "description_string"),
    "short_class_specifier": ("base_prefix", "array_subscripts", *_MODIFIED),
    "enumeration_class_specifier": _DESCRIBED,
    "der_class_specifier": _DESCRIBED,
    "enumeration_literal": _DESCRIBED,
    "external_clause": ("annotation_clause",),
    **{kind: _DESCRIBED for name in ("_equation", "_statement") for kind in accepted(name)},
}
# Nodes that are nothing but words in some order, and those of their words that may be there without being asked for.
_TYPE_WORDS: Final = frozenset("flow stream discrete parameter constant input output".split())
WORD_NODES: Final[dict[str, frozenset[str]]] = {
    "type_prefix": _TYPE_WORDS,
    "base_prefix": _TYPE_WORDS,
    "class_prefixes": frozenset({"partial", "expandable", "pure", "impure"}),
}
ELEMENT_WORDS: Final = frozenset("redeclare final inner outer replaceable".split())
# Of each group one word can stand in a declaration.
WORD_GROUPS: Final = (
    ("flow", "stream"),
    ("discrete", "parameter", "constant"),
    ("input", "output"),
    ("pure", "impure"),
)


def part_of(kind: str, node: Any, name: str) -> int | None:
    """The index of an optional part of a node, or None."""
    if kind == "import_clause":
        # Its production does not fit once its name is grouped: what is behind the name is told by its look.
        return next((i for i in range(3, len(node)) if _looks_like(node[i], name)), None)
    found = child(node, name)
    return None if found is None else found[0]


def _looks_like(green: Green, name: str) -> bool:
    return symbol(green) in accepted(name)
