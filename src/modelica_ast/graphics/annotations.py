"""What the graphical annotations of classes say: read once for each class, inherited, and with values for expressions.

An `Inheritance` has the layers that are one picture, `place_in` says where a component is, and `seen_in` what a line
between two components has to know. What can't be read is reported to whoever asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeVar

import attrs

from modelica_ast.foundation import ModelicaError
from modelica_ast.graphics.geometry import (
    Arrow,
    BorderPattern,
    EllipseClosure,
    Extent,
    FillPattern,
    GraphicsError,
    LinePattern,
    Point,
    Smooth,
    TextAlignment,
    TextStyle,
)
from modelica_ast.graphics.items import GraphicItem, Text, read_item
from modelica_ast.graphics.layers import CoordinateSystem, Placement, Transformation
from modelica_ast.graphics.planes import UNCHANGED, Affine, Box
from modelica_ast.graphics.records import GraphicRecord
from modelica_ast.semantics import Base, ClassFiles, Environment, Evaluation, Member, Target, lookup_in, place_of
from modelica_ast.tree import (
    Annotation,
    Arguments,
    Array,
    Call,
    CallArguments,
    ClassDefinition,
    ComponentClause1,
    ComponentReference,
    ElementModification,
    Expression,
    ExtendsClause,
    IfExpression,
    Parenthesized,
    ShortClassDefinition,
    ShortClassSpecifier,
    StoredDefinition,
    View,
)

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

    def __init__(self, report: Callable[[View, str], None]) -> None:
        self._report = report
        self._layers: dict[tuple[Target, LayerName], LayerText] = {}
        self._placements: dict[str, Written | None] = {}

    def complain(self, view: View, message: str) -> None:
        """Report something at the place of a view."""
        self._report(view, message)

    def part(self, annotation: object, name: str) -> ElementModification | None:
        """`Placement(…)`, `Icon(…)`: a part of an annotation; None without, and if it is not Modelica."""
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
            self.complain(graphics, "the graphics are not a list, so they are not drawn")
            return ()
        found = []
        for expression in graphics.items:
            static = _static(expression)
            item = self._read(read_item, static)
            if isinstance(item, GraphicItem):
                found.append(Written.of(item, static))
            elif item is not None:
                self.complain(static, f"'{_short(static)}' is not a graphic of the specification; it is not drawn")
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


# ---------------------------------------------------------------- values
# Fields of graphical annotations that are expressions: what they are while nothing is simulated.

R = TypeVar("R", bound=GraphicRecord)
Plain = Any  # a graphical record whose fields are values: no expression is in it, and nothing is missing

_DEEPEST: Final = 20  # of arrays and conditions inside each other
_ENUMERATIONS: Final = {
    cls.__name__: {str(member.value): member for member in cls}
    for cls in (LinePattern, FillPattern, BorderPattern, Smooth, EllipseClosure, Arrow, TextStyle, TextAlignment)
}


class Resolved(NamedTuple):
    """A record without expressions, and the fields whose values are not known: they have their defaults."""

    record: Plain
    unknown: tuple[str, ...]


def resolved(record: R, scope: Environment) -> Resolved:
    """A record as it is in one use of the class that it is written in, with the defaults of the specification."""
    changes: dict[str, Any] = {}
    unknown: list[str] = []
    for name, value in record.given.items():
        if isinstance(value, Expression):
            found = static_value(value, scope)
            try:
                attrs.evolve(record, **{name: found})
            except GraphicsError:
                found = None
            changes[name] = found
            if found is None:
                unknown.append(name)
    return Resolved((attrs.evolve(record, **changes) if changes else record).with_defaults(), tuple(unknown))


def static_value(expression: Expression, scope: Environment, depth: int = 0) -> Any:
    """The value of an expression, of `DynamicSelect(static, dynamic)` the static one; None if it is not known."""
    if depth > _DEEPEST:
        return None
    match expression:
        case Call(name="DynamicSelect", arguments=CallArguments(items=[Expression() as static, *_])):
            return static_value(static, scope, depth + 1)
        case IfExpression():
            chosen = _branch(expression, scope)
            return None if chosen is None else static_value(chosen, scope, depth + 1)
        case Array():
            values = [static_value(item, scope, depth + 1) for item in expression.items]
            return None if any(value is None for value in values) else values
        case Parenthesized() if len(expression.expressions.slots) == 1 and expression.expressions.slots[0] is not None:
            return static_value(expression.expressions.slots[0], scope, depth + 1)
        case ComponentReference() if len(expression.parts) == 2 and expression.parts[0] in _ENUMERATIONS:  # noqa: PLR2004
            return _ENUMERATIONS[expression.parts[0]].get(expression.parts[1])
        case _:
            return Evaluation().of(expression, scope)


def _branch(expression: IfExpression, scope: Environment) -> Expression | None:
    branches = [(expression.condition, expression.value)]
    branches += [(branch.condition, branch.value) for branch in expression.elseifs]
    for condition, value in branches:
        decided = static_value(condition, scope)
        if decided is True:
            return value
        if decided is not False:
            return None
    return expression.otherwise


# ---------------------------------------------------------------- inheriting
# A class and what it inherits, as layers of one picture: which graphics, where, in which order.

_MOST_PARTS: Final = 500  # classes that one class inherits from, each counted for each way to it
_USUAL: Final = Extent(Point(-100, -100), Point(100, 100))
_USUAL_SCALE: Final = 0.1


class Part(NamedTuple):
    """A class, itself or one that it inherits from, in the picture of that class."""

    environment: Environment
    map: Affine
    shows_primitives: bool


class System(NamedTuple):
    """The coordinate system of a layer, inherited if the class has none of its own."""

    extent: Extent
    keeps_ratio: bool
    scale: float


class Inheritance:
    """Looks through the extends clauses of classes."""

    def __init__(self, reader: AnnotationReader) -> None:
        self._reader = reader

    def parts(self, environment: Environment, layer: LayerName) -> list[Part]:
        """What is drawn, from back to front: the base classes in their order, then the class itself."""
        found: list[Part] = []
        todo: list[tuple[Part, bool]] = [(Part(environment, UNCHANGED, shows_primitives=True), False)]
        seen = 0
        while todo:
            part, is_open = todo.pop()
            if is_open:
                found.append(part)
                continue
            seen += 1
            if seen > _MOST_PARTS:
                self._complain(environment, f"it inherits from more than {_MOST_PARTS} classes, so some are not drawn")
                continue
            todo.append((part, True))
            todo += [(base, False) for base in reversed(list(self._bases(part, layer)))]
        return found

    def _complain(self, environment: Environment, message: str) -> None:
        if environment.definition is not None:
            self._reader.complain(environment.definition, f"'{environment.full_name}': {message}")

    def _bases(self, part: Part, layer: LayerName) -> Iterator[Part]:
        for named, (extent, shows_primitives), clause in self._mapped_bases(part.environment, layer):
            base = named.environment
            if base is None:
                what = (
                    f"'{named.type}', which '{part.environment.full_name}' extends, is "
                    "not found or inherits from itself"
                )
                self._reader.complain(clause, what)
                continue
            shown = part.shows_primitives and shows_primitives
            if extent is None:
                yield Part(base, part.map, shown)
            elif extent.left < extent.right and extent.bottom < extent.top:
                system = self.system(base, layer)
                inner = Affine.mapping(system.extent, extent, keeps_ratio=system.keeps_ratio)
                yield Part(base, inner.then(part.map), shown)
            # A region without an area shows nothing at all.

    def _mapped_bases(self, environment: Environment, layer: LayerName) -> Iterator[tuple[Base, BaseMap, View]]:
        """The base classes in their order, with what the extends clauses say of this layer."""
        definition = environment.definition
        if definition is None:
            return
        clauses = _clauses(environment, definition)
        bases = environment.bases
        clauses = [definition] * (len(bases) - len(clauses)) + clauses  # `model extends M` has no clause for M
        for base, clause in zip(bases, clauses, strict=False):
            has_map = isinstance(clause, ExtendsClause) or isinstance(definition.specifier, ShortClassSpecifier)
            mapped = self._reader.base_map(getattr(clause, "annotation", None), layer) if has_map else BaseMap()
            yield base, mapped, clause

    def system(self, environment: Environment, layer: LayerName) -> System:
        """Each of its values is that of the class itself, or of the first base class that is not mapped to a region."""
        extent: Extent | None = None
        keeps_ratio: bool | None = None
        scale: float | None = None
        current: Environment | None = environment
        while current is not None and current.definition is not None:
            own = self._reader.layer(current.definition, layer)
            extent = own.extent if extent is None else extent
            keeps_ratio = own.keeps_ratio if keeps_ratio is None else keeps_ratio
            scale = own.scale if scale is None else scale
            if extent is not None and keeps_ratio is not None and scale is not None:
                break
            # The library ends chains that are endless: a class that inherits from itself has no such base.
            current = next(
                (
                    base.environment
                    for base, mapped, _ in self._mapped_bases(current, layer)
                    if base.environment is not None and base.environment.definition and mapped.extent is None
                ),
                None,
            )
        return System(
            _USUAL if extent is None else extent,
            True if keeps_ratio is None else keeps_ratio,
            _USUAL_SCALE if scale is None else scale,
        )


def _clauses(environment: Environment, definition: ClassDefinition | ShortClassDefinition) -> list[View]:
    if isinstance(definition.specifier, ShortClassSpecifier) or not isinstance(definition, ClassDefinition):
        return [definition]
    return list(environment.written.extends) if environment.written is not None else []


# ---------------------------------------------------------------- places
# Where components are, and the connectors of their icons.

_DIGITS: Final = 6  # of a coordinate; what is smaller is the noise of a rotation


class Place(NamedTuple):
    """A placement that is seen."""

    extent: Extent | None
    map: Affine  # of the extent into the picture


def place_in(reader: AnnotationReader, component: Member, *, in_icon: bool) -> Place | None:
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


class Seen(NamedTuple):
    """What is in the diagram of a class, beside the components that it declares itself."""

    connectors: tuple[Point | None, ...]
    inherited: dict[str, Extent]  # components, and what they cover


def seen_in(owner: ClassDefinition, names: Iterable[Sequence[str]], beside: ClassFiles | None) -> Seen:
    """Where the connectors of some names are in the diagram of a class, and the components that it inherits.

    A connector is in the middle of its placement. The parts of its name are those of one after `connect`: a component
    and a connector of its class, or a connector of the class itself; what follows lies inside of the connector. Classes
    are looked up in the file, and in those beside it. None for what is not found, or has no placement.
    """
    tree = owner.root
    assert isinstance(tree, StoredDefinition)
    environment = lookup_in(tree, beside).environment_at(Target(tree.file, owner.path))
    if environment is None:
        return Seen(tuple(None for _ in names), {})
    reader = AnnotationReader(lambda _view, _message: None)  # what is wrong is told by those who draw
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
            place = None if member is None else place_in(reader, member, in_icon=False)
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
    place = place_in(reader, component, in_icon=False)
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
    place = None if connector is None or connector.is_class else place_in(reader, connector, in_icon=True)
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
