"""The sections of a report that are pictures: the tree of links and joints, the Modelica diagram and icon."""

from __future__ import annotations

import base64
from typing import Final

from lxml import etree
from lxml.html import HtmlElement
from lxml.html.builder import CODE, DIV, H2, H3, IMG, LI, SECTION, UL, P

from modelica_ast.drawing import Drawing
from urdf_frontend.drawing import tree_svg
from urdf_frontend.report.contents import ReportContents
from urdf_frontend.report.tables import clean

_SHOWN_WIDTH: Final = 1100  # pixels; a wider diagram is made smaller, but never below the half of its size
_LISTED: Final = 20  # problems of a drawing


def tree_section(contents: ReportContents) -> HtmlElement | None:
    """The kinematic tree."""
    if contents.kinematics is None:
        return None
    # As an image: its style sheet would be that of the whole page otherwise.
    data = base64.b64encode(tree_svg(contents.kinematics)).decode()
    image = IMG(src=f"data:image/svg+xml;base64,{data}", alt=clean(f"The tree of {contents.title}"))
    return SECTION(H2("Kinematic tree"), DIV(image, {"class": "picture"}), id="tree")


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
    section.append(_picture(package.diagram))
    section.append(H3("Icon"))
    icon = _picture(package.icon)
    icon.set("class", "picture icon")
    section.append(icon)
    problems = [*package.diagram.problems, *package.icon.problems]
    if problems:
        section.append(P("What could not be drawn:", {"class": "warning"}))
        section.append(UL(*(LI(clean(f"{each.path.name}:{each.line}: {each.message}")) for each in problems[:_LISTED])))
        if len(problems) > _LISTED:
            section.append(P(f"and {len(problems) - _LISTED} more", {"class": "quiet"}))
    return section


def _picture(drawing: Drawing) -> HtmlElement:
    """A drawing in the page, so that its tooltips are those of the page."""
    svg = etree.fromstring(drawing.svg.encode())
    natural = float(svg.get("width", "0"))
    width = min(natural, max(_SHOWN_WIDTH, natural / 2))
    svg.set("style", f"width:{width:.0f}px" if drawing.layer == "diagram" else "width:100%")
    del svg.attrib["width"], svg.attrib["height"]
    box = DIV({"class": "picture"})
    box.append(svg)  # type: ignore[arg-type]  # it is no HTML, and may be in it
    return box
