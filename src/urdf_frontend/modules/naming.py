"""What links and joints of a module are called in the robot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from attrs import frozen

from urdf_frontend.modules.placing import Placed


@frozen
class Naming:
    """How one instance names its parts.

    With a prefix the names stay behind it, so they do not depend on the module's place or on its other names. By
    position they are the paper's: `joint1` of the third module is `joint_3`. The number at the end stays where it
    tells two names apart: `joint1_3`, `joint2_3`.
    """

    prefix: str | None
    position: int

    @classmethod
    def of(cls, placed: Placed) -> Naming:
        """By what the assembly says of an instance."""
        instance = placed.instance
        if instance.prefix is not None:
            return cls(instance.prefix, placed.position)
        if instance.given_name is not None:
            return cls(f"{instance.given_name}_", placed.position)
        return cls("" if instance.is_attached else None, placed.position)

    def name(self, name: str) -> str:
        """Of a single thing."""
        return f"{name}_{self.position}" if self.prefix is None else self.prefix + name

    def names(self, names: Iterable[str]) -> dict[str, str]:
        """Of all things of a kind."""
        names = list(names)
        if self.prefix is not None:
            return {name: self.name(name) for name in names}
        stems = Counter(map(_stem, names))
        return {name: self.name(_stem(name) if stems[_stem(name)] == 1 else name) for name in names}


def _stem(name: str) -> str:
    return name.rstrip("0123456789").rstrip("_") or name
