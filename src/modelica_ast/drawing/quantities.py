"""Values of parameters as people read them: in the unit to display, with the signs of the SI brochure."""

from __future__ import annotations

import math
import re
from typing import Any, Final

from modelica_ast.literals import Reference

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
