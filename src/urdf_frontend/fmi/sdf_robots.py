"""The joints and links of a robot, in URDF or SDF, as the plugins of Gazebo look for them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from attrs import frozen

from urdf_frontend.codes import Severity
from urdf_frontend.diagnostics import Findings
from urdf_frontend.fmi.errors import FmiError
from urdf_frontend.fmi.near import near
from urdf_frontend.fmi.sdf_plugins import ACTUATOR, Plugin
from urdf_frontend.reading.document import LARGEST_FILE, document_of_bytes
from urdf_frontend.reading.xml_tree import Element, XmlTree, parse_xml

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
    fixed_children: frozenset[str]  # links that hang on fixed joints, for which Gazebo has no link

    def check(self, plugin: Plugin, file: str) -> list[str]:
        """Warnings about a plugin; FmiError if what it is at is not there."""
        is_actuator = plugin.kind is ACTUATOR
        known = list(self.joints if is_actuator else self.links)
        what = plugin.kind.target
        fitting = [name for name in known if name == plugin.target or name.rpartition(_SCOPE)[2] == plugin.target]
        if not fitting:
            raise FmiError(f"{file} has no {what} '{plugin.target}'{near(plugin.target, sorted(known))}")
        if plugin.target not in known and len(fitting) > 1:
            raise FmiError(f"{file} has several {what}s '{plugin.target}': name one of {', '.join(fitting)}")
        name = plugin.target if plugin.target in known else fitting[0]
        if is_actuator:
            return self._check_joint(name, file)
        if self.is_urdf and name in self.fixed_children:
            return [f"the link '{name}' hangs on a fixed joint: Gazebo makes it part of the link before it"]
        return []

    def _check_joint(self, name: str, file: str) -> list[str]:
        type_ = self.joints[name]
        if type_ not in _SINGLE:
            raise FmiError(f"{file}: the joint '{name}' is {type_ or 'of no type'}, and an actuator drives one axis")
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
        raise FmiError(f"{file} has {len(models)} models, and one is needed: put the robot into a file of its own")
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
