"""The icons and diagrams of classes as SVG, from their annotations.

Start with `picture.draw`. It is above `library`, because it puts bitmaps of a library into the picture and says what
is wrong with its files; what annotations say is known to `graphics`.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.drawing.canvas import TextBox as TextBox
    from modelica_ast.drawing.components import DrawnComponent as DrawnComponent, DrawnLine as DrawnLine
    from modelica_ast.drawing.image_formats import image_format as image_format
    from modelica_ast.drawing.picture import Drawing as Drawing, Layer as Layer, draw as draw
    from modelica_ast.graphics import Box as Box

__all__ = ["Box", "Drawing", "DrawnComponent", "DrawnLine", "Layer", "TextBox", "draw", "image_format"]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "canvas": "TextBox",
            "components": "DrawnComponent DrawnLine",
            "image_formats": "image_format",
            "picture": "Drawing Layer draw",
            "modelica_ast.graphics": "Box",
        },
    )
