"""Annotations by path: of a class, of a component, of a connection; and the graphical values in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted, start_for
from modelica_ast.edit.placement import class_of, line_starts, put_in_body
from modelica_ast.edit.removals import Comments
from modelica_ast.edit.surgery import node_of, prefix_of, with_child
from modelica_ast.edit.values import DEPTH, Given, names, value_green, with_content
from modelica_ast.edit.verbs.equations import find_connection
from modelica_ast.edit.verbs.modifiers import Names, get_value, removed, set_value, with_value
from modelica_ast.edit.working import as_read
from modelica_ast.foundation import EditError, Record
from modelica_ast.graphics import GraphicRecord, text_of
from modelica_ast.syntax import Green, Node, Prefix, child, make_node, symbol, tokens, with_prefix
from modelica_ast.tree import (
    Annotation,
    ClassDefinition,
    Component,
    ConnectEquation,
    ElementModification,
    Expression,
    ExtendsClause,
    LiteralError,
    View,
    annotation_opening,
    evaluate,
    near_annotations,
    parse_expression,
    styled,
    view_of_fragment,
)

# ---------------------------------------------------------------- annotations by path
# Annotations by path: of a class, of a component, of a connection.
#
# `Documentation.info`, `experiment.StopTime`, `uses.Modelica.version`, `Placement.transformation.extent`: the same
# paths as for modifiers, because an annotation is a modification.

Annotated = ClassDefinition | Component | ConnectEquation | ExtendsClause

# What can lie between a class's body and a declaration or a connect equation of it.
_AROUND: Final = frozenset(
    """element component_clause component_declaration public_section protected_section equation_section
    connect_equation for_equation if_equation extends_clause""".split()
)


def get_annotation(owner: Annotated, path: str, *, connection: Sequence[str] | None = None) -> Expression | None:
    """The value at a path of an annotation, or None."""
    parts, annotation = _path(path), _annotated(owner, connection).annotation
    value = None if annotation is None else get_value(annotation, parts)
    return value if isinstance(value, Expression) else None


def set_annotation(
    edit: ExactEditor, owner: Annotated, path: str, value: Given, *, connection: Sequence[str] | None = None
) -> None:
    """Set a value in an annotation, of a class, a component or a connection; it is made if there is none."""
    owner = _annotated(owner, connection)
    parts, annotation, near = _path(path), owner.annotation, annotations_near(owner)
    if annotation is not None:
        set_value(edit, annotation, parts, value, near)
        return
    definition = owner if isinstance(owner, ClassDefinition) else class_of(owner)
    start = line_starts(owner.composition)[1] if isinstance(owner, ClassDefinition) and owner.composition else ""
    made = _made(definition, parts, value_green(value, near, start or start_for(owner)), near)
    if isinstance(owner, ClassDefinition) and owner.composition is not None:
        body = owner.composition
        node = make_node("class_annotation", made, ";")
        put_in_body(edit, body, len(body.children) + 1, node, line_starts(body)[1])
    else:
        holder: View = owner.specifier if isinstance(owner, ClassDefinition) else owner
        made = with_prefix(made, annotation_gap(definition, holder.kind))
        annotated = with_child(node_of(holder), "annotation_clause", made)
        edit.write(holder, annotated)


def remove_annotation(
    edit: ExactEditor,
    owner: Annotated,
    path: str = "",
    *,
    connection: Sequence[str] | None = None,
    comments: Comments = "drop",
) -> None:
    """Remove a value from an annotation, or with an empty path the annotation; an annotation that empties goes too."""
    annotation = _annotated(owner, connection).annotation
    if annotation is None:
        raise EditError("there is no annotation")
    edit.remove(removed(annotation, names(path)) if path else annotation, comments=comments)


def _annotated(owner: Annotated, connection: Sequence[str] | None) -> Annotated:
    """A class or a component itself, or a connection of a class."""
    if connection is None:
        return owner
    if not isinstance(owner, ClassDefinition):
        raise EditError("a connection is one of a class: give no 'component' and no 'base' with it")
    if len(connection) != 2:  # noqa: PLR2004
        raise EditError("a connection is given by its two ends")
    return find_connection(owner, *connection)


def _path(path: str) -> Names:
    found = names(path)
    if not found:
        raise EditError("an annotation is set by a path: 'Documentation.info'")
    return found


def annotations_near(owner: Annotated) -> tuple[Green, ...]:
    """Annotations that show how one is written: of the class, or else of the file."""
    definition = owner if isinstance(owner, ClassDefinition) else class_of(owner)
    return near_annotations(definition.green, definition.root.green)


def _made(owner: ClassDefinition, path: Names, value: Green, near: tuple[Green, ...]) -> Green:
    """A new annotation, with or without a blank before its parenthesis as its neighbours have it."""
    return as_read(grafted(*with_value(empty_annotation(owner), path, value, near)))


def empty_annotation(owner: ClassDefinition) -> Annotation:
    """`annotation()`, written like those of a class."""
    opening = annotation_opening(owner.green, owner.root.green)
    return Annotation.of(make_node("annotation_clause", "annotation", make_node("class_modification", opening, ")")))


def annotation_gap(owner: ClassDefinition, kind: str) -> str:
    """What stands before an annotation: a line end and blanks where the first of its kind in the class has them."""
    body = owner.composition
    todo: list[Green] = [] if body is None else [body.green]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            continue
        found = child(node, "annotation_clause") if symbol(node) == kind else None
        if found is not None:
            return Prefix.of(prefix_of(found[1])).line_start or " "
        todo += [part for part in reversed(node[1:]) if isinstance(part, tuple) and symbol(part) in _AROUND]
    return " "


def annotation_part(owner: Annotated, name: str) -> ElementModification | None:
    """`Placement(…)`, `Line(…)`, `Icon(…)`: a part of the annotation of a component, a connection or a class."""
    annotation = owner.annotation
    return None if annotation is None else annotation.arguments.get(name)


# ---------------------------------------------------------------- graphical values
# Graphical values in annotations: only the numbers and items that differ are written anew.
#
# Moving a line changes its numbers, not its layout.


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
