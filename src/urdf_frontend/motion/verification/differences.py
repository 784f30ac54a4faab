"""What came of a comparison: the largest difference of each kind, where it is, and whether it is small enough."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from enum import Enum
from typing import Any

from attrs import define, field, frozen


class Kind(Enum):
    """What is compared: the name of it, and the difference that rounding may make.

    Lengths are in metres or, for a robot that is larger than a metre, in its sizes. All others are relative: masses to
    that of the robot, forces to the largest that gravity could cause at that joint or link, the mass matrix to the
    masses that the two joints move.
    """

    LINK_PLACE = "place of a link", 1e-9
    LINK_TURN = "orientation of a link", 1e-9
    JOINT = "motion of a joint", 1e-9
    FOLLOWER = "position of a follower", 1e-9
    LIMIT = "limit of a joint", 1e-9
    FRICTION = "friction of a joint", 1e-9
    LINK_MASS = "mass of a link", 1e-9
    TOTAL_MASS = "total mass", 1e-9
    CENTRE = "centre of mass", 1e-9
    LINK_FORCE = "force on a link", 1e-8
    MASS_MATRIX = "mass matrix", 1e-8
    GRAVITY = "gravity torque", 1e-8
    MOTION = "free motion, no friction", 1e-4
    RUBBING_MOTION = "free motion, friction", 1e-4
    WAY = "places along the way", 1e-6
    BALANCE = "equations along the way", 1e-6

    def __init__(self, words: str, tolerance: float) -> None:
        self.words = words
        self.tolerance = tolerance

    @property
    def is_local(self) -> bool:
        """Does a difference say which link or joint is wrong, whatever else is wrong with the robot?"""
        return self in _LOCAL


_LOCAL = frozenset({Kind.JOINT, Kind.FOLLOWER, Kind.LIMIT, Kind.FRICTION, Kind.LINK_MASS, Kind.LINK_FORCE})


@frozen
class Difference:
    """How far the package and Pinocchio are apart in one respect."""

    kind: Kind
    where: str
    size: float

    @property
    def is_ok(self) -> bool:
        """Is it no more than rounding? What is not a number is not."""
        return self.size <= self.kind.tolerance

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "what": self.kind.words,
            "where": self.where,
            "difference": self.size if math.isfinite(self.size) else str(self.size),
            "tolerance": self.kind.tolerance,
            "ok": self.is_ok,
        }


@define
class Tally:
    """Collects differences: of each kind and place the largest."""

    _sizes: dict[tuple[Kind, str], float] = field(factory=dict)

    def note(self, kind: Kind, where: str, size: float) -> None:
        """A difference was found, or none."""
        old = self._sizes.get((kind, where), 0.0)
        # A value that is not a number is worse than any other.
        self._sizes[kind, where] = float(size) if math.isnan(size) or size > old else old

    def differences(self) -> list[Difference]:
        """All of them, those of each kind together, the largest first."""
        found = [Difference(kind, where, size) for (kind, where), size in self._sizes.items()]
        order = {kind: place for place, kind in enumerate(Kind)}
        return sorted(found, key=lambda each: (order[each.kind], -each.size if each.size == each.size else -math.inf))


@frozen
class Verification:
    """The comparison of a package with its URDF file."""

    package: str
    links: int
    freedoms: int  # degrees of freedom
    configurations: int
    seconds: float  # of the shortest free motion; 0 without one
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    parts: int = 1  # in which the robot was compared
    is_earlier: bool = field(default=False, eq=False)  # was it kept by an earlier call?

    @property
    def largest(self) -> list[Difference]:
        """The largest difference of each kind."""
        found: dict[Kind, Difference] = {}
        for each in self.differences:
            found.setdefault(each.kind, each)
        return list(found.values())

    @property
    def wrong(self) -> list[Difference]:
        """The differences that say which links and joints are wrong."""
        return [each for each in self.differences if each.kind.is_local and not each.is_ok]

    @property
    def is_ok(self) -> bool:
        """Is every difference no more than rounding?"""
        return all(each.is_ok for each in self.differences)

    def lines(self) -> Iterator[str]:
        """A table for a terminal."""
        yield f"{'':25} {'largest':>8}  {'allowed':>7}      where"
        for each in self.largest:
            word = "ok" if each.is_ok else "NO"
            yield f"{each.kind.words:25} {each.size:8.1e}  {each.kind.tolerance:7.0e}  {word}  {each.where}"

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "package": self.package,
            "ok": self.is_ok,
            "links": self.links,
            "degrees_of_freedom": self.freedoms,
            "configurations": self.configurations,
            "seconds": self.seconds,
            "parts": self.parts,
            "reused": self.is_earlier,
            "checks": [each.as_json() for each in self.largest],
            "wrong": [each.as_json() for each in self.wrong],
            "notes": list(self.notes),
        }

    def kept(self) -> bytes:
        """All of it, for `of_kept`."""
        told = {name: getattr(self, name) for name in _PLAIN}
        differences = [[each.kind.name, each.where, each.size] for each in self.differences]
        return json.dumps({**told, "notes": self.notes, "differences": differences}).encode()

    @classmethod
    def of_kept(cls, data: bytes) -> Verification:
        """The same again; ValueError, TypeError, LookupError or RecursionError if it is something else."""
        told = json.loads(data)
        differences = tuple(
            Difference(Kind[kind], str(where), float(size)) for kind, where, size in told["differences"]
        )
        plain = {name: told[name] for name in _PLAIN}
        if not all(isinstance(value, str if name == "package" else int | float) for name, value in plain.items()):
            raise TypeError("not what was compared")
        return cls(**plain, notes=tuple(map(str, told["notes"])), differences=differences, is_earlier=True)


_PLAIN = ("package", "links", "freedoms", "configurations", "seconds", "parts")
