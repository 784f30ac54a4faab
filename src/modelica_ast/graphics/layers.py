"""Where things are drawn: placements of components, coordinate systems, the icon and the diagram of a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Literal, Self, TypedDict, TypeVar

import attrs

from modelica_ast.graphics.geometry import ORIGIN, Extent, GraphicsError, Number, Point
from modelica_ast.graphics.items import GraphicItem, Item, OpaqueItem, item_from_json, read_item
from modelica_ast.graphics.records import (
    Given,
    GraphicRecord,
    as_boolean,
    as_extent,
    as_number_or_kept,
    as_point,
    as_spacing,
    given,
    mapping,
    shown,
)
from modelica_ast.tree import Arguments, Array, Call, Expression

# ruff: noqa: N815  (fields have the names of the specification)
# ruff: noqa: RUF009  (`given` makes a field, which is not a default that all share)


R = TypeVar("R", bound=GraphicRecord)

_QUARTER: Final = 90
WHOLE: Final = Extent(Point(-100, -100), Point(100, 100))


def _record(cls: type[R]) -> Callable[[Any], Given[R]]:
    """A record inside another: itself, `name(…)` as a modifier, `name=name(…)`, or JSON."""

    def converted(value: Any) -> Given[R]:
        match value:
            case None:
                return None
            case Arguments():
                return cls.from_expression(value)
            case Call(name=name) if name[:1].lower() + name[1:] in (cls.modelica_name, f"icon{cls.__name__}"):
                return cls.from_expression(value.arguments)
            case Expression():
                return value
            case Mapping():
                return cls.from_json(value)
            case _ if isinstance(value, cls):
                return value
            case _:
                raise GraphicsError(f"a {cls.modelica_name} is written with named fields, not as {shown(value)}")

    return converted


@attrs.frozen(eq=False, kw_only=True)
class Transformation(GraphicRecord):
    """Where a component is: its icon fills `extent`, is turned around `{0,0}`, and is moved to `origin`."""

    modelica_name: ClassVar[str] = "transformation"
    extent: Given[Extent] = given(as_extent)
    rotation: Given[Number] = given(as_number_or_kept, 0)
    origin: Given[Point] = given(as_point, ORIGIN)

    @property
    def box(self) -> Extent | None:
        """The smallest upright extent around the component in its diagram; None if that is not given by numbers."""
        full = self.with_defaults()
        if not isinstance(full.extent, Extent) or not isinstance(full.origin, Point):
            return None
        if not isinstance(full.rotation, int | float):
            return None
        return full.extent.rotated(full.rotation).moved(full.origin.x, full.origin.y)

    def moved(self, dx: Number, dy: Number) -> Self:
        """The same so far to the right and up: by its origin if it has one, else by its extent."""
        full = self.with_defaults()
        if self.box is None or not isinstance(full.origin, Point) or not isinstance(full.extent, Extent):
            raise GraphicsError(f"'{self}' can't be moved: it is not given by numbers")
        assert isinstance(full.rotation, int | float)  # or it had no box
        if self.origin is not None or full.rotation % _QUARTER:
            return attrs.evolve(self, origin=full.origin.moved(dx, dy))
        # The extent turns around {0,0}, so it moves in its own directions.
        step = Point(dx, dy).rotated(-full.rotation)
        return attrs.evolve(self, extent=full.extent.moved(step.x, step.y))


@attrs.frozen(eq=False, kw_only=True)
class Placement(GraphicRecord):
    """The placement of a component in the diagram, and of a connector in the icon too."""

    visible: Given[bool] = given(as_boolean, default=True)
    transformation: Given[Transformation] = given(_record(Transformation))
    iconVisible: Given[bool] = given(as_boolean)
    iconTransformation: Given[Transformation] = given(_record(Transformation))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read `{"transformation": {"extent": …}}`, or for short what its transformation has: `{"extent": …}`."""
        inside = {
            name: value for name, value in mapping(data, "Placement").items() if name in Transformation.field_names()
        }
        if not inside:
            return super().from_json(data)
        if "transformation" in data:
            raise GraphicsError(f"'{next(iter(inside))}' is beside 'transformation'; it belongs inside")
        rest = {name: value for name, value in data.items() if name not in inside}
        return super().from_json({**rest, "transformation": inside})

    def with_defaults(self) -> Self:
        """The same with the defaults of the specification; in the icon they are what holds in the diagram."""
        visible = True if self.visible is None else self.visible
        transformation = self.transformation
        if isinstance(transformation, Transformation):
            transformation = transformation.with_defaults()
        icon = self.iconTransformation
        if isinstance(icon, Transformation):
            icon = icon.with_defaults()
        return attrs.evolve(
            self,
            visible=visible,
            transformation=transformation,
            iconVisible=visible if self.iconVisible is None else self.iconVisible,
            iconTransformation=transformation if icon is None else icon,
        )


@attrs.frozen(eq=False, kw_only=True)
class CoordinateSystem(GraphicRecord):
    """The coordinates of a layer. A class without one has that of its first base class."""

    modelica_name: ClassVar[str] = "coordinateSystem"
    extent: Given[Extent] = given(as_extent, WHOLE)
    preserveAspectRatio: Given[bool] = given(as_boolean, default=True)
    initialScale: Given[Number] = given(as_number_or_kept, 0.1)
    grid: Given[tuple[Number, Number]] = given(as_spacing)


def _items(value: Any) -> Given[tuple[Item, ...]]:
    """A list of graphics; what is not a list (`DynamicSelect(…)`) stays an expression."""
    match value:
        case Array():
            return tuple(map(read_item, value.items))
        case None | Expression():
            return value
        case list() | tuple():
            return tuple(map(as_item, value))
        case _:
            raise GraphicsError(f"graphics are a list, not {shown(value)}")


def as_item(value: Any) -> Item:
    """An item itself, an expression, or the JSON form of an item."""
    if isinstance(value, GraphicItem | OpaqueItem):
        return value
    return read_item(value) if isinstance(value, Expression) else item_from_json(value)


@attrs.frozen(eq=False, kw_only=True)
class Layer(GraphicRecord):
    """What the icon and the diagram of a class have. Items are drawn in their order, the last on top."""

    coordinateSystem: Given[CoordinateSystem] = given(_record(CoordinateSystem))
    graphics: Given[tuple[Item, ...]] = given(_items, ())


@attrs.frozen(eq=False, kw_only=True)
class Icon(Layer):
    """The icon of a class: how its components look."""


@attrs.frozen(eq=False, kw_only=True)
class Diagram(Layer):
    """The diagram of a class: what is drawn behind its components and connections."""


LAYERS: Final[dict[str, type[Layer]]] = {"Icon": Icon, "Diagram": Diagram}

# ---------------------------------------------------------------- json forms
# The JSON forms of placements, lines and items, as types: what a patch may hold.
#
# A value is what the field takes, or `{"expression": "…"}`; so its type is Any here and its class checks it.


class TransformationJson(TypedDict, total=False):
    """`{"extent": [[-10, -10], [10, 10]], "rotation": 90}`."""

    extent: Any
    rotation: Any
    origin: Any
    others: list[str]


class PlacementJson(TransformationJson, total=False):
    """A placement; what its transformation has may be in it directly."""

    visible: Any
    transformation: TransformationJson
    iconVisible: Any
    iconTransformation: TransformationJson


class CoordinateSystemJson(TypedDict, total=False):
    """`{"extent": [[-100, -100], [100, 100]], "preserveAspectRatio": false}`."""

    extent: Any
    preserveAspectRatio: Any
    initialScale: Any
    grid: Any
    others: list[str]


class _ItemJson(TypedDict, total=False):
    visible: Any
    origin: Any
    rotation: Any
    others: list[str]


class LineJson(_ItemJson, total=False):
    """`{"points": [[0, 0], [10, 0]], "color": [0, 0, 255]}`."""

    kind: Literal["Line"]
    points: Any
    color: Any
    pattern: Any
    thickness: Any
    arrow: Any
    arrowSize: Any
    smooth: Any


class GraphicJson(_ItemJson, total=False):
    """An item of any kind, with all that one of them has; or `{"expression": "…"}`."""

    kind: Literal["Line", "Polygon", "Rectangle", "Ellipse", "Text", "Bitmap"]
    expression: str
    points: Any
    color: Any
    pattern: Any
    thickness: Any
    arrow: Any
    arrowSize: Any
    smooth: Any
    lineColor: Any
    fillColor: Any
    fillPattern: Any
    lineThickness: Any
    extent: Any
    borderPattern: Any
    radius: Any
    startAngle: Any
    endAngle: Any
    closure: Any
    textString: Any
    fontSize: Any
    fontName: Any
    textStyle: Any
    textColor: Any
    horizontalAlignment: Any
    fileName: Any
    imageSource: Any
