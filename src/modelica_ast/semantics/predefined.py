"""The types that Modelica brings along (section 4.9 of the specification)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_NUMBER: Final = frozenset("value quantity unit displayUnit min max start fixed nominal unbounded stateSelect".split())

# Type -> the attributes that a modifier can set.
PREDEFINED: Final[Mapping[str, frozenset[str]]] = {
    "Real": _NUMBER,
    "Integer": frozenset("value quantity min max start fixed".split()),
    "Boolean": frozenset("value quantity start fixed".split()),
    "String": frozenset("value quantity start fixed".split()),
    "Clock": frozenset(),
    "ExternalObject": frozenset(),
    "StateSelect": frozenset(),
    "AssertionLevel": frozenset(),
}

# Enumerations among them, with their literals.
PREDEFINED_LITERALS: Final[Mapping[str, tuple[str, ...]]] = {
    "StateSelect": ("never", "avoid", "default", "prefer", "always"),
    "AssertionLevel": ("warning", "error"),
}

ENUMERATION_ATTRIBUTES: Final = frozenset("value quantity min max start fixed".split())
