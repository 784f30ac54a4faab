"""The fields of the record that have a value for every joint, or for the link below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import frozen

from urdf_frontend.building.values import real, real_of, reals
from urdf_frontend.model import Inertial, Joint, Link, Number, Origin
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


def _position(origin: Origin | None) -> list[Any] | None:
    return None if origin is None or origin.xyz is None else reals(origin.xyz)


def _angles(origin: Origin | None) -> list[Any] | None:
    if origin is None:
        return None
    if origin.quat_xyzw is not None:  # the record has angles
        return [real_of(angle) for angle in origin.angles]
    return None if origin.rpy is None else reals(origin.rpy)


def _axis(joint: Joint) -> list[Any] | None:
    return None if joint.axis is None or joint.axis.xyz is None else reals(joint.axis.xyz)


def _inertial(link: Link) -> Inertial:
    return Inertial() if link.inertial is None else link.inertial


def _number(number: Number | None) -> Any:
    return None if number is None else real(number)


def _of_joint(name: str, record: str, element: str, attribute: str) -> Field:
    """A number in an element of the joint: the attribute of `<limit>` and the like."""

    def value_of(joint: Joint, _: Link) -> Any:
        inside = getattr(joint, element)
        return None if inside is None else _number(getattr(inside, attribute))

    return Field(name, record, (name,), value_of)


# What moves a generic robot.
MOTION: Final = (
    Field("xyz", "Origin", ("xyz",), lambda joint, _: _position(joint.origin)),
    Field("rpy", "Origin", ("rpy",), lambda joint, _: _angles(joint.origin)),
    Field(AXIS, "Joint", ("axis",), lambda joint, _: _axis(joint)),
    _of_joint("damping", "Dynamics", "dynamics", "damping"),
    _of_joint("friction", "Dynamics", "dynamics", "friction"),
    Field("mass", "Inertial", ("mass",), lambda _, link: _number(_inertial(link).mass)),
    Field("center", "Origin", ("xyz",), lambda _, link: _position(_inertial(link).origin)),
    Field("inertia", "Inertia", tuple(ELEMENTS), lambda _, link: tensor(_inertial(link))),
)
LIMITS: Final = tuple(
    _of_joint(name, "Limit", "limit", name)
    for name in ("lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk")
)
# What is kept for controllers and calibration.
KEPT: Final = (
    _of_joint("rising", "Calibration", "calibration", "rising"),
    _of_joint("falling", "Calibration", "calibration", "falling"),
    _of_joint("softLowerLimit", "SafetyController", "safety", "soft_lower_limit"),
    _of_joint("softUpperLimit", "SafetyController", "safety", "soft_upper_limit"),
    _of_joint("kPosition", "SafetyController", "safety", "k_position"),
    _of_joint("kVelocity", "SafetyController", "safety", "k_velocity"),
)
FIELDS: Final = (*MOTION, *LIMITS, *KEPT)
