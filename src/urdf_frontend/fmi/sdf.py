"""The plugins of gazebo-fmi: one FMU at a joint or at a link each, as XML, and put into a URDF or SDF file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from attrs import field, frozen
from lxml import etree

from modelica_ast.foundation import nearest
from urdf_frontend.fmi.profiles import GAZEBO_ACTUATOR, GAZEBO_FLUID, FmiError, Profile
from urdf_frontend.urdf import (
    LARGEST_FILE,
    Element,
    Findings,
    Severity,
    XmlTree,
    document_of_bytes,
    markup_of,
    parse_xml,
)


@frozen
class Kind:
    """What a plugin is called in SDF."""

    filename: str
    tag: str  # of the element that has everything
    target: str  # of the element in it that names the joint or link
    prefix: str  # of the names that we give
    profile: Profile


ACTUATOR: Final = Kind("libFMIActuatorPlugin.so", "actuator", "joint", "fmi_actuator", GAZEBO_ACTUATOR)
FLUID: Final = Kind(
    "libFMISingleBodyFluidDynamicsPlugin.so", "single_body_fluid_dynamics", "link", "fmi_fluid", GAZEBO_FLUID
)
KINDS: Final = (ACTUATOR, FLUID)


@frozen
class Plugin:
    """A plugin. What is None is not written, so that the plugin's own default counts."""

    kind: Kind
    target: str  # the name of the joint or link
    fmu: str
    verbose: bool | None = None
    enabled: bool | None = None
    disable_limits: bool | None = None  # those of velocity and effort
    variable_names: Mapping[str, str] = field(factory=dict)  # default name -> name in the FMU

    def __attrs_post_init__(self) -> None:
        for name in self.variable_names:
            if self.kind.profile.get(name) is None:
                known = [wanted.name for wanted in self.kind.profile.required]
                raise FmiError(f"the plugin for {self.kind.target}s has no variable '{name}'{nearest(name, known)}")
        if self.kind is FLUID and not (self.verbose is self.enabled is self.disable_limits is None):
            raise FmiError("verbose, enabled and limits are options of actuators, and this is a fluid")

    @property
    def name(self) -> str:
        """The name that it gets in Gazebo."""
        return f"{self.kind.prefix}_{self.target.replace('::', '_')}"

    @property
    def values(self) -> dict[str, str]:
        """The elements in that of the FMU, in their order; `variable_names` is not among them."""
        found = {"name": self.name, self.kind.target: self.target, "fmu": self.fmu}
        if self.enabled is not None:
            found["enabled"] = _bool(self.enabled)
        if self.disable_limits is not None:
            found["disable_velocity_effort_limits"] = _bool(self.disable_limits)
        return found


def plugin_element(plugin: Plugin) -> etree._Element:
    """`<plugin>`, with all that is in it."""
    try:
        element = etree.Element("plugin", {"name": plugin.name, "filename": plugin.kind.filename})
        if plugin.verbose is not None:
            etree.SubElement(element, "verbose").text = _bool(plugin.verbose)
        about = etree.SubElement(element, plugin.kind.tag)
        for tag, text in plugin.values.items():
            etree.SubElement(about, tag).text = text
        if plugin.variable_names:
            names = etree.SubElement(about, "variable_names")
            for default, other in plugin.variable_names.items():
                etree.SubElement(names, default, {"name": other})
    except ValueError:
        raise FmiError(f"the names of '{plugin.target}' have characters that XML does not take") from None
    return element


def in_gazebo_element(element: etree._Element) -> etree._Element:
    """`<gazebo>` around a plugin, as URDF has it."""
    around = etree.Element("gazebo")
    around.append(element)
    return around


def element_text(element: etree._Element, indent: str = "  ") -> str:
    """The lines of an element, without a line end after the last."""
    etree.indent(element, indent)
    return etree.tostring(element, encoding="unicode").rstrip()


def _bool(value: bool) -> str:  # noqa: FBT001  (a value, no option)
    return "true" if value else "false"


# ---------------------------------------------------------------- sdf robots
# The joints and links of a robot, in URDF or SDF, as the plugins of Gazebo look for them.

# Those with one degree of freedom; the plugin refuses others. URDF and SDF call most of them the same.
_SINGLE: Final = {"revolute", "continuous", "prismatic", "screw", "gearbox"}
_ROTATING: Final = {"revolute", "continuous"}
_SCOPE: Final = "::"


@frozen
class RobotFile:
    """A robot as XML: where its plugins go, and the names of what they can be at."""

    tree: XmlTree
    is_urdf: bool
    body: Element  # <robot>, or the <model> of an SDF file
    joints: dict[str, str]  # name -> type; those of models inside as `model::joint`
    links: frozenset[str]
    fixed_children: frozenset[str]  # links that are attached to fixed joints, for which Gazebo has no link

    def check(self, plugin: Plugin, file: str) -> list[str]:
        """Warnings about a plugin; FmiError if what it is at is not there."""
        is_actuator = plugin.kind is ACTUATOR
        known = list(self.joints if is_actuator else self.links)
        what = plugin.kind.target
        fitting = [name for name in known if name == plugin.target or name.rpartition(_SCOPE)[2] == plugin.target]
        if not fitting:
            raise FmiError(f"{file} has no {what} '{plugin.target}'{nearest(plugin.target, sorted(known))}")
        if plugin.target not in known and len(fitting) > 1:
            raise FmiError(f"{file} has several {what}s '{plugin.target}': name one of {', '.join(fitting)}")
        name = plugin.target if plugin.target in known else fitting[0]
        if is_actuator:
            return self._check_joint(name, file)
        if self.is_urdf and name in self.fixed_children:
            return [f"the link '{name}' is attached to a fixed joint: Gazebo makes it part of the link before it"]
        return []

    def _check_joint(self, name: str, file: str) -> list[str]:
        type_ = self.joints[name]
        if type_ not in _SINGLE:
            raise FmiError(f"{file}: the joint '{name}' is {type_ or 'of no type'}, but an actuator drives one axis")
        if type_ in _ROTATING:
            return []
        return [f"the joint '{name}' is {type_}: gazebo-fmi has no acceleration of joints that do not rotate"]


def read_robot_file(data: bytes, file: str) -> RobotFile:
    """The robot in a URDF or SDF file; FmiError says what is wrong with it."""
    if len(data) > LARGEST_FILE:
        raise FmiError(f"{file} has more than {LARGEST_FILE // 1_000_000} MB; no robot is that large")
    findings = Findings(file)
    tree = parse_xml(document_of_bytes(data, Path(file), findings), findings)
    if tree is None:
        first = next(found for found in findings.diagnostics if found.severity is Severity.ERROR)
        raise FmiError(f"{file}:{first.line}:{first.column}: {first.message}")
    is_urdf = tree.root.tag == "robot"
    body = tree.root if is_urdf else _model_of(tree, file)
    joints, links, fixed = _names_in(body)
    return RobotFile(tree, is_urdf, body, joints, links, fixed)


def _model_of(tree: XmlTree, file: str) -> Element:
    if tree.root.tag != "sdf":
        raise FmiError(f"{file}: its root is <{tree.root.tag}>; that of a robot is <robot> or <sdf>")
    places = [tree.root, *(child for child in tree.root.children if child.tag == "world")]
    models = [child for place in places for child in place.children if child.tag == "model"]
    if len(models) != 1:
        raise FmiError(
            f"{file} has {len(models)} models, but exactly one is needed: put the robot into a file of its own"
        )
    return models[0]


def _names_in(body: Element) -> tuple[dict[str, str], frozenset[str], frozenset[str]]:
    joints: dict[str, str] = {}
    links: set[str] = set()
    fixed: set[str] = set()
    todo = [(body, "")]
    while todo:
        around, scope = todo.pop()
        for child in around.children:
            name = _attribute(child, "name")
            if child.tag == "joint" and name:
                joints[scope + name] = _attribute(child, "type")
                if _attribute(child, "type") == "fixed":
                    fixed.update(_attribute(each, "link") for each in child.children if each.tag == "child")
            elif child.tag == "link" and name:
                links.add(scope + name)
            elif child.tag == "model" and name:
                todo.append((child, f"{scope}{name}{_SCOPE}"))
    return joints, frozenset(links), frozenset(fixed)


def _attribute(element: Element, name: str) -> str:
    return element.attributes[name].value if name in element.attributes else ""


# ---------------------------------------------------------------- insertion
# Every byte that is not about the plugins stays, and a second time changes nothing. A plugin for the same joint or
# link that already exists gets the values that are asked for; what else is in it stays.


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
        raise FmiError(f"{file} is in {encoding}, which does not have all characters of the plugins") from None
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
    return element_text(element, layout.unit)


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
        return [layout.at_end_of(about, element_text(fresh, layout.unit), file)]
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
            raise FmiError(f"{file}:{self.line(element)}: <{element.tag}> has elements in it, where text is expected")
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
