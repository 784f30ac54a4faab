"""Graphical annotations: their arguments are fields of the records of section 18.9."""

from __future__ import annotations

from functools import cache
from typing import Final

from modelica_ast.graphics.items import KINDS_OF_ITEMS, Line
from modelica_ast.graphics.layers import CoordinateSystem, Diagram, Icon, Placement, Transformation
from modelica_ast.graphics.records import GraphicRecord
from modelica_ast.rules.annotation_fields import calls_in, fields_of
from modelica_ast.rules.context import ClassCheck
from modelica_ast.traverse import Place, view_at
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


def check_graphics(check: ClassCheck, annotation: Annotation, place: Place, record: type[GraphicRecord]) -> None:
    """One graphical record of an annotation, and all that is inside it."""
    todo: list[tuple[Place, type[GraphicRecord]]] = [(place, record)]
    while todo:
        place, record = todo.pop()
        known = _field_names(record)
        for name, at, value in fields_of(place):
            if name not in known and name != _INTERACTION and not name.startswith(_VENDOR):
                message = f"{record.modelica_name} has no '{name}'"
                hint = check.near(name, known) or f"it has {', '.join(known)}"
                check.add("graphics", view_at(annotation, at), message, hint)
            elif value is None:
                continue
            elif name in _INSIDE:
                todo.append((value, _INSIDE[name]))
            elif name == "graphics":
                todo += [(call, KINDS_OF_ITEMS[kind]) for kind, call in calls_in(value) if kind in KINDS_OF_ITEMS]


@cache
def _field_names(record: type[GraphicRecord]) -> tuple[str, ...]:
    return tuple(record.field_names())
