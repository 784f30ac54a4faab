"""A module: a URDF file that begins at an input connector and ends at output connectors; its XML, and its uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Final
from xml.sax.saxutils import quoteattr

from attrs import field, frozen
from lxml import etree

from urdf_frontend.robot import IDENTITY, JointType, Kinematics, Link, Pose, Robot, RobotError
from urdf_frontend.urdf import (
    Diagnostic,
    Document,
    Findings,
    Packages,
    ReadResult,
    attribute_values,
    in_order,
    listed,
    plain_xml,
    quoted,
    read,
)

# ---------------------------------------------------------------- uses of modules
# One use of a module in a robot, as the assembly file says it.

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@frozen(kw_only=True)
class Instance:
    """A module file and where it goes.

    `parent` is `instance` or `instance.port`; None is the module before it in the list. `rotate` turns it about the z
    axis of the connector, in radians. Names of the module get `prefix` if there is one, else `given_name_`, else they
    end in the position. `joint` is what the fixed joint that it is attached to is called in the robot, whatever the
    connector is called in its module. `is_attached` marks a plain robot at the end, such as a gripper; it has no
    position.
    """

    use: str
    given_name: str | None = None
    parent: str | None = None
    rotate: float = 0.0
    prefix: str | None = None
    srdf: str | None = None
    joint: str | None = None
    is_attached: bool = False
    line: int = field(default=0, eq=False)


def is_word(name: str) -> bool:
    """May an instance be called so? In URDF names it is a prefix, in Modelica a component."""
    return _WORD.fullmatch(name) is not None


def names_of(instances: tuple[Instance, ...]) -> tuple[str, ...]:
    """What each instance is called: its `as`, or `m_3` for the third module, or `attached_1`."""
    names: list[str] = []
    counts = {False: 0, True: 0}
    for instance in instances:
        counts[instance.is_attached] += 1
        number = counts[instance.is_attached]
        names.append(instance.given_name or (f"attached_{number}" if instance.is_attached else f"m_{number}"))
    return tuple(names)


# ---------------------------------------------------------------- errors
# What keeps modules from becoming a robot, or a robot from becoming modules.


class ModuleError(RobotError):
    """One sentence: what is wrong, where, and what to do. Nothing was written."""


class UnreadableAssemblyError(ModuleError):
    """An assembly file that can't be read, or is not YAML."""

    cause = "unreadable"


# ---------------------------------------------------------------- xml
# The XML of modules as lxml has it, comments and unknown elements included.

MARK: Final = "Assembled by modelica-patch urdf assemble"
_XML_NAMESPACE: Final = "http://www.w3.org/XML/1998/namespace"


def parse_robot(document: Document) -> etree._Element:
    """The root element of a text that `read` has accepted.

    Prefixes that nobody declared stay part of the tags. What is in the default name space of the file is plain URDF
    here: the name space of one module would be unknown to the elements of the others.
    """
    text = plain_xml(document, Findings(document.name))
    if text is None:
        raise ModuleError(f"{document.name}: it declares entities, which are not expanded")
    data = text.encode("utf-8", errors="surrogatepass")
    try:
        root = etree.fromstring(data, _parser(recover=False))
    except etree.XMLSyntaxError:
        root = etree.fromstring(data, _parser(recover=True))
    default = root.nsmap.get(None)
    if default is not None:
        for element in root.iter(etree.Element):
            if tag_of(element).startswith(f"{{{default}}}"):
                element.tag = etree.QName(element).localname
        etree.cleanup_namespaces(root)
    return root


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=recover
    )


def tag_of(element: etree._Element) -> str:
    """The tag of an element; lxml gives texts, whatever else it takes."""
    return str(element.tag)


def is_element(node: etree._Element) -> bool:
    """Is it an element, and no comment or processing instruction?"""
    return isinstance(node.tag, str)


def attributes_of(element: etree._Element) -> dict[str, str]:
    """The attributes of an element, by their names as lxml has them: `{name space}name`."""
    return dict(zip(map(str, element.attrib.keys()), attribute_values(element), strict=True))


def new_element(tag: str, attributes: Mapping[str, str], namespaces: Mapping[str, str]) -> etree._Element:
    """An element with attributes by their names as lxml has them, and name spaces by their prefixes.

    PERF: it is parsed, because `set` looks through all attributes for each: four seconds for 20,000. And `set` takes no
    prefix that nobody has declared, which `parse_robot` keeps.
    """
    prefixes = {_XML_NAMESPACE: "xml"}
    for prefix, uri in namespaces.items():
        prefixes.setdefault(uri, prefix)
    declared = dict(namespaces)
    for uri in dict.fromkeys(name[1:].partition("}")[0] for name in attributes if name.startswith("{")):
        if uri not in prefixes:
            prefixes[uri] = next(name for name in map("ns{}".format, count()) if name not in declared)
            declared[prefixes[uri]] = uri
    words = [f"xmlns:{prefix}={quoteattr(uri)}" for prefix, uri in declared.items()]
    for name, value in attributes.items():
        uri, closing, local = name[1:].partition("}")
        words.append(f"{f'{prefixes[uri]}:{local}' if closing else name}={quoteattr(value)}")
    return etree.fromstring(f"<{' '.join([tag, *words])}/>".encode(), _parser(recover=True))


def nodes_with_leads(root: etree._Element) -> list[tuple[str, etree._Element]]:
    """What is directly inside of a robot, each with the blanks before it; comments before the robot come first."""
    found = [("\n  ", node) for node in reversed(list(root.itersiblings(preceding=True)))]
    lead = root.text
    for node in root:
        found.append((_blanks(lead), node))
        lead = node.tail
    found += [("\n  ", node) for node in root.itersiblings()]
    return found


def _blanks(text: str | None) -> str:
    """The blanks before an element; stray text means nothing in URDF and is left out."""
    return "".join(letter for letter in text or "" if letter.isspace()) or "\n  "


def fill(root: etree._Element, nodes: list[tuple[str, etree._Element]]) -> None:
    """Put nodes into an element, each after its blanks."""
    last: etree._Element | None = None
    for lead, node in nodes:
        if last is None:
            root.text = lead
        else:
            last.tail = lead
        root.append(node)
        last = node
    if last is not None:
        last.tail = "\n"


def write_xml(root: etree._Element, *, comment: str = "") -> bytes:
    """A file with this root element, and a comment before it."""
    head = f"<!-- {comment} -->\n" if comment else ""
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head}'.encode() + etree.tostring(root, encoding="utf-8") + b"\n"


# ---------------------------------------------------------------- modules
# A module: a URDF file that begins at an input connector and ends at output connectors.

OUTPUT_CONNECTOR: Final = "output_connector"
INPUT_CONNECTOR: Final = "input_connector"


@frozen
class Port:
    """An output connector: a fixed joint to a virtual link. `short_name` is what follows `output_connector_`."""

    joint: str
    parent_link: str
    virtual_link: str
    pose: Pose  # in the frame of the parent link

    @property
    def short_name(self) -> str:
        """What else the port is called in an assembly."""
        return self.joint.removeprefix(OUTPUT_CONNECTOR).removeprefix("_") or self.joint


class Module:
    """A module file that has been read. `name` is unique among the modules of an assembly."""

    def __init__(self, path: Path, name: str, result: ReadResult, packages: Packages) -> None:
        self.path = path
        self.name = name
        self.result = result
        self.packages = packages
        self.robot: Robot = result.usable_robot()
        self.kinematics = Kinematics.of(self.robot)

    def __repr__(self) -> str:
        return f"Module({str(self.path)!r})"

    def read_as_written(self) -> None:
        """Let limits count as they are written: so packages were made of modules before."""
        self.robot = self.robot.as_written
        self.kinematics = Kinematics.of(self.robot)

    @property
    def root_link(self) -> str:
        """The link whose frame is the input connector."""
        return self.kinematics.roots[0]

    @cached_property
    def ports(self) -> tuple[Port, ...]:
        """The output connectors, in the order of the file."""
        return ports_of(self.robot, self.kinematics)

    @cached_property
    def has_empty_input(self) -> bool:
        """Is its first link an empty one called `input_connector`? It is left out where it coincides with another."""
        root = self.robot.get_link(self.root_link)
        return root is not None and root.name == INPUT_CONNECTOR and is_empty(root) and not self._root_is_port

    @property
    def _root_is_port(self) -> bool:
        return any(port.parent_link == self.root_link for port in self.ports)

    def get_port(self, name: str) -> Port | None:
        """A port by the name of its joint, or by its short name."""
        exact = next((port for port in self.ports if port.joint == name), None)
        return exact or next((port for port in self.ports if port.short_name == name), None)

    @property
    def root_element(self) -> etree._Element:
        """The XML, parsed again, for somebody who changes it."""
        assert self.result.document is not None, "a robot that was read has a document"
        return parse_robot(self.result.document)


def ports_of(robot: Robot, kinematics: Kinematics) -> tuple[Port, ...]:
    """The fixed joints called `output_connector…` with nothing after their virtual links."""
    return tuple(
        Port(joint.name, joint.parent, joint.child, IDENTITY if joint.origin is None else joint.origin.pose)
        for joint in robot.joints
        if joint.name.startswith(OUTPUT_CONNECTOR)
        and joint.type is JointType.FIXED
        and not kinematics.joints_below(joint.child)
    )


def is_empty(link: Link) -> bool:
    """Has a link neither mass nor shapes?"""
    return link.inertial is None and not link.visuals and not link.collisions


def read_module(
    path: Path, name: str, *, place: str, package_folders: tuple[Path, ...] = (), allow_outside: bool = False
) -> Module:
    """Read a module file; ModuleError if it is not there, UrdfError if there is something wrong with it.

    `place` is where it is asked for, for the message. `allow_outside` lets it name meshes that are anywhere.
    """
    if not path.is_file():
        raise ModuleError(f"{place}: there is no module file {path}")
    packages = Packages(package_folders, near=path, allow_outside=allow_outside)
    result = read(path, packages=packages)
    module = Module(path, name, result, packages)
    implicit = [link.name for link in module.robot.links if link.is_implicit]
    if implicit:
        raise ModuleError(f"{path}: its link '{implicit[0]}' is not defined; a module has to define all of its links")
    return module


# ---------------------------------------------------------------- checking
# What is wrong with a module, beyond what can be wrong with any robot.

_NEGLIGIBLE: Final = 1e-3  # the share of a module's mass that its virtual link may have


def check_module(robot: Robot, file: str) -> tuple[Diagnostic, ...]:
    """All that keeps a robot from being a good module; the checks of any robot are not repeated."""
    findings = Findings(file)
    kinematics = Kinematics.of(robot)
    ports = ports_of(robot, kinematics)
    _check_connectors(robot, kinematics, ports, findings)
    for link in robot.links:
        if link.is_implicit:
            message = f"the link {quoted(link.name)} is not defined, and it would get another name in a robot"
            findings.report("urdf-module-world", link.place, message, f'add <link name="{link.name}"/>')
    _check_masses(robot, ports, findings)
    if kinematics.is_tree:
        _check_directions(robot, kinematics, ports, findings)
    return in_order(findings.diagnostics)


def _check_connectors(robot: Robot, kinematics: Kinematics, ports: tuple[Port, ...], findings: Findings) -> None:
    known = {port.joint for port in ports}
    called_so = [joint for joint in robot.joints if joint.name.startswith(OUTPUT_CONNECTOR)]
    for joint in called_so:
        if joint.name in known:
            continue
        if joint.type is not JointType.FIXED:
            message = f"the output connector {quoted(joint.name)} is {joint.type_text}, and a connector is fixed"
            hint = "put a joint before it"
        else:
            below = ", ".join(quoted(other.name) for other in kinematics.joints_below(joint.child))
            message = f"the virtual link of the output connector {quoted(joint.name)} has joints on it: {below}"
            hint = "nothing is attached to it in its own module"
        findings.report("urdf-module-connector", joint.place, message, hint)
    if not called_so:
        message = f"there is no output connector: no fixed joint is called {quoted(OUTPUT_CONNECTOR)}"
        findings.report("urdf-module-end", robot.place, message, "without one the module is an end of the robot")
    if len(ports) > 1:
        message = f"there are {len(ports)} output connectors: {listed(port.joint for port in ports)}"
        hint = "what is attached to it says which, with 'parent: instance.port'"
        findings.report("urdf-module-branches", robot.place, message, hint)


def _check_masses(robot: Robot, ports: tuple[Port, ...], findings: Findings) -> None:
    whole = sum(map(_mass, robot.links))
    for port in ports:
        link = robot.get_link(port.virtual_link)
        mass = 0.0 if link is None else _mass(link)
        if link is not None and mass > _NEGLIGIBLE * whole:
            message = f"the virtual link {quoted(link.name)} has {mass:g} of the module's {whole:g} kg"
            hint = "its mass is lost where another module takes its place; make it light"
            findings.report("urdf-module-virtual-mass", link.place, message, hint)


def _mass(link: Link) -> float:
    return 0.0 if link.inertial is None or link.inertial.mass is None else link.inertial.mass.value


def _check_directions(robot: Robot, kinematics: Kinematics, ports: tuple[Port, ...], findings: Findings) -> None:
    """The z axis of the input connector leads into the module, so its outputs are ahead."""
    poses = kinematics.forward()
    for port in ports:
        place = poses[port.virtual_link].translation
        joint = robot.get_joint(port.joint)
        if joint is not None and any(place) and place[2] <= 0.0:
            message = f"the output connector {quoted(port.joint)} is at z = {place[2]:g} of the input connector"
            hint = "the z axis of the input connector should point into the module, that of the output out of it"
            findings.report("urdf-module-direction", joint.place, message, hint)
