"""The record itself: the structure and the values of a robot, and constants that name its joints and links."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import define

from modelica_ast.edit import ClassHandle, NewComponent
from modelica_ast.generate import CLONE, BuildError, Templates
from urdf_frontend.names import NameTable
from urdf_frontend.record.arrays import Arrays
from urdf_frontend.record.fields import FIELDS, MOTION
from urdf_frontend.record.structure import Structure

BASE: Final = "Records.Robot"
NAME: Final = "name"
_COUNTS: Final = ("nRevolute", "nPrismatic", "nFixed")
_PARENT, _ORDER = "parent", "order"
_CONNECTIONS: Final = "connectionMatrix"
_MOVEABLE: Final = "moveableJoints"
_JOINT_NAMES: Final = "jointNames"
_LINK_NAMES: Final = "linkNames"
# What the template has to declare, for the generic robots read it; the record adds the other fields itself.
NEEDED: Final = (NAME, *_COUNTS, _PARENT, _ORDER, *(field.name for field in MOTION))
# No joint and no link can be called like these, whatever a robot makes use of.
TAKEN: Final = frozenset(
    [*NEEDED, _CONNECTIONS, _MOVEABLE, _JOINT_NAMES, _LINK_NAMES, *(field.name for field in FIELDS)]
)
_LINES: Final = 4  # how far the values are indented
_COLUMNS: Final = 2  # of the matrices


@define
class RobotRecord:
    """Fills the record of one robot."""

    urdf_name: str | None
    structure: Structure
    names: NameTable
    templates: Templates
    arrays: Arrays

    def fill(self, record: ClassHandle) -> None:
        """Put the robot into a record that extends the template, in place of the one that is there."""
        base = self.templates.full_name(BASE)
        if base not in record.extends:
            raise BuildError(f"the record of the template library {self.templates.name} has to extend {base}")
        for component in record.components:
            if component.prefixes == ["constant"]:  # the indices of the template's own robot
                component.remove()
        record.remove_extends(base)
        record.add_extends(base)
        declared = {field.name for field in self.templates.clone(BASE).find_class(CLONE).components}
        fields = list(self._fields())
        known = {field.name: (field.modifiers or {})[""] for field in fields if field.name in declared}
        # PERF: each new component looks around for how others are written, so the long arrays come last.
        record.add_components([*(field for field in fields if field.name not in declared), *self._constants()])
        record.set_extends_modifiers(base, {**self._structure(), **known}, indent=_LINES)

    def _structure(self) -> dict[str, Any]:
        structure = self.structure
        values: dict[str, Any] = {} if self.urdf_name is None else {NAME: self.urdf_name}
        values |= zip(_COUNTS, (structure.revolute, structure.prismatic, structure.fixed), strict=True)
        if structure.joints:  # Modelica can't write an array of none
            values |= {_PARENT: list(structure.parents), _ORDER: list(structure.order)}
        return values

    def _fields(self) -> Iterator[NewComponent]:
        """All arrays with a value for each joint, and the structure once more, as matrices."""
        structure, size = self.structure, len(self.structure.joints)
        for field in self.arrays.given():
            part = self.arrays.part(field, field.parts[0])
            yield _parameter(part.type, field.name, self.arrays.values(field), part.description, size)
        if structure.joints:
            edges = [[parent, number] for number, parent in enumerate(structure.parents, 1)]
            yield _parameter("Integer", _CONNECTIONS, edges, "Parent and child link of each joint", size, _COLUMNS)
        if structure.moveable:
            flanges = [[number, structure.flange(number)] for number, _ in enumerate(structure.moveable, 1)]
            words = "Joints that move, and the number of the flange of each"
            yield _parameter("Integer", _MOVEABLE, flanges, words, len(flanges), _COLUMNS)
        if structure.joints:
            joints, links = ([item.name for item in items] for items in (structure.joints, structure.links))
            yield _parameter("String", _JOINT_NAMES, joints, "Names of the joints in URDF", size)
            yield _parameter("String", _LINK_NAMES, links, "Names of the links in URDF", size)

    def _constants(self) -> Iterator[NewComponent]:
        for number, joint, _ in self.structure.numbered():
            yield _index(self.names.joint(joint.name).component, number, f"Joint {joint.name}")
        base = self.structure.base.name
        yield _index(self.names.link(base).component, 0, f"Link {base}, the base")
        for number, _, link in self.structure.numbered():
            yield _index(self.names.link(link.name).component, number, f"Link {link.name}")


def _parameter(type_: str, name: str, value: list[Any], description: str | None, *dimensions: int) -> NewComponent:
    return NewComponent(type_, name, {"": value}, description, ["parameter"], dimensions)


def _index(name: str, number: int, description: str) -> NewComponent:
    return NewComponent("Integer", name, {"": number}, " ".join(description.split()), ["constant"])
