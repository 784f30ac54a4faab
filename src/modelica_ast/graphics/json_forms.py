"""The JSON forms of placements, lines and items, as types: what a patch may hold.

A value is what the field takes, or `{"expression": "…"}`; so its type is Any here and its class checks it.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class TransformationJson(TypedDict, total=False):
    """`{"extent": [[-10, -10], [10, 10]], "rotation": 90}`."""

    extent: Any
    rotation: Any
    origin: Any
    others: list[str]


class PlacementJson(TransformationJson, total=False):
    """A placement; what its transformation has may stand in it directly."""

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
