"""Graphical values in annotations: only the numbers and items that differ are rewritten.

Moving a line changes its numbers, not its layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from modelica_ast.edit.draft import as_read
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted
from modelica_ast.edit.placement import class_of
from modelica_ast.edit.surgery import node_of, with_child
from modelica_ast.edit.values import DEPTH, names, value_green, with_content
from modelica_ast.edit.verbs.annotations import annotation_gap, annotations_near, empty_annotation, remove_annotation
from modelica_ast.edit.verbs.modifiers import Names, get_value, with_value
from modelica_ast.foundation import Record
from modelica_ast.graphics import GraphicRecord, text_of
from modelica_ast.syntax import Green, Node, tokens, with_prefix
from modelica_ast.tree import (
    Annotation,
    ClassDefinition,
    Component,
    ConnectEquation,
    LiteralError,
    View,
    evaluate,
    parse_expression,
    styled,
    view_of_fragment,
)


def merged(old: Green, new: Green, depth: int = DEPTH) -> Green:
    """The old value with the new one's content; the same tree where they are equal."""
    return with_content(old, new, _same, depth)


def _same(old: Green, new: Green) -> bool:
    """`10` and `10.0` are one coordinate."""
    if tokens(old) == tokens(new):  # PERF: most coordinates are written alike
        return True
    try:
        values = [evaluate(view_of_fragment(green, "expression")) for green in (old, new)]
    except LiteralError:
        return False
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


class FieldsOf(Record):
    """The fields of a record that are set in an annotation, where `path` leads; what the record leaves open stays.

    Except for the fields that mean something only `together` with others: an extent is where it is by its origin. They
    go if the new record leaves them open.
    """

    path: str
    new: GraphicRecord
    old: GraphicRecord | None = None
    together: tuple[str, ...] = ()

    @property
    def values(self) -> Iterator[tuple[Names, object]]:
        """What is set, by its path in the annotation."""
        for name, value in self.new.given.items():
            if not isinstance(value, GraphicRecord):
                yield names(f"{self.path}.{name}"), value

    @property
    def going(self) -> Iterator[str]:
        """The paths of the fields that go."""
        if self.old is None:
            return
        for name in self.together:
            if name not in self.new.given and getattr(self.old, name) not in (None, self.old.default_of(name)):
                yield f"{self.path}.{name}"


def set_fields(edit: ExactEditor, owner: Component | ConnectEquation, every: Iterable[FieldsOf]) -> None:
    """Set the fields of records in the annotation of a component or a connection, in one edit."""
    fields = list(every)
    now = edit.now(owner)
    changed = Annotations(class_of(now)).written(now, fields)
    if changed is not now.green:
        edit.write(now, changed)
    for path in (path for each in fields for path in each.going):
        remove_annotation(edit, edit.now(owner), path)


class Annotations:
    """How fields are written in the annotations of a class; PERF: looked for once for all that are written there."""

    def __init__(self, owner: ClassDefinition) -> None:
        self._owner = owner
        self._near = annotations_near(owner)
        self._gaps: dict[str, str] = {}

    def written(self, owner: Component | ConnectEquation, every: Iterable[FieldsOf]) -> Node:
        """A component or a connection of the class with fields of its annotation set; itself if they are already."""
        there = owner.annotation
        annotation = empty_annotation(self._owner) if there is None else Annotation.of(there.node)
        before = annotation.green
        for path, value in (each for fields in every for each in fields.values):
            annotation = Annotation.of(self._with_field(annotation, path, value))
        if annotation.green is before:
            return node_of(owner)
        green = as_read(node_of(annotation))
        return with_child(node_of(owner), "annotation_clause", self._apart(green, owner) if there is None else green)

    def _with_field(self, annotation: Annotation, path: Names, value: object) -> Node:
        new, old = field_green(value, self._near), get_value(annotation, path)
        if old is None:
            return grafted(*with_value(annotation, path, new, self._near))
        after = merged(old.green, new)
        return node_of(annotation) if after is old.green else grafted(old, after)

    def _apart(self, annotation: Green, owner: View) -> Green:
        if owner.kind not in self._gaps:
            self._gaps[owner.kind] = annotation_gap(self._owner, owner.kind)
        return with_prefix(annotation, self._gaps[owner.kind])


def field_green(value: object, near: tuple[Green, ...]) -> Green:
    """The value of a field, without blanks before it, written like what is near."""
    return styled(value_green(parse_expression(text_of(value))), *near)
