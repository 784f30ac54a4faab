"""`<joint>` and what is inside."""

from __future__ import annotations

import difflib
from typing import Final

from urdf_frontend.diagnostics import quoted
from urdf_frontend.model.fields import JOINT
from urdf_frontend.model.joints import Joint, JointType
from urdf_frontend.reading.context import Reading
from urdf_frontend.reading.xml_tree import Element

_TYPES: Final = [kind.value for kind in JointType if kind is not JointType.UNKNOWN]
_ENDS: Final = ("parent", "child")


def read_joint(reading: Reading, element: Element, name: str) -> Joint:
    """A joint with all that it says."""
    kind = _type(reading, element)
    for tag in _ENDS:
        if reading.first(element, tag) is None:
            reading.report("urdf-joint-ends", element, f"the joint has no <{tag}>")
    return Joint(
        name=name,
        type=kind,
        type_text=reading.string(element, "type") or "",
        **{part.attribute: reading.part(element, part) for part in JOINT.parts},
        **reading.rest(element, JOINT),
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
