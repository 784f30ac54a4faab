"""What a build says of a robot in words: what its package leaves out, and what no tool can compute in motion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from urdf_frontend.robot import (
    HOMES,
    Collision,
    Item,
    JointType,
    Kinematics,
    Link,
    OtherGeometry,
    Robot,
    Standing,
    Visual,
    type_of,
)

# PERF: an update that has nothing to do needs this, and nothing of what makes values of Modelica.

# ---------------------------------------------------------------- leftovers
# What a URDF file has that the package does not show, in sentences.


def leftovers(robot: Robot) -> Iterator[str]:
    """A sentence for each kind of thing that is left out; what may be a slip comes first."""
    extensions = Counter((each.standing, each.tag) for item in _items(robot) for each in item.extensions)
    yield from _elements(extensions, Standing.MISPLACED, Standing.REPEATED)
    if robot.transmissions:
        yield f"{_count(len(robot.transmissions), 'transmission')}: drives are not modelled"
    yield from _elements(extensions, Standing.FOREIGN)
    for part, link in _parts(robot):
        if isinstance(part.geometry, OtherGeometry):
            yield f"a shape <{part.geometry.tag}> of the link '{link}': there is no template for it"
        elif part.geometry is None or type_of(part.geometry) is None:
            yield f"a {type(part).__name__.lower()} of the link '{link}': it has no shape"
    for joint in robot.joints:
        if joint.calibration is not None and joint.calibration.reference_position is not None:
            yield f"the reference position of the joint '{joint.name}'"
        if joint.dynamics is not None and joint.type in {JointType.PLANAR, JointType.FLOATING}:
            yield f"the friction of the joint '{joint.name}': a {joint.type.value} joint has none here"


def _elements(extensions: Counter[tuple[Standing, str]], *standings: Standing) -> Iterator[str]:
    for wanted in standings:
        for (standing, tag), number in sorted(extensions.items(), key=lambda pair: pair[0][1]):
            if standing is wanted:
                yield f"{_count(number, 'element')} <{tag}>: {_why(standing, tag)}"


def _why(standing: Standing, tag: str) -> str:
    match standing:
        case Standing.FOREIGN:
            return "URDF does not define it"
        case Standing.REPEATED:
            return "repeated, and the first one counts"
    return f"misplaced, URDF has it inside {' or '.join(f'<{home}>' for home in HOMES[tag])}"


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


# ---------------------------------------------------------------- motion notes
# Links whose motion no tool can compute, because nothing there has a mass: said when the robot is built.

_LISTED: Final = 3  # joints that are named


def motion_notes(kinematics: Kinematics, *, stationary: bool) -> Iterator[str]:
    """A sentence for the root that moves freely without a mass, and one for all joints that move no mass."""
    links = {link.name: link for link in kinematics.robot.links}
    root = kinematics.roots[0]
    if not stationary and not any(_is_body(links[name]) for name in _fixed_together(kinematics, root)):
        yield (
            f"the root link '{_shown(root)}' moves freely, but neither it nor a link that is fixed to it has both mass "
            "and inertia: its equations of motion can be singular; give it both, or build a stationary robot"
        )
    idle = list(_joints_without_mass(kinematics, links))
    if idle:
        names = ", ".join(f"'{_shown(name)}'" for name in idle[:_LISTED]) + ", …" * (len(idle) > _LISTED)
        what = f"the joint {names} moves" if len(idle) == 1 else f"{len(idle)} joints move"
        rest = "" if len(idle) == 1 else f" ({names})"
        yield f"{what} nothing that has a mass{rest}: a simulation needs a drive that prescribes such motion, or a mass"


def _is_body(link: Link) -> bool:
    """Does a link resist being pushed and being turned?"""
    inertial = link.inertial
    if inertial is None or inertial.inertia is None:
        return False
    return _mass(link) > 0 and any(inertial.inertia.values)


def _fixed_together(kinematics: Kinematics, root: str) -> Iterator[str]:
    """A link and all that is fixed to it, directly or not."""
    todo = [root]
    while todo:
        link = todo.pop()
        yield link
        todo += [joint.child for joint in kinematics.joints_below(link) if joint.type is JointType.FIXED]


def _joints_without_mass(kinematics: Kinematics, links: dict[str, Link]) -> Iterator[str]:
    """The joints that move, and below which no link has a mass."""
    carried = {name: _mass(link) for name, link in links.items()}
    order = kinematics.joint_order()
    for joint in reversed(order):
        carried[joint.parent] += carried[joint.child]
    for joint in order:
        if joint.type is not JointType.FIXED and not carried[joint.child]:
            yield joint.name


def _mass(link: Link) -> float:
    mass = None if link.inertial is None else link.inertial.mass
    return 0.0 if mass is None else mass.value


def _shown(name: str) -> str:
    """A name can have line ends in it."""
    return " ".join(name.split())
