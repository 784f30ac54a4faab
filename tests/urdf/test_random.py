"""Robots at random read back equal; whatever else is read, nothing is raised."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from conftest import FIXTURES, ROOT, examples
from package.urdf_robots import robots, urdf_of
from urdf_frontend import CODES, Kinematics, ReadResult, Robot, read, validate
from urdf_frontend.robot import Item, Number, Vector, tree_lines, tree_svg
from urdf_frontend.urdf.second_opinion import cross_check

# What only a text can have, and a well-written one has not.
OF_TEXTS = {
    *(code for code in CODES if code.startswith(("urdf-number", "urdf-xml", "urdf-xacro"))),
    "urdf-attribute-missing",
    "urdf-unknown-element",
    "urdf-unknown-attribute",
    "urdf-stray-text",
    "urdf-repeated",
    "urdf-no-name",
    "urdf-prefix",
}


def as_written(robot: Robot) -> Robot:
    """Without what was found out about it: the looks that materials lead to, and a world that is only named."""
    links = (link for link in robot.links if not link.is_implicit)
    plain = (evolve(link, visuals=tuple(evolve(visual, look=None) for visual in link.visuals)) for link in links)
    return evolve(robot, links=tuple(plain), looks={})


def check_reading(robot: Robot) -> None:
    """Written and read, it is the same robot; each number is where its span says; its problems are the same."""
    result = read(urdf_of(robot))
    assert result.robot is not None, result.diagnostics
    assert result.document is not None
    assert as_written(result.robot) == robot
    assert not {found.code for found in result.diagnostics} & OF_TEXTS
    for number in numbers_of(result.robot):
        assert number.span is not None
        assert number.span.of(result.document.text) == number.text
    said = {(found.code, found.message.split("line")[0]) for found in result.diagnostics}
    assert {(found.code, found.message.split("line")[0]) for found in validate(robot)} <= said


def numbers_of(robot: Robot) -> Iterator[Number]:
    """All numbers that are anywhere in a robot."""
    todo: list[object] = [robot]
    while todo:
        found = todo.pop()
        if isinstance(found, Number):
            yield found
        elif isinstance(found, tuple):
            todo += found
        elif isinstance(found, Item | Vector):
            todo += [getattr(found, field.name) for field in type(found).__attrs_attrs__]


@settings(max_examples=examples(50))
@given(robots())
def test_a_robot_that_is_written_reads_back_equal(robot: Robot) -> None:
    check_reading(robot)


def look_at(result: ReadResult) -> None:
    """Do with it whatever can be done; only the types of what comes out are known."""
    assert all(found.message and CODES[found.code].severity is found.severity for found in result.diagnostics)
    assert result.robot is not None or result.errors
    if result.robot is not None:
        kinematics = Kinematics.of(result.robot)
        assert set(kinematics.forward()) == set(kinematics.order)
        assert all("\n" not in line for line in tree_lines(kinematics))
        assert tree_svg(kinematics).startswith(b"<?xml")
        cross_check(result)


@given(st.binary(max_size=200) | st.text(alphabet="<>/=\"' robtlinkjm&;!-[]?\n\0é", max_size=200).map(str.encode))
def test_random_bytes_are_no_robot_and_no_trouble(data: bytes) -> None:
    look_at(read(data))


@cache
def samples() -> list[bytes]:
    shared = ROOT.parent / "shared" / "urdf"
    files = [*sorted((FIXTURES / "urdf").glob("*.urdf")), *sorted(shared.glob("*.urdf"))]
    return [data for data in (path.read_bytes() for path in files) if len(data) < 20_000]


PIECES = [
    b"",
    b"<",
    b">",
    b'"',
    b"'",
    b"/",
    b"&",
    b"&#0;",
    b"\0",
    b"\xff",
    b"<!--",
    b"]]>",
    b"-",
    b" ",
    b"nan",
    b"1e999",
]
PIECES += [b"${", b"<link/>", b"<joint/>", b"name", b"base", b"mimic", b"\xc3\xa9", b"<![CDATA[", b"<!DOCTYPE x>", b"0"]


VALUES = [
    b"",
    b"base",
    b"tip",
    b"turn",
    b"0",
    b"-1",
    b"1e-320",
    b"1e999",
    b"1 2",
    b"0 0 0",
    b"nan",
    b"fixed",
    b"planar",
]


def mutated(data: bytes, drawn: random.Random) -> bytes:
    """A few places cut, doubled, moved, or with something else in them; or a few attributes with other values."""
    if drawn.random() < 0.5:
        values = [match.span(1) for match in re.finditer(rb'="([^"<&]*)"', data)]
        for start, end in sorted(drawn.sample(values, min(len(values), 3)), reverse=True):
            data = data[:start] + drawn.choice(VALUES) + data[end:]
        return data
    for _ in range(drawn.randint(1, 4)):
        start = drawn.randrange(len(data) + 1)
        end = min(len(data), start + drawn.choice([0, 1, 2, 5, 20, 100]))
        piece = drawn.choice([*PIECES, data[start:end] * 2, data[end : end + 40]])
        data = data[:start] + piece + data[end:]
    return data


def read_mutated(count: int, seed: str) -> None:
    drawn = random.Random(seed)  # noqa: S311  (the same cases in every run)
    outcomes: Counter[bool] = Counter()
    for _ in range(count):
        result = read(mutated(drawn.choice(samples()), drawn))
        look_at(result)
        outcomes[result.robot is not None] += 1
    assert min(outcomes[True], outcomes[False]) > count // 10  # or else only one half of the program is tried


def test_mutated_files_are_no_trouble(capfd: pytest.CaptureFixture[str]) -> None:
    read_mutated(400, "some")
    assert capfd.readouterr() == ("", "")


@pytest.mark.corpus
def test_ten_thousand_mutated_files_are_no_trouble(capfd: pytest.CaptureFixture[str]) -> None:
    read_mutated(10_000, "many")
    assert capfd.readouterr() == ("", "")


@pytest.mark.corpus
@settings(max_examples=examples(500))
@given(robots())
def test_many_robots_read_back_equal(robot: Robot) -> None:
    check_reading(robot)
