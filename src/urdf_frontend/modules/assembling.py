"""Modules become one URDF file: their elements are copied, renamed, and mated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from attrs import define, field
from lxml import etree

from urdf_frontend.modules.assembled import AssembledInstance, AssembledRobot
from urdf_frontend.modules.materials import Materials
from urdf_frontend.modules.origins import turn_origin
from urdf_frontend.modules.part_names import PartNames, name_parts
from urdf_frontend.modules.placing import Placed, Tree
from urdf_frontend.modules.references import References
from urdf_frontend.modules.resource_files import ResourceFiles
from urdf_frontend.modules.srdf import merge_srdf
from urdf_frontend.modules.xml_files import (
    attributes_of,
    fill,
    is_element,
    new_element,
    nodes_with_leads,
    tag_of,
    write_xml,
)

MARK: Final = "Assembled by modelica-patch urdf assemble"


def assemble(robot: str, tree: Tree, *, file: str, folder: Path, package: str | None) -> AssembledRobot:
    """Make the robot. With `package` its meshes are named and listed as files of that ROS package."""
    names = name_parts(tree, file)
    resources = ResourceFiles(package, folder)
    writer = _Writer(tree, names, resources, Materials.of(tree.placed))
    stretches = [(placed, placed.module.root_element) for placed in tree.placed]
    attributes = {"name": robot}
    for _, element in stretches:
        _add_attributes(attributes, element)
    root = new_element("robot", attributes, _namespaces(tree.placed))
    nodes = [node for placed, element in stretches for node in writer.stretch(placed, element)]
    fill(root, nodes)
    origin = f"{MARK} from {Path(file).name}; what is changed here is lost when that is done again."
    return AssembledRobot(
        robot,
        write_xml(root, comment=origin.replace("--", "- -")),
        merge_srdf(robot, tree, names, file=file, folder=folder, comment=origin.replace("--", "- -")),
        tuple(_instance(placed, tree, names[placed.index]) for placed in tree.placed),
        resources.copies,
        tuple(resources.problems),
    )


def _namespaces(placed: Iterable[Placed]) -> dict[str, str]:
    """The prefixes of all modules. Of two meanings the first counts; the elements of the other keep their own."""
    found: dict[str, str] = {}
    for module in dict.fromkeys(each.module for each in placed):
        for prefix, uri in module.root_element.nsmap.items():
            if prefix is not None:
                found.setdefault(prefix, uri)
    return found


def _add_attributes(found: dict[str, str], element: etree._Element) -> None:
    """All attributes of the modules' root elements; the version is the newest."""
    for name, value in attributes_of(element).items():
        if name == "version" and _version(value) > _version(found.get("version", "")):
            found["version"] = value
        else:
            found.setdefault(name, value)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdecimal())


@define
class _Writer:
    """Writes the elements of the instances, one instance after the other."""

    tree: Tree
    names: tuple[PartNames, ...]
    resources: ResourceFiles
    materials: Materials
    written: set[bytes] = field(factory=set)  # what concerns the robot as a whole

    def stretch(self, placed: Placed, root: etree._Element) -> list[tuple[str, etree._Element]]:
        """The elements and comments of an instance, each with the blanks before it."""
        nodes = [(lead, node) for lead, node in nodes_with_leads(root) if self._is_kept(node, placed)]
        if nodes and placed.index > 0:
            indent = nodes[0][0].rpartition("\n")[2]
            nodes[0] = (f"\n\n{indent}", nodes[0][1])
        return nodes

    def _is_kept(self, node: etree._Element, placed: Placed) -> bool:
        """Rename what is in an element; False if the robot goes without it."""
        if not is_element(node):
            return MARK not in (node.text or "")
        rename = _RENAMERS.get(tag_of(node), _Writer.rename_other)
        return rename(self, node, placed)

    def rename_link(self, node: etree._Element, placed: Placed) -> bool:
        names = self.names[placed.index]
        if node.get("name") in names.dropped_links:
            return False
        self._rewrite(node, names)
        self.materials.rewrite(node, names.naming)
        self.resources.rewrite(node, placed.module)
        return True

    def rename_joint(self, node: etree._Element, placed: Placed) -> bool:
        names = self.names[placed.index]
        joint = placed.module.robot.get_joint(node.get("name", ""))
        assert joint is not None, "a module without errors has all joints of its file"
        if joint.name in names.dropped_joints:
            return False
        port = next((port for port in placed.module.ports if port.joint == joint.name), None)
        child = None if port is None else self.tree.child_at(placed, port)
        if port is not None and child is not None and child.instance.rotate:
            turn_origin(node, port.pose, child.instance.rotate)
        self._rewrite(node, names)
        return True

    def rename_material(self, node: etree._Element, placed: Placed) -> bool:
        self.resources.rewrite(node, placed.module)
        return self.materials.is_new(node, self.names[placed.index].naming)

    def rename_gazebo(self, node: etree._Element, placed: Placed) -> bool:
        names = self.names[placed.index]
        reference = node.get("reference")
        if reference in names.dropped_links | names.dropped_joints:
            return False
        self._rewrite(node, names)
        self.resources.rewrite(node, placed.module)
        return reference is not None or self._is_first(node)

    def rename_transmission(self, node: etree._Element, placed: Placed) -> bool:
        names = self.names[placed.index]
        self._rewrite(node, names)
        for named in (node, *node.iter("actuator")):
            if named.get("name"):
                named.set("name", names.naming.name(named.get("name", "")))
        return True

    def rename_other(self, node: etree._Element, placed: Placed) -> bool:
        names = self.names[placed.index]
        self._rewrite(node, names)
        self.resources.rewrite(node, placed.module)
        if node.get("name"):
            node.set("name", names.naming.name(node.get("name", "")))
            return True
        return self._is_first(node)

    def _is_first(self, node: etree._Element) -> bool:
        """What is said of the whole robot is said once, however many modules say it."""
        text = etree.tostring(node, with_tail=False)
        known = text in self.written
        self.written.add(text)
        return not known

    def _rewrite(self, node: etree._Element, names: PartNames) -> None:
        References(names.links, names.joints).rewrite(node)


# By tag; all others are what URDF does not know.
_RENAMERS: Final[Mapping[str, Callable[[_Writer, etree._Element, Placed], bool]]] = {
    "link": _Writer.rename_link,
    "joint": _Writer.rename_joint,
    "material": _Writer.rename_material,
    "gazebo": _Writer.rename_gazebo,
    "transmission": _Writer.rename_transmission,
}


def _instance(placed: Placed, tree: Tree, names: PartNames) -> AssembledInstance:
    children = {port.joint: tree.child_at(placed, port) for port in placed.module.ports}
    return AssembledInstance(
        name=placed.name,
        position=placed.position,
        module=placed.module,
        is_attached=placed.instance.is_attached,
        parent=None if placed.parent is None else tree.placed[placed.parent].name,
        port=None if placed.port is None else placed.port.joint,
        rotation=placed.instance.rotate,
        link_names=names.links,
        joint_names=names.joints,
        links=tuple(new for old, new in names.links.items() if old not in names.dropped_links),
        joints=tuple(names.joints.values()),
        ports={joint: None if child is None else child.name for joint, child in children.items()},
    )
