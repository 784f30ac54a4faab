"""Graphical annotations as the files have them, read once for each class; what can't be read is a problem."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, NamedTuple, TypeVar

import attrs

from modelica_ast.drawing.planes import UNCHANGED, Affine
from modelica_ast.foundation import ModelicaError
from modelica_ast.graphics import (
    Arrow,
    BorderPattern,
    CoordinateSystem,
    EllipseClosure,
    Extent,
    FillPattern,
    GraphicItem,
    GraphicRecord,
    GraphicsError,
    LinePattern,
    Placement,
    Point,
    Smooth,
    Text,
    TextAlignment,
    TextStyle,
    Transformation,
    read_item,
)
from modelica_ast.library import Problem
from modelica_ast.semantics import Base, Environment, Evaluation, Target, file_of, place_of
from modelica_ast.tree import (
    Annotation,
    Arguments,
    Array,
    Call,
    CallArguments,
    ClassDefinition,
    ComponentReference,
    ElementModification,
    Expression,
    ExtendsClause,
    IfExpression,
    Parenthesized,
    ShortClassDefinition,
    ShortClassSpecifier,
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

    def __init__(self, report: Callable[[Problem], None]) -> None:
        self._report = report
        self._layers: dict[tuple[Target, LayerName], LayerText] = {}
        self._placements: dict[str, Written | None] = {}

    def complain(self, view: View, message: str) -> None:
        """Report something at the place of a view."""
        self._report(Problem(file_of(view), view.position.line, message))

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
