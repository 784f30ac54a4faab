"""An assembly: a robot's name and its modules, and the verbs that change it."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from typing import Any, Final

import yaml
from attrs import define, evolve, frozen

from modelica_ast.foundation import YamlValue, did_you_mean, read_regular, read_yaml
from urdf_frontend.modules.composition import AssembledRobot, Target, assemble
from urdf_frontend.modules.module_file import (
    Instance,
    Module,
    ModuleError,
    Port,
    UnreadableAssemblyError,
    is_word,
    names_of,
    read_module,
)
from urdf_frontend.modules.structure import Placed, Tree, place
from urdf_frontend.urdf import reason_of

# ---------------------------------------------------------------- assembly.yaml
# assembly.yaml: the robot's name and its modules, each with its line.


_TOP: Final = ("robot", "modules", "attach", "srdf")
_ENTRY: Final = ("use", "as", "parent", "rotate", "prefix", "srdf", "joint")
_DEGREES: Final = re.compile(r"\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*deg\s*")


@frozen
class AssemblyFile:
    """What an assembly file says."""

    robot: str
    instances: tuple[Instance, ...]
    srdf: str | None = None  # what is said about several modules at once


def read_assembly(path: Path) -> AssemblyFile:
    """Read a file; ModuleError with the line for what is wrong with it."""
    try:
        text = read_regular(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableAssemblyError(f"{path}: it is not UTF-8; save it as UTF-8") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise UnreadableAssemblyError(f"{path}: the file can't be read: {reason_of(error)}") from None
    return parse_assembly(text, str(path))


def parse_assembly(text: str, file: str) -> AssemblyFile:
    """The same of a text."""
    empty = "the file is empty; it needs 'robot:' and 'modules:'"
    # An assembly has a fixed depth, however much its aliases repeat.
    given = read_yaml(text, file, ModuleError, unreadable=UnreadableAssemblyError, aliases=True, empty=empty)
    fields = given.fields(*_TOP, required=_TOP[:2], about="an assembly")
    modules = fields["modules"]
    if not (modules.is_list and modules.items()):
        raise modules.error("'modules:' is a list with at least one module, such as '- use: base.urdf'")
    instances = [_instance(each, is_attached=False) for each in modules.items()]
    if "attach" in fields:
        attach = fields["attach"]
        instances += [_instance(each, is_attached=True) for each in (attach.items() if attach.is_list else [attach])]
    _check_names(instances, file)
    srdf = fields["srdf"].text() if "srdf" in fields else None
    return AssemblyFile(fields["robot"].text(), tuple(instances), srdf)


def _instance(given: YamlValue, *, is_attached: bool) -> Instance:
    if given.is_text:
        return Instance(use=given.text(), is_attached=is_attached, line=given.line)
    fields = given.fields(*_ENTRY, required=("use",), about="a module")
    texts = {key: value.text(empty=key == "prefix") for key, value in fields.items() if key != "rotate"}
    if "as" in texts and not is_word(texts["as"]):
        problem = f"'as: {texts['as']}' is not a name: letters, digits and '_', and no digit first"
        raise fields["as"].error(problem)
    return Instance(
        use=texts["use"],
        given_name=texts.get("as"),
        parent=texts.get("parent"),
        rotate=_angle(fields["rotate"]) if "rotate" in fields else 0.0,
        prefix=texts.get("prefix"),
        srdf=texts.get("srdf"),
        joint=texts.get("joint"),
        is_attached=is_attached,
        line=given.line,
    )


def _angle(given: YamlValue) -> float:
    text = given.text() if given.is_text else ""
    degrees = _DEGREES.fullmatch(text)
    try:
        number = math.radians(float(degrees[1])) if degrees else float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise given.error("'rotate' takes an angle in radians such as 1.5708, or in degrees such as 90 deg")
    return number


def _check_names(instances: list[Instance], file: str) -> None:
    seen: dict[str, Instance] = {}
    for instance in instances:
        name = instance.given_name
        if name is None:
            continue
        if name in seen:
            message = f"'{name}' is the name of the module in line {seen[name].line} already"
            raise ModuleError(f"{file}:{instance.line}: {message}")
        seen[name] = instance


def assembly_yaml(robot: str, instances: tuple[Instance, ...], srdf: str | None = None) -> str:
    """The text of an assembly file that says this."""
    data: dict[str, Any] = {"robot": robot, "modules": [_entry(each) for each in instances if not each.is_attached]}
    attached = [_entry(each) for each in instances if each.is_attached]
    if attached:
        data["attach"] = attached
    if srdf is not None:
        data["srdf"] = srdf
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=1000)


def _entry(instance: Instance) -> dict[str, Any]:
    entry = {
        "use": instance.use,
        "as": instance.given_name,
        "parent": instance.parent,
        "rotate": instance.rotate or None,
        "prefix": instance.prefix,
        "srdf": instance.srdf,
        "joint": instance.joint,
    }
    return {key: value for key, value in entry.items() if value is not None}


# ---------------------------------------------------------------- assemblies


# ---------------------------------------------------------------- changing
# Insert, remove and replace: lists of instances whose parents are rewritten.


@define(eq=False)
class _Node:
    """An instance whose parent is another node and not a name: names by position change with the list."""

    instance: Instance
    module: Module
    parent: _Node | None
    port: Port | None


def with_inserted(
    tree: Tree, new: Instance, module: Module, *, after: str | None, before: str | None
) -> tuple[Instance, ...]:
    """The instances with a new one between two."""
    if after is not None and before is not None:
        raise ModuleError("a module is inserted after one or before one, not both")
    nodes = _nodes(tree)
    node = _Node(new, module, None, None)
    if before is not None:
        follower = nodes[_find(tree, before).index]
        if follower.parent is None:
            follower.port = _only_port(module, new.use)
            follower.parent = node
            return _instances([node, *nodes])
        node.parent, node.port = follower.parent, follower.port
        place = nodes.index(follower)
    else:
        name, dot, port_name = (after or _last_module(tree)).partition(".")
        placed = _find(tree, name)
        node.parent = nodes[placed.index]
        node.port = _port(placed, port_name) if dot else _only_port(placed.module, placed.name)
        place = placed.index + 1
    for other in nodes:
        if other.parent is node.parent and other.port == node.port:
            other.parent, other.port = node, _only_port(module, new.use)
    return _instances([*nodes[:place], node, *nodes[place:]])


def without(tree: Tree, name: str) -> tuple[Instance, ...]:
    """The instances without one; what is attached to it takes its place."""
    nodes = _nodes(tree)
    gone = nodes[_find(tree, name).index]
    hanging = [node for node in nodes if node.parent is gone]
    if len(hanging) > 1:
        raise ModuleError(
            f"{len(hanging)} modules are attached to '{name}', and only one can take its place: remove the others first"
        )
    rest = [node for node in nodes if node is not gone]
    if not any(not node.instance.is_attached for node in rest):
        raise ModuleError(f"'{name}' is the only module, and a robot needs one")
    for node in hanging:
        node.parent, node.port = gone.parent, gone.port
        if gone.parent is None:
            # The first module is attached to no connector that it could be turned about, and it comes first.
            node.instance = evolve(node.instance, rotate=0.0, joint=None)
            rest = [node, *(other for other in rest if other is not node)]
    return _instances(rest)


def with_replaced(tree: Tree, name: str, use: str, module: Module) -> tuple[Instance, ...]:
    """The instances with another file for one of them. A port keeps its name; an only port follows an only one."""
    nodes = _nodes(tree)
    placed = _find(tree, name)
    node = nodes[placed.index]
    was_only = len(node.module.ports) == 1
    node.instance, node.module = evolve(node.instance, use=use), module
    for other in nodes:
        if other.parent is not node or other.port is None:
            continue
        same = module.get_port(other.port.joint)
        if same is None and not (was_only and len(module.ports) == 1):
            raise ModuleError(f"{use} has no port '{other.port.joint}', and a module is attached to that of '{name}'")
        other.port = same or module.ports[0]
    return _instances(nodes)


def _nodes(tree: Tree) -> list[_Node]:
    nodes = [_Node(placed.instance, placed.module, None, placed.port) for placed in tree.placed]
    for node, placed in zip(nodes, tree.placed, strict=True):
        node.parent = None if placed.parent is None else nodes[placed.parent]
    return nodes


def _instances(nodes: list[_Node]) -> tuple[Instance, ...]:
    """Write down the parents: none where it is the module before and has one port."""
    names = dict(zip(map(id, nodes), names_of(tuple(node.instance for node in nodes)), strict=True))
    found: list[Instance] = []
    last: _Node | None = None  # the module before; what is attached does not count
    for node in nodes:
        parent = None
        if node.parent is not None and node.port is not None:
            is_default = node.parent is last and len(node.parent.module.ports) == 1
            parent = None if is_default else f"{names[id(node.parent)]}.{node.port.joint}"
        found.append(evolve(node.instance, parent=parent))
        if not node.instance.is_attached:
            last = node
    return tuple(found)


def _find(tree: Tree, name: str) -> Placed:
    found = next((placed for placed in tree.placed if placed.name == name), None)
    if found is None:
        names = [placed.name for placed in tree.placed]
        hint = did_you_mean(name, names) or f"there are {', '.join(names)}"
        raise ModuleError(f"there is no module '{name}'; {hint}")
    return found


def _last_module(tree: Tree) -> str:
    return [placed.name for placed in tree.placed if not placed.instance.is_attached][-1]


def _port(placed: Placed, name: str) -> Port:
    port = placed.module.get_port(name)
    if port is None:
        raise ModuleError(f"'{placed.name}' has no port '{name}'")
    return port


def _only_port(module: Module, name: str) -> Port:
    if len(module.ports) != 1:
        ports = ", ".join(f"'{port.joint}'" for port in module.ports) or "none"
        raise ModuleError(f"'{name}' needs one output connector here, and it has {ports}; say which as 'instance.port'")
    return module.ports[0]


# ---------------------------------------------------------------- assembly

_IN_MEMORY: Final = "assembly"


class Assembly:
    """The modules of a robot in order. The verbs change it, and refuse with a ModuleError what can't be.

    Module files are read when they are first needed, with `urdf_frontend.read`, and once each. `folder` is where
    their paths count from. `allow_outside` lets modules name meshes that are in none of their folders. `srdf` is the
    file with what concerns several modules at once, in the names of the robot.
    """

    def __init__(
        self,
        robot: str,
        instances: tuple[Instance, ...],
        *,
        folder: str | os.PathLike[str] = ".",
        file: str = _IN_MEMORY,
        package_folders: tuple[str | os.PathLike[str], ...] = (),
        allow_outside: bool = False,
        srdf: str | None = None,
    ) -> None:
        self.robot = robot
        self.srdf = srdf
        self.instances = tuple(instances)
        self.folder = Path(folder)
        self.file = file
        self.package_folders = tuple(Path(package) for package in package_folders)
        self.allow_outside = allow_outside
        self._read: dict[Path, Module] = {}

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        package_folders: tuple[str | os.PathLike[str], ...] = (),
        allow_outside: bool = False,
    ) -> Assembly:
        """Read an assembly file; ModuleError with the line for what is wrong with it."""
        path = Path(path)
        found = read_assembly(path)
        return cls(
            found.robot,
            found.instances,
            folder=path.parent,
            file=str(path),
            package_folders=package_folders,
            allow_outside=allow_outside,
            srdf=found.srdf,
        )

    @classmethod
    def parse(cls, text: str, *, folder: str | os.PathLike[str] = ".") -> Assembly:
        """The same of a text; module files are looked for in `folder`."""
        found = parse_assembly(text, _IN_MEMORY)
        return cls(found.robot, found.instances, folder=folder, srdf=found.srdf)

    def __repr__(self) -> str:
        return f"Assembly({self.robot!r}, {list(self.names)!r})"

    @property
    def names(self) -> tuple[str, ...]:
        """What the instances are called: their `as`, or `m_1`, `m_2`, … by position."""
        return names_of(self.instances)

    @property
    def modules(self) -> tuple[Module, ...]:
        """The distinct module files, in the order of their first use; UrdfError if one has errors."""
        return tuple(dict.fromkeys(self._module(instance) for instance in self.instances))

    @property
    def tree(self) -> Tree:
        """Which instance is attached to which port."""
        return place(self.instances, tuple(map(self._module, self.instances)), self.file)

    def to_urdf(self, *, package: str | None = None, into: str | os.PathLike[str] | None = None) -> AssembledRobot:
        """The assembled robot.

        With the name of a ROS package, meshes are named as files of it and `copies` says where they come from.
        Without, `package://` stays. Relative paths count from `into`, the folder that the file is meant for; without
        that from `folder`.
        """
        target = Target(self.file, self.folder, self.folder if into is None else Path(into), package)
        return assemble(self.robot, self.tree, target, srdf=self.srdf)

    def to_yaml(self) -> str:
        """The text of an assembly file with these modules."""
        return assembly_yaml(self.robot, self.instances, self.srdf)

    def insert(
        self,
        use: str,
        *,
        after: str | None = None,
        before: str | None = None,
        name: str | None = None,
        rotate: float = 0.0,
        prefix: str | None = None,
    ) -> None:
        """Put a module between two. `after` is an instance, or `instance.port`; `before` is an instance.

        What hung there is attached to the new module, which needs one output connector for it. Without `after` and
        `before` it comes after the last module.
        """
        if name is not None and not is_word(name):
            raise ModuleError(f"'{name}' is not a name for a module: letters, digits and '_', no digit first")
        if name in self.names:
            raise ModuleError(f"there is a module '{name}' already")
        new = Instance(use=use, given_name=name, rotate=rotate, prefix=prefix)
        self._change(with_inserted(self.tree, new, self._module(new), after=after, before=before))

    def remove(self, name: str) -> None:
        """Take a module out; the one that is attached to it takes its place."""
        self._change(without(self.tree, name))

    def replace(self, name: str, use: str) -> None:
        """Use another module file for an instance, which keeps its name, its place and what is attached to it."""
        self._change(with_replaced(self.tree, name, use, self._module(Instance(use=use))))

    def _change(self, instances: tuple[Instance, ...]) -> None:
        place(instances, tuple(map(self._module, instances)), self.file)  # refuses what is not a tree
        self.instances = instances

    def _module(self, instance: Instance) -> Module:
        path = self.folder / instance.use
        key = path.resolve()
        if key not in self._read:
            where = f"{self.file}:{instance.line}" if instance.line else self.file
            self._read[key] = read_module(
                path,
                self._free_name(path.stem),
                place=where,
                package_folders=self.package_folders,
                allow_outside=self.allow_outside,
            )
        return self._read[key]

    def _free_name(self, stem: str) -> str:
        taken = {module.name for module in self._read.values()}
        name, number = stem, 1
        while name in taken:
            number += 1
            name = f"{stem}_{number}"
        return name
