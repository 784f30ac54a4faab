"""What the models of a robot have to have for a URDF file: counts, components, connections; and the user's with them.

A connection has a role, which it keeps when its ends change: the one that leads from a joint to its child, say. So two
structures say what was led elsewhere, what is new and what is gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from attrs import define, field, frozen

from modelica_ast.edit import ClassHandle, ComponentHandle, Document
from modelica_ast.generate import modifiers_of
from modelica_ast.graphics import Extent, Placement, Transformation
from modelica_ast.tree import Expression, Reference
from urdf_frontend.package.builder.part_models import JOINTS, LINKS
from urdf_frontend.package.builder.part_values import Xy, placement, turned_placement
from urdf_frontend.package.dlr.part_classes import Role, flange_of, known_collision, says
from urdf_frontend.robot import Kinematics, Named, NameTable, Robot

_FRAMES: Final = "frame_b"
_FLANGE_INDEX: Final = "flangeIndex"
_ENABLE: Final = "enableCollision"
_WRITTEN_OTHER_WAY_ROUND: Final = "parent"  # the script writes the end of the parent first
# Where the script puts things: a row for each chain, and in it links and joints in turn.
_STEP: Final = 25
_ROW: Final = 30
_HALF: Final = 10

Ends = tuple[str, str]  # the one that stays where it is, and the one that the URDF file decides about


@frozen
class NewPart:
    """A component of the robot's model: a link, or a joint with the number of its flange."""

    package: str
    named: Named
    parent: str | None  # the component that it is attached to
    flange: int | None = None

    @property
    def type(self) -> str:
        """The class, as the robot's model names it."""
        return f"{self.package}.{self.named.class_name}"


@frozen
class Structure:
    """All of it. The parts are by their package and their URDF name, in the order of the file."""

    counts: Mapping[str, int]
    parts: Mapping[Role, NewPart]
    connections: Mapping[tuple[str, str], Ends]  # by what they lead to, and the URDF name of a part

    @property
    def leaves(self) -> int:
        """How many frames the robot ends with."""
        return self.counts["numLeafLinks"]


def structure_of(robot: Robot, names: NameTable, families: Mapping[str, str]) -> Structure:
    """What the script makes of a robot; `families` says what the model of each joint moves like."""
    kinematics = Kinematics.of(robot)
    flanges = dict(_flanges(robot, families))
    parts = dict(_parts(kinematics, names, flanges))
    turning = sum(kind == "rotational" for kind, _ in flanges.values())
    colliding = sum(known_collision(link) is not None for link in robot.links)
    counts = {
        "numCollisionLinks": colliding,
        "numNonCollisionLinks": len(robot.links) - colliding,
        "numLeafLinks": len(kinematics.leaves),
        "numRotationalJoints": turning,
        "numTranslationalJoints": len(flanges) - turning,
        "numOtherJoints": len(robot.joints) - len(flanges),
    }
    return Structure(counts, parts, dict(_connections(kinematics, names, flanges)))


def _flanges(robot: Robot, families: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, int]]]:
    """(joint, (kind, number)): both kinds are counted separately, in the order of the file."""
    count = {"rotational": 0, "translational": 0}
    for joint in robot.joints:
        kind = flange_of(families[joint.name])
        if kind is not None:
            count[kind] += 1
            yield joint.name, (kind, count[kind])


def _parts(
    kinematics: Kinematics, names: NameTable, flanges: Mapping[str, tuple[str, int]]
) -> Iterator[tuple[Role, NewPart]]:
    for link in kinematics.robot.links:
        above = kinematics.joint_above(link.name)
        parent = None if above is None else names.joint(above.name).component
        yield (LINKS, link.name), NewPart(LINKS, names.link(link.name), parent)
    for joint in kinematics.robot.joints:
        number = flanges[joint.name][1] if joint.name in flanges else None
        parent = names.link(joint.parent).component
        yield (JOINTS, joint.name), NewPart(JOINTS, names.joint(joint.name), parent, number)


def _connections(
    kinematics: Kinematics, names: NameTable, flanges: Mapping[str, tuple[str, int]]
) -> Iterator[tuple[tuple[str, str], Ends]]:
    for root in kinematics.roots:
        yield ("root", ""), ("frame_a", f"{names.link(root).component}.frame_a")
    leaves = set(kinematics.leaves)
    for number, link in enumerate((each for each in kinematics.robot.links if each.name in leaves), 1):
        yield ("leaf", link.name), (f"{names.link(link.name).component}.frame_a", f"frame_b[{number}]")
    for joint in kinematics.robot.joints:
        component = names.joint(joint.name).component
        yield ("parent", joint.name), (f"{component}.frame_a", f"{names.link(joint.parent).component}.frame_a")
        yield ("child", joint.name), (f"{component}.frame_b", f"{names.link(joint.child).component}.frame_a")
        if joint.name in flanges:
            kind, number = flanges[joint.name]
            for side in ("flange_a", "flange_b"):
                yield (side, joint.name), (f"{component}.{side}", f"{kind}_{side}[{number}]")


# ---------------------------------------------------------------- the models of a user


def with_counts(text: str, counts: Mapping[str, int]) -> str:
    """A model with these values of its parameters; those that it does not have are left out."""
    document = Document(text)
    with document.transaction():
        for model in document.classes:
            _set_counts(model, counts)
    return document.text


def with_numbers(text: str, name: str, structure: Structure) -> str:
    """The robot's model with the counts, the number of its frames, and the numbers of its flanges."""
    document = Document(text)
    model = document.find_class(name)
    with document.transaction():
        _set_counts(model, structure.counts)
        frames = model.get_component(_FRAMES)
        if frames is not None and len(frames.dimensions) == 1 and not _is(frames.dimensions[0], structure.leaves):
            frames.set_dimensions([structure.leaves])
        for part in structure.parts.values():
            component = model.get_component(part.named.component)
            written = None if component is None else component.get(_FLANGE_INDEX)
            if component is None:
                continue
            if part.flange is None and written is not None:
                component.remove_modifier(_FLANGE_INDEX)  # a joint without a flange has no such parameter
            elif part.flange is not None and (written is None or not _is(written, part.flange)):
                component.set(_FLANGE_INDEX, part.flange)
    return document.text


def as_generated(text: str, name: str, structure: Structure, roles: Collection[Role]) -> str:
    """The robot's model with the connections of a structure alone, and some parts as the script declares them.

    What a user has written about parts and connections is a difference to it.
    """
    document = Document(text)
    model = document.find_class(name)
    wanted = {*structure.connections.values()}
    with document.transaction():
        for one, other in dict.fromkeys(model.connections):
            if (one, other) not in wanted and (other, one) not in wanted:
                model.disconnect(one, other)
        for role in roles:
            component = model.get_component(structure.parts[role].named.component)
            if component is not None and not _is_plain(text, name, structure.parts[role]):
                _declare(model, structure.parts[role], component)
        there = {component.name for component in model.components}
        for ends in structure.connections.values():
            if not _has(model, ends) and all("." not in end or end.partition(".")[0] in there for end in ends):
                model.connect(*ends, line=False)
    return document.text


def restructured(text: str, name: str, old: Structure, new: Structure) -> tuple[str, list[str]]:
    """The robot's model with what is new and without what is gone; and sentences about what could not be done."""
    document = Document(text)
    edit = _Edit(document.find_class(name), old, new)
    with document.transaction():
        edit.run()
    return document.text, edit.notes


def _is_plain(text: str, model: str, part: NewPart) -> bool:
    """Is a component declared as the script declares it, apart from where it is?"""
    component = Document(text).find_class(model).find_component(part.named.component)
    if component.description is not None or component.condition is not None:
        return False
    flange, enable = component.get(_FLANGE_INDEX), component.get(_ENABLE)
    if flange is not None and part.flange is not None and _is(flange, part.flange):
        component.remove_modifier(_FLANGE_INDEX)
    if enable is not None and says(enable, Reference(_ENABLE)):
        component.remove_modifier(_ENABLE)
    if component.placement is not None:
        component.remove_annotation("Placement")
    return "".join(component.view.text.split()) in {component.name, f"{component.name}()"}


def _declare(model: ClassHandle, part: NewPart, component: ComponentHandle) -> None:
    """Declare a component as the script does it, where it is."""
    wanted = _modifiers(model, part)
    for name in modifiers_of(component).keys() - wanted.keys():
        component.remove_modifier(name)
    for name, value in wanted.items():
        written = component.get(name)
        if written is None or not says(written, value):
            component.set(name, value)
    component.set_description(None)
    component.set_condition(None)


def _modifiers(model: ClassHandle, part: NewPart) -> dict[str, Any]:
    modifiers: dict[str, Any] = {}
    if part.package == LINKS and model.get_component(_ENABLE) is not None:
        modifiers[_ENABLE] = Reference(_ENABLE)
    if part.flange is not None:
        modifiers[_FLANGE_INDEX] = part.flange
    return modifiers


def with_sources(text: str, old: Structure, new: Structure, robot: str) -> tuple[str, list[str]]:
    """The model that runs the robot: each flange has a source. `robot` is the class of the robot."""
    document = Document(text)
    notes: list[str] = []
    with document.transaction():
        for model in document.classes:
            component = next((each.name for each in model.components if each.type == robot), None)
            if component is not None:
                notes += _set_sources(model, component, old, new)
    return document.text, notes


def _set_sources(model: ClassHandle, robot: str, old: Structure, new: Structure) -> Iterator[str]:
    for kind, count in (("rotational", "numRotationalJoints"), ("translational", "numTranslationalJoints")):
        source = f"{kind}Position"
        before, now = old.counts[count], new.counts[count]
        for number in range(now + 1, before + 1):
            for ends in _source_ends(source, robot, kind, number):
                if _has(model, ends):
                    model.disconnect(*ends)
        if now > before and model.get_component(source) is None:
            yield f"{model.name} has no {source}, so the new joints are driven by nothing there"
            continue
        for number in range(before + 1, now + 1):
            for ends in _source_ends(source, robot, kind, number):
                if not _has(model, ends):
                    model.connect(*ends)


def _source_ends(source: str, robot: str, kind: str, number: int) -> list[Ends]:
    return [
        (f"{source}[{number}].flange", f"{robot}.{kind}_flange_a[{number}]"),
        (f"{source}[{number}].support", f"{robot}.{kind}_flange_b[{number}]"),
    ]


@define
class _Edit:
    """One change of a robot's model."""

    model: ClassHandle
    old: Structure
    new: Structure
    notes: list[str] = field(factory=list)

    def run(self) -> None:
        old, new = self.old.connections, self.new.connections
        for role, ends in old.items():
            if role not in new and _has(self.model, ends):
                self.model.disconnect(*ends, comments="keep")  # they are the user's: the script writes none
        for role, part in self.old.parts.items():
            component = self.model.get_component(part.named.component)
            if role not in self.new.parts and component is not None:
                component.remove(comments="keep")
        todo = [part for role, part in self.new.parts.items() if role not in self.old.parts]
        while todo:
            # What something is attached to comes first, so that it has a place.
            waiting = {part.named.component for part in todo}
            part = next((each for each in todo if each.parent not in waiting), todo[0])
            todo.remove(part)
            if self.model.get_component(part.named.component) is None:
                self._add(part)
        for role, ends in new.items():
            self._connect(role, old.get(role), ends)

    def _connect(self, role: tuple[str, str], old: Ends | None, new: Ends) -> None:
        if old == new or _has(self.model, new):
            return
        if old is None:
            drawn = not role[0].startswith("flange")  # the script draws no lines to flanges
            ends = (new[1], new[0]) if role[0] == _WRITTEN_OTHER_WAY_ROUND else new
            self.model.connect(*ends, line=drawn)
        elif _has(self.model, old):
            if old[0] == new[0]:
                self.model.reconnect(old[0], old[1], new[1])
            else:
                self.model.disconnect(*old)
                self.model.connect(*new)
        else:
            self.notes.append(
                f"{self.model.name}: the connection of {old[0]} with {old[1]} is "
                f"gone or leads elsewhere, so the one with {new[1]} that the URDF asks for is left out"
            )

    def _add(self, part: NewPart) -> None:
        same = [each.name for each in self.model.components if each.type.startswith(f"{part.package}.")]
        where: dict[str, Any] = {"after": same[-1]} if same else {}
        place = self._place(part)
        component = self.model.add_component(part.type, part.named.component, _modifiers(self.model, part), **where)
        if place is not None:
            component.set_placement(place)

    def _place(self, part: NewPart) -> Placement | None:
        """After the component that it is attached to, in the first row that is free there."""
        boxes = {each.name: box for each in self.model.components if (box := _box(each.placement)) is not None}
        if part.parent is None or part.parent not in boxes:
            return None
        parent = boxes[part.parent]
        # Links are turned so that their frame is at their bottom, in the row of the joints.
        row = int(parent.bottom + parent.top) // 2 + (_HALF if part.package == LINKS else -_HALF)
        x = int(parent.left + parent.right) // 2 + _STEP
        while any(_covers(box, (x, row)) for box in boxes.values()):
            row -= _ROW
        return turned_placement(x, row, _HALF, 90) if part.package == LINKS else placement(x, row, _HALF)


def _set_counts(model: ClassHandle, counts: Mapping[str, int]) -> None:
    for name, count in counts.items():
        component = model.get_component(name)
        written = None if component is None else component.get()
        if component is not None and written is not None and not _is(written, count):
            component.set("", count)


def _is(written: Expression | str, number: int) -> bool:
    return not isinstance(written, str) and says(written, number)


def _has(model: ClassHandle, ends: Ends) -> bool:
    found = model.connections
    return ends in found or (ends[1], ends[0]) in found


def _box(placed: Placement | None) -> Extent | None:
    transformation = None if placed is None else placed.transformation
    return transformation.box if isinstance(transformation, Transformation) else None


def _covers(box: Extent, point: Xy) -> bool:
    """Would a component around the point cover a part of the box?"""
    across = box.left - _HALF < point[0] < box.right + _HALF
    return across and box.bottom - _HALF < point[1] < box.top + _HALF
