"""The fields of the record that have a value for every joint, or for the link below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from attrs import frozen

from urdf_frontend.building.values import real, reals
from urdf_frontend.model import Inertial, Joint, Link, Number, Origin, Vector
from urdf_frontend.model.fields import JOINT
from urdf_frontend.record.inertias import ELEMENTS, tensor

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
    (element,) = JOINT.part(attribute).types
    for number in element.fields:
        if number.record is not None and element.record is not None:
            yield _number(attribute, number.attribute, number.record, element.record)


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
# What is kept for controllers and calibration comes last.
FIELDS: Final = (*MOTION, *_numbers("limit"), *_numbers("calibration"), *_numbers("safety"))
