"""The classes of the library DynamicConstraints that a model is looked through for."""

from __future__ import annotations

from enum import Enum
from typing import Final

from attrs import frozen

LIBRARY: Final = "DynamicConstraints"


class Role(Enum):
    """What an object is in its network."""

    COLLISION = "collision"
    CONSTRAINED = "constrained"

    @property
    def count(self) -> str:
        """The parameter of the collector that says how many there are of this role."""
        return "n" if self is Role.COLLISION else "m"

    @property
    def size(self) -> str:
        """The parameter of an object of this role that says how many there are of the other one."""
        return "m" if self is Role.COLLISION else "n"

    @property
    def words(self) -> str:
        """What people call an object of this role."""
        return f"{self.value} object"


@frozen
class Family:
    """Classes that belong together: objects, and the collector that they meet at, if they need one."""

    package: str
    has_collector: bool

    @property
    def collector(self) -> str:
        """The full name of the collector's class."""
        return f"{self.package}.CollisionCollector"

    def class_of(self, role: Role) -> str:
        """The full name of the class of a role."""
        return f"{self.package}.{'CollisionObject' if role is Role.COLLISION else 'ConstrainedObject'}"


SPATIAL: Final = Family(LIBRARY, has_collector=True)
PLANAR: Final = Family(f"{LIBRARY}.Planar", has_collector=True)
CONNECTED: Final = Family(f"{LIBRARY}.Connected", has_collector=False)
FAMILIES: Final = (SPATIAL, PLANAR, CONNECTED)

OBJECT_CLASSES: Final = {family.class_of(role): (family, role) for family in FAMILIES for role in Role}
COLLECTOR_CLASSES: Final = {family.collector: family for family in FAMILIES if family.has_collector}
CONTROL: Final = f"{LIBRARY}.Types.Mode.Control"
