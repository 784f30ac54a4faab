"""A new value put into the text of an old one: only the numbers and items that differ are written anew.

The points of a line may be broken over lines and have comments between them. Moving the line changes its numbers, not
its layout.
"""

from __future__ import annotations

from typing import Final

from modelica_ast.edit.annotation import Annotated, get_annotation, remove_annotation, set_annotation
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.lists import item_places, remove_bracketed, with_item
from modelica_ast.edit.modifiers import get_value, with_value
from modelica_ast.edit.surgery import prefix_of, replaced, with_prefix
from modelica_ast.edit.values import names, value_green
from modelica_ast.graphics.records import GraphicRecord
from modelica_ast.graphics.shapes import text_of
from modelica_ast.green import Green, Node, child_at, symbol, tokens
from modelica_ast.literals import LiteralError, evaluate
from modelica_ast.parse import parse_expression, view_of_fragment
from modelica_ast.views.base import Expression
from modelica_ast.views.components import Component
from modelica_ast.views.equations import ConnectEquation

_DEPTH: Final = 3  # a list of points of numbers; what nests deeper is replaced as a whole


def merged(old: Green, new: Green, depth: int = _DEPTH) -> Green:
    """The old value with the new one's content; the same tree where they are equal."""
    if _same(old, new):
        return old
    if depth and isinstance(old, tuple) and isinstance(new, tuple) and symbol(old) == symbol(new) == "array":
        before, after = _items(old), _items(new)
        if before and after:
            return _merged_lists(old, before, after, depth - 1)
    return with_prefix(new, prefix_of(old))


def _same(old: Green, new: Green) -> bool:
    """`10` and `10.0` are one coordinate."""
    try:
        values = [evaluate(view_of_fragment(green, "expression")) for green in (old, new)]
    except LiteralError:
        return tokens(old) == tokens(new)
    return bool(values[0] == values[1])


def _items(array: Node) -> list[Green]:
    return [child_at(array, index) for index in item_places(array)]


def _merged_lists(node: Node, before: list[Green], after: list[Green], depth: int) -> Node:
    """Equal items at both ends stay; those between are paired, and what is left over is put in or taken out."""
    tail = 0
    while len(before) != len(after) and tail < min(len(before), len(after)) and _same(before[~tail], after[~tail]):
        tail += 1
    paired = min(len(before), len(after)) - tail
    for place in range(paired):
        index = item_places(node)[place]
        node = replaced(node, (index,), merged(child_at(node, index), after[place], depth))
    for place in range(paired, len(after) - tail):
        node = with_item(node, with_prefix(after[place], ""), place)
    for _ in range(paired, len(before) - tail):
        node = remove_bracketed(node, paired)
    return node


# ---------------------------------------------------------------- in annotations


def set_at(edit: ExactEditor, owner: Component | ConnectEquation, path: str, value: object) -> None:
    """Set a value of the annotation that something has already."""
    annotation = edit.now(owner).annotation
    assert annotation is not None, "there is no annotation to set a value in"
    old = get_value(annotation, names(path))
    new = field_green(value) if old is None else merged(old.green, field_green(value))
    if old is None or new is not old.green:
        edit.write(*with_value(annotation, names(path), with_prefix(new, ""), ()))


def set_fields(
    edit: ExactEditor,
    owner: Annotated,
    path: str,
    old: GraphicRecord | None,
    new: GraphicRecord,
    *,
    together: tuple[str, ...] = (),
) -> None:
    """Set the fields of a record in an annotation; what the new one leaves open stays as it is.

    Except for the fields that mean something only `together` with others: an extent is where it is by its origin.
    They go if the new one leaves them open.
    """
    values = {name: field_green(value) for name, value in new.given.items() if not isinstance(value, GraphicRecord)}
    for name, value in values.items():
        before = get_annotation(edit.now(owner), f"{path}.{name}")
        after = value if before is None else merged(before.green, value)
        if before is None or after is not before.green:
            view = view_of_fragment(after, "expression")
            assert isinstance(view, Expression)
            set_annotation(edit, edit.now(owner), f"{path}.{name}", view)
    if old is not None:
        for name in together:
            if name not in new.given and getattr(old, name) not in (None, old.default_of(name)):
                remove_annotation(edit, edit.now(owner), f"{path}.{name}")


def field_green(value: object) -> Green:
    """The value of a field, without blanks before it."""
    return value_green(parse_expression(text_of(value)))
