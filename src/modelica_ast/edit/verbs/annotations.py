"""Annotations by path: of a class, of a component, of a connection.

`Documentation.info`, `experiment.StopTime`, `uses.Modelica.version`, `Placement.transformation.extent`: the same
paths as for modifiers, because an annotation is a modification.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from modelica_ast.edit.draft import as_read
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted, start_for
from modelica_ast.edit.placement import class_of, line_starts, put_in_body
from modelica_ast.edit.removals import Comments
from modelica_ast.edit.surgery import node_of, prefix_of, with_child
from modelica_ast.edit.values import Given, names, value_green
from modelica_ast.edit.verbs.equations import find_connection
from modelica_ast.edit.verbs.modifiers import Names, get_value, removed, set_value, with_value
from modelica_ast.foundation import EditError
from modelica_ast.syntax import Green, Prefix, child, make_node, symbol, with_prefix
from modelica_ast.tree import (
    Annotation,
    ClassDefinition,
    Component,
    ConnectEquation,
    ElementModification,
    Expression,
    ExtendsClause,
    View,
    annotation_opening,
    near_annotations,
)

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
        raise EditError("a connection belongs to a class: give neither 'component' nor 'base' with it")
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
    """What comes before an annotation: a line end and blanks where the first of its kind in the class has them."""
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
