"""The icons and diagrams of classes as SVG, from their annotations."""

from modelica_ast.drawing.canvas import TextBox
from modelica_ast.drawing.components import DrawnComponent
from modelica_ast.drawing.connections import DrawnLine
from modelica_ast.drawing.drawing import Drawing, Layer, draw
from modelica_ast.drawing.planes import Box

__all__ = ["Box", "Drawing", "DrawnComponent", "DrawnLine", "Layer", "TextBox", "draw"]
