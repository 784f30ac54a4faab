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

# Functions, and types that are called like them, that every class sees (sections 3.7, 9.3, 10.3, 16, 17).
BUILTIN_FUNCTIONS: Final = frozenset(
    """
    abs acos activeState actualStream array asin assert atan atan2 backSample cardinality cat ceil change cos cosh
    cross delay der diagonal div edge exp fill firstTick floor getInstanceName hold homotopy identity inStream initial
    initialState integer interval linspace log log10 matrix max min mod ndims noClock noEvent ones outerProduct pre
    previous product pure reinit rem rooted sample scalar semiLinear shiftSample sign sin sinh size skew smooth
    spatialDistribution sqrt subSample sum superSample symmetric tan tanh terminal terminate ticksInState timeInState
    transition transpose vector zeros
    Boolean Clock Integer Real String Connections Subtask
    """.split()
)
