"""The documentation of a package: what the robot is, a drawing of its tree, tables of its links and joints.

The tables have no numbers: those are in the records, and a changed one changes its record and no page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

from urdf_frontend.package.builder.values import ROOT_FRAME, flanges, geometry_kind, leaf_frames
from urdf_frontend.robot import (
    Collision,
    Item,
    Joint,
    JointType,
    Kinematics,
    Link,
    NameTable,
    OtherGeometry,
    Robot,
    Visual,
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


# ---------------------------------------------------------------- leftovers
# What a URDF file has that the package does not show, in sentences.


def leftovers(robot: Robot) -> Iterator[str]:
    """A sentence for each kind of thing that is left out."""
    if robot.transmissions:
        yield f"{_count(len(robot.transmissions), 'transmission')}: drives are not modelled"
    for tag, number in sorted(
        Counter(extension.tag for item in _items(robot) for extension in item.extensions).items()
    ):
        yield f"{_count(number, 'element')} <{tag}>: URDF does not define it"
    for part, link in _parts(robot):
        if isinstance(part.geometry, OtherGeometry):
            yield f"a shape <{part.geometry.tag}> of the link '{link}': there is no template for it"
        elif geometry_kind(part.geometry) is None:
            yield f"a {type(part).__name__.lower()} of the link '{link}': it has no shape"
    for joint in robot.joints:
        if joint.calibration is not None and joint.calibration.reference_position is not None:
            yield f"the reference position of the joint '{joint.name}'"
        if joint.dynamics is not None and joint.type in {JointType.PLANAR, JointType.FLOATING}:
            yield f"the friction of the joint '{joint.name}': a {joint.type.value} joint has none here"


def _parts(robot: Robot) -> Iterator[tuple[Visual | Collision, str]]:
    for link in robot.links:
        for part in link.parts:
            yield part, link.name


def _items(robot: Robot) -> Iterator[Item]:
    """All parts of a robot that can have elements of other formats in them."""
    yield robot
    yield from robot.materials
    for link in robot.links:
        yield link
        if link.inertial is not None:
            yield link.inertial
        for part in link.parts:
            yield part
            if part.geometry is not None:
                yield part.geometry
    for joint in robot.joints:
        yield joint
        for item in (joint.axis, joint.limit, joint.dynamics, joint.mimic, joint.safety, joint.calibration):
            if item is not None:
                yield item


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


# ---------------------------------------------------------------- motion notes
# Links whose motion no tool can compute, because nothing there has a mass: said when the robot is built.

_LISTED: Final = 3  # joints that are named


def motion_notes(kinematics: Kinematics, *, stationary: bool) -> Iterator[str]:
    """A sentence for the root that moves freely without a mass, and one for all joints that move no mass."""
    links = {link.name: link for link in kinematics.robot.links}
    root = kinematics.roots[0]
    if not stationary and not any(_is_body(links[name]) for name in _fixed_together(kinematics, root)):
        yield (
            f"the root link '{_shown(root)}' moves freely, but neither it nor a link that is fixed to it has both mass "
            "and inertia: its equations of motion can be singular; give it some, or build a stationary robot"
        )
    idle = list(_joints_without_mass(kinematics, links))
    if idle:
        names = ", ".join(f"'{_shown(name)}'" for name in idle[:_LISTED]) + ", …" * (len(idle) > _LISTED)
        what = f"the joint {names} moves" if len(idle) == 1 else f"{len(idle)} joints move"
        rest = "" if len(idle) == 1 else f" ({names})"
        yield f"{what} nothing that has a mass{rest}: a simulation needs a drive that prescribes such motion, or a mass"


def _is_body(link: Link) -> bool:
    """Does a link resist being pushed and being turned?"""
    inertial = link.inertial
    if inertial is None or inertial.inertia is None:
        return False
    return _mass(link) > 0 and any(inertial.inertia.values)


def _fixed_together(kinematics: Kinematics, root: str) -> Iterator[str]:
    """A link and all that is fixed to it, directly or not."""
    todo = [root]
    while todo:
        link = todo.pop()
        yield link
        todo += [joint.child for joint in kinematics.joints_below(link) if joint.type is JointType.FIXED]


def _joints_without_mass(kinematics: Kinematics, links: dict[str, Link]) -> Iterator[str]:
    """The joints that move, and below which no link has a mass."""
    carried = {name: _mass(link) for name, link in links.items()}
    order = kinematics.joint_order()
    for joint in reversed(order):
        carried[joint.parent] += carried[joint.child]
    for joint in order:
        if joint.type is not JointType.FIXED and not carried[joint.child]:
            yield joint.name


def _mass(link: Link) -> float:
    mass = None if link.inertial is None else link.inertial.mass
    return 0.0 if mass is None else mass.value


def _shown(name: str) -> str:
    """A name can have line ends in it."""
    return " ".join(name.split())
