"""The names of all links and joints of an assembly, before and after, in URDF and in SRDF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import frozen
from lxml import etree

from urdf_frontend.modules.module_file import (
    ModuleError,
    attributes_of,
    is_element,
    tag_of,
)
from urdf_frontend.modules.structure import Placed, Tree
from urdf_frontend.robot import IDENTITY

# ---------------------------------------------------------------- naming
# What links and joints of a module are called in the robot.


@frozen
class Naming:
    """How one instance names its parts.

    With a prefix the names stay behind it, so they do not depend on the module's place or on its other names. By
    position they are the paper's: `joint1` of the third module is `joint_3`. The number at the end stays where it
    tells two names apart: `joint1_3`, `joint2_3`.
    """

    prefix: str | None
    position: int

    @classmethod
    def of(cls, placed: Placed) -> Naming:
        """By what the assembly says of an instance."""
        instance = placed.instance
        if instance.prefix is not None:
            return cls(instance.prefix, placed.position)
        if instance.given_name is not None:
            return cls(f"{instance.given_name}_", placed.position)
        return cls("" if instance.is_attached else None, placed.position)

    def name(self, name: str) -> str:
        """Of a single thing."""
        return f"{name}_{self.position}" if self.prefix is None else self.prefix + name

    def names(self, names: Iterable[str]) -> dict[str, str]:
        """Of all things of a kind."""
        names = list(names)
        if self.prefix is not None:
            return {name: self.name(name) for name in names}
        stems = Counter(map(_stem, names))
        return {name: self.name(_stem(name) if stems[_stem(name)] == 1 else name) for name in names}


def _stem(name: str) -> str:
    return name.rstrip("0123456789").rstrip("_") or name


# ---------------------------------------------------------------- part names


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
    """Is its empty first link left out, so that its joints are attached to the module before it?

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
            assert placed.parent is not None, "what is joined is attached to something"
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
        for port in placed.module.ports:
            child = tree.child_at(placed, port)
            if child is not None and child.instance.joint is not None:
                joints[port.joint] = child.instance.joint
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


# ---------------------------------------------------------------- references
# Names of links and joints inside of elements, those that URDF does not know included.

_LINK_WORDS: Final = ("link", "body", "frame", "parent", "child", "reference", "member")


@frozen
class References:
    """Rewrites names, each by what it stands for.

    In elements of URDF that is known. Elsewhere (Gazebo, ros2_control, SRDF) the word tells: a text or attribute
    called `…joint…` names a joint, one called `…link…`, `body`, `frame`, `reference` and so on a link, or else a
    joint. Only a text that is such a name as a whole is changed.
    """

    links: Mapping[str, str]
    joints: Mapping[str, str]

    def rewrite(self, element: etree._Element) -> None:
        """All inside of an element, and its own attributes."""
        for node in element.iter():
            if not is_element(node):
                continue
            tag = _word(tag_of(node))
            for attribute, value in attributes_of(node).items():
                word = tag if attribute == "name" else _word(attribute)
                new = self._new(word, value)
                if new is not None and new != value:
                    node.set(attribute, new)
            text = (node.text or "").strip()
            if text and not len(node):
                new = self._new(tag, text)
                if new is not None and node.text is not None:
                    node.text = node.text.replace(text, new)

    def named_in(self, element: etree._Element) -> Iterator[str]:
        """The new names of all that an element names, in their order."""
        for node in element.iter(etree.Element):
            tag = _word(tag_of(node))
            found = [(tag if key == "name" else _word(key), value) for key, value in attributes_of(node).items()]
            if not len(node):
                found.append((tag, (node.text or "").strip()))
            yield from filter(None, (self._new(word, value) for word, value in found))

    def _new(self, word: str, name: str) -> str | None:
        if "joint" in word:
            return self.joints.get(name)
        if any(part in word for part in _LINK_WORDS):
            return self.links.get(name, self.joints.get(name))
        return None


def _word(name: str) -> str:
    return name.rpartition("}")[2].rpartition(":")[2].lower()
