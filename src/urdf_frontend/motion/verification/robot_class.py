"""The robot's class as the user has it: what is attached to what in it, and the class with a part of the robot alone.

A user may have added components, connections and equations. Each of them belongs to the part of the robot that has all
links and joints that it is about.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from attrs import evolve, field, frozen

from modelica_ast.edit import ClassHandle, Document
from modelica_ast.foundation import EditError, Source, shown
from modelica_ast.tree import ComponentReference, ConnectEquation, View, walk
from urdf_frontend.motion.verification.freedoms import VerifyError
from urdf_frontend.package import CONNECTORS, RobotPackage
from urdf_frontend.robot import Joint, Kinematics, Link, NameTable, Robot, follows

# ---------------------------------------------------------------- parts
# A large robot in parts that share links: the time of a compiler grows faster than the robot.
#
# Every joint is in one part, with the two links that it connects. So what a joint does and what a link weighs is
# compared as in the whole robot, only the rest of the robot is not there.


@frozen
class Part:
    """Some joints of a robot that hang together, and the links between them.

    The root is the link that they are attached to.
    """

    root: str
    joints: frozenset[str]
    robot: Robot = field(repr=False)  # these links and joints alone

    @property
    def links(self) -> list[str]:
        """The names of its links."""
        return [link.name for link in self.robot.links]


def cut(kinematics: Kinematics, most: int, ties: Iterable[Collection[str]] = ()) -> list[Part]:
    """Parts of at most this many links, each after the one that has its root as a child; one part if it is 0.

    `ties` are joints that must be in one part. Those may make a part larger.
    """
    if not most or len(kinematics.robot.links) <= most:
        root = kinematics.roots[0]
        return [_part(kinematics, root, [joint.name for joint in kinematics.robot.joints])]
    tied = _Tied(kinematics)
    for tie in [*_massless_ties(kinematics), *ties]:
        tied.join(tie)
    # Parts of the same size: one of 20 links takes much longer than two of 11.
    joints, largest = len(kinematics.robot.joints), max(most - 1, 1)
    cutting = _Cutting(kinematics, tied, -(-joints // -(-joints // largest)))
    return [_part(kinematics, root, joints) for root, joints in reversed(cutting.cut())]


def _part(kinematics: Kinematics, root: str, joints: Collection[str]) -> Part:
    robot = kinematics.robot
    kept = [joint for joint in robot.joints if joint.name in joints]
    links = {root, *(joint.child for joint in kept)}
    inside = evolve(robot, links=tuple(each for each in robot.links if each.name in links), joints=tuple(kept))
    return Part(root, frozenset(joints), inside)


class _Tied:
    """Which joints must stay together, with all that are between them."""

    def __init__(self, kinematics: Kinematics) -> None:
        self._kinematics = kinematics
        self._heads: dict[str, str] = {}

    def head(self, joint: str) -> str:
        """One joint that stands for all that this one is tied to."""
        while joint in self._heads:
            joint = self._heads[joint]
        return joint

    def join(self, joints: Collection[str]) -> None:
        """Tie joints, and those on the way from one to the other."""
        chains = [self._chain(joint) for joint in joints]
        shared = set.intersection(*map(set, chains)) if chains else set()
        way = [*joints, *(joint for chain in chains for joint in chain if joint not in shared)]
        for joint in way[1:]:
            one, other = self.head(way[0]), self.head(joint)
            if one != other:
                self._heads[one] = other

    def _chain(self, name: str) -> list[str]:
        joint = self._kinematics.robot.get_joint(name)
        assert joint is not None, "ties are made of joints of the robot"
        return [each.name for each in self._kinematics.chain(joint.child)]


class _Cutting:
    """Goes up from the leaves. What is attached to a link is in bundles, and goes up further while there is room."""

    def __init__(self, kinematics: Kinematics, tied: _Tied, most: int) -> None:
        self._kinematics = kinematics
        self._tied = tied
        self._most = most  # joints of a part
        self._found: list[tuple[str, list[str]]] = []

    def cut(self) -> list[tuple[str, list[str]]]:
        """(root, joints) of each part, those at the leaves first."""
        bundles: dict[str, list[list[str]]] = {}
        for link in reversed(self._kinematics.order):
            below = self._kinematics.joints_below(link)
            bundles[link] = self._merged([self._lifted(joint, bundles.pop(joint.child)) for joint in below])
        for root in self._kinematics.roots:
            self._emit(root, bundles[root])
        return self._found

    def _lifted(self, joint: Joint, bundles: list[list[str]]) -> list[str]:
        """A joint with as much as possible of what is attached to its child; the rest becomes parts."""
        head = self._tied.head(joint.name)
        lifted, rest = [joint.name], []
        # The small ones first, after those that must come along.
        for bundle in sorted(bundles, key=lambda each: (not self._has(each, head), len(each))):
            if self._has(bundle, head) or len(lifted) + len(bundle) <= self._most:
                lifted += bundle
            else:
                rest.append(bundle)
        self._emit(joint.child, rest)
        return lifted

    def _has(self, bundle: list[str], head: str) -> bool:
        return any(self._tied.head(joint) == head for joint in bundle)

    def _merged(self, bundles: list[list[str]]) -> list[list[str]]:
        """The bundles of a link, those that are tied to each other as one."""
        merged: list[list[str]] = []
        for bundle in bundles:
            heads = {self._tied.head(joint) for joint in bundle}
            apart = [each for each in merged if heads.isdisjoint(map(self._tied.head, each))]
            whole = bundle + [joint for each in merged if each not in apart for joint in each]
            merged = [*apart, whole]
        return merged

    def _emit(self, root: str, bundles: list[list[str]]) -> None:
        """Make parts that are attached to a link, as few as possible."""
        parts: list[list[str]] = []
        for bundle in sorted(bundles, key=len, reverse=True):
            room = next((part for part in parts if len(part) + len(bundle) <= self._most), None)
            if room is None:
                parts.append(list(bundle))
            else:
                room += bundle
        self._found += [(root, part) for part in parts]


def _massless_ties(kinematics: Kinematics) -> Iterator[tuple[str, str]]:
    """A link without mass moves with what is attached to it: it is not a good end of a part."""
    carried: dict[str, float] = {}
    for name in reversed(kinematics.order):
        link = kinematics.robot.get_link(name)
        assert link is not None, "it is in the order"
        below = kinematics.joints_below(name)
        carried[name] = _mass(link) + sum(carried[joint.child] for joint in below)
        above = kinematics.joint_above(name)
        if above is not None and below and not _mass(link) and carried[name] > 0:
            yield above.name, max(below, key=lambda joint: carried[joint.child]).name


def _mass(link: Link) -> float:
    mass = link.inertial.mass if link.inertial is not None else None
    return max(mass.value, 0.0) if mass is not None else 0.0


# ---------------------------------------------------------------- the robot's class


_ROOT_FRAME: Final = "frame_a"
# How many connectors the robot has for its surroundings. A part has none but the frame of its root.
_COUNTERS: Final = ("numLeafLinks", "numRotationalJoints", "numTranslationalJoints")


@frozen
class Bond:
    """What is neither link nor joint: components and equations that name each other, and the parts of the robot."""

    components: frozenset[str]
    equations: frozenset[str] = frozenset()

    def joined(self, other: Bond) -> Bond:
        """Both as one."""
        return Bond(self.components | other.components, self.equations | other.equations)


class RobotClass:
    """The class of a robot in a document. VerifyError if it is not made of the links and joints themselves."""

    def __init__(self, document: Document, name: str, names: NameTable, kinematics: Kinematics) -> None:
        self._document = document
        self._class: ClassHandle = document.find_class(name)
        self._kinematics = kinematics
        self._names = names
        self._links = {named.component: urdf for urdf, named in names.links.items()}
        self._joints = {named.component: urdf for urdf, named in names.joints.items()}
        view = self._class.view
        # Some robots declare their connectors, others inherit them.
        self._declared = [each.name for each in view.components if each.name not in CONNECTORS]
        for component in (*self._links, *self._joints):
            if component not in self._declared:
                raise self._uncut(f"it does not declare {component} itself")
        if view.statements or view.initial_statements:
            raise self._uncut("it has an algorithm")
        self._connections = [each for each in view.equations if isinstance(each, ConnectEquation)]
        self._outside = self._outside_connections()
        self._bonds = self._find_bonds()

    def _uncut(self, reason: str) -> VerifyError:
        return VerifyError(
            f"the class {self._class.name} can't be cut into parts: {reason}; compare all links at once: "
            "--links-at-once 0"
        )

    # ------------------------------------------------------------ what belongs together

    def ties(self) -> Iterator[Collection[str]]:
        """Joints, by their names in the URDF file, that must be in one part: something is about all of them."""
        for joint in self._kinematics.robot.joints:
            if joint.mimic is not None and follows(joint):
                yield joint.name, joint.mimic.joint
        yield from (tie for tie in map(self._tie, self._bonds) if len(tie) > 1)

    def _tie(self, bond: Bond) -> frozenset[str]:
        """The joints that a bond is about, and those that its links are attached to."""
        joints = {self._joints[each] for each in bond.components if each in self._joints}
        above = [self._kinematics.joint_above(self._links[each]) for each in bond.components if each in self._links]
        return frozenset(joints | {joint.name for joint in above if joint is not None})

    def _outside_connections(self) -> set[tuple[str, str]]:
        """The connections with the robot's own connectors, its root frame left out. Each may have one."""
        found: dict[str, tuple[str, str]] = {}
        for connection in self._connections:
            for end in (connection.left, connection.right):
                if end.parts[0] in self._declared or str(end) == _ROOT_FRAME:
                    continue
                if str(end) in found:
                    raise self._uncut(f"{end} has several connections")
                found[str(end)] = _ends(connection)
        return set(found.values())

    def _find_bonds(self) -> list[Bond]:
        """All that is more than a link on its joint. Bonds with a component of their own in common are one."""
        bonds: list[Bond] = []
        for new in self._relations():
            own = self._own(new)
            touching = [bond for bond in bonds if not own.isdisjoint(bond.components)]
            bonds = [bond for bond in bonds if bond not in touching]
            for bond in touching:
                new = new.joined(bond)  # noqa: PLW2901  (it grows)
            bonds.append(new)
        return bonds

    def _own(self, bond: Bond) -> frozenset[str]:
        """Its components that are neither links nor joints."""
        return frozenset(each for each in bond.components if each not in self._links and each not in self._joints)

    def _relations(self) -> Iterator[Bond]:
        view = self._class.view
        for component in view.components:
            named = frozenset({component.name, *self._mentioned(component)})
            if len(named) > 1 or self._own(Bond(named)):
                yield Bond(named)
        for equation in (*view.equations, *view.initial_equations):
            if not isinstance(equation, ConnectEquation):
                yield Bond(frozenset(self._mentioned(equation)), frozenset({equation.text}))
        for connection in self._connections:
            named = frozenset(map(self._component, (connection.left, connection.right)))
            if _ends(connection) not in self._outside and not self._is_of_the_tree(named):
                yield Bond(named)

    def _mentioned(self, view: View) -> set[str]:
        """The components that a declaration or an equation names."""
        found = (each for each in walk(view, annotations=False) if isinstance(each, ComponentReference))
        return {self._component(each) for each in found}.intersection(self._declared)

    def _component(self, reference: ComponentReference) -> str:
        """The component of a reference; the frame of the robot is that of its root."""
        if reference.parts[0] == _ROOT_FRAME:
            return self._names.link(self._kinematics.roots[0]).component
        return reference.parts[0]

    def _is_of_the_tree(self, components: Collection[str]) -> bool:
        """Is it a link with its joint, or the root with the frame of the robot?"""
        links = [self._links[each] for each in components if each in self._links]
        joints = [self._joints[each] for each in components if each in self._joints]
        if len(links) != 1 or len(links) + len(joints) < len(components):
            return False
        joint = self._kinematics.robot.get_joint(joints[0]) if joints else None
        return joint is None or links[0] in {joint.parent, joint.child}

    # ------------------------------------------------------------ a part

    def text_of(self, part: Part, *, is_first: bool) -> str:
        """The document with nothing but a part of the robot. What is about the root alone is in the first part."""
        bonds = [bond for bond in self._bonds if self._is_in(bond, part, is_first=is_first)]
        kept = {self._names.link(link).component for link in part.links}
        kept |= {self._names.joint(joint).component for joint in part.joints}
        kept = kept.union(*map(self._own, bonds))
        equations = {equation for bond in self._bonds if bond not in bonds for equation in bond.equations}
        gone = [_ends(each) for each in self._connections if not self._stays(each, kept, part)]
        try:
            with self._document.transaction():
                self._class.disconnect_all(gone)
                for equation in equations:
                    self._class.remove_equation(equation)
                self._class.remove_components(each for each in self._declared if each not in kept)
                if part.root not in self._kinematics.roots:
                    root = self._names.link(part.root).component
                    self._class.connect(_ROOT_FRAME, f"{root}.{_ROOT_FRAME}", line=False)
                self._count_none()
            text = self._document.text
        except EditError as error:
            raise self._uncut(str(error)) from None
        self._document.undo()
        return text

    def _is_in(self, bond: Bond, part: Part, *, is_first: bool) -> bool:
        tie = self._tie(bond)
        if tie:
            return tie <= part.joints
        return is_first or self._own(bond) == bond.components  # what is about nothing of the robot is everywhere

    def _stays(self, connection: ConnectEquation, kept: Collection[str], part: Part) -> bool:
        ends = _ends(connection)
        if ends in self._outside or (_ROOT_FRAME in ends and part.root not in self._kinematics.roots):
            return False
        return all(self._component(end) in kept for end in (connection.left, connection.right))

    def _count_none(self) -> None:
        for base in self._class.extends:
            for counter in _COUNTERS:
                if self._class.get_extends_modifier(base, counter) is not None:
                    self._class.set_extends_modifier(base, counter, 0)


def _ends(connection: ConnectEquation) -> tuple[str, str]:
    return str(connection.left), str(connection.right)


# ---------------------------------------------------------------- part files
# A library with a part of a robot alone: a copy of the user's files, in which one class is cut.

_KEPT: Final = frozenset({".mo", ".order"})


class PartFiles:
    """The copy, which lasts as long as its context. Nothing of the user is written."""

    def __init__(self, package: RobotPackage, kinematics: Kinematics) -> None:
        self._library = package.library_folder
        _, entry, rest = package.libraries.entry_of(package.robot_class)
        self._file = entry.path
        self._source = Source.read(entry.path)
        inside = ".".join([entry.name, *rest])
        self.robot = RobotClass(Document.open(entry.path), inside, package.names, kinematics)
        self._folder = tempfile.TemporaryDirectory(prefix="robot-parts-")
        self.library = Path(self._folder.name, self._library.name)

    def __enter__(self) -> Self:
        shutil.copytree(self._library, self.library, ignore=_others)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._folder.cleanup()

    def write(self, part: Part, *, is_first: bool) -> None:
        """Let the copy have nothing but a part of the robot."""
        text = self.robot.text_of(part, is_first=is_first)
        self._copy_of(self._file).write_bytes(self._source.encode(text))

    def in_the_users_words(self, message: str) -> str:
        """A message about the copy as one about the files of the user; lines of the class that was cut are others."""
        cut = re.compile(re.escape(str(self._copy_of(self._file))) + r"(:\d+)*")
        return cut.sub(lambda _: shown(self._file), message).replace(str(self.library), shown(self._library))

    def _copy_of(self, path: Path) -> Path:
        return self.library / path.relative_to(self._library)


def _others(folder: str, names: list[str]) -> set[str]:
    """What a compiler does not read."""
    return {name for name in names if Path(name).suffix not in _KEPT and not Path(folder, name).is_dir()}
