"""Links and joints make one tree."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

from urdf_frontend.diagnostics import Findings, quoted
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model.joints import Joint, LinkReference
from urdf_frontend.model.links import Link
from urdf_frontend.model.robot import Robot

_SHOWN: Final = 5  # names of a long list
_HELPED: Final = 20  # names that similar ones are looked for; each takes time in proportion to the number of links


def check_tree(robot: Robot, kinematics: Kinematics, findings: Findings) -> None:
    """Names are unique, references lead somewhere, and there is one root."""
    if not robot.links:
        findings.report("urdf-no-links", robot.place, "the robot has no links")
    _unique(robot.links, "link", findings)
    _unique(robot.joints, "joint", findings)
    _references(robot, findings)
    for joint in kinematics.closing:
        first = kinematics.joint_above(joint.child)
        assert first is not None, "a second parent comes after a first one"
        # The link that both move; a loop of joints has to be closed by other means than URDF.
        message = f"the link {quoted(joint.child)} has two parents: it is moved by the joint {quoted(first.name)} too"
        place = joint.child_reference.place if joint.child_reference is not None else joint.place
        findings.report("urdf-two-parents", place, message)
    for loop in kinematics.loops:
        above = kinematics.joint_above(loop[0])
        assert above is not None, "every link of a loop has a joint above"
        message = f"links hang on each other in a circle: {listed([*loop, loop[0]], ' - ')}"
        findings.report("urdf-cycle", above.place, message)
    if robot.links and not kinematics.roots:
        findings.report("urdf-no-root", robot.place, "there is no root: every link is the child of a joint")
    if len(kinematics.roots) > 1:
        second = robot.get_link(kinematics.roots[1])
        message = f"there are {len(kinematics.roots)} links without a parent, and one is expected"
        place = robot.place if second is None else second.place
        findings.report("urdf-several-roots", place, f"{message}: {listed(kinematics.roots)}")


def _unique(items: Iterable[Link | Joint], kind: str, findings: Findings) -> None:
    first: dict[str, Link | Joint] = {}
    for item in items:
        known = first.setdefault(item.name, item)
        if known is not item and item.name:
            message = f"there is a {kind} {quoted(item.name)} in line {known.place.line} already"
            findings.report(f"urdf-duplicate-{kind}", item.place, message)


def _references(robot: Robot, findings: Findings) -> None:
    names = list(dict.fromkeys(link.name for link in robot.links))
    helped = 0
    for joint in robot.joints:
        for role, reference in (("parent", joint.parent_reference), ("child", joint.child_reference)):
            if reference is None or not reference.link or robot.get_link(reference.link) is not None:
                continue
            helped += 1
            _undefined(joint, role, reference, names if helped <= _HELPED else [], findings)


def _undefined(joint: Joint, role: str, reference: LinkReference, names: list[str], findings: Findings) -> None:
    near = difflib.get_close_matches(reference.link[:100], names[:2000], 1)
    hint = f"did you mean {quoted(near[0])}?" if near else ""
    message = f"the {role} of the joint {quoted(joint.name)}, {quoted(reference.link)}, is not a link of this robot"
    findings.report("urdf-undefined-link", reference.place, message, hint)


def listed(names: Iterable[str], between: str = ", ") -> str:
    """Names as a list that stays short."""
    shown = [quoted(name) for name in names]
    rest = len(shown) - _SHOWN
    return between.join(shown[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
