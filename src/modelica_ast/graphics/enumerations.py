"""The enumerations of section 18.6.1.2. Their members are named as in Modelica; `None` is a word of Python: `None_`."""

from __future__ import annotations

from enum import Enum
from typing import Final


class GraphicEnumeration(Enum):
    """Base of them; `str()` gives the literal as Modelica writes it, `LinePattern.Dash`."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.value}"


class LinePattern(GraphicEnumeration):
    """How a line is drawn."""

    None_ = "None"
    Solid = "Solid"
    Dash = "Dash"
    Dot = "Dot"
    DashDot = "DashDot"
    DashDotDot = "DashDotDot"


class FillPattern(GraphicEnumeration):
    """How the inside of a shape is drawn."""

    None_ = "None"
    Solid = "Solid"
    Horizontal = "Horizontal"
    Vertical = "Vertical"
    Cross = "Cross"
    Forward = "Forward"
    Backward = "Backward"
    CrossDiag = "CrossDiag"
    HorizontalCylinder = "HorizontalCylinder"
    VerticalCylinder = "VerticalCylinder"
    Sphere = "Sphere"


class BorderPattern(GraphicEnumeration):
    """The frame of a rectangle."""

    None_ = "None"
    Raised = "Raised"
    Sunken = "Sunken"
    Engraved = "Engraved"


class Smooth(GraphicEnumeration):
    """Straight segments, or a spline."""

    None_ = "None"
    Bezier = "Bezier"


class EllipseClosure(GraphicEnumeration):
    """How the ends of an arc are joined."""

    None_ = "None"
    Chord = "Chord"
    Radial = "Radial"
    Automatic = "Automatic"


class Arrow(GraphicEnumeration):
    """The end of a line."""

    None_ = "None"
    Open = "Open"
    Filled = "Filled"
    Half = "Half"


class TextStyle(GraphicEnumeration):
    """Variations of a font."""

    Bold = "Bold"
    Italic = "Italic"
    UnderLine = "UnderLine"


class TextAlignment(GraphicEnumeration):
    """Where a text stands in its extent. `Automatic` is for the texts of connections only."""

    Left = "Left"
    Center = "Center"
    Right = "Right"
    Automatic = "Automatic"


ENUMERATIONS: Final[dict[str, type[GraphicEnumeration]]] = {
    cls.__name__: cls
    for cls in (LinePattern, FillPattern, BorderPattern, Smooth, EllipseClosure, Arrow, TextStyle, TextAlignment)
}
