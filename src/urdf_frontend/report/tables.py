"""Tables of a report: of plain texts, and of the values of links and joints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from lxml.html import HtmlElement
from lxml.html.builder import DEL, DIV, H2, H3, SECTION, SPAN, STRONG, TABLE, TBODY, TD, TH, THEAD, TR, P

from urdf_frontend.model import Joint, Link
from urdf_frontend.report.contents import ReportContents
from urdf_frontend.report.package_values import Value

_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # by XML 1.0
Cell = str | HtmlElement
Values = Mapping[tuple[str, str, str], Value]

# Heading -> path in the record of a link or joint.
_OF_LINKS: Final = {
    "mass in kg": "inertial.mass",
    "centre of mass in m": "inertial.origin.xyz",
    "its angles": "inertial.origin.rpy",
    "ixx": "inertial.inertia.ixx",
    "ixy": "inertial.inertia.ixy",
    "ixz": "inertial.inertia.ixz",
    "iyy": "inertial.inertia.iyy",
    "iyz": "inertial.inertia.iyz",
    "izz": "inertial.inertia.izz",
}
_OF_JOINTS: Final = {
    "origin in m": "origin.xyz",
    "its angles": "origin.rpy",
    "axis": "axis",
    "lower": "limit.lower",
    "upper": "limit.upper",
    "effort": "limit.effort",
    "velocity": "limit.velocity",
    "damping": "dynamics.damping",
    "friction": "dynamics.friction",
    "mimic factor": "mimic.multiplier",
    "mimic offset": "mimic.offset",
}
_JOINT_HEADS: Final = ("type", "parent", "child", "follows")
_VECTORS: Final = ("xyz", "rpy", "axis")


def clean(text: str) -> str:
    """A text without the characters that no page can have."""
    return _FORBIDDEN.sub("\ufffd", text)


def table(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HtmlElement:
    """A table; a cell is a text, or a cell that is made already."""
    body = TBODY(*(TR(*(cell if isinstance(cell, HtmlElement) else _words(cell) for cell in row)) for row in rows))
    return DIV(TABLE(THEAD(TR(*(TH(clean(head)) for head in heads))), body), {"class": "scroll"})


def _words(text: str) -> HtmlElement:
    return TD(clean(text), {"class": "words"})


def number(text: str) -> HtmlElement:
    """A cell with a number."""
    return TD(clean(text), {"class": "number"})


def values_section(contents: ReportContents) -> HtmlElement | None:
    """The values of all links and joints; what a package has otherwise is marked."""
    robot, package = contents.robot, contents.package
    if robot is None:
        return None
    values: Values = package.values if package is not None and package.is_user_s else {}
    section = SECTION(H2("Parameters"), id="parameters")
    section.append(_comparison(contents, values))
    section.append(H3("Links"))
    section.append(_parts_table(values, "link", robot.links, _OF_LINKS))
    section.append(H3("Joints"))
    section.append(_parts_table(values, "joint", robot.joints, _OF_JOINTS))
    return section


def _parts_table(values: Values, kind: str, parts: Sequence[Link | Joint], paths: Mapping[str, str]) -> HtmlElement:
    """A row for each link or joint; values that none of them has get no column."""
    heads = [kind, *(_JOINT_HEADS if kind == "joint" else ())]
    shown = {head: path for head, path in paths.items() if any(_written(part, path) for part in parts)}
    rows = ([*_words_of(part), *(_cell(values, kind, part, path) for path in shown.values())] for part in parts)
    return table([*heads, *shown], rows)


def _words_of(part: Link | Joint) -> list[Cell]:
    if isinstance(part, Link):
        return [part.name]
    followed = part.mimic.joint if part.mimic is not None else ""
    return [part.name, part.type_text or part.type.value, part.parent, part.child, followed]


def _comparison(contents: ReportContents, values: Values) -> HtmlElement:
    package = contents.package
    if package is None or not package.is_user_s:
        return P("The values of the URDF file. Name a package to compare them with it.", {"class": "quiet"})
    if not values:
        words = f"{package.name} has not the links and joints of this file, so its values are not compared."
        return P(clean(words), {"class": "warning"})
    differing = package.differing
    if not differing:
        return P(clean(f"All {len(values)} values of {package.name} are those of the URDF file."), {"class": "good"})
    rows: list[list[Cell]] = [
        [kind, name, path, number(value.urdf), number(value.package), number(str(value.line))]
        for (kind, name, path), value in differing
    ]
    words = f"{len(differing)} of {len(values)} values of {package.name} are not those of the URDF file:"
    return DIV(P(STRONG(clean(words))), table(["", "name", "value", "URDF", "package", "line"], rows))


def _cell(values: Values, kind: str, part: Link | Joint, path: str) -> HtmlElement:
    """What the URDF file says, and behind it what the package has if that is something else."""
    style = "vector" if path.endswith(_VECTORS) else "number"
    value = values.get((kind, part.name, path))
    if value is not None and value.differs:
        return TD(
            DEL(clean(value.urdf), title="URDF"),
            " ",
            SPAN(clean(value.package), title="package"),
            {"class": f"{style} differs"},
        )
    return TD(clean(_written(part, path)), {"class": style})


def _written(part: object, path: str) -> str:
    """The text of a number or vector in the URDF file; '' if it is not given."""
    for name in _attributes(path):
        part = getattr(part, name, None)
        if part is None:
            return ""
    numbers = getattr(part, "numbers", None)
    return " ".join(each.text for each in numbers) if numbers is not None else str(getattr(part, "text", ""))


def _attributes(path: str) -> list[str]:
    return ["axis", "xyz"] if path == "axis" else path.split(".")
