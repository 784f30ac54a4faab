"""The named parts of annotations: `name = value` and `name(…)`, of modifiers and of records that are called.

PERF: there are more annotations than other text, and hardly anything is wrong with them. So they are read as green
nodes, and a view is made for a finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from modelica_ast.green import TOKEN_TEXTS, Green, Node, child_at, child_leaf, child_node, tokens
from modelica_ast.shape import place_of, productions_of
from modelica_ast.views.modifications import Annotation

_ARGUMENTS: Final = frozenset(productions_of("class_modification"))
_CALLS: Final = frozenset(productions_of("function_call"))
_CALL_ARGUMENTS: Final = frozenset(productions_of("function_call_args"))
_NAMED: Final = frozenset(productions_of("named_argument"))
_ARRAYS: Final = frozenset(productions_of("array"))
# Production of a modifier -> where its name is and where what follows it, None without.
_MODIFIERS: Final = {
    number: (place_of(number, "name", 0) or 0, place_of(number, "modification", 0))
    for number in productions_of("element_modification")
}


Path = tuple[int, ...]  # the indices that lead from an annotation to what is inside it


class AnnotationField(NamedTuple):
    """One part: its name, what it is, and where both are."""

    name: str
    name_path: Path
    value: Green | None
    value_path: Path


def fields_of_annotation(annotation: Annotation) -> Iterator[AnnotationField]:
    """The parts of an annotation itself."""
    node = annotation.node
    assert type(node) is tuple
    return fields_of(child_at(node, 2), (2,))


def fields_of(node: Green, path: Path) -> Iterator[AnnotationField]:
    """The parts of a list of modifiers or of a call."""
    if isinstance(node, str):
        return
    if node[0] in _CALLS:
        path = (*path, len(node) - 1)
        node = child_at(node, -1)
        if isinstance(node, str) or node[0] not in _CALL_ARGUMENTS:
            return
    for index in range(1, len(node)):
        item = node[index]
        if type(item) is not tuple:
            continue
        if item[0] in _MODIFIERS:
            yield _modifier(item, (*path, index))
        elif item[0] in _NAMED:
            name, value = TOKEN_TEXTS[child_leaf(item, 1)], child_at(item, -1)
            yield AnnotationField(name, (*path, index, 1), value, (*path, index, len(item) - 1))


def _modifier(item: Node, path: Path) -> AnnotationField:
    at, follows = _MODIFIERS[item[0]]
    name = child_at(item, at)
    text = TOKEN_TEXTS[name] if type(name) is str else "".join(tokens(name))
    if follows is None:
        return AnnotationField(text, (*path, at), None, path)
    modification = child_node(item, follows)
    # What stands in parentheses, or the value: the one that is there.
    first = child_at(modification, 1)
    index = 1 if type(first) is tuple and first[0] in _ARGUMENTS else len(modification) - 1
    return AnnotationField(text, (*path, at), child_at(modification, index), (*path, follows, index))


def calls_in(node: Green, path: Path) -> Iterator[tuple[str, Node, Path]]:
    """(name, call, where it is) of the records that a value is: itself, or the items of an array."""
    if type(node) is str:
        return
    is_array = node[0] in _ARRAYS
    for at in range(1, len(node)) if is_array else (0,):
        call = node[at] if is_array else node
        if type(call) is tuple and call[0] in _CALLS and isinstance(name := child_at(call, 1), str):
            yield TOKEN_TEXTS[name], call, (*path, at) if is_array else path
