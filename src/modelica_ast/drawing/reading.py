"""Graphical annotations as the files have them, read once for each class; what can't be read is a problem."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

import attrs

from modelica_ast.errors import ModelicaError
from modelica_ast.graphics import (
    CoordinateSystem,
    Extent,
    GraphicItem,
    GraphicRecord,
    Placement,
    Text,
    Transformation,
    read_item,
)
from modelica_ast.library.errors import Problem
from modelica_ast.semantics.definitions import Target, file_of, place_of
from modelica_ast.views.base import Expression, View
from modelica_ast.views.classes import ClassDefinition, ShortClassDefinition
from modelica_ast.views.expressions import Array, Call, CallArguments
from modelica_ast.views.modifications import Annotation, Arguments, ElementModification

LayerName = Literal["Icon", "Diagram"]
_PLACE: Final = re.compile(r" \((?:[^()]*, )?line \d+, column \d+\)$")  # a problem has it already


class Written(NamedTuple):
    """A record of an annotation, and where it is written."""

    record: Any
    view: View
    has_expressions: bool

    @classmethod
    def of(cls, record: GraphicRecord, view: View) -> Written:
        """One that has no expressions gets its defaults here, once for all its uses."""
        if isinstance(record, Text) and record.textColor is None and record.lineColor is not None:
            # Up to version 3.3 of the specification texts had the colour of lines.
            record = attrs.evolve(record, textColor=record.lineColor)
        has_expressions = any(isinstance(value, Expression) for value in record.given.values())
        return cls(record if has_expressions else record.with_defaults(), view, has_expressions)


class LayerText(NamedTuple):
    """What a class itself says of a layer."""

    extent: Extent | None = None
    keeps_ratio: bool | None = None
    scale: float | None = None
    items: tuple[Written, ...] = ()


class BaseMap(NamedTuple):
    """`IconMap(…)` or `DiagramMap(…)` of an extends clause."""

    extent: Extent | None = None  # None: as in the base class
    shows_primitives: bool = True


class AnnotationReader:
    """Reads annotations, each once, and reports what is wrong with them."""

    def __init__(self, report: Callable[[Problem], None]) -> None:
        self._report = report
        self._layers: dict[tuple[Target, LayerName], LayerText] = {}
        self._placements: dict[str, Written | None] = {}

    def complain(self, view: View, message: str) -> None:
        """Report something at the place of a view."""
        self._report(Problem(file_of(view), view.position.line, message))

    def part(self, annotation: object, name: str) -> ElementModification | None:
        """`Placement(…)`, `Icon(…)`: a part of an annotation; None without, and if it is no Modelica."""
        # PERF: an annotation that is not read yet is one text, which tells whether there is something to read.
        if not isinstance(annotation, Annotation) or name not in annotation.text:
            return None
        try:
            return annotation.arguments.get(name)
        except ModelicaError as error:
            self.complain(annotation, f"the annotation can't be read: {str(error).splitlines()[0]}")
            return None

    # ------------------------------------------------------------ layers

    def layer(self, definition: ClassDefinition | ShortClassDefinition, layer: LayerName) -> LayerText:
        """The icon or the diagram that a class has of its own."""
        key = (place_of(definition), layer)
        if key not in self._layers:
            found = self.part(getattr(definition, "annotation", None), layer)
            arguments = found.arguments if found is not None else None
            self._layers[key] = LayerText() if arguments is None else self._layer(arguments)
        return self._layers[key]

    def _layer(self, arguments: Arguments) -> LayerText:
        system = self._system(arguments.get("coordinateSystem"))
        return LayerText(
            system.extent if isinstance(system.extent, Extent) else None,
            system.preserveAspectRatio if isinstance(system.preserveAspectRatio, bool) else None,
            float(system.initialScale) if isinstance(system.initialScale, int | float) else None,
            self._items(arguments.get("graphics")),
        )

    def _system(self, written: ElementModification | None) -> CoordinateSystem:
        source: View | None = None
        if written is not None:
            # `coordinateSystem(…)`, or `coordinateSystem=CoordinateSystem(…)`.
            source = written.value.arguments if isinstance(written.value, Call) else written.arguments
        found = None if source is None else self._read(CoordinateSystem.from_expression, source)
        return CoordinateSystem() if found is None else found

    def _items(self, written: ElementModification | None) -> tuple[Written, ...]:
        graphics: Any = written.value if written is not None else None
        if isinstance(graphics, Call) and graphics.name == "DynamicSelect":
            graphics = _static(graphics)
        if graphics is None:
            return ()
        if not isinstance(graphics, Array):
            self.complain(graphics, "the graphics are no list; they are not drawn")
            return ()
        found = []
        for expression in graphics.items:
            static = _static(expression)
            item = self._read(read_item, static)
            if isinstance(item, GraphicItem):
                found.append(Written.of(item, static))
            elif item is not None:
                self.complain(static, f"'{_short(static)}' is no graphic of the specification; it is not drawn")
        return tuple(found)

    def record(self, cls: type[GraphicRecord], written: ElementModification) -> Written | None:
        """`Line(…)` of a connection; None if it can't be read."""
        found = self._read(cls.from_expression, written)
        return None if found is None else Written.of(found, written)

    def _read(self, read: Callable[[Any], Any], source: View) -> Any:
        try:
            return read(source)
        except ModelicaError as error:
            self.complain(source, f"it is not drawn: {_PLACE.sub('', str(error).splitlines()[0])}")
            return None

    # ------------------------------------------------------------ components, extends clauses

    def placement(self, *declarations: View) -> Written | None:
        """The placement of a component: of the first of its declarations that has one."""
        for declaration in declarations:
            if not is_placed(declaration):
                continue
            annotation: Annotation = declaration.annotation  # type: ignore[attr-defined]  # what is placed has one
            text = annotation.text
            # PERF: the connectors of many classes are at the same places.
            if text not in self._placements:
                written = self.part(annotation, "Placement")
                found = None if written is None else self._read(Placement.from_expression, written)
                self._placements[text] = None if found is None or written is None else _placement(found, written)
            known = self._placements[text]
            if known is not None:
                return known
        return None

    def base_map(self, annotation: object, layer: LayerName) -> BaseMap:
        """How a base class is drawn in a class that extends it."""
        written = self.part(annotation, f"{layer}Map")
        if written is None or written.arguments is None:
            return BaseMap()
        # The fields of a layer's system are those of a map too, except that one says which primitives are seen.
        found = self._read(CoordinateSystem.from_expression, written.arguments)
        extent = found.extent if found is not None and isinstance(found.extent, Extent) else None
        is_default = extent is None or not any((extent.left, extent.right, extent.bottom, extent.top))
        shown = written.arguments.get("primitivesVisible")
        is_hidden = shown is not None and isinstance(shown.value, Expression) and shown.value.text.strip() == "false"
        return BaseMap(None if is_default else extent, not is_hidden)


def is_placed(declaration: View) -> bool:
    """Has a declaration a placement? Its annotation is not read for it."""
    annotation = getattr(declaration, "annotation", None)
    return isinstance(annotation, Annotation) and "Placement" in annotation.text


def _placement(found: Placement, view: View) -> Written:
    """A placement with its defaults; those of the icon are what holds in the diagram."""
    full = found.with_defaults()
    records = [full, *(each for each in full.given.values() if isinstance(each, Transformation))]
    has_expressions = any(isinstance(value, Expression) for record in records for value in record.given.values())
    return Written(full, view, has_expressions)


def _static(expression: Expression) -> Expression:
    """What `DynamicSelect(static, dynamic)` is while nothing is simulated."""
    if isinstance(expression, Call) and expression.name == "DynamicSelect":
        arguments = expression.arguments
        if isinstance(arguments, CallArguments) and arguments.items and isinstance(arguments.items[0], Expression):
            return arguments.items[0]
    return expression


def _short(view: View, most: int = 40) -> str:
    text = " ".join(view.text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
