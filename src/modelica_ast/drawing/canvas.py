"""What a picture is put together on: groups and elements of SVG, and what must be known of them at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from modelica_ast.drawing.outlines import Outline, path_data, points_of
from modelica_ast.drawing.painting import Paints
from modelica_ast.drawing.planes import Box
from modelica_ast.library.errors import Problem
from modelica_ast.record import Record

_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # by XML 1.0
_NO_IDENTIFIER: Final = re.compile(r"[^A-Za-z0-9_.-]")


class TextBox(Record):
    """A text as it is drawn, and the upright box around its letters."""

    text: str
    owner: str  # the path of the component whose text it is, '' for the class itself; of a connection its two ends
    box: Box


class Canvas:
    """The elements of a picture in the order in which they are drawn."""

    def __init__(self, prefix: str = "") -> None:
        self.root = Element("g", {"stroke-linejoin": "round"})
        self.paints = Paints(prefix)
        self.text_boxes: list[TextBox] = []
        self.owner = ""  # whose graphics are being drawn
        self.box: Box | None = None  # around all that is drawn
        self._prefix = prefix
        self._problems: dict[Problem, None] = {}
        self._ids: dict[str, int] = {}
        self._groups = [self.root]

    # ------------------------------------------------------------ elements

    @contextmanager
    def group(self, name: str, title: str, attributes: dict[str, str]) -> Iterator[Element]:
        """A group with an id and a title; what is drawn in the meantime is in it."""
        element = SubElement(self._groups[-1], "g", {"id": self._free_id(name)})
        for key, value in attributes.items():
            element.set(key, clean(value))
        SubElement(element, "title").text = clean(title)
        self._groups.append(element)
        owner, self.owner = self.owner, name
        try:
            yield element
        finally:
            self.owner = owner
            self._groups.pop()

    def add(self, tag: str, attributes: dict[str, str], box: Box) -> Element:
        """One element that covers a box."""
        self.box = box if self.box is None else self.box.joined(box)
        return SubElement(self._groups[-1], tag, attributes)

    def path(self, outline: Outline, attributes: dict[str, str]) -> None:
        """A path; one without points is nothing."""
        points = points_of(outline)
        if points:
            self.add("path", {"d": path_data(outline), **attributes}, Box.around(points))

    def text(self, text: str, box: Box) -> None:
        """Remember a text that was drawn."""
        self.text_boxes.append(TextBox(text, self.owner, box))

    def _free_id(self, name: str) -> str:
        """The name itself if an id may be so and no other is; else with a number behind it."""
        wanted = self._prefix + _NO_IDENTIFIER.sub("_", name)
        self._ids[wanted] = count = self._ids.get(wanted, 0) + 1
        return wanted if count == 1 else self._free_id(f"{name}-{count}")

    # ------------------------------------------------------------ problems

    def report(self, problem: Problem) -> None:
        """Say what could not be drawn, once."""
        self._problems[problem] = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that was reported."""
        return tuple(self._problems)


def clean(text: str) -> str:
    """A text without the characters that no XML file can have."""
    return _FORBIDDEN.sub("\ufffd", text)
