"""The kinematic tree as lines of text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from urdf_frontend.drawing.labels import joint_kind, shown_name
from urdf_frontend.kinematics import Kinematics
from urdf_frontend.model.joints import Joint

_DEEPEST: Final = 24  # levels that are indented; more would make the drawing grow with the square of the robot


def tree_lines(kinematics: Kinematics) -> Iterator[str]:
    """A line for each link, below the one that it hangs on, with the joint between them; then what is no tree."""
    for root in kinematics.roots:
        yield shown_name(root)
        yield from _below(kinematics, root)
    for joint in kinematics.closing:
        yield f"closes a loop: {shown_name(joint.parent)} ─ {_joint(joint)} ─ {shown_name(joint.child)}"
    for loop in kinematics.loops:
        yield f"a circle: {' ─ '.join(shown_name(link) for link in (*loop, loop[0]))}"
    on_loops = {link for loop in kinematics.loops for link in loop}
    for link in kinematics.unreachable:
        if link not in on_loops:
            above = kinematics.joint_above(link)
            assert above is not None, "what has no joint above is a root"
            yield f"hangs on a circle: {shown_name(above.parent)} ─ {_joint(above)} ─ {shown_name(link)}"


def _below(kinematics: Kinematics, root: str) -> Iterator[str]:
    # The joint, whether it is the last one of its link, and for each level above whether more follows there.
    todo: list[tuple[Joint, bool, tuple[bool, ...]]] = _level(kinematics, root, ())
    while todo:
        joint, is_last, above = todo.pop()
        bars = "".join("│  " if more else "   " for more in above)
        deeper = f"(level {_DEEPEST + 1} or deeper) " if len(above) == _DEEPEST else ""
        yield f"{bars}{'└─' if is_last else '├─'} {deeper}{_joint(joint)} ─ {shown_name(joint.child)}"
        todo += _level(kinematics, joint.child, (*above, not is_last)[:_DEEPEST])


def _level(kinematics: Kinematics, link: str, above: tuple[bool, ...]) -> list[tuple[Joint, bool, tuple[bool, ...]]]:
    joints = kinematics.joints_below(link)
    return [(joint, joint is joints[-1], above) for joint in reversed(joints)]


def _joint(joint: Joint) -> str:
    return f"{shown_name(joint.name)} ({joint_kind(joint)})"
