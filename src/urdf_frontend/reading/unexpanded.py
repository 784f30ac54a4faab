"""What xacro should have replaced: its elements, and its expressions in attributes and texts."""

from __future__ import annotations

from urdf_frontend.diagnostics import quoted
from urdf_frontend.reading.context import Reading
from urdf_frontend.reading.quantities import is_unexpanded

_HINT = "expand the file with xacro first, or read it as a .xacro file"


def report_unexpanded(reading: Reading) -> None:
    """Say each of them, with its place."""
    todo = [reading.tree.root]
    while todo:
        element = todo.pop()
        todo += reversed(element.children)
        if element.tag.startswith("xacro:"):
            reading.report("urdf-xacro", element, f"<{element.tag}> is xacro and was not expanded", _HINT)
        elif is_unexpanded(element.text):
            shown = quoted(element.text.strip())
            reading.report("urdf-xacro", element, f"the text {shown} is xacro and was not expanded", _HINT)
        for attribute in element.attributes.values():
            if is_unexpanded(attribute.value):
                place = reading.tree.place_of(element, attribute)
                message = f"{quoted(attribute.value)} is xacro and was not expanded"
                reading.findings.report("urdf-xacro", place, message, _HINT)
