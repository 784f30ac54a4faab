"""The kinematic tree as a drawing: links from left to right, joints with type and axis on the lines between them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen
from lxml import etree

from urdf_frontend.robot.limbs import Cell, tree_cells
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


def joint_kind(joint: Joint, *, rounded: bool = False) -> str:
    """`revolute 0 0 1`: the type, and the axis as the file has it, or rounded."""
    kind = short_name(joint.type_text) if joint.type is JointType.UNKNOWN else joint.type.value
    if joint.type.has_axis:
        axis = None if joint.axis is None else joint.axis.xyz
        written = "1 0 0" if axis is None else short_name(axis.text)
        if rounded and axis is not None:
            written = " ".join(f"{round(value, 3) + 0:g}" for value in axis.values)
        kind += f" {written}"
    return kind if joint.mimic is None else f"{kind}, follows {short_name(joint.mimic.joint)}"


# ---------------------------------------------------------------- svg
# A cell has the name and the kind of a joint, and below them a box with the link. The line to it comes from the left.

_SVG: Final = "http://www.w3.org/2000/svg"
_MARGIN: Final = 16
_ROW: Final = 62
_NAME: Final = 11  # base lines and edges of a cell, from its top
_KIND: Final = 23
_BOX: Final = (28, 50)
_SHELF: Final = -6  # the line from which limbs hang that stand side by side
_BEFORE_BOX: Final = 26
_BEHIND_BOX: Final = 6
_INSIDE_BOX: Final = 7
_LEGEND: Final = 28
_NARROWEST: Final = 120  # of columns: nine of ten names fit at their full size, the others are pressed together
_WIDEST: Final = 210
_FITTING: Final = 0.9
_SIZES: Final = {"link": 12.0, "joint": 11.0, "kind": 9.5}  # of letters
_SMALLEST: Final = 8.0
_LETTER: Final = 0.57  # width of a letter, for a size of 1
_WIDE_LETTER: Final = 1.0  # Chinese, Japanese, Korean
_LEGIBLE: Final = 0.8
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
    "text{font-family:Arial,Helvetica,'Liberation Sans',sans-serif;fill:#222}.kind{fill:#666}"
    "rect{fill:#f4f6f8;stroke:#777}path{fill:none;stroke-width:1.5}.trunk{stroke:#999}.fixed{stroke-dasharray:4 3}"
)


@frozen
class _Page:
    """Where the cells are."""

    cells: Mapping[str, Cell]
    column: int

    def edge(self, link: str) -> tuple[int, int]:
        """The upper right corner of a cell."""
        column, row = self.cells[link]
        return _MARGIN + (column + 1) * self.column, _MARGIN + row * _ROW

    @property
    def box(self) -> int:
        """The width of a link's box."""
        return self.column - _BEFORE_BOX - _BEHIND_BOX


def tree_svg(kinematics: Kinematics) -> bytes:
    """An SVG file with every link that can be reached from a root; it takes linear time and space."""
    column = _column(kinematics)
    page = _Page(tree_cells(kinematics, column, _ROW, _LEGIBLE), column)
    columns, rows = (1 + max((cell[axis] for cell in page.cells.values()), default=0) for axis in (0, 1))
    width, bottom = 2 * _MARGIN + columns * column, _MARGIN + rows * _ROW
    root = etree.Element("svg", nsmap={None: _SVG})
    root.set("width", str(width))
    root.set("height", str(bottom + _LEGEND))
    root.set("viewBox", f"0 0 {width} {bottom + _LEGEND}")
    _text(root, "title", f"Kinematic tree of {shown_name(kinematics.robot.name or '')}")
    _text(root, "style", _STYLE)
    for joint in kinematics.joint_order():
        _draw_joint(root, joint, page)
    for link in kinematics.order:
        _draw_link(root, link, page)
    _draw_legend(root, Counter(joint.type for joint in kinematics.joint_order()), bottom)
    return etree.tostring(root, xml_declaration=True, encoding="utf-8", pretty_print=True)


def _column(kinematics: Kinematics) -> int:
    """How wide the columns are, for the names that this robot has."""
    wanted = [_width(link, _SIZES["link"]) for link in kinematics.order]
    wanted += [_width(joint.name, _SIZES["joint"]) - 2 * _INSIDE_BOX for joint in kinematics.joint_order()]
    fitting = sorted(wanted)[int(_FITTING * (len(wanted) - 1))] if wanted else 0
    around = _BEFORE_BOX + _BEHIND_BOX + 2 * _INSIDE_BOX
    return int(min(_WIDEST, max(_NARROWEST, fitting + around)))


def _draw_joint(root: etree._Element, joint: Joint, page: _Page) -> None:
    group = etree.SubElement(root, "g")
    _text(group, "title", f"{shown_name(joint.name)}: {joint_kind(joint)}")
    (start, above), (end, top) = page.edge(joint.parent), page.edge(joint.child)
    middle = sum(_BOX) // 2
    before = end - page.column  # where the line to the box begins
    if above == top:
        before -= _BEHIND_BOX
    else:
        way = f"M{start - _BEHIND_BOX} {above + middle}H{start}"
        way += f"V{top + middle}" if before == start else f"V{top + _SHELF}H{before}V{top + middle}"
        etree.SubElement(group, "path", {"class": "trunk", "d": way})
    path = etree.SubElement(group, "path", d=f"M{before} {top + middle}H{end - page.column + _BEFORE_BOX}")
    path.set("stroke", _COLOURS[joint.type])
    if joint.type is JointType.FIXED:
        path.set("class", "fixed")
    x, room = end - page.column + _BEFORE_BOX, page.box + _BEHIND_BOX - 2
    _fitted(group, "joint", short_name(joint.name), x, top + _NAME, room).set("style", f"fill:{_COLOURS[joint.type]}")
    _fitted(group, "kind", joint_kind(joint, rounded=True), x, top + _KIND, room)


def _draw_link(root: etree._Element, link: str, page: _Page) -> None:
    group = etree.SubElement(root, "g")
    _text(group, "title", shown_name(link))
    edge, top = page.edge(link)
    x, (upper, lower) = edge - _BEHIND_BOX - page.box, _BOX
    height = str(lower - upper)
    etree.SubElement(group, "rect", x=str(x), y=str(top + upper), width=str(page.box), height=height, rx="4")
    base_line = top + upper + 15
    _fitted(group, "link", short_name(link), x + _INSIDE_BOX, base_line, page.box - 2 * _INSIDE_BOX)


def _draw_legend(root: etree._Element, counts: Mapping[JointType, int], top: int) -> None:
    x = _MARGIN
    for type_, count in counts.items():
        path = etree.SubElement(root, "path", d=f"M{x} {top + 8}h18", stroke=_COLOURS[type_])
        if type_ is JointType.FIXED:
            path.set("class", "fixed")
        words = f"{count} {type_.value}"
        _fitted(root, "kind", words, x + 24, top + 11, _WIDEST)
        x += 44 + int(_width(words, _SIZES["kind"]))


def _fitted(parent: etree._Element, kind: str, text: str, x: int, y: int, room: int) -> etree._Element:
    """A text that keeps to its room: in smaller letters, and pressed together whatever font shows it."""
    size = _SIZES[kind]
    width = _width(text, size)
    element = _text(parent, "text", text, x=x, y=y)
    element.set("class", kind)
    element.set("font-size", f"{max(_SMALLEST, min(size, size * room / width)):.3g}" if width else f"{size:g}")
    if width > room:
        element.set("textLength", str(room))
        element.set("lengthAdjust", "spacingAndGlyphs")
    return element


def _width(text: str, size: float) -> float:
    return size * sum(_WIDE_LETTER if unicodedata.east_asian_width(each) in "WF" else _LETTER for each in text)


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
