"""Texts on the canvas: as large as their extent allows, and never upside down or mirrored."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import SubElement

from modelica_ast.drawing.canvas import Canvas, clean, hexadecimal, number
from modelica_ast.foundation import split_name
from modelica_ast.graphics import Affine, Box, Plain, TextAlignment, TextStyle, Xy
from modelica_ast.semantics import ComponentInstance, Node
from modelica_ast.tree import Expression, Reference

# ---------------------------------------------------------------- metrics
# How wide texts are: by the widths of Helvetica, which Arial and Liberation Sans share.
#
# Nobody knows which fonts the reader of a drawing has, and a drawing should be the same on every machine. So no font
# file is opened, and drawings name these fonts first.

FONTS: Final = "Arial, Helvetica, 'Liberation Sans', sans-serif"
LINE_HEIGHT: Final = 1.2  # from line to line, for a font size of 1

_WIDTHS: Final = {
    0.222: "ijl",
    0.191: "'",
    0.26: "|",
    0.278: " !,./:;I[\\]ft",
    0.333: "()-`r",
    0.334: "{}",
    0.355: '"',
    0.389: "*",
    0.4: "°",
    0.469: "^",
    0.5: "Jckvsxyz",
    0.556: "#$?0123456789L_abdeghnopqu",
    0.584: "+<=>~×±",
    0.611: "FTZ",
    0.667: "&ABEKPSVXY",
    0.722: "CDHNRUw",
    0.778: "GOQ",
    0.833: "Mm",
    0.889: "%",
    0.944: "W",
    1.015: "@",
}
_OF_LETTER: Final = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_USUAL: Final = 0.6
_WIDE: Final = 1.0  # Chinese, Japanese, Korean
_BOLD: Final = 1.07  # how much wider bold letters are, at most


def text_width(text: str, *, is_bold: bool = False) -> float:
    """The width of one line of text, for a font size of 1."""
    width = sum(_OF_LETTER.get(letter) or _other(letter) for letter in text)
    return width * _BOLD if is_bold else width


def _other(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _USUAL


# ---------------------------------------------------------------- texts

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


# ---------------------------------------------------------------- quantities
# Values of parameters as people read them: in the unit to display, with the signs of the SI brochure.

_DIGITS: Final = 6
_LONGEST: Final = 40  # letters of a value in an icon
_MOST_ITEMS: Final = 12  # of an array
_DEEPEST: Final = 4
_SMALLEST, _LARGEST = 1e-4, 1e6  # numbers that are written without a power of ten
_SUPERSCRIPTS: Final = str.maketrans("0123456789-+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
_EXPONENT: Final = re.compile(r"(?<=[A-Za-zΩ°%)])([-+]?\d+)")
_SIGNS: Final = {"Ohm": "Ω", "deg": "°", "degC": "°C", "degF": "°F", "degK": "K", "1": "", "rev/min": "r/min"}
_PART: Final = re.compile(r"[A-Za-z]+")

# (unit, unit to display) -> what a value is multiplied by, and then added.
_DISPLAYED: Final = {
    ("rad", "deg"): (180 / math.pi, 0.0),
    ("rad/s", "deg/s"): (180 / math.pi, 0.0),
    ("rad/s", "rpm"): (30 / math.pi, 0.0),
    ("rad/s", "rev/min"): (30 / math.pi, 0.0),
    ("rad/s", "1/min"): (30 / math.pi, 0.0),
    ("rad/s", "Hz"): (1 / (2 * math.pi), 0.0),
    ("rad/s2", "deg/s2"): (180 / math.pi, 0.0),
    ("K", "degC"): (1.0, -273.15),
    ("Pa", "bar"): (1e-5, 0.0),
    ("Pa", "kPa"): (1e-3, 0.0),
    ("Pa", "MPa"): (1e-6, 0.0),
    ("m", "mm"): (1e3, 0.0),
    ("m", "cm"): (1e2, 0.0),
    ("m", "km"): (1e-3, 0.0),
    ("m2", "cm2"): (1e4, 0.0),
    ("m2", "mm2"): (1e6, 0.0),
    ("m3", "l"): (1e3, 0.0),
    ("m3", "ml"): (1e6, 0.0),
    ("m/s", "km/h"): (3.6, 0.0),
    ("m3/s", "l/min"): (6e4, 0.0),
    ("kg", "g"): (1e3, 0.0),
    ("kg", "t"): (1e-3, 0.0),
    ("kg/m3", "g/cm3"): (1e-3, 0.0),
    ("s", "ms"): (1e3, 0.0),
    ("s", "min"): (1 / 60, 0.0),
    ("s", "h"): (1 / 3600, 0.0),
    ("s", "d"): (1 / 86400, 0.0),
    ("W", "kW"): (1e-3, 0.0),
    ("W", "MW"): (1e-6, 0.0),
    ("J", "kJ"): (1e-3, 0.0),
    ("J", "MJ"): (1e-6, 0.0),
    ("J", "kWh"): (1 / 3.6e6, 0.0),
    ("N", "kN"): (1e-3, 0.0),
    ("A", "mA"): (1e3, 0.0),
    ("F", "uF"): (1e6, 0.0),
    ("H", "mH"): (1e3, 0.0),
    ("Ohm", "kOhm"): (1e-3, 0.0),
    ("1", "%"): (1e2, 0.0),
}


def shown_value(value: Any, unit: str = "", display_unit: str = "") -> str:
    """`0.5 kg·m²`, `90°`, `Periodic`, `{0, 0, 1}`."""
    text = _shown(value, (1.0, 0.0), 0)
    if _is_quantity(value):
        known = _DISPLAYED.get((unit, display_unit))
        if known is not None:
            text, unit = _shown(value, known, 0), display_unit
        sign = shown_unit(unit)
        text += sign if sign == "°" else f" {sign}" if sign else ""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _is_quantity(value: Any) -> bool:
    while isinstance(value, list):
        value = value[0] if value else None
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: Any, conversion: tuple[float, float], depth: int) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            factor, summand = conversion
            return shown_number(value if conversion == (1.0, 0.0) else value * factor + summand)
        case Reference():
            return value.name.rpartition(".")[2]
        case list() if depth < _DEEPEST:
            items = [_shown(item, conversion, depth + 1) for item in value[:_MOST_ITEMS]]
            return "{" + ", ".join([*items, *(["…"] if len(value) > _MOST_ITEMS else [])]) + "}"
        case _:
            return str(value)


def shown_number(value: float) -> str:
    """A number with six digits at most; a very large or small one with a power of ten."""
    if not math.isfinite(value):
        return str(value)
    if value == 0 or _SMALLEST <= abs(value) < _LARGEST:
        return f"{value:.{_DIGITS}g}" if isinstance(value, float) else str(value)
    mantissa, _, exponent = f"{value:.{_DIGITS - 1}e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    power = "10" + str(int(exponent)).translate(_SUPERSCRIPTS)
    return power if mantissa == "1" else f"{mantissa}×{power}"


def shown_unit(unit: str) -> str:
    """`kg.m2` as kg·m², `Ohm` as Ω."""
    if unit in _SIGNS:
        return _SIGNS[unit]
    text = _EXPONENT.sub(lambda found: found[1].translate(_SUPERSCRIPTS), unit.replace(".", "·"))
    text = _PART.sub(lambda found: found[0].replace("Ohm", "Ω") if "Ohm" in found[0] else found[0], text)
    return "µ" + text[1:] if text.startswith("u") and text[1:] in ("F", "H", "A", "V", "m", "s") else text


# ---------------------------------------------------------------- macros
# The macros in texts of icons: `%name`, `%class`, `%par` and `%{par}`.

_MACRO: Final = re.compile(r"%(?:(?P<percent>%)|\{(?P<path>[^{}]*)\}|(?P<name>[A-Za-z_]\w*))")


class Subject(NamedTuple):
    """What a text is about: a component, or a class that is drawn on its own."""

    node: Node
    name: str  # for `%name`
    class_name: str


def filled_in(text: str, subject: Subject, unknown: Callable[[str], None]) -> str:
    """A text with its macros replaced; `unknown` is called with each name that is not a parameter, which stays."""
    if "%" not in text:
        return text

    def value(found: re.Match[str]) -> str:
        if found["percent"] is not None:
            return "%"
        if found["name"] == "name":
            return subject.name
        if found["name"] == "class":
            return subject.class_name.rpartition(".")[2]
        path = found["path"] if found["path"] is not None else found["name"]
        component = _component(subject.node, path.strip())
        if component is None:
            unknown(path)
            return found[0]
        return _value_text(component)

    return _MACRO.sub(value, text)


def _component(node: Node, path: str) -> ComponentInstance | None:
    if not path or not re.fullmatch(r"[\w.' ]+", path):
        return None
    try:
        return node.get(path) if all(split_name(path)) else None
    except ValueError:  # no name
        return None


def _value_text(component: ComponentInstance) -> str:
    """The value if it is known, else how it is written; the name of what has no value."""
    value = component.value
    if value is not None:
        unit, display = component.attribute("unit"), component.attribute("displayUnit")
        return shown_value(value, unit if isinstance(unit, str) else "", display if isinstance(display, str) else "")
    binding = component.binding
    if binding is None or not isinstance(binding.value, Expression):
        return component.name
    text = " ".join(".".join([binding.text, *binding.member]).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
