"""Where classes and components are in a green tree, by their Modelica names.

PERF: on green nodes, not on views, and remembered by identity: after an edit only the classes on the way to it are
looked at anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from modelica_ast.edit.surgery import Path
from modelica_ast.green import Node, child_leaf, child_node, render
from modelica_ast.lexer import token_text
from modelica_ast.record import Record
from modelica_ast.tables import KINDS

_REMEMBERED: Final = 4096
# Nodes between a composition (or a file) and what it declares.
_ON_THE_WAY: Final = frozenset(
    {
        "stored_definition",
        "stored_class",
        "composition",
        "public_section",
        "protected_section",
        "class_annotation",
        "element",
        "component_clause",
    }
)


def word_of(names: Iterable[str]) -> re.Pattern[str]:
    """One of some names as a word of a text."""
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(map(re.escape, sorted(names)))})(?![A-Za-z0-9_])")


class Scope(Record):
    """What a composition or a file declares: name -> paths from there, more than one if it is declared twice."""

    classes: dict[str, list[Path]]
    components: dict[str, list[Path]]


class Index:
    """Scopes of one document, remembered as long as their nodes are in use."""

    def __init__(self) -> None:
        # Keyed by identity, and the node is kept: a tuple as a key would be hashed with all that is in it.
        self._scopes: dict[int, tuple[Node, Scope]] = {}
        self._texts: dict[int, tuple[Node, str]] = {}

    def scope(self, node: Node) -> Scope:
        """The scope of a composition or a file."""
        known = self._scopes.get(id(node))
        if known is not None:
            return known[1]
        if len(self._scopes) >= _REMEMBERED:
            self._scopes.clear()
        scope = _scan(node)
        self._scopes[id(node)] = (node, scope)
        return scope

    def items_with(self, body: Node, names: Collection[str]) -> Iterator[tuple[Path, Node]]:
        """The elements, equations and statements of a composition in which a name is a word, be it in a comment."""
        if len(self._texts) >= 16 * _REMEMBERED:  # before a class is looked through, which may have many
            self._texts.clear()
        word: re.Pattern[str] | None = None
        todo: list[tuple[Node, Path]] = [(body, ())]
        while todo:
            node, path = todo.pop()
            for index, part in enumerate(node):
                if type(part) is not tuple:
                    continue
                if KINDS[part[0]].endswith("_section"):
                    todo.append((part, (*path, index)))
                    continue
                known = self._texts.get(id(part))
                if known is None:
                    self._texts[id(part)] = known = (part, render(part))
                if not any(name in known[1] for name in names):
                    continue
                word = word or word_of(names)  # PERF: few names are there at all
                if word.search(known[1]):
                    yield (*path, index), part


def _scan(node: Node) -> Scope:
    scope = Scope({}, {})
    todo: list[tuple[Node, Path]] = [(node, ())]
    while todo:
        current, path = todo.pop()
        kind = KINDS[current[0]]
        if kind == "component_declaration":
            scope.components.setdefault(token_text(child_leaf(current, 1)), []).append(path)
        elif kind == "class_definition":
            scope.classes.setdefault(class_name(current), []).append(path)
        elif kind in _ON_THE_WAY:
            inside = [(part, (*path, i)) for i, part in enumerate(current) if type(part) is tuple]
            todo += reversed(inside)
    return scope


def class_name(definition: Node) -> str:
    """The name of a class_definition (or short_class_definition) node."""
    specifier = child_node(definition, -1)
    name = token_text(child_leaf(specifier, 1))
    return token_text(child_leaf(specifier, 2)) if name == "extends" else name
