"""The page: one HTML file that needs nothing else, on a screen, in the dark and on paper.

Everything is built as a tree, so no name and no message can become markup. The page has no script, and its policy
lets it load nothing.
"""

from __future__ import annotations

import base64
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from lxml import etree, html
from lxml.html import HtmlElement
from lxml.html.builder import (
    BODY,
    CODE,
    DD,
    DEL,
    DETAILS,
    DIV,
    DL,
    DT,
    H1,
    H2,
    H3,
    HEAD,
    HEADER,
    HTML,
    IMG,
    INPUT,
    LABEL,
    LI,
    MAIN,
    META,
    NAV,
    PRE,
    SECTION,
    SPAN,
    STRONG,
    STYLE,
    SUMMARY,
    TABLE,
    TBODY,
    TD,
    TH,
    THEAD,
    TITLE,
    TR,
    UL,
    A,
    P,
)

from modelica_ast.drawing import Drawing
from urdf_frontend.motion.report_contents import ReportContents, Value, degrees_of_freedom, joints_by_type, total_mass
from urdf_frontend.robot import Joint, Kinematics, Link, joint_kind, limbs_of, shown_name, tree_svg
from urdf_frontend.urdf import Diagnostic, Severity

# ---------------------------------------------------------------- tables
# Tables of a report: of plain texts, and of the values of links and joints.

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
        words = f"{package.name} does not have the links and joints of this file, so its values are not compared."
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
    """What the URDF file says, and after it what the package has if that is something else."""
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


# ---------------------------------------------------------------- pictures
# The sections of a report that are pictures: the tree of links and joints, the Modelica diagram and icon.

_WIDE: Final = 1100  # pixels; a wider picture is as wide as the window, until its reader wants it large
_FOLDED: Final = 40  # links; of a larger robot there is the tree as a list, too, that can be folded
_ALONE: Final = 3  # leaves of a link, each by itself; more are folded
_LISTED: Final = 20  # problems of a drawing


def tree_section(contents: ReportContents) -> HtmlElement | None:
    """The kinematic tree."""
    if contents.kinematics is None:
        return None
    # As an image: its style sheet would be that of the whole page otherwise.
    svg = tree_svg(contents.kinematics)
    data = base64.b64encode(svg).decode()
    image = IMG(src=f"data:image/svg+xml;base64,{data}", alt=clean(f"The tree of {contents.title}"))
    section = SECTION(H2("Kinematic tree"), id="tree")
    section.extend(_zoomed(image, float(etree.fromstring(svg).get("width", "0")), "tree-large"))
    if len(contents.kinematics.order) > _FOLDED:
        section.append(folded_tree(contents.kinematics))
    return section


def _zoomed(shown: HtmlElement | etree._Element, width: float, name: str) -> Iterator[HtmlElement]:
    """A picture of some width; if that is large, it fits the window until a box is ticked. No script is needed."""
    shown.set("style", f"--natural:{width:.0f}px")
    box = DIV({"class": "picture wide" if width > _WIDE else "picture"})
    box.append(shown)  # type: ignore[arg-type]  # SVG is not HTML, and may be in it
    if width > _WIDE:
        yield INPUT(type="checkbox", id=name, **{"class": "zoom"})
        yield LABEL("full size", **{"for": name})
    yield box


def folded_tree(kinematics: Kinematics) -> HtmlElement:
    """The tree as a list: the links of a limb below each other, and limbs that branch off where they do."""
    limbs = limbs_of(kinematics)
    made: dict[str, HtmlElement] = {}  # by first links; branches come before what they branch off
    for links in limbs:
        items = UL()
        for link, after in zip(links, [*links[1:], None], strict=True):
            item = LI(*_joint_words(kinematics, link), STRONG(clean(shown_name(link))))
            others = [joint.child for joint in kinematics.joints_below(link) if joint.child != after]
            leaves = [child for child in others if not kinematics.joints_below(child)]
            branches = [child for child in others if kinematics.joints_below(child)]
            if len(leaves) > _ALONE:
                listed = UL(*(made.pop(leaf) for leaf in leaves))
                words = f"{len(leaves)} leaves: {', '.join(map(shown_name, leaves[:_ALONE]))}, …"
                item.append(DETAILS(SUMMARY(clean(words)), listed))
            elif leaves:
                item.append(UL(*(made.pop(leaf) for leaf in leaves)))
            item.extend(made.pop(branch) for branch in branches)
            items.append(item)
        head = links[0]
        if len(links) == 1 and kinematics.joint_above(head) is not None:
            made[head] = items[0]
            continue
        moving = sum(
            joint is not None and joint.type.degrees_of_freedom > 0 for joint in map(kinematics.joint_above, links)
        )
        words = f"{shown_name(head)} … {shown_name(links[-1])}" if len(links) > 1 else shown_name(head)
        counted = f" {len(links)} links, {moving} joints that move"
        made[head] = DETAILS(SUMMARY(clean(words), SPAN(counted, {"class": "quiet"})), items)
    whole = DIV(*(made[root] for root in kinematics.roots if root in made), {"class": "tree"})
    for details in whole:
        details.set("open", "")
    return whole


def _joint_words(kinematics: Kinematics, link: str) -> Iterator[HtmlElement]:
    joint = kinematics.joint_above(link)
    if joint is not None:
        yield SPAN(clean(f"{shown_name(joint.name)}, {joint_kind(joint, rounded=True)}: "), {"class": "quiet"})


def modelica_section(contents: ReportContents) -> HtmlElement | None:
    """The diagram and the icon of the robot's class."""
    package = contents.package
    if package is None:
        if not contents.package_problem:
            return None
        words = f"There is no Modelica to show: {contents.package_problem}"
        return SECTION(H2("Modelica"), P(clean(words), {"class": "warning"}), id="modelica")
    about = "The package as it is now: " if package.is_user_s else "The package as it would be built: "
    section = SECTION(H2("Modelica"), P(about, CODE(clean(package.robot_class))), id="modelica")
    section.append(H3("Diagram"))
    section.extend(_picture(package.diagram, "diagram-large"))
    section.append(H3("Icon"))
    section.append(DIV(*_picture(package.icon, "icon-large"), {"class": "icon"}))
    problems = [*package.diagram.problems, *package.icon.problems]
    if problems:
        section.append(P("What could not be drawn:", {"class": "warning"}))
        section.append(UL(*(LI(clean(f"{each.path.name}:{each.line}: {each.message}")) for each in problems[:_LISTED])))
        if len(problems) > _LISTED:
            section.append(P(f"and {len(problems) - _LISTED} more", {"class": "quiet"}))
    return section


def _picture(drawing: Drawing, name: str) -> Iterator[HtmlElement]:
    """A drawing in the page, so that its tooltips are those of the page; of a diagram the half of its size is large."""
    svg = etree.fromstring(drawing.svg.encode())
    width = float(svg.get("width", "0")) / (2 if drawing.layer == "diagram" else 1)
    del svg.attrib["width"], svg.attrib["height"]
    yield from _zoomed(svg, width, name)


# ---------------------------------------------------------------- sections
# The sections of a report that are words and tables: what was read, what is wrong, what was verified.

_STYLES: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "quiet"}
_FULL_TABLE: Final = 500  # diagnostics; if there are more, the first ones are shown and the others counted


def summary_section(contents: ReportContents) -> HtmlElement:
    """Counts of what was read."""
    section = SECTION(H2("Summary"), id="summary")
    robot, kinematics = contents.robot, contents.kinematics
    if robot is None or kinematics is None:
        section.append(P("No robot could be read from this file.", {"class": "error"}))
        return section
    with_mass = sum(link.inertial is not None and link.inertial.mass is not None for link in robot.links)
    facts = {
        "links": str(len(robot.links)),
        "joints": str(len(robot.joints)),
        "degrees of freedom": str(degrees_of_freedom(robot)),
        "total mass": f"{total_mass(robot):.6g} kg",
        "links with mass": str(with_mass),
        "root": ", ".join(kinematics.roots) or "none",
        "ends": str(len(kinematics.leaves)),
        "visuals": str(sum(len(link.visuals) for link in robot.links)),
        "collisions": str(sum(len(link.collisions) for link in robot.links)),
        "transmissions": str(len(robot.transmissions)),
        "errors": str(contents.errors),
        "warnings": str(sum(found.severity is Severity.WARNING for found in contents.diagnostics)),
    }
    section.append(DL(*(DIV(DT(name), DD(clean(fact))) for name, fact in facts.items()), {"class": "facts"}))
    section.append(H3("Joints by type"))
    rows: list[list[Cell]] = [[kind, number(str(count))] for kind, count in joints_by_type(robot).items()]
    section.append(table(["type", "joints"], rows) if rows else P("It has no joints.", {"class": "quiet"}))
    return section


def diagnostics_section(contents: ReportContents) -> HtmlElement:
    """All that is wrong with the file, the worst first."""
    section = SECTION(H2("Diagnostics"), id="diagnostics")
    found = sorted(contents.diagnostics, key=lambda each: list(_STYLES).index(each.severity))
    if not found:
        section.append(P("Nothing is wrong with this file.", {"class": "good"}))
        return section
    counts = Counter(each.severity.value for each in found)
    section.append(P(", ".join(f"{name}: {count}" for name, count in counts.items())))
    section.append(table(["", "line", "what", "code"], map(_diagnostic_row, found[:_FULL_TABLE])))
    if len(found) > _FULL_TABLE:
        section.append(P(f"{len(found) - _FULL_TABLE} more are not listed here.", {"class": "quiet"}))
    return section


def _diagnostic_row(found: Diagnostic) -> list[Cell]:
    severity = TD(SPAN(found.severity.value, {"class": _STYLES[found.severity]}))
    message = TD(clean(found.message), {"class": "words"})
    if found.hint:
        message.append(DIV(clean(found.hint), {"class": "quiet"}))
    return [severity, number(str(found.line) if found.line else ""), message, found.code]


def verification_section(contents: ReportContents) -> HtmlElement | None:
    """What a simulation of the package and another engine say of each other."""
    result = contents.verification
    section = SECTION(H2("Verification"), id="verification")
    if result is None:
        if not contents.verification_problem:
            return None
        section.append(P("The package could not be compared with Pinocchio:", {"class": "error"}))
        section.append(PRE(clean(contents.verification_problem)))
        return section
    words = (
        f"{result.package} was simulated and compared with Pinocchio at {result.configurations} configurations"
        f"{f' and in {result.seconds:g} s of free motion' if result.seconds else ''}"
        f"{f', in {result.parts} parts' if result.parts > 1 else ''}."
    )
    section.append(P(clean(words)))
    verdict = (
        ("All differences are rounding errors.", "good")
        if result.is_ok
        else ("They differ by more than rounding.", "error")
    )
    section.append(P(verdict[0], {"class": verdict[1]}))
    rows: list[list[Cell]] = [
        [
            each.kind.words,
            number(f"{each.size:.1e}" if math.isfinite(each.size) else str(each.size)),
            number(f"{each.kind.tolerance:.0e}"),
            TD(SPAN("ok" if each.is_ok else "no", {"class": "good" if each.is_ok else "error"})),
            each.where,
        ]
        for each in result.largest
    ]
    section.append(table(["what", "largest difference", "allowed", "", "where"], rows))
    if result.wrong:
        section.append(H3("What is wrong"))
        section.append(UL(*(LI(clean(f"{each.kind.words}: {each.where}, {each.size:.1e}")) for each in result.wrong)))
    section.extend(P(clean(note), {"class": "quiet"}) for note in result.notes)
    return section


# ---------------------------------------------------------------- page

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_CSS: Final = """
:root { color-scheme: light dark; --text: #1c2330; --page: #ffffff; --soft: #f3f5f8; --line: #d5dae2;
  --quiet: #5b6678; --error: #b3261e; --warning: #8a5a00; --good: #1b6e3c; --mark: #fff2c4; --link: #1b5fa8; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ef; --page: #14181f; --soft: #1d232d; --line: #384150;
  --quiet: #9aa6b8; --error: #ff8a80; --warning: #ffc766; --good: #7ddc9f; --mark: #4d3f10; --link: #8ab8f0; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
header, nav, main { max-width: 1200px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 28px; } h1 { margin: 0; font-size: 28px; overflow-wrap: anywhere; }
h2 { margin: 36px 0 12px; padding-top: 12px; border-top: 1px solid var(--line); font-size: 20px; }
h3 { margin: 20px 0 8px; font-size: 16px; } p { margin: 6px 0; } a { color: var(--link); }
.quiet { color: var(--quiet); } code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; list-style: none; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 10px; margin: 0; }
.facts div { padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--soft); }
.facts dt { color: var(--quiet); font-size: 13px; } .facts dd { margin: 0; font-size: 20px; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 4px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { background: var(--soft); } td.number { text-align: right; white-space: nowrap; }
td.vector { white-space: nowrap; } td.words { overflow-wrap: break-word; min-width: 90px; max-width: 640px; }
.differs { background: var(--mark); } .differs del { color: var(--quiet); }
.error { color: var(--error); font-weight: 600; } .warning { color: var(--warning); font-weight: 600; }
.good { color: var(--good); font-weight: 600; }
.picture { overflow: auto; max-height: 90vh; padding: 8px; border: 1px solid var(--line); border-radius: 8px;
  background: #ffffff; } .icon { max-width: 360px; }
.picture svg, .picture img { display: block; height: auto; width: var(--natural); max-width: 100%; }
.wide { width: calc(100vw - 48px); margin-left: calc(50% - 50vw + 24px); }
.zoom:checked + label + .wide svg, .zoom:checked + label + .wide img { max-width: none; }
.tree { margin-top: 14px; font-size: 14px; } .tree ul { margin: 2px 0; padding-left: 22px; list-style: none; }
.tree summary { cursor: pointer; } .tree li { border-left: 1px solid var(--line); padding-left: 10px; }
@media print { .picture, .scroll { overflow: visible; max-height: none; } .picture svg, .picture img { max-width: 100%;
  width: auto !important; } nav { display: none; } tr, .picture { break-inside: avoid; } h2 { break-after: avoid; } }
"""


def page(contents: ReportContents) -> bytes:
    """The whole page, in UTF-8."""
    sections = [
        summary_section(contents),
        diagnostics_section(contents),
        tree_section(contents),
        modelica_section(contents),
        values_section(contents),
        verification_section(contents),
    ]
    shown = [section for section in sections if section is not None]
    document = HTML(
        HEAD(
            META(charset="utf-8"),
            META(**{"http-equiv": "Content-Security-Policy", "content": _POLICY}),
            META(name="viewport", content="width=device-width, initial-scale=1"),
            TITLE(clean(f"{contents.title}: robot report")),
            STYLE(_CSS),
        ),
        BODY(
            HEADER(
                H1(clean(contents.title)),
                P("A robot from ", html.builder.CODE(clean(contents.file)), {"class": "quiet"}),
            ),
            NAV(UL(*(LI(A(section[0].text or "", href=f"#{section.get('id')}")) for section in shown))),
            MAIN(*shown),
        ),
        lang="en",
    )
    return _bytes(document)


def _bytes(document: HtmlElement) -> bytes:
    text: bytes = html.tostring(document, doctype="<!DOCTYPE html>", encoding="utf-8")
    return text + b"\n"
