"""Graphical values in annotations: only the numbers and items that differ are written anew.

Moving a line changes its numbers, not its layout.
"""

from __future__ import annotations

from modelica_ast.edit.annotation import Annotated, annotations_near, get_annotation, remove_annotation, set_annotation
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.modifiers import get_value, with_value
from modelica_ast.edit.values import DEPTH, names, value_green, with_content
from modelica_ast.graphics.records import GraphicRecord
from modelica_ast.graphics.shapes import text_of
from modelica_ast.green import Green, tokens
from modelica_ast.literals import LiteralError, evaluate
from modelica_ast.neighbours import styled
from modelica_ast.parse import parse_expression, view_of_fragment
from modelica_ast.views.base import Expression
from modelica_ast.views.components import Component
from modelica_ast.views.equations import ConnectEquation


def merged(old: Green, new: Green, depth: int = DEPTH) -> Green:
    """The old value with the new one's content; the same tree where they are equal."""
    return with_content(old, new, _same, depth)


def _same(old: Green, new: Green) -> bool:
    """`10` and `10.0` are one coordinate."""
    try:
        values = [evaluate(view_of_fragment(green, "expression")) for green in (old, new)]
    except LiteralError:
        return tokens(old) == tokens(new)
    return bool(values[0] == values[1])


# ---------------------------------------------------------------- in annotations


def set_at(edit: ExactEditor, owner: Component | ConnectEquation, path: str, value: object) -> None:
    """Set a value of the annotation that something has already."""
    annotation = edit.now(owner).annotation
    assert annotation is not None, "there is no annotation to set a value in"
    old, near = get_value(annotation, names(path)), annotations_near(owner)
    new = field_green(value, near)
    if old is None:
        edit.write(*with_value(annotation, names(path), new, near))
    elif (changed := merged(old.green, new)) is not old.green:
        edit.write(old, changed)


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
    near, given = annotations_near(edit.now(owner)), new.given
    values = {name: field_green(value, near) for name, value in given.items() if not isinstance(value, GraphicRecord)}
    for name, value in values.items():
        before = get_annotation(edit.now(owner), f"{path}.{name}")
        if before is None:
            view = view_of_fragment(value, "expression")
            assert isinstance(view, Expression)
            set_annotation(edit, edit.now(owner), f"{path}.{name}", view)
        elif (after := merged(before.green, value)) is not before.green:
            edit.write(before, after)
    if old is not None:
        for name in together:
            if name not in new.given and getattr(old, name) not in (None, old.default_of(name)):
                remove_annotation(edit, edit.now(owner), f"{path}.{name}")


def field_green(value: object, near: tuple[Green, ...]) -> Green:
    """The value of a field, without blanks before it, written like what is near."""
    return styled(value_green(parse_expression(text_of(value))), *near)
