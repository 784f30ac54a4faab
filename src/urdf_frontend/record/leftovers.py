"""What a URDF file has that the generic robots do not show, and what else a user should know, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import evolve

from urdf_frontend.building.leftovers import leftovers
from urdf_frontend.model import Link, Robot
from urdf_frontend.record.structure import Structure

_LISTED: Final = 5  # joints that a note names


def left_out(robot: Robot, structure: Structure) -> Iterator[str]:
    """A sentence for each kind of thing that is left out."""
    bare = tuple(evolve(link, visuals=(), collisions=()) for link in robot.links)
    yield from leftovers(evolve(robot, links=bare))
    for number, what in (
        (sum(len(link.visuals) for link in robot.links), "visual"),
        (sum(len(link.collisions) for link in robot.links), "collision"),
    ):
        if number:
            yield f"{number} {what}{'s' * (number != 1)}: generic robots have no shapes"
    if structure.base.inertial is not None:
        yield f"the mass of the base '{structure.base.name}': the base of a generic robot has none"


def notes(structure: Structure) -> Iterator[str]:
    """What a user of the record should know of its robot."""
    if any(joint.limit is not None for joint in structure.joints):
        yield "the limits of the joints are in the record; the generic robots do not check them"
    if not structure.moveable:
        yield "no joint moves: there is nothing to simulate"
    idle = list(_idle_joints(structure))
    if idle:
        names = ", ".join(f"'{name}'" for name in idle[:_LISTED])
        more = f" and {len(idle) - _LISTED} more" if len(idle) > _LISTED else ""
        yield f"nothing with mass hangs on {names}{more}: the acceleration is not determined there"


def _idle_joints(structure: Structure) -> Iterator[str]:
    """The joints that move neither mass nor inertia, for which the mass matrix has a row of zeros."""
    mass = [False, *(_has_mass(link) for link in structure.links)]
    inertia = [False, *(_has_inertia(link) for link in structure.links)]
    for number in reversed(structure.order):
        above = structure.parents[number - 1]
        mass[above] |= mass[number]
        inertia[above] |= inertia[number]
    for number, joint in enumerate(structure.moveable, 1):
        if not mass[number] and not (joint.type.is_rotational and inertia[number]):
            yield joint.name


def _has_mass(link: Link) -> bool:
    return link.inertial is not None and link.inertial.mass is not None and link.inertial.mass.value > 0


def _has_inertia(link: Link) -> bool:
    return link.inertial is not None and link.inertial.inertia is not None and any(link.inertial.inertia.values)
