"""A second opinion: what urdf_parser_py, the reader of many ROS tools, makes of the same links and joints."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any, Final

from lxml import etree
from urdf_parser_py import urdf as ros
from urdf_parser_py.xml_reflection import core as reflection

from urdf_frontend.diagnostics import Diagnostic, Findings, in_order, quoted
from urdf_frontend.model.geometry import Box, Cylinder, Geometry, Mesh, Sphere
from urdf_frontend.model.joints import Joint
from urdf_frontend.model.links import Link
from urdf_frontend.model.numbers import Number, Vector
from urdf_frontend.model.origins import Origin
from urdf_frontend.reader import ReadResult

# urdf_parser_py says what it does not understand through one function for all its users.
_LOCK: Final = threading.Lock()

Pair = tuple[str, Any, Any]  # what it is, our value, their value


def cross_check(result: ReadResult) -> tuple[Diagnostic, ...]:
    """Let urdf_parser_py read each link and joint that was read here.

    What it can't read and is read here without an error is an info: other tools may fail there. A value that it reads
    differently is a warning. What it does not know (quaternions, capsules, newer limits, comments) is not compared.
    """
    robot, document = result.robot, result.document
    if robot is None or document is None:
        return ()
    findings = Findings(document.name)
    wrong = sorted({found.xpath for found in result.errors})
    with _LOCK:
        complain, reflection.on_error = reflection.on_error, lambda _message: None
        try:
            for link in robot.links:
                if not link.is_implicit:
                    _compare(link, link.place.span.of(document.text), wrong, findings)
            for joint in robot.joints:
                _compare(joint, joint.place.span.of(document.text), wrong, findings)
        finally:
            reflection.on_error = complain
    return in_order(findings.diagnostics)


def _compare(item: Link | Joint, text: str, wrong_paths: list[str], findings: Findings) -> None:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, recover=True, remove_comments=True, remove_pis=True
    )
    element = etree.fromstring(text.encode(), parser)
    name, kind = ("link", ros.Link) if isinstance(item, Link) else ("joint", ros.Joint)
    try:
        theirs = kind.from_xml(element, reflection.Path(name))
    except Exception as wrong:  # noqa: BLE001  (it lets KeyError, AssertionError and many others through)
        at = bisect_left(wrong_paths, item.place.xpath)
        if at < len(wrong_paths) and wrong_paths[at].startswith(item.place.xpath):
            return  # an error says what is wrong with it
        reason = " ".join(str(wrong).split())[:200]
        message = f"urdf_parser_py, which many ROS tools use, can't read this {name}: {reason}"
        findings.report("urdf-ros-parser", item.place, message)
        return
    pairs = _link(item, theirs) if isinstance(item, Link) else _joint(item, theirs)
    for what, our, their in pairs:
        if our is not None and _plain(our) != _plain(their):
            message = f"{what} is {quoted(str(_plain(our)))} here and {quoted(str(_plain(their)))} in urdf_parser_py"
            findings.report("urdf-readers-differ", item.place, message)


def _plain(value: Any) -> Any:
    """Numbers as floats, several of them as a list."""
    if isinstance(value, Vector):
        return list(value.values)
    if isinstance(value, Number):
        return value.value
    return [float(number) for number in value] if isinstance(value, Sequence) and not isinstance(value, str) else value


def _link(ours: Link, theirs: Any) -> Iterator[Pair]:
    yield "the name", ours.name, theirs.name
    if ours.inertial is not None:
        yield "the mass", ours.inertial.mass, theirs.inertial.mass
        yield from _origin(ours.inertial.origin, theirs.inertial.origin)
        if ours.inertial.inertia is not None:
            for term in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"):
                yield term, getattr(ours.inertial.inertia, term), getattr(theirs.inertial.inertia, term)
    others = [*theirs.visuals, *theirs.collisions]
    yield "the number of shapes", len(ours.parts), len(others)
    for part, other in zip(ours.parts, others, strict=False):
        yield from _origin(part.origin, other.origin)
        yield from _geometry(part.geometry, other.geometry)


def _origin(ours: Origin | None, theirs: Any) -> Iterator[Pair]:
    if ours is not None:
        yield "xyz", ours.xyz, theirs.xyz
        yield "rpy", ours.rpy, theirs.rpy


def _geometry(ours: Geometry | None, theirs: Any) -> Iterator[Pair]:
    match ours:
        case Box():
            yield "the size", ours.size, theirs.size
        case Cylinder():
            yield "the radius", ours.radius, theirs.radius
            yield "the length", ours.length, theirs.length
        case Sphere():
            yield "the radius", ours.radius, theirs.radius
        case Mesh():
            yield "the file", ours.filename, theirs.filename
            yield "the scale", ours.scale, theirs.scale


def _joint(ours: Joint, theirs: Any) -> Iterator[Pair]:
    yield "the name", ours.name, theirs.name
    yield "the type", ours.type.value, theirs.type
    yield "the parent", ours.parent, theirs.parent
    yield "the child", ours.child, theirs.child
    yield from _origin(ours.origin, theirs.origin)
    if ours.axis is not None:
        yield "the axis", ours.axis.xyz, theirs.axis
    parts = (
        (ours.limit, theirs.limit, ("lower", "upper", "effort", "velocity")),
        (ours.dynamics, theirs.dynamics, ("damping", "friction")),
        (ours.mimic, theirs.mimic, ("joint", "multiplier", "offset")),
        (ours.calibration, theirs.calibration, ("rising", "falling")),
        (
            ours.safety,
            theirs.safety_controller,
            ("soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity"),
        ),
    )
    for our, their, names in parts:
        if our is not None:
            yield from ((name, getattr(our, name), getattr(their, name)) for name in names)
