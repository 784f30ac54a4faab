"""Graphical annotations as values: placements, lines, icons, with the names of chapter 18.6 of the specification."""

from modelica_ast.graphics.enumerations import (
    Arrow,
    BorderPattern,
    EllipseClosure,
    FillPattern,
    LinePattern,
    Smooth,
    TextAlignment,
    TextStyle,
)
from modelica_ast.graphics.errors import GraphicsError
from modelica_ast.graphics.geometry import Color, Extent, Point
from modelica_ast.graphics.items import (
    Bitmap,
    Ellipse,
    FilledShape,
    GraphicItem,
    Line,
    OpaqueItem,
    Polygon,
    Rectangle,
    Text,
    item_from_json,
    read_item,
)
from modelica_ast.graphics.layers import CoordinateSystem, Diagram, Icon, Layer, Placement, Transformation
from modelica_ast.graphics.records import GraphicRecord

__all__ = [
    "Arrow",
    "Bitmap",
    "BorderPattern",
    "Color",
    "CoordinateSystem",
    "Diagram",
    "Ellipse",
    "EllipseClosure",
    "Extent",
    "FillPattern",
    "FilledShape",
    "GraphicItem",
    "GraphicRecord",
    "GraphicsError",
    "Icon",
    "Layer",
    "Line",
    "LinePattern",
    "OpaqueItem",
    "Placement",
    "Point",
    "Polygon",
    "Rectangle",
    "Smooth",
    "Text",
    "TextAlignment",
    "TextStyle",
    "Transformation",
    "item_from_json",
    "read_item",
]
