"""What a sync did, and what a model's networks are like."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from attrs import asdict, frozen

from urdf_frontend.constraints.networks import Network
from urdf_frontend.constraints.objects import Role


@frozen
class Assignment:
    """A parameter that was set; `old` is '' if it was not there."""

    parameter: str  # with the path of its object, from the model on
    old: str
    new: str


@frozen
class Finding:
    """Something that is wrong with the objects of a model, or that its user should know."""

    code: str
    severity: Literal["error", "warning"]
    file: Path
    line: int
    column: int
    message: str
    hint: str | None = None


@frozen
class NetworkCount:
    """How many objects meet, and how many pairs have to be looked at."""

    name: str  # the path of the collector; for connected objects, of the component that they are in
    collisions: int
    constrained: int

    @classmethod
    def of(cls, network: Network) -> NetworkCount:
        """Count a network."""
        return cls(network.name, network.count(Role.COLLISION), network.count(Role.CONSTRAINED))

    @property
    def pairs(self) -> int:
        """Pairs of a collision object and a constrained object."""
        return self.collisions * self.constrained

    @property
    def all_pairs(self) -> int:
        """Pairs of any two objects."""
        number = self.collisions + self.constrained
        return number * (number - 1) // 2

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "collector": self.name,
            "n": self.collisions,
            "m": self.constrained,
            "pairs": self.pairs,
            "all_pairs": self.all_pairs,
        }


@frozen
class Report:
    """What a sync did. `findings` is what it could not bring in order, and what its user should know."""

    model: str
    networks: tuple[NetworkCount, ...]
    settings: tuple[Assignment, ...] = ()
    added: tuple[str, ...] = ()  # components and connections
    removed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Was there something to do?"""
        return bool(self.settings or self.added or self.removed)

    @property
    def errors(self) -> list[Finding]:
        """What is still wrong."""
        return [finding for finding in self.findings if finding.severity == "error"]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "model": self.model,
            "networks": [network.as_json() for network in self.networks],
            "settings": [asdict(setting) for setting in self.settings],
            "added": list(self.added),
            "removed": list(self.removed),
        }
