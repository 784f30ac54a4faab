"""All checks of a robot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from modelica_ast.foundation import closest
from urdf_frontend.robot import (
    INERTIA,
    VERSIONS,
    Geometry,
    Inertia,
    Inertial,
    Joint,
    JointType,
    Kinematics,
    Limit,
    Link,
    LinkReference,
    Mesh,
    Origin,
    Place,
    Robot,
    Vector,
    items_in,
    type_of,
    values_of,
)
from urdf_frontend.urdf.diagnostics import Diagnostic, Findings, in_order, quoted

# ---------------------------------------------------------------- joints
# Axes, limits, and joints that follow others.

_ROUNDING: Final = 1e-6  # what is left of length one when numbers are written with six digits


def check_joints(robot: Robot, findings: Findings) -> None:
    """All joints, one by one and with those that they follow."""
    for joint in robot.joints:
        _axis(joint, findings)
        _dynamics(joint, findings)
        _limit(joint, findings)
        _mimic(robot, joint, findings)
    for circle in _mimic_circles(robot):
        first = circle[0]
        names = " - ".join(quoted(joint.name) for joint in (*circle, first)[:6])
        message = f"joints mimic each other in a cycle: {names}"
        findings.report("urdf-mimic-cycle", first.place, message, "leave out the <mimic> of the one that leads")


def _axis(joint: Joint, findings: Findings) -> None:
    if not joint.type.has_axis:
        return
    axis = joint.axis
    if axis is None or axis.xyz is None:
        if axis is None or not findings.mentions(axis.place, "xyz"):
            place = joint.place if axis is None else axis.place
            findings.report("urdf-axis-default", place, "the joint has no axis; it is 1 0 0")
        return
    if axis.unit is None:
        message = f"the axis {axis.xyz.text} has no direction"
        findings.report("urdf-axis-zero", axis.xyz.place, message, "write the direction, such as 0 0 1")
    elif abs(math.hypot(*axis.xyz.values) - 1.0) > _ROUNDING:
        length = math.hypot(*axis.xyz.values)
        message = f"the axis {axis.xyz.text} has length {length:.6g}, not 1; it is normalised"
        findings.report("urdf-axis-not-unit", axis.xyz.place, message)


def _dynamics(joint: Joint, findings: Findings) -> None:
    if joint.dynamics is None:
        return
    for field, number in values_of(joint.dynamics):
        if number.value < 0:
            message = f"the {field.attribute} is negative, {number.text}; it drives the joint and does not brake it"
            findings.report("urdf-dynamics-negative", joint.dynamics.place, message)


def _limit(joint: Joint, findings: Findings) -> None:
    limit = joint.limit
    if limit is None:
        if joint.type.is_bounded:
            message = f"a {joint.type.value} joint needs a <limit>; it is taken as not limited"
            findings.report("urdf-limit-missing", joint.place, message, "add one: ROS tools refuse the file without it")
        return
    _limit_numbers(limit, findings)
    if joint.type.is_bounded:
        _ends(limit, findings)
    elif joint.type is JointType.CONTINUOUS and (limit.lower is not None or limit.upper is not None):
        message = "a continuous joint turns without end; 'lower' and 'upper' are ignored"
        findings.report("urdf-limit-ignored", limit.place, message, "a joint with bounds is a revolute one")


def _limit_numbers(limit: Limit, findings: Findings) -> None:
    wanted = (("effort", limit.effort), ("velocity", limit.velocity))
    missing = [name for name, number in wanted if number is None and not findings.mentions(limit.place, name)]
    if missing:
        names = " and ".join(f"'{name}'" for name in missing)
        findings.report("urdf-limit-incomplete", limit.place, f"<limit> has no {names}; there is no such limit then")
    for name, number in limit.magnitudes.items():
        if number is not None and number.value < 0:
            message = f"the limit '{name}' is negative, {number.text}; it does not count"
            findings.report("urdf-limit-negative", limit.place, message, "leave it out if there is no such limit")


def _ends(limit: Limit, findings: Findings) -> None:
    if findings.mentions(limit.place, "lower") or findings.mentions(limit.place, "upper"):
        return
    (lower, upper), place = limit.ends, limit.place
    absent = " and no ".join(f"'{name}'" for name in ("lower", "upper") if getattr(limit, name) is None)
    hint = f"<limit> has no {absent}, which ROS tools read as 0" if absent else ""
    if lower.value > upper.value:
        message = f"the lower limit {lower.text} is above the upper limit {upper.text}; neither counts"
        findings.report("urdf-limit-order", place, message, hint)
    elif lower.value == upper.value:
        message = f"the lower limit is the upper limit, {lower.text}; the joint can't move"
        findings.report("urdf-limit-empty", place, message, hint)
    elif not lower.value <= 0.0 <= upper.value:
        message = f"the zero position is not between the limits {lower.text} and {upper.text}"
        findings.report("urdf-zero-outside-limits", place, message)


def _mimic(robot: Robot, joint: Joint, findings: Findings) -> None:
    mimic = joint.mimic
    if mimic is None or not mimic.joint:
        return
    leader = robot.get_joint(mimic.joint)
    if not joint.type.is_single:
        if joint.type is not JointType.UNKNOWN:
            message = f"a {joint.type.value} joint can't follow another one; its <mimic> is ignored"
            findings.report("urdf-mimic-ignored", mimic.place, message)
    elif leader is None:
        message = f"the joint {quoted(mimic.joint)}, which it mimics, does not exist"
        hint = "name the joint that leads, or leave <mimic> out"
        findings.report("urdf-mimic-undefined", mimic.place, message, hint)
    elif not leader.type.is_single:
        message = f"the joint {quoted(leader.name)}, which it mimics, is {leader.type.value} and has no single value"
        findings.report("urdf-mimic-leader", mimic.place, message, "name a joint that turns or slides")
    elif leader.type.is_rotational != joint.type.is_rotational:
        message = f"it is {joint.type.value} and mimics {quoted(leader.name)}, which is {leader.type.value}"
        hint = "the multiplier then is in metres per radian, or the other way round"
        findings.report("urdf-mimic-types", mimic.place, message, hint)


def _mimic_circles(robot: Robot) -> Iterator[list[Joint]]:
    done: set[str] = set()
    for start in robot.joints:
        way: dict[str, Joint] = {}
        at: Joint | None = start
        while at is not None and at.name not in done and at.name not in way:
            way[at.name] = at
            at = robot.get_joint(at.mimic.joint) if at.mimic is not None else None
        if at is not None and at.name in way:
            names = list(way)
            yield list(way.values())[names.index(at.name) :]
        done.update(way)


# ---------------------------------------------------------------- links
# Masses, inertias and shapes.

# Of the trace: what is left when a tensor is written with a few digits, or turned from other axes.
_UNIT_ROUNDING: Final = 1e-3


def check_links(robot: Robot, kinematics: Kinematics, findings: Findings) -> None:
    """All links, one by one."""
    carried = _carried_mass(robot, kinematics)
    for link in robot.links:
        _inertial(link, findings)
        _moving_mass(link, carried[link.name], kinematics, findings)
        for part in link.parts:
            if part.geometry is not None:
                _geometry(part.geometry, findings)
            _quaternion(part.origin, findings)
        if link.inertial is not None:
            _quaternion(link.inertial.origin, findings)
    for joint in robot.joints:
        _quaternion(joint.origin, findings)


def _carried_mass(robot: Robot, kinematics: Kinematics) -> dict[str, float]:
    """The mass of each link and all that is fixed to it, below it."""
    carried = {link.name: _mass(link) for link in reversed(robot.links)}
    for joint in reversed(kinematics.joint_order()):
        if joint.type is JointType.FIXED:
            carried[joint.parent] += carried[joint.child]
    return carried


def _mass(link: Link) -> float:
    mass = None if link.inertial is None else link.inertial.mass
    return 0.0 if mass is None else mass.value


def _moving_mass(link: Link, carried: float, kinematics: Kinematics, findings: Findings) -> None:
    joint = kinematics.joint_above(link.name)
    if joint is None or joint.type is JointType.FIXED:
        return  # what it is fixed to carries it
    if link.inertial is None:
        rest = "; what is fixed to it has mass" if carried > 0 else ""
        message = f"the link {quoted(link.name)} is moved by a joint and has no <inertial>; its mass is 0{rest}"
        findings.report("urdf-no-inertial", link.place, message)


def _inertial(link: Link, findings: Findings) -> None:
    inertial = link.inertial
    if inertial is None:
        return
    mass, of_link = inertial.mass, f"of the link {quoted(link.name)}"
    if mass is not None and mass.value < 0:
        findings.report("urdf-mass-negative", inertial.place, f"the mass {of_link}, {mass.text}, is negative")
    elif mass is not None and mass.value == 0:
        findings.report("urdf-mass-zero", inertial.place, f"the mass {of_link} is 0")
    _inertia(inertial, of_link, findings)


def _inertia(inertial: Inertial, of_link: str, findings: Findings) -> None:
    inertia = inertial.inertia
    if inertia is None:
        if inertial.mass is None or inertial.mass.value != 0:
            message = f"the <inertial> {of_link} has a mass and no <inertia>; it is taken as a point"
            findings.report("urdf-inertia-missing", inertial.place, message)
        return
    if len(list(values_of(inertia))) < len(INERTIA.fields):
        return  # reported where it was read
    smallest, middle, largest = principal_moments(inertia)
    slack = _ROUNDING * max(abs(smallest), abs(largest))
    if smallest < -slack:
        message = f"the inertia {of_link} has the principal moment {smallest:.6g}, and no body has a negative one"
        findings.report("urdf-inertia-negative", inertia.place, message)
    elif smallest <= slack:
        if inertial.mass is None or inertial.mass.value != 0:
            what = "a principal moment of the inertia" if largest > 0 else "the inertia"
            findings.report("urdf-inertia-zero", inertia.place, f"{what} {of_link} is 0")
    elif smallest + middle < largest - slack:
        message = (
            f"the principal moments {smallest:.6g}, {middle:.6g} and {largest:.6g} {of_link} break the triangle "
            "inequality: no body has them"
        )
        findings.report("urdf-inertia-triangle", inertia.place, message)


def principal_moments(inertia: Inertia) -> tuple[float, float, float]:
    """The eigenvalues of the tensor, the smallest first."""
    a, d, e, b, f, c = inertia.values
    scale = max(map(abs, (a, b, c, d, e, f)))
    if scale == 0.0:
        return 0.0, 0.0, 0.0
    a, b, c, d, e, f = (value / scale for value in (a, b, c, d, e, f))
    off = d * d + e * e + f * f
    if off == 0.0:
        low, mid, high = sorted((a, b, c))
        return low * scale, mid * scale, high * scale
    # The trigonometric solution for symmetric 3 x 3 matrices: no iteration, and all three are real.
    mean = (a + b + c) / 3
    spread = math.sqrt(((a - mean) ** 2 + (b - mean) ** 2 + (c - mean) ** 2 + 2 * off) / 6)
    a, b, c, d, e, f = ((v - m) / spread for v, m in ((a, mean), (b, mean), (c, mean), (d, 0), (e, 0), (f, 0)))
    half = (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)) / 2
    angle = math.acos(min(max(half, -1.0), 1.0)) / 3
    high = mean + 2 * spread * math.cos(angle)
    low = mean + 2 * spread * math.cos(angle + 2 * math.pi / 3)
    return low * scale, (3 * mean - low - high) * scale, high * scale


def _geometry(geometry: Geometry, findings: Findings) -> None:
    if isinstance(geometry, Mesh) and geometry.scale is not None and 0.0 in geometry.scale.values:
        message = f"the mesh is scaled by {geometry.scale.text}, which shrinks it to nothing"
        findings.report("urdf-scale", geometry.scale.place, message)
    lengths = [value for field, value in values_of(geometry) if field.unit == "m"]
    sizes = [size for value in lengths for size in (value.numbers if isinstance(value, Vector) else (value,))]
    wrong = next((size for size in sizes if size.value <= 0), None)
    if wrong is not None:
        findings.report("urdf-size", geometry.place, f"the size {wrong.text} is not positive")


def _quaternion(origin: Origin | None, findings: Findings) -> None:
    quaternion = None if origin is None else origin.quat_xyzw
    if quaternion is None:
        return
    length = math.hypot(*quaternion.values)
    if length == 0.0:
        message = "the quaternion is zero, and that is not a rotation"
        findings.report("urdf-quaternion-zero", quaternion.place, message, "0 0 0 1 is no rotation")
    elif abs(length - 1.0) > _UNIT_ROUNDING:
        message = f"the quaternion has length {length:.6g}, not 1; it is normalised"
        findings.report("urdf-quaternion-not-unit", quaternion.place, message)


# ---------------------------------------------------------------- transmissions
# Transmissions drive joints that exist.


def check_transmissions(robot: Robot, findings: Findings) -> None:
    """The rest of a transmission has too many dialects to be judged."""
    for transmission in robot.transmissions:
        for joint in transmission.joints:
            if robot.get_joint(joint.name) is None:
                message = f"the transmission drives the joint {quoted(joint.name)}, which does not exist"
                findings.report("urdf-transmission-joint", joint.place, message)


# ---------------------------------------------------------------- tree
# Links and joints make one tree.

_SHOWN: Final = 5  # names of a long list
_LOOPS: Final = "URDF describes trees, and a model can close the loop"
_WHOLE: Final = "define it with <link>, or expand the xacro file that this one is a part of"
_HELPED: Final = 20  # names that similar ones are looked for; each takes time in proportion to the number of links


def check_tree(robot: Robot, kinematics: Kinematics, findings: Findings) -> None:
    """Names are unique, references lead somewhere, and there is one root."""
    if not robot.links:
        hint = 'add <link name="…"/> for each body' if not robot.joints else _WHOLE
        findings.report("urdf-no-links", robot.place, "the robot has no links", hint)
    _unique(robot.links, "link", findings)
    _unique(robot.joints, "joint", findings)
    _references(robot, findings)
    for joint in kinematics.closing:
        first = kinematics.joint_above(joint.child)
        assert first is not None, "a second parent comes after a first one"
        # The link that both move; a loop of joints has to be closed by other means than URDF.
        message = f"the link {quoted(joint.child)} has two parents: it is moved by the joint {quoted(first.name)} too"
        place = joint.child_reference.place if joint.child_reference is not None else joint.place
        findings.report("urdf-two-parents", place, message, f"leave one of the joints out: {_LOOPS}")
    for loop in kinematics.loops:
        above = kinematics.joint_above(loop[0])
        assert above is not None, "every link of a loop has a joint above"
        message = f"links are attached to each other in a cycle: {listed([*loop, loop[0]], ' - ')}"
        findings.report("urdf-cycle", above.place, message, f"leave one of their joints out: {_LOOPS}")
    if robot.links and not kinematics.roots:
        message = "there is no root: every link is the child of a joint"
        findings.report("urdf-no-root", robot.place, message, f"leave one of the joints out: {_LOOPS}")
    if len(kinematics.roots) > 1:
        second = robot.get_link(kinematics.roots[1])
        message = f"there are {len(kinematics.roots)} links without a parent, but exactly one is expected"
        place = robot.place if second is None else second.place
        hint = "attach all but one of them with joints, or leave them out"
        findings.report("urdf-several-roots", place, f"{message}: {listed(kinematics.roots)}", hint)


def _unique(items: Iterable[Link | Joint], kind: str, findings: Findings) -> None:
    first: dict[str, Link | Joint] = {}
    for item in items:
        known = first.setdefault(item.name, item)
        if known is not item and item.name:
            message = f"there is a {kind} {quoted(item.name)} in {known.place} already"
            findings.report(f"urdf-duplicate-{kind}", item.place, message, "give one of them another name")


def _references(robot: Robot, findings: Findings) -> None:
    names = list(dict.fromkeys(link.name for link in robot.links))
    helped = 0
    for joint in robot.joints:
        for role, reference in (("parent", joint.parent_reference), ("child", joint.child_reference)):
            if reference is None or not reference.link or robot.get_link(reference.link) is not None:
                continue
            helped += 1
            _undefined(joint, role, reference, names if helped <= _HELPED else [], findings)


def _undefined(joint: Joint, role: str, reference: LinkReference, names: list[str], findings: Findings) -> None:
    near = closest(reference.link[:100], names[:2000])
    hint = f"did you mean {quoted(near)}?" if near else _WHOLE
    message = f"the {role} of the joint {quoted(joint.name)}, {quoted(reference.link)}, is not a link of this robot"
    findings.report("urdf-undefined-link", reference.place, message, hint)


def listed(names: Iterable[str], between: str = ", ") -> str:
    """Names as a list that stays short."""
    shown = [quoted(name) for name in names]
    rest = len(shown) - _SHOWN
    return between.join(shown[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


# ---------------------------------------------------------------- versions
# What a file says of its version, and what it uses of newer ones.


def check_version(robot: Robot, findings: Findings) -> None:
    """An unknown version is read as the newest one; older programs do not know what newer ones brought."""
    version = "1.0" if robot.version is None else robot.version
    if version == "1":
        version = "1.0"
    if version not in VERSIONS:
        message = f"there is no URDF version {quoted(version)}; it is read as {VERSIONS[-1]}"
        findings.report("urdf-version", robot.place, message, f"the versions are: {', '.join(VERSIONS)}")
        return
    for needed, what, place in _newer(robot):
        if needed > version:
            message = f"{what} is of URDF {needed}, and the file is of version {version}"
            findings.report("urdf-newer-version", place, message, f'write <robot version="{needed}" …>')


def _newer(robot: Robot) -> Iterator[tuple[str, str, Place]]:
    for whole in (*robot.links, *robot.joints):
        for _, item in items_in(whole):
            found = type_of(item)
            if found is None:
                continue
            if found.since != VERSIONS[0]:
                yield found.since, f"<{found.tag}>", item.place
            for field in found.newer_fields:
                if getattr(item, field.attribute) is not None:
                    yield field.since, f"'{field.attribute}'", item.place


# ---------------------------------------------------------------- validation


def validate(robot: Robot, findings: Findings | None = None) -> tuple[Diagnostic, ...]:
    """All that is wrong with a robot, whether it was read or made by a program; never raises.

    `urdf_frontend.read` has done it: its result has these diagnostics, and those that only the text shows.
    """
    findings = Findings("<robot>") if findings is None else findings
    kinematics = Kinematics.of(robot)
    check_version(robot, findings)
    check_tree(robot, kinematics, findings)
    check_links(robot, kinematics, findings)
    check_joints(robot, findings)
    check_transmissions(robot, findings)
    return in_order(findings.diagnostics)
