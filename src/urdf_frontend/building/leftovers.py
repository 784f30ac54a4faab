"""What a URDF file has that the package does not show, in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from urdf_frontend.building.part_values import geometry_kind
from urdf_frontend.model import Collision, Item, JointType, OtherGeometry, Robot, Visual


def leftovers(robot: Robot) -> Iterator[str]:
    """A sentence for each kind of thing that is left out."""
    if robot.transmissions:
        yield f"{_count(len(robot.transmissions), 'transmission')}: drives are not modelled"
    for tag, number in sorted(
        Counter(extension.tag for item in _items(robot) for extension in item.extensions).items()
    ):
        yield f"{_count(number, 'element')} <{tag}>: URDF does not define it"
    for part, link in _parts(robot):
        if isinstance(part.geometry, OtherGeometry):
            yield f"a shape <{part.geometry.tag}> of the link '{link}': there is no template for it"
        elif geometry_kind(part.geometry) is None:
            yield f"a {type(part).__name__.lower()} of the link '{link}': it has no shape"
    for joint in robot.joints:
        if joint.calibration is not None and joint.calibration.reference_position is not None:
            yield f"the reference position of the joint '{joint.name}'"
        if joint.dynamics is not None and joint.type in {JointType.PLANAR, JointType.FLOATING}:
            yield f"the friction of the joint '{joint.name}': a {joint.type.value} joint has none here"


def _parts(robot: Robot) -> Iterator[tuple[Visual | Collision, str]]:
    for link in robot.links:
        for part in link.parts:
            yield part, link.name


def _items(robot: Robot) -> Iterator[Item]:
    """All parts of a robot that can have elements of other formats in them."""
    yield robot
    yield from robot.materials
    for link in robot.links:
        yield link
        if link.inertial is not None:
            yield link.inertial
        for part in link.parts:
            yield part
            if part.geometry is not None:
                yield part.geometry
    for joint in robot.joints:
        yield joint
        for item in (joint.axis, joint.limit, joint.dynamics, joint.mimic, joint.safety, joint.calibration):
            if item is not None:
                yield item


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
