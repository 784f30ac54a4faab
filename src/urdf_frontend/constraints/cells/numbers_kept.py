"""IDs and counts are no edits of the user: in a merge, all versions have those that the user's file has."""

from __future__ import annotations

from typing import Final

from modelica_ast.edit import ClassHandle, Document
from urdf_frontend.constraints.classes import COLLECTOR_CLASSES, OBJECT_CLASSES

_NUMBERS: Final = ("id", "n", "m")


def with_numbers_of(text: str, model: str, ours: ClassHandle) -> str:
    """A generated text of a model, in which each object has the numbers that it has in the user's model."""
    document = Document(text)
    with document.transaction():
        for component in document.find_class(model).components:
            there = ours.get_component(component.name)
            if there is None or component.type not in {*OBJECT_CLASSES, *COLLECTOR_CLASSES}:
                continue
            for name in _NUMBERS:
                value = there.get(name)
                if value is not None:
                    component.set(name, value)
    return document.text
