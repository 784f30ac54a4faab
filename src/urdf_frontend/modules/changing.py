"""Insert, remove and replace: lists of instances whose parents are written anew."""

from __future__ import annotations

import difflib

from attrs import define, evolve

from urdf_frontend.modules.errors import ModuleError
from urdf_frontend.modules.instances import Instance, names_of
from urdf_frontend.modules.module_file import Module, Port
from urdf_frontend.modules.placing import Placed, Tree


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
    """The instances without one; what hangs on it takes its place."""
    nodes = _nodes(tree)
    gone = nodes[_find(tree, name).index]
    hanging = [node for node in nodes if node.parent is gone]
    if len(hanging) > 1:
        raise ModuleError(
            f"{len(hanging)} modules hang on '{name}', and only one can take its place: remove others first"
        )
    rest = [node for node in nodes if node is not gone]
    if not any(not node.instance.is_attached for node in rest):
        raise ModuleError(f"'{name}' is the only module, and a robot needs one")
    for node in hanging:
        node.parent, node.port = gone.parent, gone.port
        if gone.parent is None:
            # The first module hangs on no connector that it could be turned about, and it comes first.
            node.instance = evolve(node.instance, rotate=0.0)
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
            raise ModuleError(f"{use} has no port '{other.port.joint}', and a module hangs on that of '{name}'")
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
        near = difflib.get_close_matches(name, names, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(names)}"
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
