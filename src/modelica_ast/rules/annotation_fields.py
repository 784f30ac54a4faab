"""The named parts of annotations: `name = value` and `name(…)`, of modifiers and of records that are called.

PERF: there are more annotations than other text, and hardly anything is wrong with them. So they are read as green
nodes, and a view is made for a finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from modelica_ast.green import TOKEN_TEXTS, Node, tokens
from modelica_ast.shape import place_of, productions_of
from modelica_ast.traverse import Place
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


class AnnotationField(NamedTuple):
    """One part: its name, and the places of its name and of what it is."""

    name: str
    name_place: Place
    value: Place | None


def fields_of_annotation(annotation: Annotation) -> Iterator[AnnotationField]:
    """The parts of an annotation itself."""
    node = annotation.node
    assert type(node) is tuple
    return fields_of((node[2], 2, (node, 0, None)))


def fields_of(place: Place) -> Iterator[AnnotationField]:
    """The parts of a list of modifiers or of a call."""
    node = place[0]
    if type(node) is str:
        return
    if node[0] in _CALLS:
        place = (node[-1], len(node) - 1, place)
        node = node[-1]
        if type(node) is str or node[0] not in _CALL_ARGUMENTS:
            return
    for index in range(1, len(node)):
        item = node[index]
        if type(item) is not tuple:
            continue
        if item[0] in _MODIFIERS:
            yield _modifier(item, (item, index, place))
        elif item[0] in _NAMED:
            around = (item, index, place)
            yield AnnotationField(TOKEN_TEXTS[item[1]], (item[1], 1, around), (item[-1], len(item) - 1, around))


def _modifier(item: Node, around: Place) -> AnnotationField:
    at, follows = _MODIFIERS[item[0]]
    name = item[at]
    text = TOKEN_TEXTS[name] if type(name) is str else "".join(tokens(name))
    if follows is None:
        return AnnotationField(text, (name, at, around), None)
    follows += len(item) if follows < 0 else 0
    modification = item[follows]
    # What stands in parentheses, or the value: the one that is there.
    index = 1 if type(modification[1]) is tuple and modification[1][0] in _ARGUMENTS else len(modification) - 1
    value = (modification[index], index, (modification, follows, around))
    return AnnotationField(text, (name, at, around), value)


def calls_in(place: Place) -> Iterator[tuple[str, Place]]:
    """(name, call) of the records that a value is: itself, or the items of an array."""
    node = place[0]
    if type(node) is str:
        return
    items = [place] if node[0] not in _ARRAYS else [(node[at], at, place) for at in range(1, len(node))]
    for item in items:
        call = item[0]
        if type(call) is tuple and call[0] in _CALLS and type(call[1]) is str:
            yield TOKEN_TEXTS[call[1]], item
