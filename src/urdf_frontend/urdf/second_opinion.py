"""A second opinion: what urdf_parser_py, the reader of many ROS tools, makes of the same links and joints."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any, Final

from lxml import etree
from urdf_parser_py import urdf as ros  # type: ignore[import-untyped, unused-ignore]
from urdf_parser_py.xml_reflection import core as reflection  # type: ignore[import-untyped, unused-ignore]

from urdf_frontend.robot import VERSIONS, Item, Joint, JointType, Link, Number, Vector, type_of
from urdf_frontend.urdf.diagnostics import Diagnostic, Findings, in_order, quoted
from urdf_frontend.urdf.reader import ReadResult

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
    for what, our, their in _pairs(item, theirs):
        if our is not None and _plain(our) != _plain(their):
            message = f"{what} is {quoted(str(_plain(our)))} here and {quoted(str(_plain(their)))} in urdf_parser_py"
            findings.report("urdf-readers-differ", item.place, message)


def _plain(value: Any) -> Any:
    """Numbers as floats, several of them as a list."""
    if isinstance(value, Vector):
        return list(value.values)
    if isinstance(value, Number | JointType):
        return value.value
    return [float(number) for number in value] if isinstance(value, Sequence) and not isinstance(value, str) else value


def _pairs(ours: Link | Joint, theirs: Any) -> Iterator[Pair]:
    yield from _values(ours, theirs)
    if isinstance(ours, Link):
        others = [*theirs.visuals, *theirs.collisions]
        yield "the number of shapes", len(ours.parts), len(others)
        for part, other in zip(ours.parts, others, strict=False):
            yield from _values(part.origin, other.origin)
            yield from _values(part.geometry, other.geometry)


def _values(ours: Item | None, theirs: Any) -> Iterator[Pair]:
    """What an element and those inside of it say, but for shapes. Both readers call it as URDF does."""
    found = None if ours is None else type_of(ours)
    if found is None or found.since != VERSIONS[0]:
        return
    for field in found.fields:
        if field.since == VERSIONS[0] and field.record is not None and field.xml:  # a shape's kind is not an attribute
            yield field.noun or field.attribute, getattr(ours, field.attribute), getattr(theirs, field.attribute)
    for part in found.parts:
        if not part.is_repeated:
            (kind,), inside, other = part.types, getattr(ours, part.attribute), getattr(theirs, part.tag)
            if kind.record is not None:
                yield from _values(inside, other)
            elif inside is not None:
                yield f"the {part.tag}", getattr(inside, kind.fields[0].attribute), other
