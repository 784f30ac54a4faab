"""Texts on the canvas: as large as their extent allows, and never upside down or mirrored."""

from __future__ import annotations

import math
from typing import Final, NamedTuple
from xml.etree.ElementTree import SubElement

from modelica_ast.drawing.canvas import Canvas, clean
from modelica_ast.drawing.metrics import FONTS, LINE_HEIGHT, text_width
from modelica_ast.drawing.outlines import number
from modelica_ast.drawing.painting import hexadecimal
from modelica_ast.drawing.planes import Affine, Box, Xy
from modelica_ast.drawing.values import Plain
from modelica_ast.graphics import TextAlignment, TextStyle

_POINT: Final = 25.4 / 72  # millimetres of a point
_HALF_TURN: Final = 180.0
_READABLE: Final = 90.0  # letters that are turned farther than this stand on their heads
_BASE_LINE: Final = 0.36  # from the middle of a line's letters down to its base line, for a font size of 1
_USUAL_SIZE: Final = 4.0  # of a text in an extent without height
_NOISE: Final = 1e-6
_ANCHORS: Final = {TextAlignment.Left: "start", TextAlignment.Center: "middle", TextAlignment.Right: "end"}


class _Room(NamedTuple):
    """The extent of a text as it lies in the picture."""

    center: Xy
    width: float
    height: float
    angle: float  # in which the text runs

    @classmethod
    def of(cls, extent: Box, map_: Affine) -> _Room:
        # A mirror image has its letters from left to right too: only the direction of the line counts. Vertical
        # texts are read from below.
        angle = round(map_.angle, 6)
        if angle > _READABLE:
            angle -= _HALF_TURN
        elif angle <= -_READABLE:
            angle += _HALF_TURN
        width, height = extent.width * map_.x_length, extent.height * map_.y_length
        return cls(map_.at(extent.center), width, height, angle)


def draw_text(canvas: Canvas, text: Plain, string: str, map_: Affine) -> None:
    """A text; the string is what its macros have become."""
    lines = clean(string).split("\n")
    if text.extent is None or not any(line.strip() for line in lines):
        return
    room = _Room.of(Box.of(text.extent), map_)
    is_bold = TextStyle.Bold in text.textStyle
    widest = max(text_width(line, is_bold=is_bold) for line in lines)
    size = _font_size(float(text.fontSize), room, widest, len(lines))
    alignment = text.horizontalAlignment if text.horizontalAlignment in _ANCHORS else TextAlignment.Center
    shift = {TextAlignment.Left: -0.5, TextAlignment.Right: 0.5}.get(alignment, 0.0)
    cosine, sine = math.cos(math.radians(room.angle)), math.sin(math.radians(room.angle))
    x = room.center[0] + shift * room.width * cosine
    y = room.center[1] + shift * room.width * sine
    box = _box_around((x, y), -shift * widest * size, widest * size, size * LINE_HEIGHT * len(lines), room.angle)
    attributes = _attributes(text, size, _ANCHORS[alignment])
    if room.angle:
        attributes["transform"] = f"translate({number(x)} {number(-y)}) rotate({number(-room.angle)})"
        x = y = 0.0
    first = -y + size * (_BASE_LINE - LINE_HEIGHT * (len(lines) - 1) / 2)
    element = canvas.add("text", {"x": number(x), "y": number(first), **attributes}, box)
    if len(lines) == 1:
        element.text = lines[0]
    for place, line in enumerate(lines if len(lines) > 1 else ()):
        place_y = number(first + place * size * LINE_HEIGHT)
        SubElement(element, "tspan", {"x": number(x), "y": place_y}).text = line
    canvas.text("\n".join(lines), box)


def _font_size(points: float, room: _Room, widest: float, lines: int) -> float:
    if points > 0:
        return points * _POINT
    size = room.height / LINE_HEIGHT / lines if room.height > _NOISE else _USUAL_SIZE
    # An extent without width is for texts whose width nobody knows.
    return min(size, room.width / widest) if room.width > _NOISE and widest > 0 else size


def _box_around(anchor: Xy, offset: float, width: float, height: float, angle: float) -> Box:
    """The upright box around letters that are centred at an offset from their anchor, along an angle."""
    middle = Affine.turn(angle).then(Affine.shift(*anchor))
    flat = Box(offset - width / 2, -height / 2, offset + width / 2, height / 2)
    return Box.around(middle.all_at(flat.corners))


def _attributes(text: Plain, size: float, anchor: str) -> dict[str, str]:
    family = f"'{clean(text.fontName)}', {FONTS}" if text.fontName and "'" not in text.fontName else FONTS
    if text.fontName in ("serif", "sans-serif", "monospace"):
        family = text.fontName
    found = {
        "font-family": family,
        "font-size": number(size),
        "text-anchor": anchor,
        "fill": hexadecimal(text.textColor),
    }
    if TextStyle.Bold in text.textStyle:
        found["font-weight"] = "bold"
    if TextStyle.Italic in text.textStyle:
        found["font-style"] = "italic"
    if TextStyle.UnderLine in text.textStyle:
        found["text-decoration"] = "underline"
    return found
