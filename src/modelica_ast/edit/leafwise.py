"""A new value put into the text of an old one: only the numbers and items that differ are written anew.

The points of a line may be broken over lines and have comments between them. Moving the line changes its numbers, not
its layout.
"""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.edit.annotation import get_annotation, remove_annotation, set_annotation
from modelica_ast.edit.lists import item_places, remove_bracketed, with_item
from modelica_ast.edit.modifiers import get_in_arguments, set_in_arguments
from modelica_ast.edit.surgery import Path, at, prefix_of, replaced, with_prefix
from modelica_ast.edit.values import names, value_green
from modelica_ast.edit.working import Working
from modelica_ast.graphics.records import GraphicRecord
from modelica_ast.graphics.shapes import text_of
from modelica_ast.green import Green, child_at, render, symbol, tokens
from modelica_ast.literals import LiteralError, evaluate
from modelica_ast.parse import parse_expression, view_of_fragment
from modelica_ast.reading import open_annotation, read
from modelica_ast.shape import child
from modelica_ast.source import Source

_DEPTH: Final = 3  # a list of points of numbers; what nests deeper is replaced as a whole


def merged(old: Green, new: Green, depth: int = _DEPTH) -> Any:
    """The old value with the new one's content; the same tree where they are equal."""
    if _same(old, new):
        return old
    if depth and symbol(old) == symbol(new) == "array" and _items(old) and _items(new):
        return _merged_lists(old, new, depth - 1)
    return with_prefix(new, prefix_of(old))


def _same(old: Green, new: Green) -> bool:
    """`10` and `10.0` are one coordinate."""
    try:
        values = [evaluate(view_of_fragment(green, "expression")) for green in (old, new)]
    except LiteralError:
        return tokens(old) == tokens(new)
    return bool(values[0] == values[1])


def _items(array: Any) -> list[Green]:
    return [array[index] for index in item_places(array)]


def _merged_lists(old: Any, new: Any, depth: int) -> Any:
    """Equal items at both ends stay; those between are paired, and what is left over is put in or taken out."""
    before, after = _items(old), _items(new)
    tail = 0
    while len(before) != len(after) and tail < min(len(before), len(after)) and _same(before[~tail], after[~tail]):
        tail += 1
    paired = min(len(before), len(after)) - tail
    node = old
    for place in range(paired):
        index = item_places(node)[place]
        node = replaced(node, (index,), merged(node[index], after[place], depth))
    for place in range(paired, len(after) - tail):
        node = with_item(node, with_prefix(after[place], ""), place)
    for _ in range(paired, len(before) - tail):
        node = remove_bracketed(node, paired)
    return node


# ---------------------------------------------------------------- in annotations


def set_at(work: Working, owner: Path, path: str, value: Any) -> None:
    """Set a value of the annotation that a node has already; the node is given by its place, not by names."""
    found = child(at(work.root, owner), "annotation_clause")
    assert found is not None, "there is no annotation to set a value in"
    index, clause = found
    opened = clause if isinstance(clause, tuple) else open_annotation(clause, lambda: (Source(clause), 0))
    old = get_in_arguments(opened[2], names(path))
    new = field_green(value) if old is None else merged(old, field_green(value))
    if new is old:
        return
    whole = replaced(opened, (2,), set_in_arguments(opened[2], names(path), new, ()))
    # As a parse has it: one leaf, unless it nests too deep.
    leaf = child_at(read(Source(render(whole)), start="annotation_clause").green, 1)
    work.changed(replaced(work.root, (*owner, index), leaf), owner)


def set_fields(
    work: Working,
    class_: str,
    path: str,
    old: GraphicRecord | None,
    new: GraphicRecord,
    *,
    together: tuple[str, ...] = (),
    **owner: Any,
) -> None:
    """Set the fields of a record in an annotation; what the new one leaves open stays as it is.

    Except for the fields that mean something only `together` with others: an extent is where it is by its origin.
    They go if the new one leaves them open. `owner` is that of `set_annotation`: a component or a connection.
    """
    values = {name: field_green(value) for name, value in new.given.items() if not isinstance(value, GraphicRecord)}
    for name, value in values.items():
        before = get_annotation(work, class_, f"{path}.{name}", **owner)
        after = value if before is None else merged(before, value)
        if after is not before:
            set_annotation(work, class_, f"{path}.{name}", view_of_fragment(after, "expression"), **owner)
    if old is not None:
        for name in together:
            if name not in new.given and getattr(old, name) not in (None, old.default_of(name)):
                remove_annotation(work, class_, f"{path}.{name}", **owner)


def field_green(value: Any) -> Green:
    """The value of a field, without blanks before it."""
    return value_green(parse_expression(text_of(value)))
