"""The documentation of the package around a record: what is in it, and a table of its joints and links."""

from __future__ import annotations

from html import escape

from urdf_frontend.names import NameTable
from urdf_frontend.record.structure import Structure


def record_info(structure: Structure, names: NameTable, urdf_name: str | None, record: str) -> str:
    """The page of the package, as HTML; `record` is the name of its record."""
    lines = [
        "<html>",
        f"<p>The robot <strong>{_text(urdf_name or names.robot)}</strong>, made from its URDF file: {record} holds",
        f"its structure and all its values. The base is the link {_text(structure.base.name)}.</p>",
    ]
    if structure.moveable:
        first = names.joint(structure.moveable[0].name).component
        lines += [
            f"<p>The constants of {record} name the joints and links, so that a model can write",
            f"<code>robot.q[robot.robotParams.{_text(first)}]</code>.</p>",
        ]
    if structure.joints:
        lines += [
            '<table border="1" cellspacing="0" cellpadding="2">',
            _row("th", "Index", "Joint", "Type", "Parent", "Child"),
            *(
                _row("td", str(number), joint.name, joint.type.value, joint.parent, joint.child)
                for number, joint, _ in structure.numbered()
            ),
            "</table>",
        ]
    return "\n".join([*lines, "</html>"])


def _row(tag: str, *cells: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{_text(cell)}</{tag}>" for cell in cells) + "</tr>"


def _text(text: str) -> str:
    """Text as HTML shows it; a name can have line ends and anything else in it."""
    return escape(" ".join(text.split()))
