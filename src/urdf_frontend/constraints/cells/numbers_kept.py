"""IDs and counts are no edits of the user: in a merge, all versions have those that the user's file has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import evolve

from modelica_ast.edit import ClassHandle, Document
from modelica_ast.generate import Versions
from urdf_frontend.constraints.classes import COLLECTOR_CLASSES, OBJECT_CLASSES

_NUMBERS: Final = ("id", "n", "m")


def with_user_numbers(versions: Versions, path: str) -> Versions:
    """Versions in which each generated object has the numbers that it has in the user's model.

    `path` is the generated file of the model; the user's and what was generated before are there.
    """
    ours = model_in(versions, versions.ours, path)
    key = versions.hosts.get(path, path)

    def numbered(texts: Mapping[str, str]) -> dict[str, str]:
        document = Document(texts[key])
        with document.transaction():
            _set_numbers(document.find_class(_name_in(document, versions, path)), ours)
        return {**texts, key: document.text}

    return evolve(versions, base=numbered(versions.base), theirs=numbered(versions.theirs))


def model_in(versions: Versions, texts: Mapping[str, str], path: str) -> ClassHandle:
    """The class of a generated file: in a file of its own, under whatever name, or in that of the package."""
    document = Document(texts[versions.hosts.get(path, path)])
    return document.find_class(_name_in(document, versions, path))


def _name_in(document: Document, versions: Versions, path: str) -> str:
    top = document.classes[0].name
    return f"{top}.{path.removesuffix('.mo')}" if path in versions.hosts else top


def _set_numbers(model: ClassHandle, ours: ClassHandle) -> None:
    for component in model.components:
        there = ours.get_component(component.name)
        if there is None or component.type not in {*OBJECT_CLASSES, *COLLECTOR_CLASSES}:
            continue
        for name in _NUMBERS:
            value = there.get(name)
            if value is not None:
                component.set(name, value)
