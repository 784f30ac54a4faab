"""Plugins put into a URDF or SDF file. Every byte that is not about them stays, and a second time changes nothing.

A plugin for the same joint or link that is there already gets the values that are asked for; what else is in it stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from attrs import frozen

from urdf_frontend.fmi.profiles import FmiError
from urdf_frontend.fmi.sdf.plugins import Plugin, RobotFile, in_gazebo_element, plugin_element, read_robot_file, text_of
from urdf_frontend.urdf import Element, markup_of

_SCOPE: Final = "::"


@frozen
class _Edit:
    """Between two characters of the old text, another text."""

    start: int
    end: int
    text: str


def with_plugins(data: bytes, plugins: Sequence[Plugin], file: str) -> bytes:
    """The file with all plugins in it; FmiError if it has no place for them."""
    robot = read_robot_file(data, file)
    edits = _edits(robot, plugins, file)
    if not edits:
        return data
    text = robot.tree.document.text
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    try:
        result = robot.tree.document.encode(text)
    except UnicodeEncodeError:
        encoding = robot.tree.document.encoding
        raise FmiError(f"{file} is in {encoding}, which has not all characters of the plugins") from None
    if _edits(read_robot_file(result, file), plugins, file):
        raise FmiError(f"{file}: two of the plugins are for one joint or link, and differ")
    return result


def _edits(robot: RobotFile, plugins: Sequence[Plugin], file: str) -> list[_Edit]:
    layout = _Layout(robot)
    present = list(_plugins_of(robot))
    edits: list[_Edit] = []
    new: list[str] = []
    for plugin in plugins:
        found = [about for each in present for about in each.children if _is_about(about, plugin)]
        if len(found) > 1:
            line = layout.line(found[1])
            raise FmiError(f"{file}:{line}: '{plugin.target}' has two plugins: take one of them out")
        if found:
            edits += _with_values(layout, found[0], plugin, file)
        else:
            new.append(_new_text(robot, plugin, layout))
    if new:
        edits.append(layout.at_end_of(robot.body, "\n".join(new), file))
    return _joined(edits)


def _with_values(layout: _Layout, about: Element, plugin: Plugin, file: str) -> list[_Edit]:
    """What differs in a plugin that is there."""
    outer = about.parent
    assert outer is not None
    edits: list[_Edit] = []
    if plugin.verbose is not None:
        edits += _with_value(layout, outer, "verbose", "true" if plugin.verbose else "false", file)
    for tag, value in plugin.values.items():
        # The name of one that is there is somebody's choice, and so is how its target is written: `arm::elbow`.
        if tag not in ("name", plugin.kind.target):
            edits += _with_value(layout, about, tag, value, file)
    if plugin.variable_names:
        edits += _with_names(layout, about, plugin, file)
    return edits


def _joined(edits: list[_Edit]) -> list[_Edit]:
    """Texts that go to one place, in their order. Actuators of one plugin share `verbose`: it is written once."""
    found: dict[tuple[int, int], str] = {}
    for edit in dict.fromkeys(edits):
        key = (edit.start, edit.end)
        found[key] = found.get(key, "") + edit.text
    return [_Edit(start, end, text) for (start, end), text in found.items()]


def _plugins_of(robot: RobotFile) -> Iterator[Element]:
    for child in robot.body.children:
        if child.tag == "plugin":
            yield child
        elif robot.is_urdf and child.tag == "gazebo":
            yield from (each for each in child.children if each.tag == "plugin")


def _is_about(element: Element, plugin: Plugin) -> bool:
    names = [child.text.strip() for child in element.children if child.tag == plugin.kind.target]
    return element.tag == plugin.kind.tag and any(_is_same_target(name, plugin.target) for name in names)


def _is_same_target(one: str, other: str) -> bool:
    """A name without its model means the same as one with it: `elbow` and `arm::elbow`."""
    if _SCOPE in one and _SCOPE in other:
        return one == other
    return one.rpartition(_SCOPE)[2] == other.rpartition(_SCOPE)[2]


def _new_text(robot: RobotFile, plugin: Plugin, layout: _Layout) -> str:
    element = plugin_element(plugin)
    if robot.is_urdf:
        element = in_gazebo_element(element)
    return text_of(element, layout.unit)


# ------------------------------------------------------------ values of a plugin that is there


def _with_value(layout: _Layout, around: Element, tag: str, value: str, file: str) -> list[_Edit]:
    for child in around.children:
        if child.tag == tag:
            return [] if child.text.strip() == value else [layout.content(child, escape(value), file)]
    return [layout.at_end_of(around, f"<{tag}>{escape(value)}</{tag}>", file)]


def _with_names(layout: _Layout, about: Element, plugin: Plugin, file: str) -> list[_Edit]:
    around = next((child for child in about.children if child.tag == "variable_names"), None)
    if around is None:
        fresh = plugin_element(plugin).find(f"{plugin.kind.tag}/variable_names")
        assert fresh is not None
        return [layout.at_end_of(about, text_of(fresh, layout.unit), file)]
    edits: list[_Edit] = []
    for default, other in plugin.variable_names.items():
        child = next((each for each in around.children if each.tag == default), None)
        if child is None:
            edits.append(layout.at_end_of(around, f"<{default} name={quoteattr(other)}/>", file))
        elif "name" not in child.attributes:
            raise FmiError(f"{file}:{layout.line(child)}: <{default}> has no 'name'")
        elif child.attributes["name"].value != other:
            span = child.attributes["name"].span
            edits.append(_Edit(span.start, span.end, escape(other, {'"': "&quot;", "'": "&apos;"})))
    return edits


class _Layout:
    """How a file is indented, and where things go in it."""

    def __init__(self, robot: RobotFile) -> None:
        self._tree = robot.tree
        self._text = robot.tree.document.text
        self._newline = "\r\n" if "\r\n" in self._text else "\n"
        inside = next((self._blanks_before(child) for child in robot.body.children), None)
        outside = self._blanks_before(robot.body) or ""
        is_deeper = inside is not None and inside.startswith(outside) and len(inside) > len(outside)
        self.unit = inside[len(outside) :] if inside is not None and is_deeper else "  "

    def line(self, element: Element) -> int:
        """The line of an element."""
        return self._tree.place(element).line

    def _blanks_before(self, element: Element) -> str | None:
        """The blanks before an element that is the first in its line; None if it is not."""
        start = self._text.rfind("\n", 0, element.span.start) + 1
        before = self._text[start : element.span.start]
        return before if not before.strip() else None

    def _indent_in(self, around: Element) -> str:
        blanks = [found for child in around.children if (found := self._blanks_before(child)) is not None]
        return blanks[-1] if blanks else (self._blanks_before(around) or "") + self.unit

    def at_end_of(self, around: Element, text: str, file: str) -> _Edit:
        """A text as the last thing in an element, in lines of its own."""
        end = self._end_tag(around, file)
        start = self._text.rfind("\n", 0, end) + 1
        indent = self._indent_in(around)
        lines = "".join(f"{indent}{line}{self._newline}" for line in text.split("\n"))
        if self._text[start:end].strip():  # the end tag does not stand alone in its line
            return _Edit(end, end, self._newline + lines + (self._blanks_before(around) or ""))
        return _Edit(start, start, lines)

    def content(self, element: Element, text: str, file: str) -> _Edit:
        """Another text in an element that has nothing but a text in it."""
        if element.children:
            raise FmiError(f"{file}:{self.line(element)}: <{element.tag}> has elements in it, where a text is meant")
        whole = element.span.of(self._text)
        if whole.endswith("/>"):
            return _Edit(element.span.start, element.span.end, f"<{element.tag}>{text}</{element.tag}>")
        start_tag = next(markup_of(self._text, element.span.start))
        return _Edit(start_tag.span.end, self._end_tag(element, file), text)

    def _end_tag(self, element: Element, file: str) -> int:
        at = self._text.rfind("</", element.span.start, element.span.end)
        if at < 0:
            raise FmiError(f"{file}:{self.line(element)}: <{element.tag}/> is empty")
        return at
