"""The SRDF files of modules become one: groups, states, end effectors and pairs that may touch."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lxml import etree

from modelica_ast.foundation import read_regular
from urdf_frontend.modules.instances import ModuleError
from urdf_frontend.modules.part_names import PartNames, References, is_joined
from urdf_frontend.modules.structure import Placed, Tree
from urdf_frontend.modules.xml_files import fill, is_element, nodes_with_leads, tag_of, write_xml
from urdf_frontend.urdf import reason_of

_NAMED: Final = ("group", "group_state", "end_effector", "virtual_joint")
_PAIRS: Final = ("disable_collisions", "enable_collisions")


def merge_srdf(
    robot: str, tree: Tree, names: tuple[PartNames, ...], *, file: str, folder: Path, comment: str
) -> bytes | None:
    """The SRDF of the robot; None if no module has one.

    The SRDF of a module is the file that its `srdf:` names, or the one beside it with the ending `.srdf`. Two links
    that a connector joins touch each other, so their pair is added where the modules do not name it.
    """
    nodes: list[tuple[str, etree._Element]] = []
    found = False
    for placed in tree.placed:
        path = _srdf_path(placed, folder, file)
        if path is None:
            continue
        found = True
        stretch = _stretch(placed, _parse(path), names[placed.index])
        if stretch and nodes:
            stretch[0] = ("\n\n" + stretch[0][0].rpartition("\n")[2], stretch[0][1])
        nodes += stretch
    if not found:
        return None
    nodes += _adjacent(tree, names, nodes)
    root = etree.Element("robot")
    root.set("name", robot)
    fill(root, nodes)
    return write_xml(root, comment=comment)


def _srdf_path(placed: Placed, folder: Path, file: str) -> Path | None:
    if placed.instance.srdf is None:
        beside = placed.module.path.with_suffix(".srdf")
        return beside if beside.is_file() else None
    path = folder / placed.instance.srdf
    if not path.is_file():
        raise ModuleError(f"{file}:{placed.instance.line}: there is no SRDF file {path}")
    return path


def _parse(path: Path) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(read_regular(path), parser)
    except OSError as error:
        raise ModuleError(f"{path}: the file can't be read: {reason_of(error)}") from None
    except etree.XMLSyntaxError as error:
        raise ModuleError(f"{path}:{error.lineno or 1}: this is not well-formed XML: {error.msg}") from None
    if root.tag != "robot":
        raise ModuleError(f"{path}: the root element of an SRDF file is <robot>, not <{tag_of(root)}>")
    return root


def _stretch(placed: Placed, root: etree._Element, names: PartNames) -> list[tuple[str, etree._Element]]:
    kept: list[tuple[str, etree._Element]] = []
    for lead, node in nodes_with_leads(root):
        # Only the first module stands in the world; a virtual joint of another one would hold it there too.
        if is_element(node) and (node.tag != "virtual_joint" or placed.parent is None):
            _rename(node, names)
            if node.tag not in _PAIRS or node.get("link1") != node.get("link2"):
                kept.append((lead, node))
        elif not is_element(node):
            kept.append((lead, node))
    return kept


def _rename(node: etree._Element, names: PartNames) -> None:
    """Groups, states, end effectors and virtual joints are named here; all other names are those of the URDF."""
    kept = [(node, "parent_frame", frame) for frame in [node.get("parent_frame")] if frame]  # a frame of the world
    for inner in node.iter(*_NAMED):
        for attribute in ("name", "group", "parent_group"):
            value = inner.get(attribute)
            if value:
                kept.append((inner, attribute, names.naming.name(value)))
    References(names.links, names.joints).rewrite(node)
    for inner, attribute, value in kept:
        inner.set(attribute, value)


def _adjacent(
    tree: Tree, names: tuple[PartNames, ...], nodes: list[tuple[str, etree._Element]]
) -> list[tuple[str, etree._Element]]:
    known = {frozenset((node.get("link1"), node.get("link2"))) for _, node in nodes if node.tag in _PAIRS}
    added: list[tuple[str, etree._Element]] = []
    for placed in tree.placed:
        if placed.parent is None or placed.port is None or is_joined(placed):
            continue
        one = names[placed.parent].links[placed.port.parent_link]
        other = names[placed.index].links[placed.module.root_link]
        if frozenset((one, other)) in known:
            continue
        pair = etree.Element("disable_collisions")
        for attribute, value in (("link1", one), ("link2", other), ("reason", "Adjacent")):
            pair.set(attribute, value)
        added.append(("\n  " if added else "\n\n  ", pair))
    return added
