"""Graphical annotations: their arguments are fields of the records of section 18.9."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from modelica_ast.graphics.items import KINDS_OF_ITEMS, Line
from modelica_ast.graphics.layers import CoordinateSystem, Diagram, Icon, Placement, Transformation
from modelica_ast.graphics.records import GraphicRecord
from modelica_ast.rules.context import ClassCheck
from modelica_ast.views.base import View
from modelica_ast.views.expressions import Array, Call, CallArguments, NamedArgument
from modelica_ast.views.modifications import Annotation, Arguments, ElementModification

_RECORDS: Final[dict[str, type[GraphicRecord]]] = {
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


def check_graphics(check: ClassCheck) -> None:
    """All graphical annotations of a class, its components and its connections."""
    for annotation in check.text.annotations:
        _annotation(check, annotation)


def _annotation(check: ClassCheck, annotation: Annotation) -> None:
    todo: list[tuple[View, type[GraphicRecord]]] = [
        (item, _RECORDS[str(item.name)])
        for item in annotation.arguments.items
        if isinstance(item, ElementModification) and str(item.name) in _RECORDS
    ]
    while todo:
        view, record = todo.pop()
        known = record.field_names()
        for name, item, value in _fields(view):
            if name not in known and name != _INTERACTION and not name.startswith(_VENDOR):
                message = f"{record.modelica_name} has no '{name}'"
                check.add("graphics", item, message, check.near(name, known) or f"it has {', '.join(known)}")
            elif name in _INSIDE and value is not None:
                todo.append((value, _INSIDE[name]))
            elif name == "graphics" and isinstance(value, Array):
                calls = [item for item in value.items if isinstance(item, Call)]
                todo += [(call, KINDS_OF_ITEMS[call.name]) for call in calls if call.name in KINDS_OF_ITEMS]


def _fields(view: View) -> Iterator[tuple[str, View, View | None]]:
    """(name, argument, value) of a modifier or a call."""
    if isinstance(view, ElementModification):
        view = view.arguments or view
    if isinstance(view, Arguments):
        for item in view.items:
            if isinstance(item, ElementModification):
                yield str(item.name), item.name, item.arguments or item.value
    elif isinstance(view, Call) and isinstance(view.arguments, CallArguments):
        for argument in view.arguments.items:
            if isinstance(argument, NamedArgument):
                yield argument.name, argument.identifier, argument.value
