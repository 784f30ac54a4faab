"""A robot is cut into modules, and an assembly that makes the same robot of them again."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Final

from attrs import define, frozen
from lxml import etree

from urdf_frontend.modules.assembly import assembly_yaml
from urdf_frontend.modules.module_file import (
    INPUT_CONNECTOR,
    MARK,
    OUTPUT_CONNECTOR,
    Instance,
    ModuleError,
    attributes_of,
    fill,
    is_element,
    is_word,
    new_element,
    nodes_with_leads,
    parse_robot,
    ports_of,
    write_xml,
)
from urdf_frontend.modules.part_names import References
from urdf_frontend.modules.srdf import cut_srdf
from urdf_frontend.robot import Joint, JointType, Kinematics, Robot
from urdf_frontend.urdf import ReadResult, listed, quoted

# ---------------------------------------------------------------- cutting
# Where a robot is cut: which link, joint and other element belongs to which module.


@frozen
class Cut:
    """A joint where a module ends and the next begins.

    A fixed joint becomes the connector itself. One that moves belongs to the next module: the connector then is at
    the link before it, and the next module begins with an empty link there.
    """

    joint: Joint
    connector: str  # the name of the output connector
    parent: int  # the modules on both sides
    child: int

    @property
    def is_fixed(self) -> bool:
        """Is the joint itself the connector?"""
        return self.joint.type is JointType.FIXED


@frozen
class Pieces:
    """The modules by number, the one with the root first: where links and joints go, and the cuts between them."""

    cuts: tuple[Cut, ...]
    link_homes: Mapping[str, int]
    joint_homes: Mapping[str, int]
    port_counts: Mapping[int, int]  # the output connectors of each module, those that the robot had included

    @property
    def count(self) -> int:
        """How many modules there are."""
        return len(self.cuts) + 1

    def cut_above(self, number: int) -> Cut | None:
        """The cut that a module begins at."""
        return self.cuts[number - 1] if number > 0 else None

    def cuts_below(self, number: int) -> tuple[Cut, ...]:
        """The cuts that a module ends at."""
        return tuple(cut for cut in self.cuts if cut.parent == number)


def cut_robot(robot: Robot, at: Sequence[str], file: str) -> Pieces:
    """Cut a robot at joints; ModuleError if one is not there, or if a joint would mimic one of another module."""
    kinematics = Kinematics.of(robot)
    wanted = set(at)
    for name in at:
        if robot.get_joint(name) is None:
            joints = listed(joint.name for joint in robot.joints)
            raise ModuleError(f"{file}: there is no joint {quoted(name)} to cut at; there are {joints or 'none'}")
    links: dict[str, int] = {}
    joints_at: dict[str, int] = {}
    cuts: list[Cut] = []
    taken = {joint.name for joint in robot.joints}
    for link in kinematics.order:
        joint = kinematics.joint_above(link)
        if joint is None or joint.name not in wanted:
            links[link] = 0 if joint is None else links[joint.parent]
        else:
            links[link] = len(cuts) + 1
            cuts.append(Cut(joint, _connector(joint.name, taken), links[joint.parent], links[link]))
        if joint is not None:
            is_connector = joint.name in wanted and joint.type is JointType.FIXED
            joints_at[joint.name] = links[joint.parent] if is_connector else links[link]
    _refuse_far_mimics(robot, joints_at, file)
    _refuse_taken_name(cuts, links, file)
    ports = [port.joint for port in ports_of(robot, kinematics) if port.joint not in wanted]
    counts = Counter([*(cut.parent for cut in cuts), *(joints_at[port] for port in ports)])
    return Pieces(tuple(cuts), links, joints_at, counts)


def _connector(joint: str, taken: set[str]) -> str:
    """A name that tells where the cut was, and is not another joint's."""
    if joint.startswith(OUTPUT_CONNECTOR):
        return joint
    name, number = f"{OUTPUT_CONNECTOR}_{joint}", 1
    while name in taken:
        number += 1
        name = f"{OUTPUT_CONNECTOR}_{joint}_{number}"
    taken.add(name)
    return name


def _refuse_taken_name(cuts: list[Cut], homes: Mapping[str, int], file: str) -> None:
    """An empty first link is known by its name, so no other link of its module may have it."""
    home = homes.get(INPUT_CONNECTOR)
    cut = next((cut for cut in cuts if cut.child == home and not cut.is_fixed), None)
    if cut is not None:
        raise ModuleError(
            f"{file}: the module that begins at {quoted(cut.joint.name)} needs the name {quoted(INPUT_CONNECTOR)} for "
            "its first link, and a link has it already; rename that link"
        )


def _refuse_far_mimics(robot: Robot, homes: Mapping[str, int], file: str) -> None:
    for joint in robot.joints:
        leader = joint.mimic.joint if joint.mimic is not None else joint.name
        if homes.get(joint.name) != homes.get(leader):
            raise ModuleError(
                f"{file}:{joint.place.line}: the joint {quoted(joint.name)} mimics {quoted(leader)}, which would be in "
                "another module; cut where both stay together"
            )


# ---------------------------------------------------------------- splitting

ASSEMBLY_FILE: Final = "assembly.yaml"
_WHOLE: Final = "assembly"  # the SRDF file of what concerns several modules
_VIRTUAL_LINK: Final = "virtual_link"
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_Node = tuple[str, etree._Element]  # noqa: SLF001  (what lxml calls its elements, in a type)


@frozen
class SplitRobot:
    """The module files and the assembly file, by their names."""

    files: Mapping[str, bytes]
    assembly: str
    modules: tuple[str, ...]  # the module files, from the root on


def split(
    result: ReadResult,
    at: Sequence[str],
    *,
    into: str | os.PathLike[str] = ".",
    srdf: str | os.PathLike[str] | None = None,
) -> SplitRobot:
    """Cut a robot that was read at the joints of these names.

    The modules keep the names of the robot. `into` is the folder that they are meant for; relative paths of meshes
    count from there afterwards. `srdf` is cut too; without it the file beside the robot with the ending `.srdf`, if
    there is one. UrdfError if the robot has errors, ModuleError if it can't be cut there.
    """
    robot = result.usable_robot()
    document = result.document
    assert document is not None, "a robot that was read has a document"
    pieces = cut_robot(robot, at, document.name)
    names = _module_names(robot, pieces)
    folder = document.path.parent if document.path is not None else Path()
    names_of_robot = References(
        {link.name: link.name for link in robot.links}, {joint.name: joint.name for joint in robot.joints}
    )
    splitter = _Splitter(robot, pieces, _Paths(folder, Path(into)), names_of_robot)
    modules = splitter.modules(parse_robot(document))
    files = {
        f"{name}.urdf": _module_file(name, nodes, root) for name, (root, nodes) in zip(names, modules, strict=True)
    }
    instances = tuple(_instance(number, names, pieces) for number in range(pieces.count))
    files |= _srdf_files(document.path, srdf, names, pieces)
    whole = next((file for file in files if file.endswith(".srdf") and file.removesuffix(".srdf") not in names), None)
    assembly = assembly_yaml(robot.name or "robot", instances, whole)
    modules_files = tuple(f"{name}.urdf" for name in names)
    return SplitRobot({**files, ASSEMBLY_FILE: assembly.encode()}, assembly, modules_files)


def _srdf_files(
    robot: Path | None, given: str | os.PathLike[str] | None, names: list[str], pieces: Pieces
) -> dict[str, bytes]:
    """The SRDF of each module, and that of what concerns several of them, by their names."""
    path = Path(given) if given is not None else robot.with_suffix(".srdf") if robot is not None else None
    if path is None or (given is None and not path.is_file()):
        return {}
    renamed = {cut.joint.name: cut.connector for cut in pieces.cuts if cut.is_fixed}
    found = cut_srdf(path, (pieces.link_homes, pieces.joint_homes), names, renamed)
    files = {f"{names[number]}.srdf": data for number, data in sorted(found.modules.items())}
    if found.whole is not None:
        stem = _WHOLE
        while stem.lower() in {name.lower() for name in names}:
            stem += "_"
        files[f"{stem}.srdf"] = found.whole
    return files


def _module_names(robot: Robot, pieces: Pieces) -> list[str]:
    """The root's module is called as the robot's root link, the others as the joint that they begin at."""
    roots = [link.name for link in robot.links if pieces.link_homes.get(link.name) == 0]
    names: list[str] = []
    for text in [roots[0], *(cut.joint.name for cut in pieces.cuts)]:
        word = re.sub(r"[^A-Za-z0-9_]", "_", text)
        word = word if is_word(word) else f"m{word}"
        name, number = word, 1
        while name.lower() in {other.lower() for other in names}:  # some file systems do not tell them apart
            number += 1
            name = f"{word}_{number}"
        names.append(name)
    return names


def _module_file(name: str, nodes: list[_Node], old: etree._Element) -> bytes:
    namespaces = {prefix: uri for prefix, uri in old.nsmap.items() if prefix is not None}
    root = new_element("robot", {**attributes_of(old), "name": name}, namespaces)
    fill(root, nodes)
    return write_xml(root)


def _instance(number: int, names: list[str], pieces: Pieces) -> Instance:
    cut = pieces.cut_above(number)
    parent = None if cut is None else f"{names[cut.parent]}.{cut.connector}"
    is_next = cut is not None and cut.parent == number - 1 and pieces.port_counts[cut.parent] == 1
    # Names are those of the robot already, so there is nothing to put before them.
    return Instance(
        use=f"{names[number]}.urdf",
        given_name=names[number],
        parent=None if is_next else parent,
        prefix="",
        joint=cut.joint.name if cut is not None and cut.is_fixed and cut.connector != cut.joint.name else None,
    )


@frozen
class _Paths:
    """Relative paths that count from one folder, as they count from another."""

    old: Path
    new: Path

    def rewrite(self, element: etree._Element) -> None:
        for node in element.iter("mesh", "texture"):
            filename = node.get("filename")
            if filename and not _SCHEME.match(filename) and not Path(filename).is_absolute():
                node.set("filename", Path(os.path.relpath(self.old / filename, self.new)).as_posix())


@define
class _Splitter:
    robot: Robot
    pieces: Pieces
    paths: _Paths
    names: References  # those of the robot, as they are

    def modules(self, root: etree._Element) -> list[tuple[etree._Element, list[_Node]]]:
        """The elements of each module, with the blanks before them; a comment goes where the element after it goes."""
        references = [self._references(number) for number in range(self.pieces.count)]
        nodes: list[list[_Node]] = [self._beginning(number) for number in range(self.pieces.count)]
        materials: list[_Node] = []
        comments: list[_Node] = []
        for lead, node in nodes_with_leads(root):
            if not is_element(node):
                if MARK not in (node.text or ""):
                    comments.append((lead, node))
                continue
            self.paths.rewrite(node)
            if node.tag == "material":
                materials.append((lead, node))
                continue
            number = self._home(node)
            if node.tag == "joint":
                self._cut_joint(node)
            else:
                references[number].rewrite(node)
            nodes[number] += [*comments, (lead, node)]
            comments = []
        nodes[0] += comments
        for number in range(self.pieces.count):
            nodes[number] += self._connectors(number)
        _share_materials(materials, nodes)
        return [(root, found) for found in nodes]

    def _references(self, number: int) -> References:
        """What a module calls connectors of its own; those of others are called as in the robot."""
        own = [cut for cut in self.pieces.cuts_below(number) if cut.is_fixed]
        # A link may be called like a joint, and stays as it is.
        return References(self.names.links, {cut.joint.name: cut.connector for cut in own})

    def _home(self, node: etree._Element) -> int:
        """The module that an element belongs to; what belongs to none goes to the first."""
        name = node.get("name", "")
        if node.tag == "link":
            return self.pieces.link_homes[name]
        if node.tag == "joint":
            return self.pieces.joint_homes[name]
        if node.tag == "transmission":
            driven = [joint.get("name", "") for joint in node.iter("joint")]
            return next((self.pieces.joint_homes[name] for name in driven if name in self.pieces.joint_homes), 0)
        reference = node.get("reference", "")
        if reference or node.tag == "gazebo":
            return self.pieces.link_homes.get(reference, self.pieces.joint_homes.get(reference, 0))
        known = self.names.named_in(node)
        homes = {self.pieces.joint_homes.get(name, self.pieces.link_homes.get(name)) for name in known}
        return next(iter(homes)) or 0 if len(homes) == 1 else 0

    def _cut_joint(self, node: etree._Element) -> None:
        """A joint at a cut gets an end in its own module."""
        cut = next((cut for cut in self.pieces.cuts if cut.joint.name == node.get("name")), None)
        if cut is None:
            return
        if cut.is_fixed:
            node.set("name", cut.connector)
            _set_end(node, "child", self._virtual_link(cut))
        else:
            _set_end(node, "parent", INPUT_CONNECTOR)

    def _beginning(self, number: int) -> list[_Node]:
        """The empty link before a joint that moves; and a link `world` that is only referred to."""
        cut = self.pieces.cut_above(number)
        names = [] if cut is None or cut.is_fixed else [INPUT_CONNECTOR]
        names += [
            link.name for link in self.robot.links if link.is_implicit and self.pieces.link_homes[link.name] == number
        ]
        return [("\n  ", _named("link", name)) for name in names]

    def _connectors(self, number: int) -> list[_Node]:
        nodes: list[_Node] = []
        for cut in self.pieces.cuts_below(number):
            if not cut.is_fixed:
                joint = _named("joint", cut.connector)
                joint.set("type", "fixed")
                for tag, link in (("parent", cut.joint.parent), ("child", self._virtual_link(cut))):
                    etree.SubElement(joint, tag).set("link", link)
                etree.indent(joint, level=1)
                nodes.append(("\n  ", joint))
            nodes.append(("\n  ", _named("link", self._virtual_link(cut))))
        return nodes

    def _virtual_link(self, cut: Cut) -> str:
        name = _VIRTUAL_LINK if len(self.pieces.cuts_below(cut.parent)) == 1 else f"{_VIRTUAL_LINK}_{cut.joint.name}"
        while self.pieces.link_homes.get(name) == cut.parent:
            name += "_"
        return name


def _named(tag: str, name: str) -> etree._Element:
    element = etree.Element(tag)
    element.set("name", name)
    return element


def _set_end(joint: etree._Element, tag: str, link: str) -> None:
    end = joint.find(tag)
    assert end is not None, "a joint without errors has both ends"
    end.set("link", link)


def _share_materials(materials: list[_Node], modules: list[list[_Node]]) -> None:
    """Every module gets the materials that it uses; what nobody uses stays with the first."""
    used = [
        {material.get("name") for _, node in nodes if is_element(node) for material in node.iter("material")}
        for nodes in modules
    ]
    for lead, material in reversed(materials):
        name = material.get("name")
        homes = [number for number, names in enumerate(used) if name in names] or [0]
        for number in homes:
            modules[number].insert(0, (lead, deepcopy(material)))
