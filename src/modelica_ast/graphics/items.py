"""What is drawn: lines, polygons, rectangles, ellipses, texts and bitmaps (section 18.6.5)."""

# ruff: noqa: N815  (fields have the names of the specification)
# ruff: noqa: RUF009  (`given` makes a field, which is not a default that all share)

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from modelica_ast.graphics.geometry import (
    BLACK,
    ORIGIN,
    Arrow,
    BorderPattern,
    Color,
    EllipseClosure,
    Extent,
    FillPattern,
    GraphicsError,
    LinePattern,
    Number,
    Point,
    Smooth,
    TextAlignment,
    TextStyle,
)
from modelica_ast.graphics.records import (
    Given,
    GraphicRecord,
    GraphicValue,
    Points,
    as_boolean,
    as_color,
    as_extent,
    as_literal_of,
    as_literals_of,
    as_number_or_kept,
    as_point,
    as_points,
    as_string,
    given,
    written,
)
from modelica_ast.syntax import Green, tokens
from modelica_ast.tree import Call, CallArguments, Expression, NamedArgument, View, parse_expression, view_of_fragment

_BOTH_ENDS: Final = 2
_WRITTEN_FIRST: Final = ("visible", "origin", "rotation", "extent", "points", "textString")


@attrs.frozen(eq=False, kw_only=True)
class GraphicItem(GraphicRecord):
    """What all items have. Everything is relative to `origin`, and turned around it."""

    visible: Given[bool] = given(as_boolean, default=True)
    origin: Given[Point] = given(as_point, ORIGIN)
    rotation: Given[Number] = given(as_number_or_kept, 0)

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """The fields in the order in which the Standard Library writes them: where, what, then how."""
        names = super().field_names()
        return (*(name for name in _WRITTEN_FIRST if name in names), *(n for n in names if n not in _WRITTEN_FIRST))

    def to_expression(self) -> Expression:
        """As an item of a list of graphics."""
        return written(self.to_text(), parse_expression)

    def to_json(self) -> dict[str, Any]:
        """The form that `item_from_json` reads: its kind, and what is given."""
        return {"kind": self.modelica_name, **super().to_json()}


@attrs.frozen(eq=False, kw_only=True)
class FilledShape(GraphicItem):
    """What all shapes with an inside have."""

    lineColor: Given[Color] = given(as_color, BLACK)
    fillColor: Given[Color] = given(as_color, BLACK)
    pattern: Given[LinePattern] = given(as_literal_of(LinePattern), LinePattern.Solid)
    fillPattern: Given[FillPattern] = given(as_literal_of(FillPattern), FillPattern.None_)
    lineThickness: Given[Number] = given(as_number_or_kept, 0.25)


@attrs.frozen(eq=False, kw_only=True)
class Line(GraphicItem):
    """A line through points; also the line of a connection."""

    points: Given[Points] = given(as_points)
    color: Given[Color] = given(as_color, BLACK)
    pattern: Given[LinePattern] = given(as_literal_of(LinePattern), LinePattern.Solid)
    thickness: Given[Number] = given(as_number_or_kept, 0.25)
    arrow: Given[tuple[Arrow, ...]] = given(as_literals_of(Arrow, _BOTH_ENDS), (Arrow.None_, Arrow.None_))
    arrowSize: Given[Number] = given(as_number_or_kept, 3)
    smooth: Given[Smooth] = given(as_literal_of(Smooth), Smooth.None_)


@attrs.frozen(eq=False, kw_only=True)
class Polygon(FilledShape):
    """A closed line and its inside."""

    points: Given[Points] = given(as_points)
    smooth: Given[Smooth] = given(as_literal_of(Smooth), Smooth.None_)


@attrs.frozen(eq=False, kw_only=True)
class Rectangle(FilledShape):
    """A rectangle, its corners perhaps round."""

    extent: Given[Extent] = given(as_extent)
    borderPattern: Given[BorderPattern] = given(as_literal_of(BorderPattern), BorderPattern.None_)
    radius: Given[Number] = given(as_number_or_kept, 0)


@attrs.frozen(eq=False, kw_only=True)
class Ellipse(FilledShape):
    """An ellipse, or a part of one."""

    extent: Given[Extent] = given(as_extent)
    startAngle: Given[Number] = given(as_number_or_kept, 0)
    endAngle: Given[Number] = given(as_number_or_kept, 360)
    closure: Given[EllipseClosure] = given(as_literal_of(EllipseClosure), EllipseClosure.Automatic)


@attrs.frozen(eq=False, kw_only=True)
class Text(FilledShape):
    """A text in an extent. Up to version 3.3 of the specification it was a filled shape, and files still say so."""

    extent: Given[Extent] = given(as_extent)
    textString: Given[str] = given(as_string)
    fontSize: Given[Number] = given(as_number_or_kept, 0)
    fontName: Given[str] = given(as_string, "")
    textStyle: Given[tuple[TextStyle, ...]] = given(as_literals_of(TextStyle), ())
    textColor: Given[Color] = given(as_color, BLACK)
    horizontalAlignment: Given[TextAlignment] = given(as_literal_of(TextAlignment), TextAlignment.Center)


@attrs.frozen(eq=False, kw_only=True)
class Bitmap(GraphicItem):
    """An image from a file, or in Base64."""

    extent: Given[Extent] = given(as_extent)
    fileName: Given[str] = given(as_string)
    imageSource: Given[str] = given(as_string)


@attrs.frozen(eq=False)
class OpaqueItem(GraphicValue):
    """Something in a list of graphics that is not one of ours: `DynamicSelect(…)`, a vendor's. It stays as it is."""

    expression: Expression

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpaqueItem):
            return NotImplemented
        return tokens(self.expression.green) == tokens(other.expression.green)

    def __hash__(self) -> int:
        return hash(tuple(tokens(self.expression.green)))

    def to_text(self) -> str:
        """As it is."""
        return self.expression.text

    def to_expression(self) -> Expression:
        """The expression."""
        return self.expression

    def to_json(self) -> dict[str, Any]:
        """The form that `item_from_json` reads."""
        return {"expression": self.expression.text}


Item = GraphicItem | OpaqueItem

KINDS_OF_ITEMS: Final[dict[str, type[GraphicItem]]] = {
    cls.modelica_name: cls for cls in (Line, Polygon, Rectangle, Ellipse, Text, Bitmap)
}


def read_item(source: View | Green) -> Item:
    """One item of a list of graphics: typed if it is one of the specification's, with named arguments."""
    view = source if isinstance(source, View) else view_of_fragment(source, "expression")
    if not isinstance(view, Expression):
        raise GraphicsError(f"'{view.text}' is not an expression")
    cls = KINDS_OF_ITEMS.get(view.name) if isinstance(view, Call) else None
    if cls is None or not isinstance(view, Call) or not isinstance(view.arguments, CallArguments):
        return OpaqueItem(view)
    named = all(isinstance(argument, NamedArgument) for argument in view.arguments.items)
    return cls.from_expression(view) if named else OpaqueItem(view)


def item_from_json(data: Mapping[str, Any]) -> Item:
    """One item by its kind: `{"kind": "Line", "points": [[0, 0], [10, 0]]}`."""
    match data:
        case {"expression": str(text)} if len(data) == 1:
            return OpaqueItem(written(text, parse_expression))
        case {"kind": str(kind)} if kind in KINDS_OF_ITEMS:
            return KINDS_OF_ITEMS[kind].from_json(data)
        case _:
            raise GraphicsError(f"{data!r} is not a graphic: its 'kind' is one of {', '.join(KINDS_OF_ITEMS)}")
