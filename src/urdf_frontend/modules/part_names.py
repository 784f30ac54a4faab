"""The names of all links and joints of an assembly, before and after."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from urdf_frontend.model import IDENTITY
from urdf_frontend.modules.errors import ModuleError
from urdf_frontend.modules.naming import Naming
from urdf_frontend.modules.placing import Placed, Tree


@frozen
class PartNames:
    """Of one instance.

    `links` leads from every link of the module to a link of the robot: from a virtual link that was left out to the
    first link of the module in its place, from an empty first link to the link that it is joined with. `dropped_links`
    are those. `joints` has only joints that are there; `dropped_joints` are the connectors to empty first links.
    """

    naming: Naming
    links: Mapping[str, str]
    joints: Mapping[str, str]
    dropped_links: frozenset[str]
    dropped_joints: frozenset[str]


def is_joined(placed: Placed) -> bool:
    """Is its empty first link left out, so that its joints hang on the module before it?

    Only where that link would coincide with the one before it: a frame with a place of its own stays.
    """
    if placed.port is None or not placed.module.has_empty_input:
        return False
    return placed.port.pose == IDENTITY and placed.instance.rotate == 0.0


def name_parts(tree: Tree, file: str) -> tuple[PartNames, ...]:
    """For each instance; ModuleError if two parts would have one name."""
    links: list[dict[str, str]] = [{} for _ in tree.placed]
    for placed in tree.parents_first:
        naming = Naming.of(placed)
        links[placed.index] = naming.names(link.name for link in placed.module.robot.links)
        if is_joined(placed):
            assert placed.parent is not None, "what is joined hangs on something"
            assert placed.port is not None, "and so on a port"
            links[placed.index][placed.module.root_link] = links[placed.parent][placed.port.parent_link]
    found = []
    for placed in tree.placed:
        dropped = {placed.module.root_link} if is_joined(placed) else set()
        gone = set()
        for port in placed.module.ports:
            child = tree.child_at(placed, port)
            if child is not None:
                dropped.add(port.virtual_link)
                links[placed.index][port.virtual_link] = links[child.index][child.module.root_link]
                if is_joined(child):
                    gone.add(port.joint)
        naming = Naming.of(placed)
        joints = naming.names(joint.name for joint in placed.module.robot.joints)
        kept = {old: new for old, new in joints.items() if old not in gone}
        found.append(PartNames(naming, links[placed.index], kept, frozenset(dropped), frozenset(gone)))
    _refuse_clashes(tree, found, file)
    return tuple(found)


def _refuse_clashes(tree: Tree, names: list[PartNames], file: str) -> None:
    seen: dict[tuple[str, str], Placed] = {}
    for placed, parts in zip(tree.placed, names, strict=True):
        there = [("link", new) for old, new in parts.links.items() if old not in parts.dropped_links]
        there += [("joint", new) for new in parts.joints.values()]
        for kind, name in there:
            first = seen.setdefault((kind, name), placed)
            if first is not placed:
                place = f"{file}:{placed.instance.line}" if placed.instance.line else file
                raise ModuleError(
                    f"{place}: '{first.name}' and '{placed.name}' would both have a {kind} '{name}'; "
                    "give one of them another 'as:' or 'prefix:'"
                )
