"""Components on the canvas: each as the icon of its class, with the connectors of that icon."""

from __future__ import annotations

from typing import Final

from modelica_ast.drawing.inheriting import Part
from modelica_ast.drawing.items import MISSING, Painter
from modelica_ast.drawing.macros import Subject
from modelica_ast.drawing.places import Place, declarations, is_connector, place_of
from modelica_ast.drawing.planes import Affine, Box
from modelica_ast.drawing.reading import LayerName, is_placed
from modelica_ast.drawing.shapes import crossed_box, plain_box
from modelica_ast.drawing.texts import draw_text
from modelica_ast.graphics import Color, Extent, LinePattern, Point, Text
from modelica_ast.record import Record
from modelica_ast.semantics.definitions import Definition
from modelica_ast.semantics.environments import Environment
from modelica_ast.semantics.instances import ComponentInstance

OUTLINE: Final = Color(160, 160, 160)
ABSENT: Final = "0.35"  # how much is seen of a component whose condition is false
_UNPLACED: Final = Extent(Point(-10, -10), Point(10, 10))


class DrawnComponent(Record):
    """A component in the picture."""

    name: str
    class_name: str  # the full name, or as it is written if there is no such class
    box: Box  # of its placement; its texts may stand outside
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
        place = place_of(self._painter.reader, component.member, in_icon=self._layer == "Icon")
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
        """A component whose class is nowhere."""
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
            place = place_of(self._painter.reader, connector.member, in_icon=True)
            if type_ is None or place is None or connector.is_protected or connector.is_present is False:
                continue
            attributes = {"data-component": connector.path, "data-class": type_.full_name, "data-kind": "connector"}
            with self._canvas.group(connector.path, f"{connector.path}: {type_.full_name}", attributes):
                self._draw_class(connector, type_, "Icon", place, place.map.then(part.map).then(map_))

    def _may_be_connector(self, component: ComponentInstance) -> bool:
        """Has it a placement, and is its class a connector?"""
        # PERF: most components have no placement, or are none; then nobody has to know which modifiers reach them.
        if not any(is_placed(view) for view in declarations(component.member)):
            return False
        type_ = component.member.type_name
        found = component.member.scope.find_class(type_.parts, is_global=type_.is_global)
        return found is not None and self._is_connector(found)
