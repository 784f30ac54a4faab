"""Components on the canvas: each as the icon of its class, with the connectors of that icon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import attrs

from modelica_ast.drawing.items import MISSING, Painter, crossed_box, draw_line, item_map, plain_box
from modelica_ast.drawing.texts import Subject, draw_text
from modelica_ast.foundation import Record
from modelica_ast.graphics import (
    Affine,
    Box,
    Color,
    Extent,
    LayerName,
    Line,
    LinePattern,
    Part,
    Place,
    Point,
    Text,
    TextAlignment,
    Written,
    Xy,
    declarations,
    is_connector,
    is_placed,
    place_in,
    static_value,
)
from modelica_ast.semantics import ComponentInstance, Definition, Environment, Instance
from modelica_ast.tree import (
    Arguments,
    ClassAnnotation,
    ClassDefinition,
    ConnectEquation,
    Equation,
    EquationSection,
    Expression,
    ForEquation,
    IfEquation,
    WhenEquation,
)

# ---------------------------------------------------------------- components

OUTLINE: Final = Color(160, 160, 160)
ABSENT: Final = "0.35"  # how much is seen of a component whose condition is false
_UNPLACED: Final = Extent(Point(-10, -10), Point(10, 10))


class DrawnComponent(Record):
    """A component in the picture."""

    name: str
    class_name: str  # the full name, or as it is written if there is no such class
    box: Box  # of its placement; its texts may be outside
    is_connector: bool
    is_present: bool | None  # None: its condition can't be decided


class ComponentPainter:
    """Draws the components of a class."""

    def __init__(self, painter: Painter, layer: LayerName) -> None:
        self._painter = painter
        self._canvas = painter.canvas
        self._layer: LayerName = layer
        self._connectors: dict[Definition | None, bool] = {}

    def draw(self, component: ComponentInstance, part: Part) -> DrawnComponent | None:
        """A component in the layer of its class; None if it is not seen there."""
        environment = component.environment
        is_connector = environment is not None and self._is_connector(environment)
        if self._layer == "Icon" and (component.is_protected or not is_connector):
            if environment is None and not component.is_protected and is_placed(declarations(component.member)[0]):
                message = f"the class '{component.type_text}' of '{component.path}' is not found; it may be a connector"
                self._painter.reader.complain(declarations(component.member)[0], message)
            return None
        place = place_in(self._painter.reader, component.member, in_icon=self._layer == "Icon")
        if place is None:
            return None
        map_ = place.map.then(part.map)
        name, class_name = component.name, component.type_name or component.type_text
        attributes = {"data-component": name, "data-class": class_name}
        if is_connector:
            attributes["data-kind"] = "connector"
        present = component.is_present
        if component.condition is not None:
            attributes["data-condition"] = " ".join(component.condition.text.split())
        if present is False:
            attributes["opacity"] = ABSENT
        title = f"{name}: {class_name}" + (f"\n{component.description}" if component.description else "")
        with self._canvas.group(name, title, attributes):
            if environment is None:
                extent = place.extent or _UNPLACED
                self._draw_missing(component, extent, map_)
            else:
                content: LayerName = "Diagram" if is_connector and self._layer == "Diagram" else "Icon"
                extent = self._draw_class(component, environment, content, place, map_)
                if not is_connector:
                    inner = self._into(environment, "Icon", place, map_)
                    self._draw_connectors(component, inner)
            if component.condition is not None:
                plain_box(self._canvas, Box.of(extent), map_, OUTLINE, LinePattern.Dash)
        box = Box.around(map_.all_at(Box.of(extent).corners))
        return DrawnComponent(name, class_name, box, is_connector, present)

    # ------------------------------------------------------------ classes

    def _is_connector(self, environment: Environment) -> bool:
        """Is a class a connector, or does it inherit from one?"""
        # PERF: a class is asked for once for each of its components, and the answer is the same.
        known = self._connectors.get(environment.written)
        if known is None:
            known = is_connector(environment)
            self._connectors[environment.written] = known
        return known

    def _into(self, environment: Environment, layer: LayerName, place: Place, map_: Affine) -> Affine:
        """From the coordinates of a class's layer into the picture."""
        return Affine.mapping(
            self._painter.inheritance.system(environment, layer).extent, self._extent(environment, layer, place)
        ).then(map_)

    def _extent(self, environment: Environment, layer: LayerName, place: Place) -> Extent:
        """That of the placement; without one, the size that the class wants to have at first."""
        if place.extent is not None:
            return place.extent
        system = self._painter.inheritance.system(environment, layer)
        box = Box.of(system.extent)
        width, height = box.width * system.scale / 2, box.height * system.scale / 2
        return Extent(Point(-width, -height), Point(width, height))

    def _draw_class(
        self, component: ComponentInstance, environment: Environment, layer: LayerName, place: Place, map_: Affine
    ) -> Extent:
        """The graphics of a component's class, or an outline if it has none; the extent that they fill."""
        painter = self._painter
        subject = Subject(component, component.name, environment.full_name)
        parts = painter.inheritance.parts(environment, layer)
        count = painter.draw_parts(parts, layer, self._into(environment, layer, place, map_), subject)
        if not count and layer == "Diagram":  # a connector that has an icon only
            return self._draw_class(component, environment, "Icon", place, map_)
        extent = self._extent(environment, layer, place)
        if not count:
            plain_box(self._canvas, Box.of(extent), map_, OUTLINE, LinePattern.Solid)
        return extent

    def _draw_missing(self, component: ComponentInstance, extent: Extent, map_: Affine) -> None:
        """A component whose class is not found."""
        view = declarations(component.member)[0]
        message = f"the class '{component.type_text}' of '{component.path}' is not found; its place is drawn"
        self._painter.reader.complain(view, message)
        crossed_box(self._canvas, Box.of(extent), map_, MISSING)
        text = Text(extent=extent, textString=component.name, textColor=MISSING).with_defaults()
        draw_text(self._canvas, text, component.name, map_)

    # ------------------------------------------------------------ connectors of an icon

    def _draw_connectors(self, component: ComponentInstance, map_: Affine) -> None:
        """The public connectors of a component's class, each by its own icon; connectors inside these are not seen."""
        environment = component.environment
        assert environment is not None
        parts = self._painter.inheritance.parts(environment, "Icon")
        owners = {id(part.environment): part for part in reversed(parts)}
        for connector in component.components.values():
            part = owners.get(id(connector.member.owner))
            if part is None or not self._may_be_connector(connector):
                continue
            type_ = connector.environment
            place = place_in(self._painter.reader, connector.member, in_icon=True)
            if type_ is None or place is None or connector.is_protected or connector.is_present is False:
                continue
            attributes = {"data-component": connector.path, "data-class": type_.full_name, "data-kind": "connector"}
            with self._canvas.group(connector.path, f"{connector.path}: {type_.full_name}", attributes):
                self._draw_class(connector, type_, "Icon", place, place.map.then(part.map).then(map_))

    def _may_be_connector(self, component: ComponentInstance) -> bool:
        """Has it a placement, and is its class a connector?"""
        # PERF: most components have no placement, or are not components; then nobody has to know which modifiers reach
        # them.
        if not any(is_placed(view) for view in declarations(component.member)):
            return False
        type_ = component.member.type_name
        found = component.member.scope.find_class(type_.parts, is_global=type_.is_global)
        return found is not None and self._is_connector(found)


# ---------------------------------------------------------------- connections
# The lines of connections on the canvas.


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
