"""The values of links and joints, in the URDF file and in a package."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen

from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.model import Number
from urdf_frontend.package import Kind, RobotPackage
from urdf_frontend.reader import ReadResult
from urdf_frontend.update.urdf_values import urdf_values

GONE: Final = "gone"
_ROUNDING: Final = 1e-12


@frozen
class Value:
    """A value of a link or joint: what the URDF file says, and what the package has, as texts."""

    urdf: str
    package: str
    differs: bool
    line: int  # in the URDF file


def values_of(package: RobotPackage, urdf: ReadResult) -> dict[tuple[str, str, str], Value]:
    """All numbers that the URDF file gives, by 'link' or 'joint', the name there, and the path in its record."""
    if urdf.robot is None or urdf.document is None:
        return {}
    names = package.memory.table
    if any(link.name not in names.links for link in urdf.robot.links) or any(
        joint.name not in names.joints for joint in urdf.robot.joints
    ):
        return {}  # the package is of another robot, or of an older file: nothing can be compared name by name
    owners: dict[str, tuple[Kind, str]] = {
        **{f"{LINKS}/{named.parameters}.mo": ("link", name) for name, named in names.links.items()},
        **{f"{JOINTS}/{named.parameters}.mo": ("joint", name) for name, named in names.joints.items()},
    }
    found: dict[tuple[str, str, str], Value] = {}
    for (file, path), value in urdf_values(urdf, names, package.options).items():
        if not value.numbers:
            continue
        kind, name = owners[file]
        place = package.get_value(kind, name, path)
        number = None if place is None else place.value
        text = GONE if place is None else _text(number, place.binding.text if place.binding is not None else "")
        differs = number is None or not _is_same(value.numbers, number)
        found[kind, name, path] = Value(_urdf_text(value.numbers), text, differs, value.place.line)
    return found


def _urdf_text(numbers: Sequence[Number]) -> str:
    return " ".join(number.text for number in numbers)


def _text(value: Any, written: str) -> str:
    """A value as the URDF file would write it; as it is written in Modelica if it is not known."""
    if value is None:
        return " ".join(written.split()) or "not given"
    return " ".join(map(_number_text, value)) if isinstance(value, list) else _number_text(value)


def _number_text(value: Any) -> str:
    return str(getattr(value, "text", value))


def _is_same(numbers: Sequence[Number], value: Any) -> bool:
    values = value if isinstance(value, list) else [value]
    if len(values) != len(numbers) or not all(isinstance(each, int | float) for each in values):
        return False
    pairs = zip(numbers, values, strict=True)
    return all(math.isclose(number.value, each, rel_tol=_ROUNDING, abs_tol=_ROUNDING) for number, each in pairs)
