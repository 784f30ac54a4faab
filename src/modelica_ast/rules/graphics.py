"""Graphical annotations: their arguments are fields of the records of section 18.9."""

from __future__ import annotations

from functools import cache
from typing import Final

from modelica_ast.graphics.items import KINDS_OF_ITEMS, Line
from modelica_ast.graphics.layers import CoordinateSystem, Diagram, Icon, Placement, Transformation
from modelica_ast.graphics.records import GraphicRecord
from modelica_ast.green import Green
from modelica_ast.rules.annotation_fields import AnnotationField, Path, calls_in, fields_of
from modelica_ast.rules.context import ClassCheck
from modelica_ast.traverse import view_at
from modelica_ast.views.modifications import Annotation

RECORDS: Final[dict[str, type[GraphicRecord]]] = {
    "Placement": Placement,
    "Icon": Icon,
    "Diagram": Diagram,
    "Line": Line,
}
_INSIDE: Final[dict[str, type[GraphicRecord]]] = {
    "transformation": Transformation,
    "iconTransformation": Transformation,
    "coordinateSystem": CoordinateSystem,
}
_VENDOR: Final = "__"
_INTERACTION: Final = "interaction"  # of icons and diagrams; the records leave it as it stands


def check_graphics(check: ClassCheck, annotation: Annotation, field: AnnotationField) -> None:
    """One graphical record of an annotation, and all that is inside it."""
    todo: list[tuple[Green, Path, type[GraphicRecord]]] = []
    if field.value is not None:
        todo.append((field.value, field.value_path, RECORDS[field.name]))
    while todo:
        node, path, record = todo.pop()
        known = _field_names(record)
        for name, name_path, value, value_path in fields_of(node, path):
            if name not in known and name != _INTERACTION and not name.startswith(_VENDOR):
                message = f"{record.modelica_name} has no '{name}'"
                hint = check.near(name, known) or f"it has {', '.join(known)}"
                check.add("graphics", view_at(annotation, name_path), message, hint)
            elif value is None:
                continue
            elif name in _INSIDE:
                todo.append((value, value_path, _INSIDE[name]))
            elif name == "graphics":
                for kind, call, where in calls_in(value, value_path):
                    if kind in KINDS_OF_ITEMS:
                        todo.append((call, where, KINDS_OF_ITEMS[kind]))


@cache
def _field_names(record: type[GraphicRecord]) -> tuple[str, ...]:
    return tuple(record.field_names())
