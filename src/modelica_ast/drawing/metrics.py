"""How wide texts are: by the widths of Helvetica, which Arial and Liberation Sans share.

Nobody knows which fonts the reader of a drawing has, and a drawing shall be the same on every machine. So no font
file is opened, and drawings name these fonts first.
"""

from __future__ import annotations

import unicodedata
from typing import Final

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
