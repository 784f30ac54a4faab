"""The joints of a robot as the generic robots count them: those that turn, then those that slide, then the fixed ones.

Joints are counted from 1, links by the joint above them. The base is link 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from attrs import define, evolve, field, frozen

from modelica_ast.edit import ComponentHandle
from modelica_ast.generate import CLONE, BuildError, Templates
from modelica_ast.tree import Expression, Real
from urdf_frontend.package.builder.part_values import real, real_of, reals
from urdf_frontend.robot import (
    IDENTITY,
    INERTIA,
    JOINT,
    Inertia,
    Inertial,
    Joint,
    JointType,
    Kind,
    Kinematics,
    Link,
    Mimic,
    Number,
    Origin,
    Robot,
    Rotation,
    Vector,
    follows,
)

_LISTED: Final = 5  # joints that a refusal names


@frozen
class Structure:
    """Who is attached to whom. `joints[i - 1]` is joint i, and `links[i - 1]` the link below it."""

    base: Link
    joints: tuple[Joint, ...]
    links: tuple[Link, ...]
    revolute: int
    prismatic: int
    fixed: int
    parents: tuple[int, ...]  # the link that each joint is attached to
    order: tuple[int, ...]  # all joints, each after the one above it
    leaders: tuple[int, ...]  # the joint that each joint follows, which itself follows none; 0 if there is none

    @classmethod
    def of(cls, kinematics: Kinematics) -> Structure:
        """Count the joints of a robot without errors; BuildError if a generic robot can't move like one of them."""
        robot = kinematics.robot
        _refuse_others(robot.joints)
        turning = [joint for joint in robot.joints if joint.type.is_rotational]
        sliding = [joint for joint in robot.joints if joint.type is JointType.PRISMATIC]
        fixed = [joint for joint in robot.joints if joint.type is JointType.FIXED]
        joints = tuple(_led(joint, robot) for joint in (*turning, *sliding, *fixed))
        (base,) = kinematics.roots
        links = {link.name: link for link in robot.links}
        numbers = {base: 0} | {joint.child: number for number, joint in enumerate(joints, 1)}
        places = {joint.name: number for number, joint in enumerate(joints, 1)}
        return cls(
            base=links[base],
            joints=joints,
            links=tuple(links[joint.child] for joint in joints),
            revolute=len(turning),
            prismatic=len(sliding),
            fixed=len(fixed),
            parents=tuple(numbers[joint.parent] for joint in joints),
            order=tuple(numbers[joint.child] for joint in kinematics.joint_order()),
            leaders=tuple(0 if joint.mimic is None else places[joint.mimic.joint] for joint in joints),
        )

    @property
    def moveable(self) -> tuple[Joint, ...]:
        """The joints that move; they come first."""
        return self.joints[: self.revolute + self.prismatic]

    @property
    def followers(self) -> tuple[int, ...]:
        """The joints that follow others."""
        return tuple(number for number, leader in enumerate(self.leaders, 1) if leader)

    def numbered(self) -> Iterator[tuple[int, Joint, Link]]:
        """Each joint with its number and the link below it."""
        yield from zip(range(1, len(self.joints) + 1), self.joints, self.links, strict=True)

    def flange(self, number: int) -> int:
        """The place of a joint that moves among those that turn, or among those that slide."""
        return number if number <= self.revolute else number - self.revolute


def _led(joint: Joint, robot: Robot) -> Joint:
    """A joint that follows the one that leads it, whatever is between; one that follows none has no `<mimic>`."""
    mimic = joint.mimic if follows(joint) else None
    while mimic is not None:
        leader = robot.get_joint(mimic.joint)
        if leader is None or leader.mimic is None or not follows(leader):
            break
        above = leader.mimic
        factor, shift = mimic.factor * above.factor, mimic.factor * above.shift + mimic.shift
        mimic = Mimic(joint=above.joint, multiplier=Number.of(factor), offset=Number.of(shift))
    return evolve(joint, mimic=mimic)


def _refuse_others(joints: tuple[Joint, ...]) -> None:
    found = list(_others(joints))
    if found:
        more = f", and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        raise BuildError(
            "a generic robot has joints that turn, slide or are fixed, but "
            f"{', '.join(found[:_LISTED])}{more}: make the package of this robot instead, with "
            "modelica-patch urdf build"
        )


def _others(joints: tuple[Joint, ...]) -> Iterator[str]:
    for joint in joints:
        if not joint.type.is_single and joint.type is not JointType.FIXED:
            yield f"the joint '{joint.name}' is {joint.type.value}"


# ---------------------------------------------------------------- inertias
# Inertia tensors as the record has them: about the centre of mass, along the axes of the link's frame.

# Where each element is in the tensor. The record has those of the diagonal first.
_PLACES: Final = {
    each.attribute: ("xyz".index(each.attribute[1]), "xyz".index(each.attribute[2])) for each in INERTIA.fields
}
ELEMENTS: Final = dict(sorted(_PLACES.items(), key=lambda element: element[1][0] != element[1][1]))


def tensor(inertial: Inertial | None) -> list[Real | None] | None:
    """The six elements, None for what the file lacks. They keep their texts unless the inertial frame is turned."""
    inertia = None if inertial is None else inertial.inertia
    if inertial is None or inertia is None:
        return None
    rotation = IDENTITY.rotation if inertial.origin is None else inertial.origin.pose.rotation
    if rotation != IDENTITY.rotation:
        return [real_of(value) for value in turned_tensor(inertia, rotation)]
    numbers = [getattr(inertia, name) for name in ELEMENTS]
    return [None if number is None else real(number) for number in numbers]


def turned_tensor(inertia: Inertia, rotation: Rotation) -> list[float]:
    """The elements seen from a frame in which the inertial frame has this rotation: R I R'."""
    ixx, ixy, ixz, iyy, iyz, izz = inertia.values
    rows = ((ixx, ixy, ixz), (ixy, iyy, iyz), (ixz, iyz, izz))
    half = [[_dot(row, column) for column in rows] for row in rotation]  # R I, for I is symmetric
    return [_dot(half[i], rotation[k]) for i, k in ELEMENTS.values()]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


# ---------------------------------------------------------------- fields
# The fields of the record that have a value for every joint, or for the link below it.

ValueOf = Callable[[Joint, Link], Any]

AXIS: Final = "axis"


@frozen
class Field:
    """An array of the record. Its elements are what the field `parts` of `record` says of one joint or link.

    With several parts an element is a list of them. What the file does not say is None.
    """

    name: str
    record: str
    parts: tuple[str, ...]
    value_of: ValueOf


def _origin(of: Joint | Inertial | None) -> Origin:
    return Origin() if of is None or of.origin is None else of.origin


def _axis(joint: Joint) -> Vector | None:
    return None if joint.axis is None else joint.axis.xyz


def _mass(link: Link) -> Number | None:
    return None if link.inertial is None else link.inertial.mass


def _reals(value: Number | Vector | None) -> Any:
    return None if value is None else real(value) if isinstance(value, Number) else reals(value)


def _numbers(attribute: str) -> Iterator[Field]:
    """The numbers of an element of the joint: what `<limit>` and the like have."""
    part = JOINT.part(attribute)
    (element,) = part.types
    for number in element.fields:
        if number.kind is Kind.NUMBER and number.record is not None and element.record is not None:
            yield _number(part.effective, number.attribute, number.record, element.record)


def _number(element: str, attribute: str, name: str, record: str) -> Field:
    def value_of(joint: Joint, _: Link) -> Any:
        inside = getattr(joint, element)
        return None if inside is None else _reals(getattr(inside, attribute))

    return Field(name, record, (name,), value_of)


# What moves a generic robot.
MOTION: Final = (
    Field("xyz", "Origin", ("xyz",), lambda joint, _: _reals(_origin(joint).xyz)),
    Field("rpy", "Origin", ("rpy",), lambda joint, _: _reals(_origin(joint).turn)),
    Field(AXIS, "Joint", ("axis",), lambda joint, _: _reals(_axis(joint))),
    *_numbers("dynamics"),
    Field("mass", "Inertial", ("mass",), lambda _, link: _reals(_mass(link))),
    Field("center", "Origin", ("xyz",), lambda _, link: _reals(_origin(link.inertial).xyz)),
    Field("inertia", "Inertia", tuple(ELEMENTS), lambda _, link: tensor(link.inertial)),
)
# What makes joints follow others.
FOLLOWING: Final = tuple(_numbers("mimic"))
# What is kept for controllers and calibration comes last.
FIELDS: Final = (*MOTION, *FOLLOWING, *_numbers("limit"), *_numbers("calibration"), *_numbers("safety"))

# ---------------------------------------------------------------- arrays
# The arrays of one robot: what the file says of every joint and of the link below it.
#
# An array is there if the file has a value for one of its elements. The other elements have the default of the same
# field in the template library's own record of a joint or link: that is the constant which says that a value is
# absent.


@define
class Arrays:
    """Fills the fields of the record."""

    structure: Structure
    templates: Templates
    _parts: dict[tuple[str, str], ComponentHandle] = field(factory=dict)

    def given(self) -> list[Field]:
        """The fields that the file has a value for."""
        return [each for each in FIELDS if self._is_given(each)]

    def values(self, of: Field) -> list[Any]:
        """A value for each joint."""
        return [self._filled(of, value) for value in self._written(of)]

    def part(self, of: Field, part: str) -> ComponentHandle:
        """The template's field of one joint or link."""
        key = (of.record, part)
        if key not in self._parts:
            self._parts[key] = self.templates.clone(f"Records.{of.record}").find_class(CLONE).find_component(part)
        return self._parts[key]

    def needed_parts(self) -> dict[str, dict[str, None]]:
        """The records of the template library that say what is absent, and their fields."""
        wanted: dict[str, dict[str, None]] = {}
        for each in self.given():
            wanted.setdefault(f"Records.{each.record}", {}).update(dict.fromkeys(each.parts))
        return wanted

    def _is_given(self, of: Field) -> bool:
        # Without an axis a joint moves along x, which is not a default of the generic robots' record.
        is_needed = of.name == AXIS and bool(self.structure.moveable)
        return is_needed or any(value is not None for value in self._written(of))

    def _written(self, of: Field) -> Iterator[Any]:
        for _, joint, link in self.structure.numbered():
            yield of.value_of(joint, link)

    def _filled(self, of: Field, value: Any) -> Any:
        if len(of.parts) == 1:
            return self._absent(of, of.parts[0]) if value is None else value
        pieces = [None] * len(of.parts) if value is None else value
        return [
            self._absent(of, part) if piece is None else piece for part, piece in zip(of.parts, pieces, strict=True)
        ]

    def _absent(self, of: Field, part: str) -> Expression:
        default = self.part(of, part).get()
        if default is None:
            record = self.templates.full_name(f"Records.{of.record}")
            raise BuildError(
                f"the field {part} of {record} in {self.templates.folder} has no default: "
                "give it one that says that the value is absent"
            )
        return default
