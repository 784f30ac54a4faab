"""SRDF files of modules become one, and one becomes several: groups, states, end effectors, pairs that may touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen
from lxml import etree

from modelica_ast.foundation import read_regular
from urdf_frontend.modules.module_file import (
    MARK,
    ModuleError,
    attributes_of,
    fill,
    is_element,
    new_element,
    nodes_with_leads,
    tag_of,
    write_xml,
)
from urdf_frontend.modules.part_names import PartNames, References, is_joined
from urdf_frontend.modules.structure import Placed, Tree
from urdf_frontend.urdf import reason_of

_NAMED: Final = ("group", "group_state", "end_effector", "virtual_joint")
_PAIRS: Final = ("disable_collisions", "enable_collisions")


@frozen
class SrdfSources:
    """Where SRDF files are: `whole` concerns several modules at once, in the names of the robot."""

    file: str  # the assembly file, for messages
    folder: Path
    whole: str | None


@frozen
class MergedSrdf:
    """The SRDF of a robot, None if nothing is said about it; and a sentence for each part that is gone."""

    data: bytes | None
    problems: tuple[str, ...] = ()


def merge_srdf(
    robot: str, tree: Tree, names: tuple[PartNames, ...], sources: SrdfSources, *, comment: str
) -> MergedSrdf:
    """The SRDF of the robot.

    The SRDF of a module is the file that its `srdf:` names, or the one beside it with the ending `.srdf`. Two links
    that a connector joins touch each other, so their pair is added where the files do not name it.
    """
    file, folder = sources.file, sources.folder
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
    problems: tuple[str, ...] = ()
    if sources.whole is not None:
        found = True
        whole, problems = _whole(folder / sources.whole, names, file)
        if whole and nodes:
            whole[0] = ("\n\n" + whole[0][0].rpartition("\n")[2], whole[0][1])
        nodes += whole
    if not found:
        return MergedSrdf(None)
    nodes += _adjacent(tree, names, nodes)
    root = etree.Element("robot")
    root.set("name", robot)
    fill(root, nodes)
    return MergedSrdf(write_xml(root, comment=comment), problems)


def _whole(
    path: Path, names: tuple[PartNames, ...], file: str
) -> tuple[list[tuple[str, etree._Element]], tuple[str, ...]]:
    """What is said about several modules at once; what names parts that are gone is left out, and reported."""
    if not path.is_file():
        raise ModuleError(f"{file}: there is no SRDF file {path}")
    links = {new for each in names for old, new in each.links.items() if old not in each.dropped_links}
    joints = {new for each in names for new in each.joints.values()}
    kept: list[tuple[str, etree._Element]] = []
    problems = []
    for lead, node in nodes_with_leads(_parse(path)):
        gone = [name for kind, name in _references(node) if name not in (joints if kind == "joint" else links)]
        if gone:
            told = f"the robot has no '{gone[0]}', so <{tag_of(node)}> was left out"
            problems.append(f"{path}:{node.sourceline}: {told}")
        elif not is_element(node) or MARK not in (node.text or ""):
            kept.append((lead, node))
    return kept, tuple(problems)


# ---------------------------------------------------------------- references
# The names of links and joints in an element of SRDF; all others are those of groups, states and frames of the world.

_LINKS: Final = ("link", "link1", "link2", "base_link", "tip_link", "parent_link", "child_link")
_JOINTS: Final = ("joint", "joint_name")


def _references(node: etree._Element) -> Iterator[tuple[str, str]]:
    """(`link` or `joint`, name) of all that an element names."""
    for inner in node.iter(etree.Element):
        tag = tag_of(inner)
        for attribute, name in attributes_of(inner).items():
            if attribute in _LINKS or (attribute == "name" and tag == "link"):
                yield "link", name
            elif attribute in _JOINTS or (attribute == "name" and tag in ("joint", "passive_joint")):
                yield "joint", name


def _groups_in(node: etree._Element) -> Iterator[str]:
    """The groups that an element refers to; the name of a group itself is none of these."""
    for inner in node.iter(etree.Element):
        for attribute in ("group", "parent_group"):
            if inner.get(attribute):
                yield inner.get(attribute, "")
        if inner is not node and tag_of(inner) == "group" and inner.get("name"):
            yield inner.get("name", "")


# ---------------------------------------------------------------- cutting


@frozen
class SrdfPieces:
    """The SRDF files of modules by their numbers, and that of what concerns several of them."""

    modules: Mapping[int, bytes]
    whole: bytes | None


def cut_srdf(
    path: Path, homes: tuple[Mapping[str, int], Mapping[str, int]], modules: Sequence[str], renamed: Mapping[str, str]
) -> SrdfPieces:
    """Every element goes to the module that has all that it names, the others stay together.

    `homes` are those of links and of joints, `modules` what the modules are called, `renamed` the joints that have
    become connectors.
    """
    root = _parse(path)
    nodes = nodes_with_leads(root)
    own = _homes_of(nodes, *homes)
    references = References({}, renamed)
    pieces: dict[int | None, list[tuple[str, etree._Element]]] = {}
    comments: list[tuple[str, etree._Element]] = []
    for number, (lead, node) in enumerate(nodes):
        if not is_element(node):
            comments.append((lead, node))
            continue
        home = own[number]
        if home is not None:
            references.rewrite(node)
        pieces.setdefault(home, []).extend([*comments, (lead, node)])
        comments = []
    if comments:
        pieces.setdefault(None, []).extend(comments)
    files = {home: _srdf_file(modules[home], found) for home, found in pieces.items() if home is not None}
    return SrdfPieces(files, _srdf_file(root.get("name", ""), pieces[None]) if None in pieces else None)


def _homes_of(
    nodes: Sequence[tuple[str, etree._Element]], links: Mapping[str, int], joints: Mapping[str, int]
) -> list[int | None]:
    """The module of each element; None for what is in several, or in none that is known."""
    found: list[set[int | None]] = []
    for _, node in nodes:
        names = _references(node) if is_element(node) else ()
        found.append({(joints if kind == "joint" else links).get(name) for kind, name in names})
    group_at = {node.get("name"): number for number, (_, node) in enumerate(nodes) if node.tag == "group"}
    users: dict[int, list[int]] = {}  # a group may be made of groups
    for number, (_, node) in enumerate(nodes):
        for name in _groups_in(node) if is_element(node) else ():
            if name in group_at:
                users.setdefault(group_at[name], []).append(number)
            else:
                found[number].add(None)
    todo = list(users)
    while todo:
        group = todo.pop()
        for number in users.get(group, ()):
            if not found[group] <= found[number]:
                found[number] |= found[group]
                todo.append(number)
    return [next(iter(each)) if len(each) == 1 else None for each in found]


def _srdf_file(name: str, nodes: list[tuple[str, etree._Element]]) -> bytes:
    root = new_element("robot", {"name": name}, {})
    fill(root, nodes)
    return write_xml(root)


# ---------------------------------------------------------------- files


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
        # Only the first module is in the world; a virtual joint of another one would hold it there too.
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
