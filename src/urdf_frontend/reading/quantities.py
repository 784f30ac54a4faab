"""Attributes as numbers: what is wrong with one is said at its place."""

from __future__ import annotations

import math
import re
from typing import Final

from attrs import evolve

from urdf_frontend.diagnostics import Findings, quoted
from urdf_frontend.model.numbers import Number, Vector
from urdf_frontend.model.places import Place, Span
from urdf_frontend.reading.xml_tree import Attribute, Element, XmlTree

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?", re.ASCII)
_WORD: Final = re.compile(r"[^ \t\r\n]++")
_NOT_FINITE: Final = re.compile(r"[+-]?(?:inf|infinity|nan)", re.IGNORECASE)
_UNEXPANDED: Final = re.compile(r"\$[{(]")
_LONGEST: Final = 400  # characters; more digits than any double needs


def is_unexpanded(text: str) -> bool:
    """Does it have an expression of xacro in it?"""
    return "$" in text and _UNEXPANDED.search(text) is not None


class Quantities:
    """Reads the numbers of one tree."""

    def __init__(self, tree: XmlTree, findings: Findings) -> None:
        self._tree = tree
        self._findings = findings

    def number(self, element: Element, name: str) -> Number | None:
        """One number; None if the attribute is absent, or is none and that is reported."""
        numbers = self._numbers(element, name, (1,))
        return None if numbers is None else numbers[0]

    def vector(self, element: Element, name: str, *counts: int) -> Vector | None:
        """As many numbers as one of the counts; None if the attribute is absent, or wrong and that is reported."""
        numbers = self._numbers(element, name, counts)
        return None if numbers is None else Vector(numbers, self._place(element, name))

    def _place(self, element: Element, name: str) -> Place:
        return self._tree.place_of(element, element.attributes[name])

    def _numbers(self, element: Element, name: str, counts: tuple[int, ...]) -> tuple[Number, ...] | None:
        attribute = element.attributes.get(name)
        if attribute is None or is_unexpanded(attribute.value):  # the latter is reported for the whole file
            return None
        words = _WORD.findall(attribute.value)
        numbers = tuple(map(_number, words, self._spans(attribute, words)))
        good = tuple(number for number in numbers if number is not None)
        if len(good) < len(words):
            for word, number in zip(words, numbers, strict=True):
                if number is None:
                    self._no_number(word, element, self._place(element, name))
            return None
        if len(words) not in counts:
            wanted = "1 is" if counts == (1,) else " or ".join(map(str, counts)) + " are"
            message = f"'{name}' has {len(words)} numbers, and {wanted} expected"
            self._findings.report("urdf-number-count", self._place(element, name), message)
            return None
        return good

    def number_in(self, element: Element) -> Number | None:
        """The text inside an element as a number; None if it is none, and nothing is said about it."""
        word = element.text.strip(" \t\r\n")
        number = _number(word, None)
        if number is None:
            return None
        raw = element.span.of(self._tree.document.text)
        begin = raw.find(">") + 1  # of the start tag; a number has neither attributes nor a `>` in them
        at = raw.find(word, begin)
        is_plain = not element.attributes and not element.children and raw[begin : raw.rfind("<")].strip() == word
        start = element.span.start + at
        return evolve(number, span=Span(start, start + len(word))) if is_plain else number

    def _spans(self, attribute: Attribute, words: list[str]) -> list[Span | None]:
        """Where each word stands, unless it is written with character references."""
        start = attribute.span.start
        text = attribute.span.of(self._tree.document.text)
        if len(words) == 1 and words[0] == text:
            return [attribute.span]
        raw = list(_WORD.finditer(text))
        if [match[0] for match in raw] != words:
            return [None] * len(words)
        return [Span(start + match.start(), start + match.end()) for match in raw]

    def _no_number(self, word: str, element: Element, place: Place) -> None:
        if _NUMBER.fullmatch(word[:_LONGEST]):
            self._findings.report("urdf-not-finite", place, f"{quoted(word)} is too large for a number")
        elif _NOT_FINITE.fullmatch(word):
            hint = "leave the attribute out if there is no limit" if element.tag == "limit" else ""
            self._findings.report("urdf-not-finite", place, f"{quoted(word)} is not a finite number", hint)
        else:
            self._findings.report("urdf-number", place, f"{quoted(word)} is not a number", _hint(word))


def _number(word: str, span: Span | None) -> Number | None:
    if len(word) > _LONGEST or not _NUMBER.fullmatch(word):
        return None
    value = float(word)
    return Number(word, value, span) if math.isfinite(value) else None


def _hint(word: str) -> str:
    """What a common slip wants to be."""
    if "," in word:
        return "numbers have a decimal point, and blanks between them, not commas"
    if "_" in word:
        return "digits are not grouped"
    begin = _NUMBER.match(word)
    if begin is not None and word[begin.end() :].isalpha():
        return "numbers have no unit: lengths are in metres, angles in radians, masses in kilograms"
    return ""
