"""Inertia tensors as the record has them: about the centre of mass, along the axes of the link's frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from modelica_ast import Real
from urdf_frontend.building.values import real, real_of
from urdf_frontend.model import Inertia, Inertial
from urdf_frontend.model.fields import INERTIA
from urdf_frontend.model.poses import IDENTITY, Rotation

# Where each element stands in the tensor. The record has those of the diagonal first.
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
