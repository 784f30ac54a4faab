"""Networks: objects that meet at one collector, or that are connected with each other."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal

from attrs import asdict, define, field, frozen

from modelica_ast.library import Libraries, Shelf, instance
from modelica_ast.semantics import ComponentInstance, Instance
from urdf_frontend.constraints.objects import (
    COLLECTOR_CLASSES,
    CONNECTED,
    SPATIAL,
    ConstraintObject,
    Family,
    Role,
    ancestors,
    index_text,
    kinds_of,
    objects_of,
    sizes_of,
)
from urdf_frontend.library import FOLDER
from urdf_frontend.robot import RobotError

# ---------------------------------------------------------------- networks


@define(eq=False)
class Network:
    """Objects that can touch each other.

    `place` is the path of the component that the collector is in, or that connected objects are in; '' is the model.
    """

    family: Family
    place: str
    collector: ComponentInstance | None
    collector_name: str  # what the objects look for
    outer_sizes: tuple[int | None, ...]  # of arrays around: each of their elements has such a network of its own
    objects: list[ConstraintObject] = field(factory=list)

    @property
    def name(self) -> str:
        """What people call it: the path of the collector."""
        if not self.family.has_collector:
            return self.place
        return f"{self.place}.{self.collector_name}" if self.place else self.collector_name

    def of_role(self, role: Role) -> list[ConstraintObject]:
        """The objects of a role, in the order of their declarations."""
        return [each for each in self.objects if each.role is role]

    def own_sizes(self, item: ConstraintObject) -> tuple[int, ...]:
        """The sizes of the arrays between the collector and an object."""
        return item.known_sizes[len(self.outer_sizes) :]

    def elements(self, role: Role) -> list[Element]:
        """All elements of all objects of a role whose sizes are known."""
        found = []
        for item in self.of_role(role):
            if item.is_sized:
                sizes = self.own_sizes(item)
                count = 1
                for size in sizes:
                    count *= size
                found += [Element(item, number, f"{item.path}{index_text(number, sizes)}") for number in range(count)]
        return found

    def count(self, role: Role) -> int:
        """How many there are of a role."""
        return len(self.elements(role))

    @property
    def has_other_collector(self) -> bool:
        """Is there something else where the collector has to be, as that of planar objects?"""
        return self.collector is not None and self.family.collector not in kinds_of(self.collector)

    @property
    def is_sized(self) -> bool:
        """Are the sizes of all arrays known?"""
        return all(each.is_sized for each in self.objects)


@define(eq=False)
class Element:
    """One collision object or constrained object: an object, or an element of an array of them."""

    object: ConstraintObject
    number: int  # in its object, from 0
    text: str  # what people call it; the index is that of all arrays on the way together


def networks_of(libraries: Libraries, model: Instance) -> list[Network]:
    """All networks of a model, in the order of their first objects; a collector without objects is one too."""
    found: dict[tuple[Any, ...], Network] = {}
    for item in objects_of(libraries, model):
        network = _network_of(model, item)
        key = (network.family, network.place, network.collector_name)
        found.setdefault(key, network).objects.append(item)
    for component in model.components.values():
        families = [COLLECTOR_CLASSES[name] for name in kinds_of(component) if name in COLLECTOR_CLASSES]
        if families and component.is_inner:
            key = (families[0], "", component.name)
            found.setdefault(key, Network(families[0], "", component, component.name, ()))
    return list(found.values())


def _network_of(model: Instance, item: ConstraintObject) -> Network:
    looked_for = item.collector
    if looked_for is None:
        around = ancestors(item.component)[:-1]
        place = around[-1].path if around else ""
        family = item.family if not item.family.has_collector else SPATIAL
        return Network(family, place, None, "" if family is CONNECTED else "collector", sizes_of(around))
    path = looked_for.inner
    collector = None if path is None else model.get(path)
    if collector is None:
        return Network(item.family, "", None, looked_for.name, ())
    around = ancestors(collector)[:-1]
    place = around[-1].path if around else ""
    return Network(item.family, place, collector, collector.name, sizes_of(around))


# ---------------------------------------------------------------- errors
# Why a model can't be brought in order.


class ConstraintError(RobotError):
    """What was asked for can't be done; nothing has changed."""


# ---------------------------------------------------------------- opening
# The libraries that a model needs, opened: its own to be edited, the others to look into.

NEEDED: Final = ("DynamicConstraints", "UrdfRobots")  # whether a model says that it uses them or not


def shipped_libraries() -> list[Path]:
    """The libraries that this package brings."""
    return [folder for folder in sorted(FOLDER.iterdir()) if (folder / "package.mo").is_file()]


def open_libraries(path: str | os.PathLike[str], also: Iterable[str | os.PathLike[str]] = ()) -> Libraries:
    """A library or a single file with all that it uses, and DynamicConstraints; only itself can be written.

    `also` are libraries, or folders of them, that go before those of this machine. Without the Standard Library,
    classes of it are not known, which matters only where an object is inside one of them.
    """
    return Shelf(also, around=[path]).open([path], names=NEEDED)


def model_of(libraries: Libraries, name: str) -> Instance:
    """A model with all its components; ConstraintError for a package, which has none and would be found in order."""
    if libraries.find_class(name).kind == "package":
        inside = [each for each in libraries.library_of(name).classes() if each.rpartition(".")[0] == name]
        models = [each for each in inside if libraries.find_class(each).kind == "model"]
        there = f" ({', '.join(models)})" if models else ""
        raise ConstraintError(f"{name} is a package: name the model in it that has the objects{there}")
    return instance(libraries, name)


# ---------------------------------------------------------------- reports
# What a sync did, and what a model's networks are like.


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
