"""The graphics of a class on the canvas: each item as it is in one use of the class."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from modelica_ast.drawing.canvas import Canvas, Outline, ellipse, number, placed, polyline, rectangle, spline, stroke
from modelica_ast.drawing.image_formats import image_format
from modelica_ast.drawing.texts import Subject, draw_text, filled_in
from modelica_ast.graphics import (
    Affine,
    AnnotationReader,
    Arrow,
    Bitmap,
    BorderPattern,
    Box,
    Color,
    Ellipse,
    EllipseClosure,
    FillPattern,
    Inheritance,
    LayerName,
    Line,
    LinePattern,
    Part,
    Plain,
    Point,
    Polygon,
    Rectangle,
    Smooth,
    Text,
    Written,
    Xy,
    resolved,
)
from modelica_ast.library import Libraries, Problem, linked_files
from modelica_ast.semantics import Environment, file_of
from modelica_ast.tree import View

# ---------------------------------------------------------------- shapes
# Lines, polygons, rectangles and ellipses on the canvas.

_LONGEST_ARROW: Final = 1 / 3  # of the line's last stretch, so that short lines keep a visible shaft
_SLENDER: Final = 1.5  # the length of an arrow by its width
_FRAME: Final = 0.75  # the thickness of raised and sunken frames
_LIGHT: Final = Color(255, 255, 255)
_DARK: Final = Color(128, 128, 128)


def draw_line(canvas: Canvas, line: Plain, map_: Affine) -> tuple[Xy, ...]:
    """A line with its arrows; its points as they are drawn."""
    points = map_.all_at(_points(line.points))
    style = stroke(line.color, line.pattern, line.thickness)
    is_smooth = line.smooth is Smooth.Bezier
    canvas.path(spline(points) if is_smooth else polyline(points), {"fill": "none", **style})
    arrows = line.arrow
    for arrow, way in zip(arrows, (points[::-1], points), strict=False):
        _draw_arrow(canvas, arrow, way, line.arrowSize, style)
    return points


def _draw_arrow(canvas: Canvas, arrow: Arrow, way: Sequence[Xy], size: float, style: dict[str, str]) -> None:
    """The arrow at the end of a way, in the direction of its last stretch."""
    stretch = next(((a, way[-1]) for a in reversed(way[:-1]) if a != way[-1]), None)
    if arrow is Arrow.None_ or stretch is None or style["stroke"] == "none":
        return
    (from_x, from_y), (tip_x, tip_y) = stretch
    distance = math.dist(*stretch)
    length = min(abs(float(size)) * _SLENDER, distance * _LONGEST_ARROW)
    half = length / _SLENDER / 2
    along_x, along_y = (tip_x - from_x) / distance, (tip_y - from_y) / distance
    foot = tip_x - length * along_x, tip_y - length * along_y
    left = foot[0] - half * along_y, foot[1] + half * along_x
    right = foot[0] + half * along_y, foot[1] - half * along_x
    plain = {key: value for key, value in style.items() if key != "stroke-dasharray"}
    tip = (tip_x, tip_y)
    if arrow is Arrow.Filled:
        canvas.path(polyline([left, tip, right], is_closed=True), {"fill": style["stroke"], **plain})
    else:
        ends = [left, tip, right] if arrow is Arrow.Open else [left, tip]
        canvas.path(polyline(ends), {"fill": "none", **plain})


def draw_shape(canvas: Canvas, shape: Plain, map_: Affine) -> None:
    """A shape with its inside."""
    outline = _outline(shape)
    attributes = stroke(shape.lineColor, shape.pattern, shape.lineThickness)
    is_open = isinstance(shape, Ellipse) and shape.closure is EllipseClosure.None_
    fill = "none" if is_open else _fill(canvas, shape, map_)
    if fill == "none" and attributes["stroke"] == "none":
        # Nothing is seen of it, but it takes part in the size of the picture.
        attributes = {"stroke": "none"}
    canvas.path(placed(outline, map_), {"fill": fill, **attributes})
    if isinstance(shape, Rectangle) and shape.borderPattern is not BorderPattern.None_:
        for frame, color in _frame(shape):
            style = stroke(color, LinePattern.Solid, _FRAME)
            canvas.path(placed(frame, map_), {"fill": "none", **style})


def _outline(shape: Plain) -> Outline:
    if isinstance(shape, Polygon):
        points = _points(shape.points)
        return (spline if shape.smooth is Smooth.Bezier else polyline)(points, is_closed=True)
    if shape.extent is None:
        return ()
    box = Box.of(shape.extent)
    radius = getattr(shape, "radius", None)
    if radius is not None:  # of a rectangle
        return rectangle(box, float(radius))
    start, end = float(shape.startAngle), float(shape.endAngle)
    return ellipse(box, start, end, str(shape.closure.value))


def _fill(canvas: Canvas, shape: Plain, map_: Affine) -> str:
    pattern: FillPattern = shape.fillPattern
    return canvas.paints.fill(pattern, shape.fillColor, shape.lineColor, map_)


def _frame(shape: Plain) -> Iterator[tuple[Outline, Color]]:
    """The edges of a frame as lines inside the extent: light from above on the left for a raised one."""
    if shape.extent is None:
        return
    inner = Box.of(shape.extent).grown(-_FRAME / 2)
    left_bottom, right_bottom, right_top, left_top = inner.corners
    upper, lower = polyline([left_bottom, left_top, right_top]), polyline([left_bottom, right_bottom, right_top])
    if shape.borderPattern is BorderPattern.Raised:
        yield from ((upper, _LIGHT), (lower, _DARK))
    elif shape.borderPattern is BorderPattern.Sunken:
        yield from ((upper, _DARK), (lower, _LIGHT))
    else:  # engraved: a groove, dark outside and light inside
        yield rectangle(inner), _DARK
        yield rectangle(inner.grown(-_FRAME)), _LIGHT


def crossed_box(canvas: Canvas, box: Box, map_: Affine, color: Color) -> None:
    """What stands for something that is missing."""
    left_bottom, right_bottom, right_top, left_top = box.corners
    outline = (
        *rectangle(box),
        *polyline([left_bottom, right_top]),
        *polyline([left_top, right_bottom]),
    )
    style = {"fill": "none", **stroke(color, LinePattern.Dash, 0.25)}
    canvas.path(placed(outline, map_), style)


def plain_box(canvas: Canvas, box: Box, map_: Affine, color: Color, pattern: LinePattern) -> None:
    """The outline of something that has no picture of its own."""
    canvas.path(placed(rectangle(box), map_), {"fill": "none", **stroke(color, pattern, 0.25)})


def _points(points: Any) -> list[Xy]:
    found: Sequence[Point] = points or ()
    return [(float(point.x), float(point.y)) for point in found]


# ---------------------------------------------------------------- bitmaps
# Images on the canvas. They are put into the drawing, so that it is one file and opens anywhere.

_LARGEST: Final = 20_000_000  # bytes of an image
_SHOWN: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/bmp", "image/svg+xml"})  # by every browser


class NoImageError(Exception):
    """Why there is nothing to draw."""


def draw_bitmap(canvas: Canvas, bitmap: Plain, data: bytes, map_: Affine) -> None:
    """An image in the middle of its extent, as large as it fits; NoImageError if the data is not an image."""
    box = Box.of(bitmap.extent)
    flip_x = -1.0 if bitmap.extent.second.x < bitmap.extent.first.x else 1.0
    flip_y = -1.0 if bitmap.extent.second.y < bitmap.extent.first.y else 1.0
    # In an image y points downwards, as in SVG: from there to Modelica's axes, and back at the end.
    center = Affine.shift(*box.center)
    whole = Affine(flip_x, 0.0, 0.0, -flip_y).then(center).then(map_).then(Affine(d=-1.0))
    attributes = {
        "x": number(-box.width / 2),
        "y": number(-box.height / 2),
        "width": number(box.width),
        "height": number(box.height),
        "transform": f"matrix({' '.join(f'{value:.6g}' for value in whole)})",
        "href": f"data:{_kind(data)};base64,{base64.b64encode(data).decode()}",
    }
    canvas.add("image", attributes, Box.around(map_.all_at(box.corners)))


def image_data(bitmap: Plain, near: Path, libraries: Libraries) -> bytes:
    """The bytes of an image; NoImageError says why there are none."""
    if bitmap.imageSource:
        try:
            return base64.b64decode("".join(bitmap.imageSource.split()), validate=True)
        except (binascii.Error, ValueError):
            raise NoImageError("its imageSource is not Base64") from None
    if not bitmap.fileName:
        raise NoImageError("it has neither a fileName nor an imageSource")
    path = _path(bitmap.fileName, near, libraries)
    try:
        path = path.resolve()
        is_own = any(path.is_relative_to(folder) for folder in _folders(near, libraries))
        data = libraries.disk.read(path, limit=_LARGEST) if is_own else b""
    except (OSError, ValueError, RuntimeError) as error:  # a NUL in the name; a link that leads back to itself
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        reason = f"it {reason}" if reason.startswith(("is ", "has ")) else reason.lower()
        raise NoImageError(f"'{bitmap.fileName}' can't be read: {reason}") from None
    if not is_own:
        raise NoImageError(f"'{bitmap.fileName}' is outside the folder of its library")
    return data


def _folders(near: Path, libraries: Libraries) -> Iterator[Path]:
    """Where images may be: a file that somebody else wrote must not put just any file of the disk into a drawing.

    These are the folders of the open libraries, and that of a file that belongs to none. Where links lead to is what
    counts.
    """
    for library in libraries:
        folder = library.root.folder
        yield library.root.path.resolve().parent if folder is None else folder.resolve()
    if not any(near.is_relative_to(library.root.folder or library.root.path) for library in libraries):
        yield near.resolve().parent


def _path(name: str, near: Path, libraries: Libraries) -> Path:
    if name.lower().startswith("modelica://"):
        found = next(iter(linked_files(libraries, name)), None)
        if found is None:
            raise NoImageError(f"'{name}' leads into a library that is not open")
        return found
    if name.lower().startswith("file:"):
        return Path(unquote(urlsplit(name).path))
    return near.parent / name


def _kind(data: bytes) -> str:
    """The media type by what the data starts with, so that nothing but images gets into a drawing."""
    kind = image_format(data, len(data))
    if kind is None or kind not in _SHOWN:
        raise NoImageError("it is not a PNG, JPEG, GIF, BMP or SVG image")
    return kind


# ---------------------------------------------------------------- items

MISSING = Color(200, 0, 0)


class Painter:
    """Draws items, and reports those that it can't."""

    def __init__(self, libraries: Libraries, canvas: Canvas) -> None:
        self.libraries = libraries
        self.canvas = canvas
        self.reader = AnnotationReader(
            lambda view, message: canvas.report(Problem(file_of(view), view.position.line, message))
        )
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
            if name != "visible":  # then it is shown, because it may be there
                what = f"{type(found.record).__name__}.{name}"
                self.reader.complain(written.view, f"the value of {what} is not known here, so it is drawn without it")
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
