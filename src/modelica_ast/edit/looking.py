"""Views of places in the tree that is edited: their messages have the right lines, whatever was edited before."""

from __future__ import annotations

from modelica_ast.edit.surgery import Path
from modelica_ast.edit.working import Working
from modelica_ast.views.base import View, child_view
from modelica_ast.views.files import StoredDefinition
from modelica_ast.views.modifications import Annotation, ElementModification


def view_at(work: Working, path: Path) -> View:
    """The view of the node at a path."""
    view: View = StoredDefinition.over(work.root)
    for index in path:
        node = view.node
        assert isinstance(node, tuple), "a path leads through nodes"
        view = child_view(view, node, index)
    return view


def annotation_part(work: Working, owner: Path, name: str) -> ElementModification | None:
    """`Placement(…)`, `Line(…)`, `Icon(…)`: a part of the annotation of a component, a connection or a class."""
    annotation = getattr(view_at(work, owner), "annotation", None)
    return annotation.arguments.get(name) if isinstance(annotation, Annotation) else None
