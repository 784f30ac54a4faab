"""Modules become one URDF file: their elements are copied, renamed, and mated."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Final

from attrs import define, field, frozen
from lxml import etree

from urdf_frontend.modules.module_file import (
    MARK,
    Module,
    attributes_of,
    fill,
    is_element,
    new_element,
    nodes_with_leads,
    tag_of,
    write_xml,
)
from urdf_frontend.modules.part_names import Naming, PartNames, References, name_parts
from urdf_frontend.modules.srdf import SrdfSources, merge_srdf
from urdf_frontend.modules.structure import Placed, Tree
from urdf_frontend.robot import Material, Pose, Robot, Rotation, Triple, rotation_about, rotation_of_rpy
from urdf_frontend.urdf import FileKind, ReadResult, RefusedFileError, find_source, not_copied, read

# ---------------------------------------------------------------- assembled
# What an assembly gives: a URDF text, and what became of each module.


@frozen
class AssembledInstance:
    """One module in the robot.

    `link_names` and `joint_names` lead from names of the module's URDF to those of the robot. A virtual link that was
    left out leads to the first link of the module in its place. `links` and `joints` are those of the robot that came
    from this module. `ports` has what is attached to each output connector, by its joint in the module: the name of an
    instance, or None for an open end.
    """

    name: str
    position: int  # counted from 1; 0 for what is attached
    module: Module
    is_attached: bool
    parent: str | None
    port: str | None  # the output connector of the parent, as its module calls it
    rotation: float
    link_names: Mapping[str, str]
    joint_names: Mapping[str, str]
    links: tuple[str, ...]
    joints: tuple[str, ...]
    ports: Mapping[str, str | None]

    def as_json(self) -> dict[str, Any]:
        """The fields by their names, for `json`."""
        return {
            "name": self.name,
            "position": self.position,
            "module": str(self.module.path),
            "attached": self.is_attached,
            "parent": self.parent,
            "port": self.port,
            "rotation": self.rotation,
            "link_names": dict(self.link_names),
            "joint_names": dict(self.joint_names),
            "links": list(self.links),
            "joints": list(self.joints),
            "ports": dict(self.ports),
        }


@frozen
class AssembledRobot:
    """The URDF as bytes, and the SRDF if a module has one. `copies` are the files of the ROS package by their sources.

    `problems` has a sentence for each mesh that was not found, and for what an SRDF file says about parts that are
    gone.
    """

    name: str
    data: bytes
    srdf: bytes | None
    instances: tuple[AssembledInstance, ...]
    copies: Mapping[PurePosixPath, Path]
    problems: tuple[str, ...]

    @property
    def text(self) -> str:
        """The URDF."""
        return self.data.decode("utf-8")

    @cached_property
    def result(self) -> ReadResult:
        """The robot as `urdf_frontend.read` sees it."""
        return read(self.data)

    @property
    def robot(self) -> Robot:
        """The robot; UrdfError if the modules make none."""
        return self.result.usable_robot()

    def get_instance(self, name: str) -> AssembledInstance | None:
        """An instance by its name."""
        return next((each for each in self.instances if each.name == name), None)


# ---------------------------------------------------------------- materials
# Materials of several modules in one robot.

_Look = tuple[tuple[float, ...] | None, str | None]


@define
class Materials:
    """A material keeps its name where all modules that have it give it one look; else it is renamed in each."""

    clashing: frozenset[str]
    written: set[str] = field(factory=set)

    @classmethod
    def of(cls, placed: Iterable[Placed]) -> Materials:
        """Compare the materials of all modules."""
        looks: dict[str, set[_Look]] = {}
        for module in dict.fromkeys(each.module for each in placed):
            for name, material in module.robot.looks.items():
                looks.setdefault(name, set()).add(_look(material, str(module.path.parent)))
        return cls(frozenset(name for name, found in looks.items() if len(found) > 1))

    def name(self, name: str, naming: Naming) -> str:
        """What a material is called in the robot."""
        return naming.name(name) if name in self.clashing else name

    def rewrite(self, element: etree._Element, naming: Naming) -> None:
        """The materials that an element uses."""
        for node in element.iter("material"):
            name = node.get("name")
            if name:
                node.set("name", self.name(name, naming))

    def is_new(self, element: etree._Element, naming: Naming) -> bool:
        """Is this definition of the robot the first of its name? Then it is renamed, else it is left out."""
        self.rewrite(element, naming)
        name = element.get("name", "")
        known = name in self.written
        self.written.add(name)
        return not known


def _look(material: Material, folder: str) -> _Look:
    """The numbers, and the texture with the folder that its path counts from."""
    texture = material.texture.filename if material.texture is not None else None
    if texture is not None and "://" not in texture:
        texture = f"{folder}/{texture}"
    return material.colour.rgba.values if material.colour is not None else None, texture


# ---------------------------------------------------------------- origins
# Origins of connectors that are turned.


def precise_angles(rotation: Rotation) -> Triple:
    """Roll, pitch and yaw, as exact near straight up and down as elsewhere.

    There yaw alone is badly known. So it is taken first, whatever its error, and roll and pitch are those of
    what is left: they make up for it. Right angles are given as such, and no yaw, where that is the same.
    """
    first, second, _ = rotation
    found = _angles(rotation, math.atan2(second[0], first[0]))
    for angles in (_angles(rotation, 0.0), found):
        plain: Triple = (_plain(angles[0]), _plain(angles[1]), _plain(angles[2]))
        if _distance(rotation_of_rpy(*plain), rotation) <= _SAME:
            return plain
    return found


def _angles(rotation: Rotation, yaw: float) -> Triple:
    """Roll and pitch for a yaw."""
    first, second, third = rotation
    s, c = math.sin(yaw), math.cos(yaw)
    pitch = math.atan2(-third[0], c * first[0] + s * second[0])
    roll = math.atan2(-(c * second[2] - s * first[2]), c * second[1] - s * first[1])
    return roll, pitch, yaw


def _plain(angle: float) -> float:
    """The right angle that it nearly is, or itself."""
    right = min(_RIGHT, key=lambda each: abs(math.remainder(angle - each, math.tau)))
    return right if abs(math.remainder(angle - right, math.tau)) <= _SAME else angle


def _distance(one: Rotation, other: Rotation) -> float:
    return max(abs(a - b) for row, its in zip(one, other, strict=True) for a, b in zip(row, its, strict=True))


def turn_origin(joint: etree._Element, pose: Pose, angle: float) -> None:
    """Turn a connector, which is at `pose`, about its own z axis; its place stays as it is written."""
    origin = joint.find("origin")
    if origin is None:
        origin = etree.Element("origin")
        origin.tail = joint.text
        joint.insert(0, origin)
    origin.attrib.pop("quat_xyzw", None)
    turned = pose @ Pose(rotation_about((0.0, 0.0, 1.0), angle), (0.0, 0.0, 0.0))
    origin.set("rpy", " ".join(map(_number, precise_angles(turned.rotation))))


_RIGHT: Final = (0.0, math.pi / 2, -math.pi / 2, math.pi)
_SAME: Final = 1e-15  # radians, and what these make of the elements of a rotation
_DIGITS: Final = 12
_NOISE: Final = 4e-16  # what sines and cosines of doubles leave over


def _number(value: float) -> str:
    """A number as its author would write it: without what rounding has left over, where that is all."""
    short = round(value, _DIGITS)
    if abs(value - short) <= _NOISE * max(1.0, abs(value)):
        value = short
    return "0" if value == 0.0 else repr(value)


# ---------------------------------------------------------------- resource files
# Meshes and textures of modules: what they are called in the robot, and where they come from.

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_PACKAGE: Final = re.compile(r"(?:package|model)://[^/]+/(?:meshes/)?(.+)")
_KINDS: Final = {"mesh": FileKind.MESH, "texture": FileKind.TEXTURE}
_FOLDERS: Final = {FileKind.MESH: "meshes", FileKind.TEXTURE: "textures"}


@define
class ResourceFiles:
    """Renames files. With a ROS package they are copied there, each module's into a folder of its own.

    Without one, `package://` stays as it is, and relative paths are made relative to `folder`.
    """

    package: str | None
    folder: Path
    copies: dict[PurePosixPath, Path] = field(factory=dict)
    _refused: dict[Path, list[tuple[str, RefusedFileError]]] = field(factory=dict)
    _known: dict[tuple[Path, str], str] = field(factory=dict)

    @property
    def problems(self) -> tuple[str, ...]:
        """What was not copied, in sentences."""
        return tuple(f"{file}: {line}" for file, refused in self._refused.items() for line in not_copied(refused))

    def rewrite(self, element: etree._Element, module: Module) -> None:
        """All files that an element names."""
        for node in element.iter("mesh", "texture"):
            filename = node.get("filename")
            if filename:
                node.set("filename", self._new(filename, module, _KINDS[tag_of(node)]))

    def _new(self, filename: str, module: Module, kind: FileKind) -> str:
        key = (module.path, filename)
        if key not in self._known:
            copied = self._copied(filename, module, kind) if self.package is not None else None
            self._known[key] = copied or self._beside(filename, module)
        return self._known[key]

    def _copied(self, filename: str, module: Module, kind: FileKind) -> str | None:
        try:
            source = find_source(filename, kind, module.packages, module.path)
        except RefusedFileError as error:
            self._refused.setdefault(module.path, []).append((filename, error))
            return None
        place = self._free(PurePosixPath(_FOLDERS[kind], module.name, _inner_path(filename)), source)
        self.copies[place] = source
        return f"package://{self.package}/{place}"

    def _free(self, place: PurePosixPath, source: Path) -> PurePosixPath:
        """The place, or one with a number if another file is there; capital letters make no difference."""
        taken = {str(known).lower(): path for known, path in self.copies.items()}
        free, number = place, 1
        while taken.get(str(free).lower(), source) != source:
            number += 1
            free = place.with_name(f"{place.stem}_{number}{place.suffix}")
        return free

    def _beside(self, filename: str, module: Module) -> str:
        if _SCHEME.match(filename) or Path(filename).is_absolute():
            return filename
        return Path(os.path.relpath(module.path.parent / filename, self.folder)).as_posix()


def kind_of_copy(place: PurePosixPath) -> FileKind:
    """What a file of the package is there for."""
    return next(kind for kind, folder in _FOLDERS.items() if folder == place.parts[0])


def _inner_path(filename: str) -> str:
    """`visual/link.dae` of `package://arm/meshes/visual/link.dae`; elsewhere the file's name alone."""
    inner = _PACKAGE.fullmatch(filename)
    path = PurePosixPath((inner[1] if inner else filename).replace("\\", "/"))
    return str(path) if inner and ".." not in path.parts else path.name


# ---------------------------------------------------------------- assembling


@frozen
class Target:
    """Where an assembly comes from, and where its robot goes: with `package` as files of that ROS package."""

    file: str  # the assembly file
    folder: Path  # that paths in it count from
    into: Path  # that paths in the robot's file count from
    package: str | None


def assemble(robot: str, tree: Tree, target: Target, *, srdf: str | None = None) -> AssembledRobot:
    """Make the robot. `srdf` is the file with what concerns several modules at once."""
    file = target.file
    names = name_parts(tree, file)
    resources = ResourceFiles(target.package, target.into)
    writer = _Writer(tree, names, resources, Materials.of(tree.placed))
    stretches = [(placed, placed.module.root_element) for placed in tree.placed]
    attributes = {"name": robot}
    for _, element in stretches:
        _add_attributes(attributes, element)
    root = new_element("robot", attributes, _namespaces(tree.placed))
    nodes = [node for placed, element in stretches for node in writer.stretch(placed, element)]
    fill(root, nodes)
    origin = f"{MARK} from {Path(file).name}; what is changed here is lost when that is done again."
    comment = origin.replace("--", "- -")
    sources = SrdfSources(file, target.folder, srdf)
    merged = merge_srdf(robot, tree, names, sources, comment=comment)
    return AssembledRobot(
        robot,
        write_xml(root, comment=comment),
        merged.data,
        tuple(_instance(placed, tree, names[placed.index]) for placed in tree.placed),
        resources.copies,
        (*resources.problems, *merged.problems),
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
