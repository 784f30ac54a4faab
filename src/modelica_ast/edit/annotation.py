"""Annotations by path: of a class, of a component, of a connection.

`Documentation.info`, `experiment.StopTime`, `uses.Modelica.version`, `Placement.transformation.extent`: the same
paths as for modifiers, because an annotation is a modification.
"""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.edit.bindings import same_value
from modelica_ast.edit.connections import connection_path
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.index import composition_path
from modelica_ast.edit.modifiers import Names, get_in_arguments, set_in_arguments, with_child, without_argument
from modelica_ast.edit.placing import line_starts, put_in_body
from modelica_ast.edit.surgery import Path, at, prefix_of, remove, replaced, with_prefix
from modelica_ast.edit.values import names, value_green
from modelica_ast.edit.working import Working, prove
from modelica_ast.green import Green, Node, child_at, child_node, iter_leaves, render
from modelica_ast.lexer import token_text
from modelica_ast.reading import open_annotation, read
from modelica_ast.shape import child, make_node
from modelica_ast.source import Source
from modelica_ast.tables import KINDS
from modelica_ast.trivia import Prefix

# What can lie between a class's body and a declaration or a connect equation of it.
_AROUND: Final = frozenset(
    """element component_clause component_declaration public_section protected_section equation_section
    connect_equation for_equation if_equation""".split()
)


def get_annotation(
    work: Working, class_: str, path: str, *, component: str | None = None, connection: list[str] | None = None
) -> Green | None:
    """The value at a path of an annotation, or None."""
    owner = _owner(work, class_, component, connection)
    found = child(at(work.root, owner), "annotation_clause") if owner is not None else None
    return get_in_arguments(child_node(_opened(found[1]), 2), _path(path)) if found else None


def set_annotation(
    work: Working,
    class_: str,
    path: str,
    value: Any,
    *,
    component: str | None = None,
    connection: list[str] | None = None,
) -> None:
    """Set a value in an annotation; the annotation is made if there is none."""
    names_ = _path(path)
    new = value_green(value)
    owner = _owner(work, class_, component, connection)
    if owner is None:
        _add_class_annotation(work, class_, names_, new)
        return
    node = at(work.root, owner)
    found = child(node, "annotation_clause")
    if found is None:
        annotation = with_prefix(_made(work, class_, names_, new), _gap(work, class_, node))
        work.changed(replaced(work.root, owner, with_child(node, "annotation_clause", annotation)), owner)
        return
    opened = _opened(found[1])
    arguments = child_node(opened, 2)
    old = get_in_arguments(arguments, names_)
    if old is not None and same_value(old, new):
        return
    changed = replaced(opened, (2,), set_in_arguments(arguments, names_, new, ()))
    work.changed(replaced(work.root, (*owner, found[0]), as_read(changed)), owner)


def remove_annotation(
    work: Working, class_: str, path: str = "", *, component: str | None = None, connection: list[str] | None = None
) -> None:
    """Remove a value from an annotation, or with an empty path the annotation; an annotation that empties goes too."""
    owner = _owner(work, class_, component, connection)
    node = at(work.root, owner) if owner is not None else None
    found = child(node, "annotation_clause") if node is not None else None
    if owner is None or found is None:
        raise EditError("there is no annotation")
    arguments = without_argument(child_node(_opened(found[1]), 2), names(path)) if path else None
    if arguments is not None:
        changed = replaced(_opened(found[1]), (2,), arguments)
        work.changed(replaced(work.root, (*owner, found[0]), as_read(changed)), owner)
    elif KINDS[at(work.root, owner)[0]] == "class_annotation":
        work.changed(remove(work.root, owner), owner[:-1])
    else:
        work.changed(replaced(work.root, owner, with_child(at(work.root, owner), "annotation_clause", None)), owner)


def _path(path: str) -> Names:
    found = names(path)
    if not found:
        raise EditError("an annotation is set by a path: 'Documentation.info'")
    return found


def _owner(work: Working, class_: str, component: str | None, connection: list[str] | None) -> Path | None:
    """The node that has the annotation: a declaration, a connect equation, a class; None for a class without."""
    if component is not None and connection is not None:
        raise EditError("give 'component' or 'connection', not both")
    if component is not None:
        return work.component_path(class_, component)
    if connection is not None:
        if len(connection) != 2:  # noqa: PLR2004
            raise EditError("a connection is given by its two ends")
        return connection_path(work, class_, *connection)
    definition = work.class_path(class_)
    specifier = at(work.root, definition)[-1]
    if KINDS[specifier[0]] != "long_class_specifier":
        return (*definition, len(at(work.root, definition)) - 1)
    body = work.body_path(class_)
    composition = at(work.root, body)
    for index in range(len(composition) - 1, 0, -1):
        if KINDS[composition[index][0]] == "class_annotation":
            return (*body, index)
    return None


def _opened(annotation: Any) -> Node:
    """An annotation as a node, read if it was not."""
    if isinstance(annotation, tuple):
        return annotation
    return open_annotation(annotation, lambda: (Source(annotation), 0))


def as_read(annotation: Node) -> Green:
    """An annotation in the form that a parse gives: one leaf, unless it nests too deep; EditError if it is none."""
    prove(annotation, "annotation_clause", lazy=False)
    return child_at(read(Source(render(annotation)), start="annotation_clause").green, 1)


def _made(work: Working, class_: str, path: Names, value: Green) -> Green:
    """A new annotation, with or without a blank before its parenthesis as its neighbours have it."""
    empty = make_node("class_modification", _opening(at(work.root, work.class_path(class_))), ")")
    return as_read(make_node("annotation_clause", "annotation", set_in_arguments(empty, path, value, ())))


def _gap(work: Working, class_: str, owner: Node) -> str:
    """What stands before an annotation: a line end and blanks where the first of its kind in the class has them."""
    body = composition_path(work.root, work.class_path(class_))
    todo: list[Any] = [] if body is None else [at(work.root, body)]
    while todo:
        node = todo.pop()
        found = child(node, "annotation_clause") if KINDS[node[0]] == KINDS[owner[0]] else None
        if found is not None:
            return Prefix.of(prefix_of(found[1])).line_start or " "
        todo += [part for part in reversed(node[1:]) if isinstance(part, tuple) and KINDS[part[0]] in _AROUND]
    return " "


def _opening(near: Green) -> str:
    for leaf in iter_leaves(near):
        text = token_text(leaf) if "annotation" in leaf else ""
        if text.startswith(("annotation(", "annotation (")):
            return text[len("annotation") : text.index("(") + 1]
    return " ("


def _add_class_annotation(work: Working, class_: str, path: Names, value: Green) -> None:
    body = work.body_path(class_)
    node = make_node("class_annotation", _made(work, class_, path, value), ";")
    put_in_body(work, body, len(at(work.root, body)), node, line_starts(work.root, body)[1])
