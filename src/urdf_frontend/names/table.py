"""The names of one robot: a class and a component for each link and joint, and no two of them in each other's way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import count
from typing import Final

from attrs import define, field, frozen

from urdf_frontend.names.identifiers import (
    NameStyle,
    dlr_class_identifier,
    plain_identifier,
    quoted_identifier,
)
from urdf_frontend.names.reserved import FOR_CLASSES, FOR_COMPONENTS, FOR_ROBOTS

PARAMETERS: Final = "Params"  # behind the name of a class: the record with its parameters
UNNAMED_ROBOT: Final = "Robot"


@frozen
class Named:
    """What one name of the URDF file is called: its class, and its component as it is written in Modelica."""

    urdf: str
    class_name: str
    component: str

    @property
    def parameters(self) -> str:
        """The class of its parameters."""
        return self.class_name + PARAMETERS


@frozen
class NameTable:
    """All names of a robot. Those of links and joints are by their names in the URDF file, in its order."""

    robot: str
    links: Mapping[str, Named]
    joints: Mapping[str, Named]

    def link(self, name: str) -> Named:
        """The names of a link."""
        return self.links[name]

    def joint(self, name: str) -> Named:
        """The names of a joint."""
        return self.joints[name]


def robot_class(name: str | None) -> str:
    """The class of a robot by its name in the URDF file; one that has no name is a Robot."""
    return plain_identifier(name, FOR_ROBOTS) if name else UNNAMED_ROBOT


def make_names(
    robot: str,
    links: Iterable[str],
    joints: Iterable[str],
    *,
    style: NameStyle = NameStyle.AS_IS,
    known: NameTable | None = None,
    reserved: AbstractSet[str] = frozenset(),
) -> NameTable:
    """Name the links and joints of a robot whose class is called `robot`.

    Most names depend on nothing but themselves. Where two would clash, the order of the alphabet decides, not that of
    the file. Names of a `known` table stay, whatever is added or taken away. `reserved` are further names that no
    class and no component may have.
    """
    todo_links, todo_joints = list(dict.fromkeys(links)), list(dict.fromkeys(joints))
    components: set[str] = {robot}
    link_side = _Side("link", style, FOR_CLASSES | reserved, FOR_COMPONENTS | reserved, components)
    joint_side = _Side("joint", style, FOR_CLASSES | reserved, FOR_COMPONENTS | reserved, components)
    if known is not None:
        link_side.keep(known.links, todo_links)
        joint_side.keep(known.joints, todo_joints)
    link_side.name(todo_links)
    joint_side.name(todo_joints)
    return NameTable(robot, link_side.in_order(todo_links), joint_side.in_order(todo_joints))


@define
class _Side:
    """The links, or the joints: their classes are in one package, their components together with all others."""

    kind: str
    style: NameStyle
    reserved_classes: AbstractSet[str]
    reserved_components: AbstractSet[str]
    components: set[str]  # shared by both sides
    classes: set[str] = field(factory=set)  # in small letters: files of some systems do not tell them apart
    named: dict[str, Named] = field(factory=dict)

    def keep(self, known: Mapping[str, Named], names: list[str]) -> None:
        """Take over what is named already."""
        for name in names:
            if name in known:
                self._take(known[name])

    def name(self, names: list[str]) -> None:
        """Name what has no name yet: first those that stay as they are, the short ones before the long ones."""
        todo = [name for name in names if name not in self.named]
        for name in sorted(todo, key=self._rank):
            class_name = next(filter(self._is_free_class, _variants(name, "", self._class_of)))
            component = next(filter(self._is_free_component, _variants(name, f"_{self.kind}", self._component_of)))
            self._take(Named(name, class_name, component))

    def _rank(self, name: str) -> tuple[bool, int, str]:
        return plain_identifier(name, self.reserved_classes) != name, len(name), name

    def in_order(self, names: list[str]) -> dict[str, Named]:
        return {name: self.named[name] for name in names}

    def _take(self, named: Named) -> None:
        self.named[named.urdf] = named
        self.classes |= {named.class_name.lower(), named.parameters.lower()}
        self.components.add(named.component)

    def _class_of(self, name: str) -> str:
        if self.style is NameStyle.DLR:
            return dlr_class_identifier(name, self.reserved_classes)
        return plain_identifier(name, self.reserved_classes)

    def _component_of(self, name: str) -> str:
        if self.style is NameStyle.QUOTED:
            return quoted_identifier(name, self.reserved_components)
        if self.style is NameStyle.DLR:
            return plain_identifier(self._class_of(name).lower(), self.reserved_components)
        return plain_identifier(name, self.reserved_components)

    def _is_free_class(self, name: str) -> bool:
        return self.classes.isdisjoint({name.lower(), f"{name}{PARAMETERS}".lower()})

    def _is_free_component(self, name: str) -> bool:
        return name not in self.components


def _variants(name: str, suffix: str, identifier: Callable[[str], str]) -> Iterator[str]:
    """The identifier of a name, and what it is called if that is taken: `arm`, `arm_joint`, `arm_joint_2`, …"""
    yield identifier(name)
    if suffix:
        yield identifier(name + suffix)
    for number in count(2):
        yield identifier(f"{name}{suffix}_{number}")
