"""Does the model of a robot fit its URDF file? A second opinion: it reads the package, and shares no code with builds.

A region is all that one frame reaches over connections and over components of the user's own, a force sensor between
a link and a joint for one. In a robot each region has one link, the joint above it, those below it, and `frame_a` of
the robot at the root or an element of `frame_b` at a leaf.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from attrs import define, field, frozen

from conftest import FIXTURES
from modelica_ast.library import Libraries, instance
from modelica_ast.semantics import ComponentInstance, Instance
from modelica_ast.semantics.instances import Node
from urdf_frontend import ReadResult, Robot, read
from urdf_frontend.modules import Assembly, Module
from urdf_frontend.package.builder.options import TEMPLATES
from urdf_frontend.robot import Joint, Named, NameTable, plain_identifier

OUTER = re.compile(r"frame_a|(?:frame_b|(?:rotational|translational)_flange_[ab])\[(\d+)\]")
SCRIPT_TEMPLATES = FIXTURES / "robots" / "dlr" / "URDFModelica.mo"
FRAMES = ("frame_a", "frame_b")  # links and joints inherit them from the Standard Library, which may not be there


@frozen
class End:
    """One end of a connection. The robot's own connectors have no component; `frame_b[2]` is such a connector."""

    component: str
    connector: str

    @classmethod
    def of(cls, text: str) -> End:
        outer = text.replace(" ", "")
        if OUTER.fullmatch(outer):
            return cls("", outer)
        parts = re.findall(r"'[^']*'|\w+(?:\[[^\]]*\])?", text)
        return cls(re.sub(r"\[.*", "", parts[0]), ".".join(parts[1:]))

    def __str__(self) -> str:
        return f"{self.component}.{self.connector}" if self.component else self.connector

    @property
    def is_frame(self) -> bool:
        return self.connector.startswith("frame")


class Groups:
    """Ends that belong together."""

    def __init__(self) -> None:
        self._above: dict[End, End] = {}

    def of(self, end: End) -> End:
        """The end that stands for the group of this one."""
        while (above := self._above.setdefault(end, end)) != end:
            end = above
        return end

    def join(self, one: End, other: End) -> bool:
        """Put two together; False if they are already."""
        first, second = self.of(one), self.of(other)
        self._above[first] = second
        return first != second

    def members(self, end: End) -> set[End]:
        group = self.of(end)
        return {each for each in list(self._above) if self.of(each) == group}


def misfits(folder: Path, urdf: str | bytes | ReadResult, removed: Iterable[str] = ()) -> list[str]:
    """All that does not fit, as sentences. `removed` are ends whose connections the user has taken out."""
    result = urdf if isinstance(urdf, ReadResult) else read(urdf)
    libraries = Libraries([_library_of(folder)], read_only=[TEMPLATES, SCRIPT_TEMPLATES])
    package = _package_name(folder)
    model = _robot_model(libraries, package)
    kind = _Fit if model.is_a(f"{TEMPLATES.name}.Robots.PartialRobot") else _ScriptFit
    fit = kind(model, libraries, package, result.usable_robot(), {End.of(each) for each in removed})
    return [*fit.parts(), *fit.counts(), *fit.ends(), *fit.loops(), *fit.regions(), *fit.flanges(), *fit.followers()]


def names_in(folder: Path) -> NameTable:
    """The names of all links and joints as the package has them, whatever it remembers of them."""
    libraries = Libraries([_library_of(folder)], read_only=[TEMPLATES])
    model = _robot_model(libraries, _package_name(folder))
    found: dict[str, dict[str, Named]] = {"Link": {}, "Joint": {}}
    for name, component in model.components.items():
        record = _record_of(component)
        if record is not None:
            found[record[0]][record[1]] = Named(record[1], (component.type_name or "").rpartition(".")[2], name)
    return NameTable(model.name.rpartition(".")[2], found["Link"], found["Joint"])


def _library_of(folder: Path) -> Path:
    while (folder.parent / "package.mo").is_file():
        folder = folder.parent
    return folder


def _package_name(folder: Path) -> str:
    names = [folder.name]
    while (folder.parent / "package.mo").is_file():
        folder = folder.parent
        names.insert(0, folder.name)
    return ".".join(names)


def _robot_model(libraries: Libraries, package: str) -> Instance:
    todo, robots, others = [package], [], []
    while todo:
        around = todo.pop()
        for each in libraries.find_class(around).classes:
            name = f"{around}.{each.name.rpartition('.')[2]}"  # in the file of its package it is named with it
            robots += [name] if any(base.endswith(("PartialRobot", "BaseRobot")) for base in each.extends) else []
            # The script of URDFModelica makes robots that extend an icon.
            is_other = any(base.startswith("URDFModelica.Icons.") for base in each.extends)
            is_other = is_other and any(component.type.startswith("Links.") for component in each.components)
            others += [name] if is_other else []
            todo += [name] if each.kind == "package" else []
    robots = robots or others
    assert len(robots) == 1, f"{package} has these models of robots: {robots}"
    return instance(libraries, robots[0])


@define(eq=False)
class _Fit:
    model: Instance
    libraries: Libraries
    package: str
    robot: Robot
    removed: set[End]
    links: dict[str, list[str]] = field(factory=dict)  # components by the names of the URDF file
    joints: dict[str, list[str]] = field(factory=dict)
    connections: list[tuple[End, End]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.connections = [(End.of(each.left), End.of(each.right)) for each in self.model.connections]
        for name, component in self.model.components.items():
            found = self._part(component)
            if found is not None:
                kind, urdf = found
                (self.links if kind == "Link" else self.joints).setdefault(urdf, []).append(name)

    def _part(self, component: ComponentInstance) -> tuple[str, str] | None:
        """The kind and the name in the URDF file of a component; None if it is neither a link nor a joint."""
        type_name = component.type_name or ""
        is_own = type_name.startswith((f"{self.package}.Links.", f"{self.package}.Joints."))
        # What is set at the component is the user's: the class says which part it is.
        found = _record_of(instance(self.libraries, type_name) if is_own else component)
        if found is not None or not is_own:
            return found
        kind = "Link" if ".Links." in type_name else "Joint"
        parts = self.robot.links if kind == "Link" else self.robot.joints
        named = {plain_identifier(part.name): part.name for part in parts}
        last = type_name.rpartition(".")[2]
        return kind, named.get(last, named.get(component.name, last))

    # ------------------------------------------------------------ parts

    def parts(self) -> Iterator[str]:
        for kind, wanted, found in (
            ("link", [link.name for link in self.robot.links], self.links),
            ("joint", [joint.name for joint in self.robot.joints], self.joints),
        ):
            for name in wanted:
                if len(there := found.get(name, [])) != 1:
                    yield f"the {kind} '{name}' has {len(there)} components {there}"
            for name in found.keys() - set(wanted):
                yield f"{found[name]} are components of a {kind} '{name}' that the URDF file does not have"

    def counts(self) -> Iterator[str]:
        driven = Counter(kind for _, kind, _ in self._driven())
        followers = sum(_follows(joint) for joint in self.robot.joints)
        wanted = {
            "numLinks": len(self.robot.links),
            "numLeafLinks": len(self._leaves()),
            "numRotationalJoints": driven["rotational"],
            "numTranslationalJoints": driven["translational"],
            "numMimicJoints": followers,
            "numOtherJoints": len(self.robot.joints) - driven.total() - followers,
        }
        for name, number in wanted.items():
            if (value := self.model.components[name].value) != number:
                yield f"{name} is {value}, and should be {number}"

    def _leaves(self) -> list[str]:
        parents = {joint.parent for joint in self.robot.joints}
        return [link.name for link in self.robot.links if link.name not in parents]

    def _driven(self) -> Iterator[tuple[Joint, str, int]]:
        """(joint, kind of its flanges, their number), in the order of the file."""
        numbers: Counter[str] = Counter()
        for joint in self.robot.joints:
            if joint.type.is_single and not _follows(joint):
                kind = "rotational" if joint.type.is_rotational else "translational"
                numbers[kind] += 1
                yield joint, kind, numbers[kind]

    # ------------------------------------------------------------ connections

    def ends(self) -> Iterator[str]:
        """Each end is declared, and an element of an array is within its size."""
        sizes = {
            name: self.model.components[count].value
            for name, count in (
                ("frame_b", "numLeafLinks"),
                *((f"rotational_flange_{side}", "numRotationalJoints") for side in "ab"),
                *((f"translational_flange_{side}", "numTranslationalJoints") for side in "ab"),
            )
        }
        joints = {name for names in self.joints.values() for name in names}
        parts = joints | {name for names in self.links.values() for name in names}
        for end in dict.fromkeys(each for pair in self.connections for each in pair):
            if not end.component:
                size = sizes.get(end.connector.partition("[")[0])
                number = re.search(r"\d+", end.connector)
                if number and isinstance(size, int | float) and not 1 <= int(number[0]) <= size:
                    yield f"{end} is connected, and there are {size}"
            elif end.component not in self.model.components:
                yield f"{end} is connected, and there is no such component"
            elif end.component in parts:
                inherited = FRAMES if end.component in joints else FRAMES[:1]
                inside = self.model.components[end.component].components
                if end.connector.partition(".")[0] not in {*inside, *inherited}:
                    yield f"{end} is connected, and there is no such connector"

    def loops(self) -> Iterator[str]:
        """There is one way between any two frames."""
        groups = Groups()
        frames = [pair for pair in self.connections if any(end.is_frame for end in pair)]
        for one, other in frames:
            if not groups.join(one, other):
                yield f"{one} and {other} are connected in two ways"
        for name in (name for names in self.joints.values() for name in names):
            if not groups.join(End(name, "frame_a"), End(name, "frame_b")):
                yield f"{name} is part of a loop"
        for one, other in self._through(frames):
            if not groups.join(one, other):
                yield f"{one.component} is part of a loop"

    def _through(self, connections: list[tuple[End, End]]) -> Iterator[tuple[End, End]]:
        """The ends of each component of the user's own, one after the other."""
        parts = {name for names in [*self.links.values(), *self.joints.values()] for name in names}
        mimics = {name for name, each in self.model.components.items() if ".Mimic" in each.type_text}
        own: dict[str, list[End]] = {}
        for end in dict.fromkeys(each for pair in connections for each in pair):
            if end.component and end.component not in parts | mimics:
                own.setdefault(end.component, []).append(end)
        for ends in own.values():
            yield from pairwise(ends)

    def _groups(self, *, are_frames: bool) -> Groups:
        groups = Groups()
        pairs = [pair for pair in self.connections if any(end.is_frame for end in pair) == are_frames]
        for one, other in [*pairs, *self._through(pairs)]:
            groups.join(one, other)
        return groups

    def _end(self, parts: dict[str, list[str]], name: str, connector: str) -> End | None:
        """An end of the one component of a part; None where `parts` has said what is wrong."""
        found = parts.get(name, [])
        return End(found[0], connector) if len(found) == 1 else None

    def regions(self) -> Iterator[str]:
        groups = self._groups(are_frames=True)
        leaves = {name: number for number, name in enumerate(self._leaves(), 1)}
        children = {joint.child for joint in self.robot.joints}
        parts = {name for names in [*self.links.values(), *self.joints.values()] for name in names} | {""}
        for link in (link.name for link in self.robot.links):
            own = self._end(self.links, link, "frame_a")
            if own is None:
                continue
            wanted = {own, *self._joint_ends(link)}
            wanted |= {End("", f"frame_b[{leaves[link]}]")} if link in leaves else set()
            wanted |= set() if link in children else {End("", "frame_a")}
            found = {end for end in groups.members(own) if end.component in parts and end.connector in _frames(end)}
            yield from (f"{own} is not connected with {end}" for end in wanted - found - self.removed)
            yield from (f"{own} is connected with {end}" for end in found - wanted)

    def _joint_ends(self, link: str) -> Iterator[End]:
        for joint in self.robot.joints:
            for at, connector in ((joint.parent, "frame_a"), (joint.child, "frame_b")):
                end = self._end(self.joints, joint.name, connector)
                if at == link and end is not None:
                    yield end

    def flanges(self) -> Iterator[str]:
        """Flanges of the robot lead to the joints that they are numbered after, and to no others."""
        direct, groups = Groups(), self._groups(are_frames=False)
        for one, other in self.connections:
            direct.join(one, other)
        wanted: dict[End, End] = {}
        for joint, kind, number in self._driven():
            for side in "ab":
                own = self._end(self.joints, joint.name, f"flange_{side}")
                if own is not None:
                    wanted[End("", f"{kind}_flange_{side}[{number}]")] = own
        for outer, own in wanted.items():
            if own not in groups.members(outer) and not self.removed & {own, outer}:
                yield f"{own} is not connected with {outer}"
        joints = {name for names in self.joints.values() for name in names}
        for outer in {end for pair in self.connections for end in pair if not end.component and not end.is_frame}:
            for end in direct.members(outer) - {wanted.get(outer)}:
                if end.component in joints:
                    yield f"{end} is connected with {outer}"

    def followers(self) -> Iterator[str]:
        """A joint that follows another one is connected with it over one element that makes it follow."""
        joined = {frozenset(pair) for pair in self.connections}
        mimics = [name for name, each in self.model.components.items() if ".Mimic" in each.type_text]
        used = set()
        for joint in self.robot.joints:
            if joint.mimic is None or not _follows(joint):
                continue
            own = self._end(self.joints, joint.name, "flange_a")
            leader = self._end(self.joints, joint.mimic.joint, "flange_a")
            found = [
                name
                for name in mimics
                if {frozenset((leader, End(name, "master"))), frozenset((own, End(name, "mimic")))} <= joined
            ]
            used |= set(found)
            if len(found) != 1 and not self.removed & {own, leader}:
                yield f"{own} follows {leader} over {found}"
        yield from (f"{name} makes no joint of the URDF file follow another" for name in mimics if name not in used)


@define(eq=False)
class _ScriptFit(_Fit):
    """Packages of URDFModelica's script: their joints follow no others, and the class of each part has a record."""

    def _part(self, component: ComponentInstance) -> tuple[str, str] | None:
        type_name = component.type_name or ""
        for kind in ("Link", "Joint"):
            if type_name.startswith(f"{self.package}.{kind}s."):
                record = self.libraries.find_class(f"{type_name}Params")
                name = record.get_extends_modifier(f"URDFModelica.Records.{kind}", "name")
                assert name is not None, f"{record.name} says whose it is"
                return kind, name.text.strip('"')
        return None

    def counts(self) -> Iterator[str]:
        driven = Counter(kind for _, kind, _ in self._driven())
        value = {name: each.value for name, each in self.model.components.items()}
        links = [value["numCollisionLinks"], value["numNonCollisionLinks"]]
        if sum(each for each in links if isinstance(each, int)) != len(self.robot.links):
            yield f"there are {links} links, and should be {len(self.robot.links)}"
        wanted = {
            "numLeafLinks": len(self._leaves()),
            "numRotationalJoints": driven["rotational"],
            "numTranslationalJoints": driven["translational"],
            "numOtherJoints": len(self.robot.joints) - driven.total(),
        }
        yield from (f"{name} is {value[name]}, and should be {n}" for name, n in wanted.items() if value[name] != n)

    def _driven(self) -> Iterator[tuple[Joint, str, int]]:
        numbers: Counter[str] = Counter()
        for joint in self.robot.joints:
            if joint.type.is_single:
                kind = "rotational" if joint.type.is_rotational else "translational"
                numbers[kind] += 1
                yield joint, kind, numbers[kind]

    def followers(self) -> Iterator[str]:
        return iter(())


# ---------------------------------------------------------------- robots of modules


def modular_misfits(folder: Path, assembly: Assembly, removed: Iterable[str] = ()) -> list[str]:
    """All in the model of a robot of modules, and in those of its modules, that does not fit its assembly."""
    libraries = Libraries([_library_of(folder)], read_only=[TEMPLATES])
    package = _package_name(folder)
    model = _robot_model(libraries, package)
    fit = _ModularFit(model, libraries, package, assembly, {End.of(each) for each in removed})
    return [*fit.parts(), *fit.counts(), *fit.ends(), *fit.loops(), *fit.regions(), *fit.flanges(), *fit.inside()]


@define(eq=False)
class _ModularFit:
    model: Instance
    libraries: Libraries
    package: str
    assembly: Assembly
    removed: set[End]
    connections: list[tuple[End, End]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.connections = [(End.of(each.left), End.of(each.right)) for each in self.model.connections]

    def parts(self) -> Iterator[str]:
        start = f"{self.package}.Modules."
        there = {
            name
            for name, each in self.model.components.items()
            if (each.type_name or "").startswith(start) and ".Links." not in (each.type_name or "")
        }
        wanted = {placed.name for placed in self.assembly.tree.placed}
        yield from (f"there is no instance '{name}'" for name in wanted - there)
        yield from (f"'{name}' is an instance that the assembly does not have" for name in there - wanted)

    def _driven(self) -> list[tuple[str, Joint]]:
        return [
            (placed.name, joint)
            for placed in self.assembly.tree.placed
            for joint in placed.module.robot.joints
            if joint.type.is_single and not _follows(joint)
        ]

    def _open(self) -> list[tuple[str, str]]:
        tree = self.assembly.tree
        return [
            (placed.name, port.short_name)
            for placed in tree.placed
            for port in placed.module.ports
            if tree.child_at(placed, port) is None
        ]

    def counts(self) -> Iterator[str]:
        turning = sum(joint.type.is_rotational for _, joint in self._driven())
        wanted = {
            "numLeafLinks": len(self._open()),
            "numRotationalJoints": turning,
            "numTranslationalJoints": len(self._driven()) - turning,
        }
        for name, number in wanted.items():
            if (value := self.model.components[name].value) != number:
                yield f"{name} is {value}, and should be {number}"

    def ends(self) -> Iterator[str]:
        yield from _undeclared(self.model, self.connections)

    def _groups(self) -> Groups:
        groups = Groups()
        for one, other in [*self._frames(), *self._through()]:
            groups.join(one, other)
        return groups

    def _frames(self) -> list[tuple[End, End]]:
        return [pair for pair in self.connections if any(end.is_frame for end in pair)]

    def _through(self) -> Iterator[tuple[End, End]]:
        """The frames of each component that is not a module, one after the other."""
        modules = {placed.name for placed in self.assembly.tree.placed}
        own: dict[str, list[End]] = {}
        for end in dict.fromkeys(each for pair in self._frames() for each in pair):
            if end.component and end.component not in modules:
                own.setdefault(end.component, []).append(end)
        for ends in own.values():
            yield from pairwise(ends)

    def loops(self) -> Iterator[str]:
        groups = Groups()
        for placed in self.assembly.tree.placed:
            for port in placed.module.ports:
                groups.join(End(placed.name, "frame_a"), End(placed.name, _frame_of(placed.module, port.short_name)))
        for one, other in [*self._frames(), *self._through()]:
            if not groups.join(one, other):
                yield f"{one} and {other} are connected in two ways"

    def regions(self) -> Iterator[str]:
        """What is attached to a port is connected with it, over what turns it or not.

        Open ends are ends of the robot.
        """
        tree, groups = self.assembly.tree, self._groups()
        wanted: list[set[End]] = []
        for placed in tree.placed:
            if placed.parent is None:
                wanted.append({End("", "frame_a"), End(placed.name, "frame_a")})
            for port in placed.module.ports:
                child, frame = tree.child_at(placed, port), End(placed.name, _frame_of(placed.module, port.short_name))
                wanted.append({frame} if child is None else {frame, End(child.name, "frame_a")})
        modules = {placed.name for placed in tree.placed}
        for region in wanted:
            found = groups.members(next(iter(region)))
            outer = {end for end in found if end.connector.startswith("frame_b[")}
            inner = {end for end in found if end.component in modules | {""} and end.is_frame} - outer
            if inner != region and not self.removed & (inner ^ region):
                yield f"{sorted(map(str, inner))} are connected, and should be {sorted(map(str, region))}"
            if len(outer) != (len(region) == 1) and not self.removed & (region | outer):
                yield f"{sorted(map(str, region))} are connected with {sorted(map(str, outer))}"

    def flanges(self) -> Iterator[str]:
        """Each joint that moves has flanges of the robot for itself."""
        pairs = {frozenset(pair) for pair in self.connections}
        for name, joint in self._driven():
            kind = "rotational" if joint.type.is_rotational else "translational"
            for side in "ab":
                own = End(name, f"{plain_identifier(joint.name)}_flange_{side}")
                outer = [
                    end
                    for pair in pairs
                    if own in pair
                    for end in pair - {own}
                    if end.connector.startswith(f"{kind}_flange_{side}[")
                ]
                if len(outer) != 1 and own not in self.removed:
                    yield f"{own} is connected with {[str(end) for end in outer]}"

    def inside(self) -> Iterator[str]:
        """The joints of each module are between the links that its file says, and what is connected is there."""
        folder = "Modules"
        classes = {name: (each.type_name or "") for name, each in self.model.components.items()}
        done = set()
        for placed in self.assembly.tree.placed:
            class_name = classes.get(placed.name, "")
            if class_name in done or not class_name.startswith(f"{self.package}.{folder}."):
                continue
            done.add(class_name)
            model = instance(self.libraries, class_name)
            found = [(End.of(each.left), End.of(each.right)) for each in model.connections]
            yield from (f"{class_name}: {each}" for each in _undeclared(model, found))
            robot = placed.module.robot
            names = {plain_identifier(each.name) for each in robot.links}
            names |= {plain_identifier(each.name) for each in robot.joints}
            for name, component in model.components.items():
                if f".{folder}." in (component.type_name or "") and name not in names:
                    yield f"{class_name}: '{name}' is not in {placed.module.path.name}"
            groups = Groups()
            for one, other in found:
                groups.join(one, other)
            for joint in robot.joints:
                for link, connector in ((joint.parent, "frame_a"), (joint.child, "frame_b")):
                    own, other = (
                        End(plain_identifier(joint.name), connector),
                        End(plain_identifier(link), "frame_a"),
                    )
                    if other.component in model.components and groups.of(own) != groups.of(other):
                        yield f"{class_name}: {own} is not connected with {other}"


def _undeclared(model: Instance, connections: list[tuple[End, End]]) -> Iterator[str]:
    """Ends of connections that are not there."""
    for end in dict.fromkeys(each for pair in connections for each in pair):
        component = model.components.get(end.component)
        if not end.component:
            name, number = end.connector.partition("[")[0], re.search(r"\d+", end.connector)
            sizes = {
                "frame_b": "numLeafLinks",
                "rotational": "numRotationalJoints",
                "transla": "numTranslationalJoints",
            }
            size = (
                next((model.components[n].value for s, n in sizes.items() if name.startswith(s)), None)
                if number
                else None
            )
            if number and isinstance(size, int | float) and not 1 <= int(number[0]) <= size:
                yield f"{end} is connected, and there are {size}"
        elif component is None:
            if end.connector or end.component not in FRAMES:
                yield f"{end} is connected, and there is no such component"
        elif ".Modules." in (component.type_name or "") and end.connector.partition(".")[0] not in {
            *component.components,
            *FRAMES,
        }:
            yield f"{end} is connected, and there is no such connector"


def _frame_of(module: Module, port: str) -> str:
    keys = [each.short_name for each in module.ports]
    joint = next(each.joint for each in module.ports if each.short_name == port)
    return "frame_b" if joint == "output_connector" or len(keys) == 1 else f"frame_b_{plain_identifier(port)}"


def _frames(end: End) -> tuple[str, ...]:
    """The connectors of a part that count: a link may have further frames of the user's own."""
    return FRAMES if end.component else (end.connector,)


def _record_of(part: Node) -> tuple[str, str] | None:
    """What the record of a part says that it is."""
    for record in part.components.values():
        if record.variability != "parameter" or record.environment is None or "name" not in record.components:
            continue
        for kind in ("Link", "Joint"):
            name = record.components["name"].value
            if record.is_a(f"{TEMPLATES.name}.Records.{kind}") and isinstance(name, str):
                return kind, name
    return None


def _follows(joint: Joint) -> bool:
    return joint.mimic is not None and joint.type.is_single
