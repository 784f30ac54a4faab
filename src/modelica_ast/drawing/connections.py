"""The lines of connections on the canvas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from modelica_ast.drawing.components import ABSENT
from modelica_ast.drawing.inheriting import Part
from modelica_ast.drawing.items import Painter, item_map
from modelica_ast.drawing.planes import Affine, Xy
from modelica_ast.drawing.reading import Written
from modelica_ast.drawing.shapes import draw_line
from modelica_ast.drawing.texts import draw_text
from modelica_ast.drawing.values import static_value
from modelica_ast.graphics import Line, Text, TextAlignment
from modelica_ast.record import Record
from modelica_ast.semantics.environments import Environment
from modelica_ast.semantics.instances import Instance
from modelica_ast.views.base import Equation, Expression
from modelica_ast.views.classes import ClassAnnotation, ClassDefinition
from modelica_ast.views.equations import ConnectEquation, EquationSection, ForEquation, IfEquation, WhenEquation
from modelica_ast.views.modifications import Arguments


class DrawnLine(Record):
    """The line of a connection."""

    left: str
    right: str
    points: tuple[Xy, ...]
    declared_in: str  # the full name of the class that has the connection


def connections(part: Part) -> Iterator[ConnectEquation]:
    """The connections of a class itself, also those in `if` and `for`, without what `break` takes out of it."""
    definition = part.environment.definition
    broken = part.environment.broken
    for section in definition.sections if isinstance(definition, ClassDefinition) else []:
        is_normal = isinstance(section, EquationSection) and section.initial is None
        if not is_normal and not isinstance(section, ClassAnnotation):
            continue
        todo: list[Equation] = list(reversed(section.equations))  # type: ignore[attr-defined]  # both kinds have them
        while todo:
            equation = todo.pop()
            if isinstance(equation, ConnectEquation):
                ends = {equation.left.parts[0], equation.right.parts[0]}
                pair = frozenset((str(equation.left), str(equation.right)))
                if not ends & broken.names and pair not in broken.connections:
                    yield equation
            else:
                todo += reversed(list(_inside(equation)))


def _inside(equation: Equation) -> Iterator[Equation]:
    if isinstance(equation, IfEquation | ForEquation | WhenEquation):
        yield from equation.equations
    if isinstance(equation, IfEquation):
        for branch in equation.elseifs:
            yield from branch.equations
        yield from equation.otherwise.equations if equation.otherwise is not None else ()
    if isinstance(equation, WhenEquation):
        for later in equation.elsewhens:
            yield from later.equations


class LinePainter:
    """Draws the lines of connections."""

    def __init__(self, painter: Painter, whole: Instance) -> None:
        self._painter = painter
        self._whole = whole
        self._count = 0

    def draw(self, equation: ConnectEquation, part: Part) -> DrawnLine | None:
        """The line of a connection; None if it has none or that is not visible."""
        painter = self._painter
        written = painter.reader.part(equation.annotation, "Line")
        found = painter.reader.record(Line, written) if written is not None else None
        if found is None:
            return None
        scope = part.environment
        line = painter.plain(found, scope)
        if line.visible is False or not line.points:
            return None
        left, right = str(equation.left), str(equation.right)
        self._count += 1
        attributes = {"data-from": left, "data-to": right}
        if any(self._is_absent(end.parts[0]) for end in (equation.left, equation.right)):
            attributes["opacity"] = ABSENT
        name = f"connect.{self._count}"  # no component is called so: `connect` is a word of the language
        with painter.canvas.group(name, f"connect({left}, {right})", attributes):
            map_ = item_map(line).then(part.map)
            points = draw_line(painter.canvas, line, map_)
            self._draw_text(equation, scope, points, part.map)
        return DrawnLine(left, right, points, scope.full_name)

    def _is_absent(self, name: str) -> bool:
        component = self._whole.components.get(name)
        return component is not None and component.is_present is False

    def _draw_text(
        self, equation: ConnectEquation, scope: Environment, points: tuple[Xy, ...], part_map: Affine
    ) -> None:
        """The text at one of the points of the line; its fields differ from those of other texts."""
        reader = self._painter.reader
        written = reader.part(equation.annotation, "Text")
        found = reader.record(Text, written) if written is not None and written.arguments is not None else None
        if found is None or written is None or written.arguments is None:
            return
        string, index = (_value(written.arguments, name, scope) for name in ("string", "index"))
        index = index if isinstance(index, int) and not isinstance(index, bool) else 1
        if not isinstance(string, str) or not -len(points) <= index <= len(points) or index == 0:
            reader.complain(written, "the text of a connection needs a 'string', and an 'index' of one of its points")
            return
        text = self._painter.plain(_aligned(found, index), scope)
        if text.visible is False:
            return
        string = string.replace("%first", _last(equation.left.parts)).replace("%second", _last(equation.right.parts))
        x, y = points[index - 1 if index > 0 else index]
        scaled = Affine(part_map.a, part_map.b, part_map.c, part_map.d, x, y)
        draw_text(self._painter.canvas, text, string, item_map(text).then(scaled))


def _value(arguments: Arguments, name: str, scope: Environment) -> Any:
    found = arguments.get(name)
    return static_value(found.value, scope) if found is not None and isinstance(found.value, Expression) else None


def _aligned(written: Written, index: int) -> Written:
    """Such a text runs away from its line if it does not say otherwise."""
    if "horizontalAlignment" in written.view.text:
        return written
    side = TextAlignment.Right if index < 0 else TextAlignment.Left
    return Written(attrs.evolve(written.record, horizontalAlignment=side), written.view, written.has_expressions)


def _last(parts: tuple[str, ...]) -> str:
    return parts[-1]
