"""Modelica string literals to Python strings and back (section 2.4.3 of the specification)."""

from __future__ import annotations

import re
from typing import Final

_ESCAPES: Final = {
    "\\'": "'",
    '\\"': '"',
    "\\?": "?",
    "\\\\": "\\",
    "\\a": "\a",
    "\\b": "\b",
    "\\f": "\f",
    "\\n": "\n",
    "\\r": "\r",
    "\\t": "\t",
    "\\v": "\v",
}
_ESCAPE: Final = re.compile(r"\\[\s\S]")
# What must be escaped in a literal. Line ends and tabs may stand as they are, and documentation looks better so.
_MUST_ESCAPE: Final = {"\\": "\\\\", '"': '\\"', "\a": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v"}
_TO_ESCAPE: Final = re.compile("[" + "".join(map(re.escape, _MUST_ESCAPE)) + "]")


def unquote(literal: str) -> str:
    r"""`"a\nb"` with its quotes -> the text. An escape that the specification does not know stays as it is."""
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[0], match[0]), literal[1:-1])


def quote(text: str) -> str:
    """The text as a literal with its quotes; line ends stay real line ends."""
    return '"' + _TO_ESCAPE.sub(lambda match: _MUST_ESCAPE[match[0]], text) + '"'


def unknown_escapes(literal: str) -> list[int]:
    """Offsets of escapes that the specification does not know."""
    return [match.start() for match in _ESCAPE.finditer(literal) if match[0] not in _ESCAPES]
