"""The parameters of one node in a file for ROS 2."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from urdf_frontend.fmi.errors import FmiError
from urdf_frontend.fmi.near import near
from urdf_frontend.fmi.ros_yaml import ROS_PARAMETERS, Entry, read_entries

DEFAULT_NODE: Final = "fmi_adapter_node"
_SHORTEST_PATH: Final = 2  # a node, and its parameters
_NODE: Final = re.compile(r"/?[A-Za-z_][A-Za-z0-9_]*(?:/[A-Za-z_][A-Za-z0-9_]*)*|/\*\*")


@frozen
class NodeParameters:
    """What a file says of a node: the entry of `ros__parameters`, those in it by name, and all that is deeper."""

    node: str
    around: Entry
    parameters: tuple[Entry, ...]
    inside: tuple[Entry, ...]  # with those of mappings in it

    @property
    def by_name(self) -> dict[str, Entry]:
        """The parameters by their names."""
        return {entry.path[-1]: entry for entry in self.parameters}


def checked_node(name: str) -> str:
    """A name that a node of ROS can have; FmiError if it is none."""
    if not _NODE.fullmatch(name):
        raise FmiError(f"'{name}' is no name of a node: letters, digits and '_', and '/' between name spaces")
    return name


def nodes_of(text: str, file: str) -> dict[str, NodeParameters]:
    """The nodes of a file, by their names with name spaces: `arm/fmi_adapter_node`."""
    found: dict[tuple[str, ...], Entry] = {}
    inside: dict[tuple[str, ...], list[Entry]] = {}
    for entry in read_entries(text, file):
        depth = entry.path.index(ROS_PARAMETERS) + 1 if ROS_PARAMETERS in entry.path else 0
        key = entry.path[:depth]
        if depth < _SHORTEST_PATH:
            continue
        if depth < len(entry.path):
            inside[key].append(entry)
        elif found.setdefault(key, entry) is not entry:
            raise FmiError(f"{file}:{entry.line}: {ROS_PARAMETERS} of '{_name(key)}' is there twice")
        else:
            inside[key] = []
    return {_name(key): _node(key, entry, inside[key], file) for key, entry in found.items()}


def _name(path: tuple[str, ...]) -> str:
    return "/".join(part.strip("/") if number else part for number, part in enumerate(path[:-1]))


def _node(path: tuple[str, ...], around: Entry, inside: list[Entry], file: str) -> NodeParameters:
    direct = tuple(each for each in inside if len(each.path) == len(path) + 1)
    seen: set[str] = set()
    for entry in direct:
        if entry.path[-1] in seen:
            raise FmiError(f"{file}:{entry.line}: '{entry.path[-1]}' is there twice")
        seen.add(entry.path[-1])
    return NodeParameters(_name(path), around, direct, tuple(inside))


def get_node(nodes: dict[str, NodeParameters], name: str) -> NodeParameters | None:
    """The node of a name, with or without the slash before it; None if it is not there."""
    return nodes.get(name) or nodes.get(f"/{name}") or nodes.get(name.removeprefix("/"))


def chosen_node(nodes: dict[str, NodeParameters], name: str | None, file: str) -> NodeParameters:
    """The node of a name, or the only one of a file; FmiError says what there is."""
    if not nodes:
        raise FmiError(f"{file} has no parameters of a node: NODE, and in it {ROS_PARAMETERS}")
    if name is not None:
        found = get_node(nodes, name)
        if found is None:
            raise FmiError(f"{file} has no node '{name}'{near(name, nodes)}")
        return found
    if len(nodes) == 1:
        return next(iter(nodes.values()))
    if DEFAULT_NODE in nodes:
        return nodes[DEFAULT_NODE]
    raise FmiError(f"{file} has {len(nodes)} nodes: name one with --node; there is {', '.join(nodes)}")
