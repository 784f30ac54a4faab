"""Links whose motion no tool can compute, because nothing there has a mass: said when the robot is built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model import JointType, Link

_LISTED: Final = 3  # joints that are named


def motion_notes(kinematics: Kinematics, *, stationary: bool) -> Iterator[str]:
    """A sentence for the root that moves freely without a mass, and one for all joints that move no mass."""
    links = {link.name: link for link in kinematics.robot.links}
    root = kinematics.roots[0]
    if not stationary and not any(_is_body(links[name]) for name in _fixed_together(kinematics, root)):
        yield (
            f"the root link '{_shown(root)}' moves freely, but neither it nor a link that is fixed to it has both mass "
            "and inertia: its equations of motion can be singular; give it some, or build a stationary robot"
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
