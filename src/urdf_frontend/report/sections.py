"""The sections of a report that are words and tables: what was read, what is wrong, what was verified."""

from __future__ import annotations

import math
from collections import Counter
from typing import Final

from lxml.html import HtmlElement
from lxml.html.builder import DD, DIV, DL, DT, H2, H3, LI, SECTION, SPAN, TD, UL, P

from urdf_frontend.codes import Severity
from urdf_frontend.diagnostics import Diagnostic
from urdf_frontend.report.contents import ReportContents, degrees_of_freedom, joints_by_type, total_mass
from urdf_frontend.report.tables import Cell, clean, number, table

_STYLES: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "quiet"}
_FULL_TABLE: Final = 500  # diagnostics; who has more sees the first ones and the number of the others


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
    if result is None:
        return None
    section = SECTION(H2("Verification"), id="verification")
    words = (
        f"{result.package} was simulated and compared with Pinocchio at {result.configurations} configurations"
        f"{f' and in {result.seconds:g} s of free motion' if result.seconds else ''}"
        f"{f', in {result.parts} parts' if result.parts > 1 else ''}."
    )
    section.append(P(clean(words)))
    verdict = (
        ("All differences are rounding.", "good") if result.is_ok else ("They differ by more than rounding.", "error")
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
