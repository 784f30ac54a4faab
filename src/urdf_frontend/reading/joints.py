"""`<joint>` and what is inside."""

from __future__ import annotations

import difflib
from typing import Any, Final, TypeVar

from urdf_frontend.diagnostics import quoted
from urdf_frontend.model.items import Item
from urdf_frontend.model.joints import (
    Axis,
    Calibration,
    Dynamics,
    Joint,
    JointType,
    Limit,
    LinkReference,
    Mimic,
    Safety,
)
from urdf_frontend.reading.context import Reading
from urdf_frontend.reading.shapes import read_origin
from urdf_frontend.reading.xml_tree import Element

_TYPES: Final = [kind.value for kind in JointType if kind is not JointType.UNKNOWN]
_SINGLE: Final = "parent child origin axis limit dynamics mimic calibration safety_controller"

AnItem = TypeVar("AnItem", bound=Item)


def read_joint(reading: Reading, element: Element, name: str) -> Joint:
    """A joint with all that it says."""
    return Joint(
        name=name,
        type=_type(reading, element),
        type_text=reading.string(element, "type") or "",
        parent_reference=_end(reading, element, "parent"),
        child_reference=_end(reading, element, "child"),
        origin=read_origin(reading, element),
        axis=_axis(reading, element),
        limit=_numbers(reading, element, "limit", Limit),
        dynamics=_numbers(reading, element, "dynamics", Dynamics),
        mimic=_mimic(reading, element),
        calibration=_numbers(reading, element, "calibration", Calibration),
        safety=_numbers(reading, element, "safety_controller", Safety),
        **reading.leftovers(element, "name type", single=_SINGLE),
    )


def _type(reading: Reading, element: Element) -> JointType:
    text = reading.string(element, "type")
    if text in _TYPES:
        return JointType(text)
    if text is None:
        reading.report("urdf-joint-type", element, "the joint has no type", f"the types are: {', '.join(_TYPES)}")
        return JointType.UNKNOWN
    near = difflib.get_close_matches(text.strip().lower()[:40], _TYPES, 1)
    hint = f"did you mean '{near[0]}'?" if near else f"the types are: {', '.join(_TYPES)}"
    place = reading.tree.place_of(element, element.attributes["type"])
    reading.findings.report("urdf-joint-type", place, f"URDF has no joint type {quoted(text)}", hint)
    return JointType.UNKNOWN


def _end(reading: Reading, joint: Element, tag: str) -> LinkReference | None:
    element = reading.first(joint, tag)
    if element is None:
        reading.report("urdf-joint-ends", joint, f"the joint has no <{tag}>")
        return None
    link = reading.required_string(element, "link")
    return LinkReference(link=link, **reading.leftovers(element, "link"))


def _axis(reading: Reading, joint: Element) -> Axis | None:
    element = reading.first(joint, "axis")
    if element is None:
        return None
    return Axis(xyz=reading.vector(element, "xyz", 3), **reading.leftovers(element, "xyz"))


def _mimic(reading: Reading, joint: Element) -> Mimic | None:
    element = reading.first(joint, "mimic")
    if element is None:
        return None
    return Mimic(
        joint=reading.required_string(element, "joint"),
        multiplier=reading.number(element, "multiplier"),
        offset=reading.number(element, "offset"),
        **reading.leftovers(element, "joint multiplier offset"),
    )


def _numbers(reading: Reading, joint: Element, tag: str, kind: type[AnItem]) -> AnItem | None:
    """An element that is nothing but numbers: its attributes are the fields of its class."""
    element = reading.first(joint, tag)
    if element is None:
        return None
    names = [field.name for field in kind.__attrs_attrs__ if field.name not in _COMMON]
    values: dict[str, Any] = {name: reading.number(element, name) for name in names}
    return kind(**values, **reading.leftovers(element, " ".join(names)))


_COMMON: Final = {field.name for field in Item.__attrs_attrs__}
