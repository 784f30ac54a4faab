"""`<transmission>`: there are two dialects and many private ones, so what is not understood is only kept."""

from __future__ import annotations

from urdf_frontend.model.numbers import Number
from urdf_frontend.model.robot import Actuator, Transmission, TransmissionJoint
from urdf_frontend.reading.context import Reading
from urdf_frontend.reading.xml_tree import Element


def read_transmission(reading: Reading, element: Element) -> Transmission:
    """The type may be an element or an attribute, the reduction at a joint, at an actuator, or at the top."""
    kind = reading.first(element, "type")
    return Transmission(
        name=reading.string(element, "name"),
        type=kind.text.strip() if kind is not None else reading.string(element, "type"),
        joints=tuple(
            TransmissionJoint(
                name=reading.string(joint, "name") or "",
                hardware_interfaces=_interfaces(reading, joint),
                mechanical_reduction=_reduction(reading, joint),
                place=reading.place(joint),
            )
            for joint in reading.all(element, "joint")
        ),
        actuators=tuple(
            Actuator(
                name=reading.string(actuator, "name") or "",
                hardware_interfaces=_interfaces(reading, actuator),
                mechanical_reduction=_reduction(reading, actuator),
                place=reading.place(actuator),
            )
            for actuator in reading.all(element, "actuator")
        ),
        mechanical_reduction=_reduction(reading, element),
        text=reading.tree.text_of(element),
        place=reading.place(element),
    )


def _interfaces(reading: Reading, element: Element) -> tuple[str, ...]:
    return tuple(child.text.strip() for child in reading.all(element, "hardwareInterface"))


def _reduction(reading: Reading, element: Element) -> Number | None:
    """The number of `<mechanicalReduction>`; a text that is none stays in the element's text and means nothing."""
    for tag in ("mechanicalReduction", "mechanical_reduction"):
        found = reading.first(element, tag)
        if found is not None:
            return reading.number_in(found)
    return None
