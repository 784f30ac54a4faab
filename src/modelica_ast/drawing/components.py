"""Components on the canvas: each as the icon of its class, with the connectors of that icon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import attrs

from modelica_ast.drawing.annotations import (
    AnnotationReader,
    Inheritance,
    LayerName,
    Part,
    Plain,
    Written,
    is_placed,
    resolved,
    static_value,
)
from modelica_ast.drawing.items import MISSING, Painter, crossed_box, draw_line, item_map, plain_box
from modelica_ast.drawing.planes import UNCHANGED, Affine, Box, Xy
from modelica_ast.drawing.texts import Subject, draw_text
from modelica_ast.foundation import Record
from modelica_ast.graphics import Color, Extent, Line, LinePattern, Point, Text, TextAlignment, Transformation
from modelica_ast.library import Libraries, classes_of
from modelica_ast.semantics import ComponentInstance, Definition, Environment, Instance, Member, Target, lookup_in
from modelica_ast.tree import (
    Arguments,
    ClassAnnotation,
    ClassDefinition,
    ComponentClause1,
    ConnectEquation,
    Equation,
    EquationSection,
    Expression,
    ForEquation,
    IfEquation,
    StoredDefinition,
    View,
    WhenEquation,
)

# ---------------------------------------------------------------- places
# Where components are, and the connectors of their icons.

_DIGITS: Final = 6  # of a coordinate; what is smaller is the noise of a rotation


class Place(NamedTuple):
    """A placement that is seen."""

    extent: Extent | None
    map: Affine  # of the extent into the picture


def place_of(reader: AnnotationReader, component: Member, *, in_icon: bool) -> Place | None:
    """Where a component is; None if it has no placement or is not visible."""
    found = reader.placement(*declarations(component))
    if found is None:
        return None
    scope = component.owner
    plain: Plain = resolved(found.record, scope).record if found.has_expressions else found.record
    # What is not known is shown: it may be there.
    if plain.visible is False or (in_icon and plain.iconVisible is False):
        return None
    chosen = plain.iconTransformation if in_icon else plain.transformation
    if not isinstance(chosen, Transformation):
        return Place(None, UNCHANGED)
    known: Plain = resolved(chosen, scope).record if found.has_expressions else chosen
    turn = Affine.turn(float(known.rotation))
    return Place(known.extent, turn.then(Affine.shift(float(known.origin.x), float(known.origin.y))))


def declarations(component: Member) -> tuple[View, ...]:
    """The declaration that counts, then the one that it redeclares."""
    current = component.current
    declared = current.declaration if isinstance(current, ComponentClause1) else current
    return declared, component.declared


def is_connector(environment: Environment) -> bool:
    """Is a class a connector, or does it inherit from one?"""
    return any(part.written.kind == "connector" for part in environment.ancestry() if part.written is not None)


class _Silent(AnnotationReader):
    """What is wrong with an annotation is told by those who draw; here it may be in a text without a file."""

    def complain(self, view: View, message: str) -> None:
        """Say nothing."""


class Seen(NamedTuple):
    """What is in the diagram of a class, beside the components that it declares itself."""

    connectors: tuple[Point | None, ...]
    inherited: dict[str, Extent]  # components, and what they cover


def seen_in(owner: ClassDefinition, names: Iterable[Sequence[str]], libraries: object) -> Seen:
    """Where the connectors of some names are in the diagram of a class, and the components that it inherits.

    A connector is in the middle of its placement. The parts of its name are those of one after `connect`: a component
    and a connector of its class, or a connector of the class itself; what follows lies inside of the connector. Classes
    are looked up in the file, and in libraries if there are some. None for what is not found, or has no placement.
    """
    tree = owner.root
    assert isinstance(tree, StoredDefinition)
    beside = classes_of(libraries).files if isinstance(libraries, Libraries) else None
    environment = lookup_in(tree, beside).environment_at(Target(tree.file, owner.path))
    if environment is None:
        return Seen(tuple(None for _ in names), {})
    reader = _Silent(lambda _: None)
    points = tuple(_connector_at(environment, parts, reader) for parts in names)
    return Seen(points, _inherited(environment, reader) if owner.extends else {})


def _inherited(environment: Environment, reader: AnnotationReader) -> dict[str, Extent]:
    found: dict[str, Extent] = {}
    for part in Inheritance(reader).parts(environment, "Diagram"):
        written = part.environment.written
        if written is None or part.environment is environment:
            continue
        for name in written.components:
            member = part.environment.member(name)
            place = None if member is None else place_of(reader, member, in_icon=False)
            if place is not None and place.extent is not None:
                into, box = place.map.then(part.map), Box.of(place.extent)
                corners = [(x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)]
                covered = Box.around(map(into.at, corners))
                first, second = _point((covered.left, covered.bottom)), _point((covered.right, covered.top))
                found[name] = Extent(first, second)
    return found


def _connector_at(environment: Environment, parts: Sequence[str], reader: AnnotationReader) -> Point | None:
    component = environment.member(parts[0])
    if component is None or component.is_class:
        return None
    place = place_of(reader, component, in_icon=False)
    if place is None or place.extent is None:
        return None
    type_ = component.environment
    if type_ is None:
        return None
    if len(parts) == 1:
        return _point(place.map.at(Box.of(place.extent).center)) if is_connector(type_) else None
    inner = _in_icon(reader, type_, parts[1])
    if inner is None:
        return None
    inheritance = Inheritance(reader)
    into = Affine.mapping(inheritance.system(type_, "Icon").extent, place.extent).then(place.map)
    return _point(into.at(inner))


def _in_icon(reader: AnnotationReader, type_: Environment, name: str) -> tuple[float, float] | None:
    """Where a connector is in the icon of a class."""
    connector = type_.member(name)
    place = None if connector is None or connector.is_class else place_of(reader, connector, in_icon=True)
    if connector is None or place is None:
        return None
    parts = Inheritance(reader).parts(type_, "Icon")
    part = next((each for each in parts if each.environment is connector.owner), None)
    if part is None:
        return None
    center = (0.0, 0.0) if place.extent is None else Box.of(place.extent).center
    return place.map.then(part.map).at(center)


def _point(xy: tuple[float, float]) -> Point:
    x, y = (round(value, _DIGITS) for value in xy)
    return Point(int(x) if x == int(x) else x, int(y) if y == int(y) else y)


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
            place = place_of(self._painter.reader, connector.member, in_icon=True)
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
