"""Graphical annotations as values: placements, lines, icons, with the names of chapter 18.6 of the specification.

Start with `records`: fields that are given or not, in Modelica, in Python and in JSON. `routes` finds ways for
lines, around what is there. `annotations` says what a class shows with all that it inherits, and where its components
and connectors are. Drawings of whole classes are in the room `drawing`, which is above libraries.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.graphics.annotations import (
        AnnotationReader as AnnotationReader,
        Inheritance as Inheritance,
        LayerName as LayerName,
        Part as Part,
        Place as Place,
        Plain as Plain,
        Written as Written,
        declarations as declarations,
        is_connector as is_connector,
        is_placed as is_placed,
        place_in as place_in,
        resolved as resolved,
        seen_in as seen_in,
        static_value as static_value,
    )
    from modelica_ast.graphics.geometry import (
        Arrow as Arrow,
        BorderPattern as BorderPattern,
        Color as Color,
        EllipseClosure as EllipseClosure,
        Extent as Extent,
        FillPattern as FillPattern,
        GraphicEnumeration as GraphicEnumeration,
        GraphicsError as GraphicsError,
        LinePattern as LinePattern,
        Number as Number,
        Point as Point,
        Smooth as Smooth,
        TextAlignment as TextAlignment,
        TextStyle as TextStyle,
        as_number as as_number,
        difference as difference,
        negative as negative,
    )
    from modelica_ast.graphics.items import (
        KINDS_OF_ITEMS as KINDS_OF_ITEMS,
        Bitmap as Bitmap,
        Ellipse as Ellipse,
        FilledShape as FilledShape,
        GraphicItem as GraphicItem,
        Item as Item,
        Line as Line,
        OpaqueItem as OpaqueItem,
        Polygon as Polygon,
        Rectangle as Rectangle,
        Text as Text,
        item_from_json as item_from_json,
        read_item as read_item,
    )
    from modelica_ast.graphics.layers import (
        LAYERS as LAYERS,
        CoordinateSystem as CoordinateSystem,
        CoordinateSystemJson as CoordinateSystemJson,
        Diagram as Diagram,
        GraphicJson as GraphicJson,
        Icon as Icon,
        Layer as Layer,
        LineJson as LineJson,
        Placement as Placement,
        PlacementJson as PlacementJson,
        Transformation as Transformation,
        as_item as as_item,
    )
    from modelica_ast.graphics.planes import UNCHANGED as UNCHANGED, Affine as Affine, Box as Box, Xy as Xy
    from modelica_ast.graphics.records import GraphicRecord as GraphicRecord, text_of as text_of
    from modelica_ast.graphics.routes import Stop as Stop, follow as follow, moved as moved, routed as routed

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

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "annotations": (
                "AnnotationReader Inheritance LayerName Part Place Plain Written declarations is_connector is_placed "
                "place_in resolved seen_in static_value"
            ),
            "geometry": (
                "Arrow BorderPattern Color EllipseClosure Extent FillPattern GraphicEnumeration "
                "GraphicsError LinePattern Number Point Smooth TextAlignment TextStyle as_number "
                "difference negative"
            ),
            "items": (
                "Bitmap Ellipse FilledShape GraphicItem Item KINDS_OF_ITEMS Line OpaqueItem Polygon "
                "Rectangle Text item_from_json read_item"
            ),
            "layers": (
                "CoordinateSystem CoordinateSystemJson Diagram GraphicJson Icon LAYERS Layer "
                "LineJson Placement PlacementJson Transformation as_item"
            ),
            "planes": "Affine Box UNCHANGED Xy",
            "records": "GraphicRecord text_of",
            "routes": "Stop follow moved routed",
        },
    )
