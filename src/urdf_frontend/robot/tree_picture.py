"""The kinematic tree as a drawing: links from left to right, joints with type and axis on the lines between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from attrs import frozen
from lxml import etree

from urdf_frontend.robot.mechanism import Joint, JointType
from urdf_frontend.robot.robot import Kinematics

# ---------------------------------------------------------------- labels
# What drawings say about joints and links, on one line each.

_LONGEST: Final = 40


def shown_name(name: str) -> str:
    """A name that keeps to its line: control characters, which would garble it, are replaced."""
    return "".join(c if c.isprintable() else "\ufffd" for c in name) or "(no name)"


def short_name(name: str) -> str:
    """Likewise, and not too long."""
    shown = shown_name(name)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def joint_kind(joint: Joint) -> str:
    """`revolute 0 0 1`: the type, and the axis as the file has it."""
    kind = short_name(joint.type_text) if joint.type is JointType.UNKNOWN else joint.type.value
    if joint.type.has_axis:
        axis = None if joint.axis is None else joint.axis.xyz
        kind += f" {'1 0 0' if axis is None else short_name(axis.text)}"
    return kind if joint.mimic is None else f"{kind}, follows {short_name(joint.mimic.joint)}"


# ---------------------------------------------------------------- svg

_SVG: Final = "http://www.w3.org/2000/svg"
_ROW: Final = 44  # pixels from one leaf to the next
_BOX: Final = 24  # height of a link
_LETTER: Final = 7  # width of a letter, on average
_MARGIN: Final = 16
_COLOURS: Final = {
    JointType.REVOLUTE: "#1b6ca8",
    JointType.CONTINUOUS: "#0e8a6a",
    JointType.PRISMATIC: "#b3541e",
    JointType.PLANAR: "#7a4fa3",
    JointType.FLOATING: "#a33f6b",
    JointType.FIXED: "#777777",
    JointType.UNKNOWN: "#cc0000",
}
_STYLE: Final = (
    "text{font:12px sans-serif;fill:#222}.joint{font-size:10px}"
    "rect{fill:#f4f6f8;stroke:#555}path{fill:none;stroke-width:1.5}.fixed{stroke-dasharray:4 3}"
)


@frozen
class _Layout:
    """Where everything is: columns by level, rows by leaves."""

    level: dict[str, int]
    row: dict[str, float]
    left: dict[int, int]  # of the links of a level
    corner: dict[int, int]  # where the lines to a level turn
    width: int
    height: int


def tree_svg(kinematics: Kinematics) -> bytes:
    """An SVG file with every link that can be reached from a root; it takes linear time and space."""
    layout = _layout(kinematics)
    root = etree.Element("svg", nsmap={None: _SVG})
    root.set("width", str(layout.width))
    root.set("height", str(layout.height))
    root.set("viewBox", f"0 0 {layout.width} {layout.height}")
    _text(root, "title", f"Kinematic tree of {shown_name(kinematics.robot.name or '')}")
    _text(root, "style", _STYLE)
    for joint in kinematics.joint_order():
        _draw_joint(root, joint, layout)
    for link in kinematics.order:
        _draw_link(root, link, layout)
    return etree.tostring(root, xml_declaration=True, encoding="utf-8", pretty_print=True)


def _layout(kinematics: Kinematics) -> _Layout:
    level: dict[str, int] = {}
    names: dict[int, int] = defaultdict(int)  # the widest name of a level
    labels: dict[int, int] = defaultdict(int)  # the widest label of the joints before a level
    for link in kinematics.order:
        joint = kinematics.joint_above(link)
        at = level[link] = 0 if joint is None else level[joint.parent] + 1
        names[at] = max(names[at], _width(short_name(link)))
        if joint is not None:
            labels[at] = max(labels[at], _width(short_name(joint.name)), _width(joint_kind(joint)))
    left: dict[int, int] = {}
    corner: dict[int, int] = {}
    x = _MARGIN
    for at in sorted(names):
        corner[at] = x + _MARGIN
        x += labels[at] + 2 * _MARGIN if at else 0
        left[at] = x
        x += names[at]
    row = _rows(kinematics)
    leaves = 1 + max(row.values(), default=0.0)
    return _Layout(level, row, left, corner, x + _MARGIN, int(leaves * _ROW) + _MARGIN)


def _rows(kinematics: Kinematics) -> dict[str, float]:
    """Leaves below each other; a link is in the middle of what is attached to it."""
    row: dict[str, float] = {}
    free = 0
    for link in kinematics.order:  # branch after branch, so leaves come in the order in which they are drawn
        if not kinematics.joints_below(link):
            row[link] = float(free)
            free += 1
    for link in reversed(kinematics.order):
        below = kinematics.joints_below(link)
        if below:
            row[link] = (row[below[0].child] + row[below[-1].child]) / 2
    return row


def _draw_joint(root: etree._Element, joint: Joint, layout: _Layout) -> None:
    group = etree.SubElement(root, "g")
    _text(group, "title", f"{shown_name(joint.name)}: {joint_kind(joint)}")
    at = layout.level[joint.parent]
    start = layout.left[at] + _width(short_name(joint.parent))
    corner, end = layout.corner[at + 1], layout.left[at + 1]
    above, below = _middle(layout.row[joint.parent]), _middle(layout.row[joint.child])
    path = etree.SubElement(group, "path", d=f"M{start} {above}H{corner}V{below}H{end}")
    path.set("stroke", _COLOURS[joint.type])
    if joint.type is JointType.FIXED:
        path.set("class", "fixed")
    _text(group, "text", short_name(joint.name), x=corner + 4, y=below - 4).set("class", "joint")
    _text(group, "text", joint_kind(joint), x=corner + 4, y=below + 11).set("class", "joint")


def _draw_link(root: etree._Element, link: str, layout: _Layout) -> None:
    group = etree.SubElement(root, "g")
    _text(group, "title", shown_name(link))
    x, y = layout.left[layout.level[link]], _middle(layout.row[link])
    width, top = str(_width(short_name(link))), str(y - _BOX // 2)
    etree.SubElement(group, "rect", x=str(x), y=top, width=width, height=str(_BOX), rx="4")
    _text(group, "text", short_name(link), x=x + 8, y=y + 4)


def _middle(row: float) -> int:
    return int((row + 0.5) * _ROW) + _MARGIN // 2


def _width(text: str) -> int:
    return len(text) * _LETTER + 16


def _text(parent: etree._Element, tag: str, text: str, **attributes: int) -> etree._Element:
    element = etree.SubElement(parent, tag, {name: str(value) for name, value in attributes.items()})
    element.text = text
    return element


# ---------------------------------------------------------------- text
# The kinematic tree as lines of text, for a terminal.

_DEEPEST: Final = 24  # levels that are indented; more would make the drawing grow with the square of the robot


def tree_lines(kinematics: Kinematics) -> Iterator[str]:
    """A line for each link, below the one that it is attached to, with the joint between them.

    Then what is not a tree.
    """
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
            yield f"is attached to a circle: {shown_name(above.parent)} ─ {_joint(above)} ─ {shown_name(link)}"


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
