"""The plugins of gazebo-fmi as XML: one FMU at a joint or at a link each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from attrs import field, frozen
from lxml import etree

from modelica_ast.foundation import nearest
from urdf_frontend.fmi.profiles import GAZEBO_ACTUATOR, GAZEBO_FLUID, FmiError, Profile
from urdf_frontend.urdf import LARGEST_FILE, Element, Findings, Severity, XmlTree, document_of_bytes, parse_xml


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


def text_of(element: etree._Element, indent: str = "  ") -> str:
    """The lines of an element, without a line end behind the last."""
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
    fixed_children: frozenset[str]  # links that hang on fixed joints, for which Gazebo has no link

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
