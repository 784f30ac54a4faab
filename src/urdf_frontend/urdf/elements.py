"""What all readers of elements share: children by name, and nothing is dropped unseen."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, Final

from attrs import evolve

from urdf_frontend.robot import (
    HOMES,
    ElementType,
    Extension,
    Field,
    Kind,
    Number,
    OtherAttribute,
    Part,
    Place,
    Span,
    Standing,
    Vector,
)
from urdf_frontend.urdf.diagnostics import Findings, quoted
from urdf_frontend.urdf.xml_tree import Attribute, Element, XmlTree

# ---------------------------------------------------------------- quantities
# Attributes as numbers: what is wrong with one is said at its place.

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?", re.ASCII)
_WORD: Final = re.compile(r"[^ \t\r\n]++")
_NOT_FINITE: Final = re.compile(r"[+-]?(?:inf|infinity|nan)", re.IGNORECASE)
_UNEXPANDED: Final = re.compile(r"\$[{(]")
_LONGEST: Final = 400  # characters; more digits than any double needs
_NO_END: Final = "a joint that turns without end is continuous, and one that slides far has a large limit"
_WITHOUT_LIMIT: Final = {
    **{("limit", name): _NO_END for name in ("lower", "upper")},
    **{("limit", name): "leave it out if there is no such limit" for name in ("effort", "velocity")},
}
_RANGE: Final = "numbers are smaller than 1.8e308"


def is_unexpanded(text: str) -> bool:
    """Does it have an expression of xacro in it?"""
    return "$" in text and _UNEXPANDED.search(text) is not None


class Quantities:
    """Reads the numbers of one tree."""

    def __init__(self, tree: XmlTree, findings: Findings) -> None:
        self._tree = tree
        self._findings = findings

    def number(self, element: Element, name: str) -> Number | None:
        """One number; None if the attribute is absent, or is not a number, which is reported."""
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
                    self._no_number(word, element, name)
            return None
        if len(words) not in counts:
            wanted = "1 is" if counts == (1,) else " or ".join(map(str, counts)) + " are"
            message = f"'{name}' has {len(words)} numbers, but {wanted} expected"
            hint = (
                "write them all, with blanks between them" if len(words) < min(counts) else "leave out those too many"
            )
            self._findings.report("urdf-number-count", self._place(element, name), message, hint)
            return None
        return good

    def number_in(self, element: Element) -> Number | None:
        """The text inside an element as a number; None if it is not one, and nothing is said about it."""
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
        """Where each word is, unless it is written with character references."""
        start = attribute.span.start
        text = attribute.span.of(self._tree.document.text)
        if len(words) == 1 and words[0] == text:
            return [attribute.span]
        raw = list(_WORD.finditer(text))
        if [match[0] for match in raw] != words:
            return [None] * len(words)
        return [Span(start + match.start(), start + match.end()) for match in raw]

    def _no_number(self, word: str, element: Element, name: str) -> None:
        place = self._place(element, name)
        if _NUMBER.fullmatch(word[:_LONGEST]):
            self._findings.report("urdf-not-finite", place, f"{quoted(word)} is too large for a number", _RANGE)
        elif _NOT_FINITE.fullmatch(word):
            hint = _WITHOUT_LIMIT.get((element.tag, name), "write a finite one")
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
    return "numbers are written as 2, 0.5 or 1e-3"


# ---------------------------------------------------------------- context

# Elements that URDF does not define and that everybody knows: they are kept, and nothing is said.
_KNOWN_EXTENSIONS: Final = {"gazebo", "sensor", "ros2_control"}
# Elements that many programs write where nothing is lost without them: nobody sees the colour of a collision.
_HARMLESS: Final = {("material", "collision")}


class Reading:
    """One file while it is read."""

    def __init__(self, tree: XmlTree, findings: Findings) -> None:
        self.tree = tree
        self.findings = findings
        self._quantities = Quantities(tree, findings)

    def report(self, code: str, element: Element, message: str, hint: str = "") -> None:
        """Say something about an element."""
        self.findings.report(code, self.tree.place(element), message, hint)

    def number(self, element: Element, name: str) -> Number | None:
        """An attribute as a number; None if it is absent, or wrong and that is reported."""
        return self._quantities.number(element, name)

    def required_number(self, element: Element, name: str) -> Number | None:
        """Likewise, and that it is absent is reported too."""
        return self.number(element, name) if self._has(element, name) else None

    def number_in(self, element: Element) -> Number | None:
        """The text inside an element as a number; None if it is not one."""
        return self._quantities.number_in(element)

    def vector(self, element: Element, name: str, *counts: int) -> Vector | None:
        """An attribute as numbers; None if it is absent, or wrong and that is reported."""
        return self._quantities.vector(element, name, *counts)

    def required_vector(self, element: Element, name: str, *counts: int) -> Vector | None:
        """Likewise, and that it is absent is reported too."""
        return self.vector(element, name, *counts) if self._has(element, name) else None

    def required_string(self, element: Element, name: str) -> str:
        """An attribute's value; empty if it is absent or empty, and that is reported."""
        return element.attributes[name].value if self._has(element, name, empty=False) else ""

    def string(self, element: Element, name: str) -> str | None:
        """An attribute's value, if it is there."""
        attribute = element.attributes.get(name)
        return None if attribute is None else attribute.value

    def _has(self, element: Element, name: str, *, empty: bool = True) -> bool:
        attribute = element.attributes.get(name)
        if attribute is None:
            message = f"<{element.tag}> has no attribute '{name}'"
            self.report("urdf-attribute-missing", element, message, f'write <{element.tag} {name}="…">')
            return False
        if not empty and not attribute.value.strip():
            place = self.tree.place_of(element, attribute)
            message = f"'{name}' of <{element.tag}> is empty"
            self.findings.report("urdf-attribute-missing", place, message, f'write <{element.tag} {name}="…">')
            return False
        return True

    def first(self, element: Element, tag: str) -> Element | None:
        """The first child with this tag; `leftovers` reports others."""
        return next((child for child in element.children if child.tag == tag), None)

    def all(self, element: Element, tag: str) -> list[Element]:
        """The children with this tag."""
        return [child for child in element.children if child.tag == tag]

    def place(self, element: Element) -> Place:
        """Where an element is."""
        return self.tree.place(element)

    def extension(self, element: Element, standing: Standing = Standing.FOREIGN) -> Extension:
        """An element as its text."""
        text, place = self.tree.text_of(element), self.place(element)
        return Extension(tag=element.tag, text=text, standing=standing, place=place)

    def part(self, element: Element, part: Part) -> Any:
        """What the model has for an element inside, if that has nothing but attributes; None if it is not there."""
        inside, (of,) = self.first(element, part.tag), part.types
        return None if inside is None else self.item(inside, of)

    def item(self, element: Element, of: ElementType) -> Any:
        """What the model has for an element that has nothing but attributes."""
        return of.model(**self.attributes(element, of))

    def attributes(self, element: Element, of: ElementType) -> dict[str, Any]:
        """All attributes of an element as the table says, and what is left."""
        values = {each.attribute: self._attribute(element, each) for each in of.fields if each.xml.startswith("@")}
        return values | self.rest(element, of)

    def _attribute(self, element: Element, field: Field) -> Number | Vector | str | None:
        name = field.xml[1:]
        if field.kind is Kind.NUMBER:
            return self.required_number(element, name) if field.is_required else self.number(element, name)
        if field.kind is Kind.VECTOR:
            read = self.required_vector if field.is_required else self.vector
            return read(element, name, *field.sizes)
        return self.required_string(element, name) if field.is_required else self.string(element, name)

    def rest(self, element: Element, of: ElementType) -> dict[str, Any]:
        """The place of an element, and what the table does not know of it."""
        return self.leftovers(element, of.attributes, single=of.single_tags, several=of.repeated_tags)

    def leftovers(
        self, element: Element, attributes: Sequence[str], *, single: Sequence[str] = (), several: Sequence[str] = ()
    ) -> dict[str, Any]:
        """The fields that all items have: the place, and what is not among the names that the format knows."""
        seen: set[str] = set()
        extensions: list[Extension] = []
        for child in element.children:
            if child.tag in several or (child.tag in single and child.tag not in seen):
                seen.add(child.tag)
                continue
            extensions.append(self.extension(child, self._standing(child, element, is_repeated=child.tag in seen)))
        self._stray_text(element)
        others = self._other_attributes(element, attributes)
        return {"extensions": tuple(extensions), "other_attributes": others, "place": self.place(element)}

    def _standing(self, child: Element, element: Element, *, is_repeated: bool) -> Standing:
        """Why an element does not count; that is reported."""
        if is_repeated:
            code = "urdf-inertial-several" if child.tag == "inertial" else "urdf-repeated"
            self.report(code, child, f"<{element.tag}> has more than one <{child.tag}>; the first one counts")
            return Standing.REPEATED
        if child.tag in HOMES:
            return self.misplaced(child)
        if not child.is_prefixed and child.tag not in _KNOWN_EXTENSIONS:
            message = f"URDF has no <{child.tag}> inside <{element.tag}>; it is kept as it is"
            self.report("urdf-unknown-element", child, message)
        return Standing.FOREIGN

    def misplaced(self, element: Element) -> Standing:
        """Report an element of URDF that is inside of one where it means nothing."""
        around = "" if element.parent is None else element.parent.tag
        if (element.tag, around) in _HARMLESS:
            message = f"URDF has no <{element.tag}> inside <{around}>; it is kept as it is"
            self.report("urdf-unknown-element", element, message)
        else:
            homes = " or ".join(f"<{home}>" for home in HOMES[element.tag])
            message = f"<{element.tag}> means nothing inside <{around}>: URDF has it inside {homes}"
            self.report("urdf-misplaced", element, message)
        return Standing.MISPLACED

    def _stray_text(self, element: Element) -> None:
        if element.text.strip() and not is_unexpanded(element.text):
            shown = quoted(element.text.strip()[:40])
            self.report("urdf-stray-text", element, f"<{element.tag}> has text in it, {shown}, which has no meaning")

    def _other_attributes(self, element: Element, known: Sequence[str]) -> tuple[OtherAttribute, ...]:
        found: list[OtherAttribute] = []
        for attribute in element.attributes.values():
            if attribute.name in known:
                continue
            place = self.tree.place_of(element, attribute)
            if ":" not in attribute.name:
                message = f"URDF has no attribute '{attribute.name}' of <{element.tag}>; it is kept as it is"
                self.findings.report("urdf-unknown-attribute", place, message)
            found.append(OtherAttribute(name=attribute.name, value=attribute.value, place=place))
        return tuple(found)
