"""The documentation of a package: what the robot is, a drawing of its tree, tables of its links and joints.

The tables have no numbers: those are in the records, and a changed one changes its record and no page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from urdf_frontend.package.builder.part_values import ROOT_FRAME, flanges, leaf_frames
from urdf_frontend.robot import (
    Joint,
    Kinematics,
    NameTable,
    follows,
)


def package_info(kinematics: Kinematics, names: NameTable, package: str, drawing: str) -> str:
    """The page of the robot's package, as HTML; `drawing` is the path of the drawing in the package."""
    robot = kinematics.robot
    lines = [
        "<html>",
        f"<p>The robot <strong>{_text(robot.name or names.robot)}</strong>, made from its URDF file:",
        f"{len(robot.links)} links and {len(robot.joints)} joints.</p>",
        f'<p><img src="modelica://{package}/{drawing}" alt="The tree of links and joints"/></p>',
        "<h4>Links</h4>",
        *table(
            ("Link", "Component", "Values", "Visuals", "Collisions", "Frame of the robot"),
            _link_rows(kinematics, names, package),
        ),
        "<h4>Joints</h4>",
        *table(
            ("Joint", "Component", "Values", "Type", "Parent", "Child", "Follows", "Flange of the robot"),
            _joint_rows(robot.joints, names, package),
        ),
        "</html>",
    ]
    return "\n".join(lines)


def robot_info(package: str) -> str:
    """The page of the robot's model."""
    lines = (
        "<html>",
        "<p>All links and joints of the robot, connected as its URDF file says.",
        f'<a href="modelica://{package}">The page of the package</a> lists them, and says which frame and which flange',
        "belongs to which of them.</p>",
        "</html>",
    )
    return "\n".join(lines)


def with_other_links(info: str, classes: Mapping[str, str]) -> str:
    """A page with links to other classes in place of some."""
    for old, new in classes.items():
        info = info.replace(f'"modelica://{old}"', f'"modelica://{new}"')
    return info


def part_info(what: str, template: str, parameters: str) -> str:
    """The page of a link's or joint's model."""
    lines = (
        "<html>",
        f"<p>The model of one {what} of the robot, a copy of <code>{template}</code> with what this {what} needs.",
        "It can be changed without changing another one.</p>",
        f"<p>The values of <code>{parameters}</code> are those of the record beside this model.</p>",
        "</html>",
    )
    return "\n".join(lines)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table of HTML, a line for each row; cells are HTML already."""
    yield '<table border="1" cellspacing="0" cellpadding="2">'
    yield "<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
    yield "</table>"


def _link_rows(kinematics: Kinematics, names: NameTable, package: str) -> Iterator[tuple[str, ...]]:
    frames = leaf_frames(kinematics)
    for link in kinematics.robot.links:
        outside = [ROOT_FRAME] if link.name in kinematics.roots else []
        outside += [frames[link.name]] if link.name in frames else []
        named = names.link(link.name)
        yield (
            _linked(link.name, f"{package}.Links.{named.class_name}"),
            _text(named.component),
            _linked(named.parameters, f"{package}.Links.{named.parameters}"),
            str(len(link.visuals)),
            str(len(link.collisions)),
            ", ".join(outside),
        )


def _joint_rows(joints: Sequence[Joint], names: NameTable, package: str) -> Iterator[tuple[str, ...]]:
    flange_of = {joint.name: flange for joint, flange, _ in flanges(joints)}
    for joint in joints:
        named = names.joint(joint.name)
        leader = joint.mimic.joint if joint.mimic is not None and follows(joint) else ""
        yield (
            _linked(joint.name, f"{package}.Joints.{named.class_name}"),
            _text(named.component),
            _linked(named.parameters, f"{package}.Joints.{named.parameters}"),
            joint.type.value,
            _text(joint.parent),
            _text(joint.child),
            _text(leader),
            flange_of.get(joint.name, ""),
        )


def _linked(name: str, class_name: str) -> str:
    return f'<a href="modelica://{class_name}">{_text(name)}</a>'


def _text(text: str) -> str:
    """Text as HTML shows it; a name can have line ends and anything else in it."""
    return escape(" ".join(text.split()))
