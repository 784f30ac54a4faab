"""The icons and diagrams of classes as SVG, from their annotations."""

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from modelica_ast.drawing.canvas import TextBox
    from modelica_ast.drawing.components import DrawnComponent
    from modelica_ast.drawing.connections import DrawnLine
    from modelica_ast.drawing.drawing import Drawing, Layer, draw
    from modelica_ast.drawing.image_formats import image_format
    from modelica_ast.drawing.planes import Box

__all__ = ["Box", "Drawing", "DrawnComponent", "DrawnLine", "Layer", "TextBox", "draw", "image_format"]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    # PERF: who only asks what an image is does not pay for all that draws, a third of a second.
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "canvas": "TextBox",
            "components": "DrawnComponent",
            "connections": "DrawnLine",
            "drawing": "Drawing Layer draw",
            "image_formats": "image_format",
            "planes": "Box",
        },
    )
