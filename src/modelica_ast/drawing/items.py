"""The graphics of a class on the canvas: each item as it is in one use of the class."""

from __future__ import annotations

from modelica_ast.drawing.bitmaps import NoImageError, draw_bitmap, image_data
from modelica_ast.drawing.canvas import Canvas
from modelica_ast.drawing.inheriting import Inheritance, Part
from modelica_ast.drawing.macros import Subject, filled_in
from modelica_ast.drawing.planes import Affine, Box
from modelica_ast.drawing.reading import AnnotationReader, LayerName, Written
from modelica_ast.drawing.shapes import crossed_box, draw_line, draw_shape
from modelica_ast.drawing.texts import draw_text
from modelica_ast.drawing.values import Plain, resolved
from modelica_ast.graphics import Bitmap, Color, Line, Text
from modelica_ast.library.libraries import Libraries
from modelica_ast.semantics.definitions import file_of
from modelica_ast.semantics.environments import Environment
from modelica_ast.views.base import View

MISSING = Color(200, 0, 0)


class Painter:
    """Draws items, and reports those that it can't."""

    def __init__(self, libraries: Libraries, canvas: Canvas) -> None:
        self.libraries = libraries
        self.canvas = canvas
        self.reader = AnnotationReader(canvas.report)
        self.inheritance = Inheritance(self.reader)

    def draw_parts(self, parts: list[Part], layer: LayerName, map_: Affine, subject: Subject) -> int:
        """The graphics of a class and of those that it inherits from; how many there are, seen or not."""
        count = 0
        for part in parts:
            definition = part.environment.definition
            if definition is None or not part.shows_primitives:
                continue
            items = self.reader.layer(definition, layer).items
            count += len(items)
            for item in items:
                self.draw_item(item, part.environment, part.map.then(map_), subject)
        return count

    def draw_item(self, written: Written, scope: Environment, map_: Affine, subject: Subject) -> None:
        """One item, if it is visible."""
        item = self.plain(written, scope)
        if item.visible is False:
            return
        map_ = item_map(item).then(map_)
        if isinstance(item, Line):
            draw_line(self.canvas, item, map_)
        elif isinstance(item, Text):
            draw_text(self.canvas, item, self._string(item, written.view, subject), map_)
        elif isinstance(item, Bitmap):
            self._draw_bitmap(item, written.view, map_)
        else:
            draw_shape(self.canvas, item, map_)

    def plain(self, written: Written, scope: Environment) -> Plain:
        """A record with values only; those that nobody knows are reported."""
        if not written.has_expressions:
            return written.record
        found = resolved(written.record, scope)
        for name in found.unknown:
            if name != "visible":  # then it is shown, for it may be there
                what = f"{type(found.record).__name__}.{name}"
                self.reader.complain(written.view, f"the value of {what} is not known here; it is drawn without")
        return found.record

    def _string(self, text: Plain, view: View, subject: Subject) -> str:
        def complain(name: str) -> None:
            self.reader.complain(view, f"a text of '{subject.class_name}' names '{name}', which it does not have")

        return filled_in(text.textString or "", subject, complain)

    def _draw_bitmap(self, bitmap: Plain, view: View, map_: Affine) -> None:
        if bitmap.extent is None:
            return
        try:
            draw_bitmap(self.canvas, bitmap, image_data(bitmap, file_of(view), self.libraries), map_)
        except NoImageError as error:
            self.reader.complain(view, f"an image is not drawn: {error}")
            crossed_box(self.canvas, Box.of(bitmap.extent), map_, MISSING)


def item_map(item: Plain) -> Affine:
    """Where an item's own rotation and origin put it in its layer."""
    return Affine.turn(float(item.rotation)).then(Affine.shift(float(item.origin.x), float(item.origin.y)))
